export { removeCollaborationsOf } from './change-collaborators.ts'
export { collaborators } from './routes.ts'
