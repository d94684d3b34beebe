export { addRepo as addTeamRepo } from './store.ts'
