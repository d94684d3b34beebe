export { readConfig, readTemplates } from './read-templates.ts'
export { issueTemplates } from './routes.ts'
export type { IssueConfig, IssueFormField, IssueTemplate } from './schema.ts'
