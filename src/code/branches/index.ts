export { createBranch, deleteBranch } from './change-branches.ts'
export { branches } from './routes.ts'
export { Branch } from './schema.ts'
