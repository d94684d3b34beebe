export { lineFeeds } from './forms.ts'
export { StateMark } from './marks.tsx'
export { renderText, showThread } from './show-thread.tsx'
export { TextField } from './text-forms.tsx'
