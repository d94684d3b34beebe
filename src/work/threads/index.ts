export { lineFeeds } from './forms.ts'
export { IssueRow } from './issue-row.tsx'
export { renderText, showThread } from './show-thread.tsx'
export { TextField } from './text-forms.tsx'
