export { type DamagedStore, listDamaged } from './store.ts'
export { expectUpkeep, lookAfter, prepareWalks, visitAll } from './upkeep.ts'
