export { type DeleteUserOptions, deleteUser, finishDeletions } from './delete-user.ts'
export { admin } from './routes.ts'
