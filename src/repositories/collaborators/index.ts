export { isCandidate, listCandidates } from './candidates-store.ts'
export { collaborators } from './routes.ts'
export { removeCollaborationsOfOwners, removeCollaborationsWith, setCollaboration } from './store.ts'
