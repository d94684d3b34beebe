export { addBadge, removeBadge } from './change-badges.ts'
export { listBadges } from './store.ts'
export { presentBadge } from './view.ts'
