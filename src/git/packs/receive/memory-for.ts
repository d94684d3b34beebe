import { breathe, isDue } from '#kernel/breathe.ts'
import type { GitLimits } from '../../limits.ts'
import { oidAt } from '../../objects/oid.ts'
import { type ObjectReader, presenceIn } from '../../store/types.ts'
import { bytesForBases } from './delta-walk.ts'
import type { EntryTable } from './entry-table.ts'
import { NONE } from './entry-table.ts'
import type { Forest } from './forest.ts'
import { LARGE_BASE_BYTES } from './thin.ts'

export interface MemoryInput {
  table: EntryTable
  forest: Forest
  store: ObjectReader
  limits: GitLimits
}

/** More than there is: bases of hundreds of megabytes are held by one pack at a time. */
export const ALL_MEMORY = Number.POSITIVE_INFINITY
/** Small packs, which most are, need not ask. */
const FREE_BYTES = 4 * 1024 * 1024

/** What resolving a pack's deltas takes for their bases, in bytes; 0 for what is not worth asking for. */
export async function memoryFor(input: MemoryInput): Promise<number> {
  const { table, forest, limits } = input
  if (holdsLargeBases(input) || (await standsOnLarge(input))) return ALL_MEMORY
  if (forest.roots.length === 0 && forest.groups.count === 0) return 0
  const bytes = bytesForBases(table.columns, table.count, limits.deltaCacheBytes)
  return bytes > FREE_BYTES ? bytes : 0
}

/** Whether deltas have to be applied to large objects, which are held whole for that. A base that only its name tells may be any of them. */
function holdsLargeBases({ table: { columns, count }, forest: { firstChild, groups } }: MemoryInput): boolean {
  for (let entry = 0; entry < count; entry++) {
    if ((columns.sizes[entry] as number) > LARGE_BASE_BYTES && (firstChild[entry] !== NONE || groups.count > 0)) return true
  }
  return false
}

/** Whether a delta stands on a large object of the repository. */
async function standsOnLarge({ forest, store }: MemoryInput): Promise<boolean> {
  const { count, oids, rawLength, claims } = forest.groups
  if (count === 0) return false
  const isStored = presenceIn(store)
  for (let group = 0; group < count; group++) {
    const at = group * rawLength
    if (claims[group] === 0 && isStored(oids, at) && (store.findHeader(oidAt(oids, at, rawLength))?.size ?? 0) > LARGE_BASE_BYTES) return true
    if (isDue()) await breathe()
  }
  return false
}
