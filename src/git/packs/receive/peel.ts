import { checkTag } from '../../objects/check-tag.ts'
import { ignorableFaults } from '../../objects/fsck-messages.ts'
import type { ObjectType, Oid } from '../../objects/oid.ts'
import { rawOid } from '../../objects/oid.ts'
import type { ObjectReader } from '../../store/types.ts'
import { TAG, typeName } from '../entry.ts'
import type { EntryColumns } from './entry-table.ts'
import { findEntryByOid, NONE } from './entry-table.ts'
import { refusal } from './refusal.ts'
import type { TagTargets } from './tag-targets.ts'

export interface PushedTip {
  oid: Oid
  type: ObjectType
  /** Of a tag: what it finally points to. */
  peeled?: Oid
  /** Of a commit: its committer date, seconds since 1970. */
  time?: number
}

export interface PeelInput {
  columns: EntryColumns
  /** From `sortByOid`. */
  order: Uint32Array
  tags: TagTargets[]
  store: ObjectReader
}

/** What is stored already may be older than today's rules. */
const everyFault: ReadonlySet<string> = new Set(ignorableFaults)

/** Tags that point to tags that point to tags, and so on. */
const MOST_NESTED = 50

/** The types of the pushed refs' new values, which are in the pack or the store. @throws GitError `limit` for tags nested too deeply */
export function peelTips(input: PeelInput, tips: readonly Oid[]): PushedTip[] {
  const targets = new Map<Oid, Oid>()
  let level = new Set(tips)
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > MOST_NESTED) throw refusal('limit', `a pushed tag is nested more than ${MOST_NESTED} deep`)
    const found = findTargets(input, level)
    level = new Set()
    for (const [tag, target] of found) {
      targets.set(tag, target)
      if (!targets.has(target)) level.add(target)
    }
  }
  return tips.map((oid) => {
    const type = typeOf(input, oid)
    return type === 'tag' ? { oid, type, peeled: follow(targets, oid) } : { oid, type }
  })
}

function follow(targets: Map<Oid, Oid>, oid: Oid): Oid {
  let last = oid
  for (let next: Oid | undefined = oid; next !== undefined; next = targets.get(next)) last = next
  return last
}

/** What those of `oids` that are tags point to. */
function findTargets(input: PeelInput, oids: Set<Oid>): Map<Oid, Oid> {
  const found = new Map<Oid, Oid>()
  const entries = new Map<number, Oid | undefined>()
  for (const oid of oids) {
    const entry = findEntryByOid(input.columns, input.order, rawOid(oid))
    if (entry === NONE) noteStored(input.store, oid, found)
    else if (input.columns.types[entry] === TAG) entries.set(entry, undefined)
  }
  if (entries.size > 0) for (const tags of input.tags) tags.fill(entries)
  for (const oid of oids) {
    const target = entries.get(findEntryByOid(input.columns, input.order, rawOid(oid)))
    if (target !== undefined) found.set(oid, target)
  }
  return found
}

function noteStored(store: ObjectReader, oid: Oid, found: Map<Oid, Oid>): void {
  if (store.findHeader(oid)?.type !== 'tag') return
  const { data } = store.get(oid, 'tag')
  const { hexLength } = store.format
  checkTag(data, 0, data.length, hexLength, (at) => found.set(oid, Buffer.prototype.latin1Slice.call(data, at, at + hexLength) as Oid), everyFault)
}

function typeOf(input: PeelInput, oid: Oid): ObjectType {
  const entry = findEntryByOid(input.columns, input.order, rawOid(oid))
  if (entry !== NONE) return typeName(input.columns.types[entry] as number)
  const header = input.store.findHeader(oid)
  if (header === undefined) throw refusal('missing', `the pushed object ${oid} is neither in the pack nor in the repository`)
  return header.type
}
