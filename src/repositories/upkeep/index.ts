export { expectUpkeep, lookAfter, visitAll } from './upkeep.ts'
