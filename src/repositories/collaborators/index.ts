export { collaborators } from './routes.ts'
export { removeCollaborationsWith } from './store.ts'
