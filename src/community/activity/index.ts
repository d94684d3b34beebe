export { startFollowing } from './follow-events.ts'
export { activity } from './routes.ts'
