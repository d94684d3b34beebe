export { deleteBranch } from './change-branches.ts'
