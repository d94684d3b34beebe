export { gitHttp, isForGit, renderForGit } from './git-http.ts'
