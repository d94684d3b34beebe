export { lineFeeds } from './forms.ts'
export { StateMark } from './marks.tsx'
export { showThread } from './show-thread.tsx'
export { TextField } from './text-forms.tsx'
