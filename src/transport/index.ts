export { gitHttp } from './git-http.ts'
