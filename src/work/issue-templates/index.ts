export { issueTemplates } from './routes.ts'
