export { addBadge, removeBadge } from './change-badges.ts'
export { badges } from './routes.ts'
export { listBadges } from './store.ts'
export { presentBadge } from './view.ts'
