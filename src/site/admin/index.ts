export { type DeleteUserOptions, deleteUser, finishDeletions } from './delete-user.ts'
