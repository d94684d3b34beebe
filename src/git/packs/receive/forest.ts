import { OFS_DELTA, TREE } from '../entry.ts'
import type { EntryColumns, EntryTable } from './entry-table.ts'
import { NONE } from './entry-table.ts'
import type { RefBaseList, RefGroups } from './ref-bases.ts'
import { claimGroup, findGroup } from './ref-bases.ts'

/**
 * Which deltas are made for which base. Of an entry's children the one with the most descendants comes first in the chain and is
 * resolved last: by then its base is needed no more, so at most log2(entries) bases wait for later children at any time.
 */
export interface Forest {
  /** The entry's heaviest child, or `NONE`. */
  firstChild: Int32Array
  /** The next child of the same base, or `NONE`. */
  nextSibling: Int32Array
  groups: RefGroups
  /** Entries that are no deltas and have children, and trees, which are checked with their families; the heaviest first. */
  roots: Int32Array
}

/** Chains the OFS_DELTA entries to their bases; REF_DELTA entries wait in groups until their base has a name. */
export function plantForest(table: EntryTable, refBases: RefBaseList): Forest {
  // Bases that a thin pack lacks become further entries: at most one a group. The columns must not move once walks have them.
  const most = table.count + refBases.length
  table.reserve(most)
  const firstChild = new Int32Array(new SharedArrayBuffer(most * 4)).fill(NONE)
  const nextSibling = new Int32Array(new SharedArrayBuffer(most * 4)).fill(NONE)
  const groups = refBases.group(nextSibling)
  const weights = chainChildren(table, firstChild, nextSibling)
  const roots: number[] = []
  for (let entry = 0; entry < table.count; entry++) {
    if ((table.columns.types[entry] as number) >= OFS_DELTA) continue
    adoptGroup(table.columns, groups, firstChild, nextSibling, entry)
    if (firstChild[entry] !== NONE || table.columns.types[entry] === TREE) roots.push(entry)
  }
  roots.sort((a, b) => (weights[b] as number) - (weights[a] as number))
  const shared = new Int32Array(new SharedArrayBuffer(roots.length * 4))
  shared.set(roots)
  return { firstChild, nextSibling, groups, roots: shared }
}

/** Returns each entry's weight: itself and its descendants. A base lies before its OFS_DELTAs, so one pass from the end suffices. */
function chainChildren(table: EntryTable, firstChild: Int32Array, nextSibling: Int32Array): Uint32Array {
  const { bases } = table.columns
  const weights = new Uint32Array(table.count).fill(1)
  for (let entry = table.count - 1; entry >= 0; entry--) {
    const base = bases[entry] as number
    if (base === NONE) continue
    weights[base] = (weights[base] as number) + (weights[entry] as number)
    const first = firstChild[base] as number
    if (first !== NONE && (weights[entry] as number) < (weights[first] as number)) {
      nextSibling[entry] = nextSibling[first] as number
      nextSibling[first] = entry
    } else {
      nextSibling[entry] = first
      firstChild[base] = entry
    }
  }
  return weights
}

/** Gives `entry`, whose id has become known, the deltas that wait for that id, unless another entry got them. */
export function adoptGroup(columns: EntryColumns, groups: RefGroups, firstChild: Int32Array, nextSibling: Int32Array, entry: number): void {
  if (groups.count === 0) return
  const group = findGroup(groups, columns.oids, entry * columns.rawLength)
  if (group === NONE || !claimGroup(groups, group)) return
  const head = groups.heads[group] as number
  let last = head
  for (let child = head; child !== NONE; child = nextSibling[child] as number) {
    columns.bases[child] = entry
    last = child
  }
  const first = firstChild[entry] as number
  if (first === NONE) {
    firstChild[entry] = head
  } else {
    nextSibling[last] = nextSibling[first] as number
    nextSibling[first] = head
  }
}
