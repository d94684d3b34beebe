export { Documents } from './documents.ts'
export { findIssueReferences, findMentions, type IssueReference } from './find-references.ts'
export { MAX_COLOURED } from './job.ts'
export { markdown } from './routes.ts'
