export type { TemplateParts } from './template-part.ts'
