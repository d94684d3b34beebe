export { followPushes } from './follow-pushes.ts'
