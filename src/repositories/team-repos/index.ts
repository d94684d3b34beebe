export { teamRepos } from './routes.ts'
