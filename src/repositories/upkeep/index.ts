export { type DamagedStore, listDamaged } from './store.ts'
export { expectUpkeep, lookAfter, visitAll } from './upkeep.ts'
