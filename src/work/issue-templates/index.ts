export { readPullTemplate } from './pull-template.ts'
export { readConfig, readTemplates } from './read-templates.ts'
export type { IssueConfig, IssueFormField, IssueTemplate } from './schema.ts'
