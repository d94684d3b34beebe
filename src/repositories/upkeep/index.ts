export { expectUpkeep, lookAfter, startUpkeep, type UpkeepOutcome, visitAll } from './upkeep.ts'
