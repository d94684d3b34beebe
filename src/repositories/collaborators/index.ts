export { isCandidate, listCandidates } from './candidates-store.ts'
export { collaborators } from './routes.ts'
export { removeCollaborationsWith, setCollaboration } from './store.ts'
