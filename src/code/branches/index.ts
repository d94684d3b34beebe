export { createBranch, deleteBranch } from './change-branches.ts'
export { Branch } from './schema.ts'
