export { prepareWalks } from './commit-graph.ts'
export { lookAfter } from './look-after.ts'
export { type DamagedStore, listDamaged } from './store.ts'
export { expectUpkeep, visitAll } from './upkeep.ts'
