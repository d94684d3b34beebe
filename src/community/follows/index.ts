export { unfollowEachOther } from './change-follows.ts'
export { follows } from './routes.ts'
