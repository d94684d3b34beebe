export { candidacyQuestion, candidateNamesQuestion, isCandidate, listCandidates } from './candidates-store.ts'
export { collaborators } from './routes.ts'
export { collaboratorsKnownTo, findKnownPerson } from './rules.ts'
export { listCollaborations, removeCollaborationsOfOwners, removeCollaborationsWith, setCollaboration } from './store.ts'
