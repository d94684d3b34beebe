export { issueLabels } from './routes.ts'
