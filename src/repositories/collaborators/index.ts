export { collaborators } from './routes.ts'
export { removeCollaborationsWith, setCollaboration } from './store.ts'
