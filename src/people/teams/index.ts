export { knownTo } from './rules.ts'
export { Team, TeamList } from './schema.ts'
export { findTeamByName, listTeams } from './store.ts'
export { presentTeam, presentTeams } from './view.ts'
