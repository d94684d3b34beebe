export { countUnread } from './count-unread.ts'
export { notifications } from './routes.ts'
