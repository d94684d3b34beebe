export { expectUpkeep, lookAfter, startUpkeep, type UpkeepOutcome } from './upkeep.ts'
