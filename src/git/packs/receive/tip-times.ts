import { type CommitLinks, commitLinks, commitTime } from '../../objects/commit.ts'
import { type Oid, rawOid } from '../../objects/oid.ts'
import type { ObjectReader } from '../../store/types.ts'
import { type EntryColumns, findEntryByOid, NONE, oidOf } from './entry-table.ts'
import type { PushedTip } from './peel.ts'

export interface TipTimesInput {
  columns: EntryColumns
  /** From `sortByOid`. */
  order: Uint32Array
  store: ObjectReader
  /** Reads entries of the pack once more. */
  readEntries: (entries: readonly number[], onObject: (entry: number, data: Uint8Array) => void) => Promise<void>
  /** Hears of every tip that is a commit of the pack. */
  onCommit?: (oid: Oid, links: CommitLinks) => void
}

/** The tips, those that are commits with their dates. */
export async function addTipTimes({ columns, order, store, readEntries, onCommit }: TipTimesInput, tips: readonly PushedTip[]): Promise<PushedTip[]> {
  const times = new Map<Oid, number>()
  const entries: number[] = []
  for (const { oid, type } of tips) {
    if (type !== 'commit') continue
    const entry = findEntryByOid(columns, order, rawOid(oid))
    if (entry === NONE) times.set(oid, commitTime(store.get(oid, 'commit').data))
    else entries.push(entry)
  }
  await readEntries(entries, (entry, data) => {
    const oid = oidOf(columns, entry)
    const links = commitLinks(data)
    times.set(oid, links.committerTime)
    onCommit?.(oid, links)
  })
  return tips.map((tip) => {
    const time = times.get(tip.oid)
    return time === undefined ? tip : { ...tip, time }
  })
}
