export { unfollowEachOther } from './change-follows.ts'
