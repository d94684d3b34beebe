export { forgetLeaver } from './forget-leavers.ts'
export { refuseLeaving } from './rules.ts'
export { isLeaving } from './store.ts'
