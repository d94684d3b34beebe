export { unfollowEachOther } from './change-follows.ts'
export { isFollowing, listFollowed, listFollowers } from './store.ts'
