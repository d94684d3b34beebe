export { candidacyQuestion, candidateNamesQuestion, findCandidates, isCandidate, type Work } from './candidates-store.ts'
export { collaborators } from './routes.ts'
export { collaboratorsKnownTo, findKnownPerson } from './rules.ts'
export { listCollaborations, removeCollaborationsOfOwners, removeCollaborationsWith, setCollaboration } from './store.ts'
