export { lookAfter, startUpkeep, type UpkeepOutcome } from './upkeep.ts'
