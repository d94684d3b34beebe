import { commitTime } from '../objects/commit.ts'
import { type Oid, rawOid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { type EntryColumns, findEntryByOid, NONE, oidOf } from './entry-table.ts'
import type { PushedTip } from './peel.ts'

export interface TipTimesInput {
  columns: EntryColumns
  /** From `sortByOid`. */
  order: Uint32Array
  store: ObjectReader
  /** Reads entries of the pack once more. */
  readEntries: (entries: readonly number[], onObject: (entry: number, data: Uint8Array) => void) => Promise<void>
}

/** The tips, those that are commits with their dates. */
export async function addTipTimes({ columns, order, store, readEntries }: TipTimesInput, tips: readonly PushedTip[]): Promise<PushedTip[]> {
  const times = new Map<Oid, number>()
  const entries: number[] = []
  for (const { oid, type } of tips) {
    if (type !== 'commit') continue
    const entry = findEntryByOid(columns, order, rawOid(oid))
    if (entry === NONE) times.set(oid, commitTime(store.get(oid, 'commit').data))
    else entries.push(entry)
  }
  await readEntries(entries, (entry, data) => times.set(oidOf(columns, entry), commitTime(data)))
  return tips.map((tip) => {
    const time = times.get(tip.oid)
    return time === undefined ? tip : { ...tip, time }
  })
}
