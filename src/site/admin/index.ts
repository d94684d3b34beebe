export { type DeleteUserOptions, deleteUser } from './delete-user.ts'
