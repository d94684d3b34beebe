export { type DeleteUserOptions, deleteUser } from './delete-user.ts'
export { admin } from './routes.ts'
