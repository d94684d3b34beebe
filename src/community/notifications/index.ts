export { takeEvents } from './follow-events.ts'
export { notifications } from './routes.ts'
