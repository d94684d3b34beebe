export { knownTo } from './rules.ts'
export { Team, TeamList } from './schema.ts'
export { listTeams } from './store.ts'
export { presentTeam, presentTeams } from './view.ts'
