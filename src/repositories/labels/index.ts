export { addLabelsOf } from './change-labels.ts'
export { labels } from './routes.ts'
export type { LabelTemplate } from './schema.ts'
export { findLabelTemplate, labelTemplateNames } from './templates.ts'
