import type { Oid } from '../objects/oid.ts'
import type { DiskStore } from '../store/disk.ts'

const SHORTEST = 7

/**
 * How git shortens the ids of a repository: as long as so many objects make it likely to be unique, and longer where it is not.
 * Source: git's `repo_find_unique_abbrev_r`.
 */
export function abbreviator(store: DiskStore): (oid: Oid) => string {
  const packed = store.packs.reduce((sum, { index }) => sum + index.count, 0)
  const usual = Math.max(SHORTEST, Math.ceil((32 - Math.clz32(packed)) / 2))
  const loose = looseByPrefix(store, usual)
  return (oid) => {
    let length = usual
    while (length < oid.length && isShared(store, loose, oid, usual, length)) length++
    return oid.slice(0, length)
  }
}

function looseByPrefix(store: DiskStore, length: number): Map<string, Oid[]> {
  const byPrefix = new Map<string, Oid[]>()
  for (const oid of store.looseOids()) {
    const prefix = oid.slice(0, length)
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), oid])
  }
  return byPrefix
}

function isShared(store: DiskStore, loose: ReadonlyMap<string, readonly Oid[]>, oid: Oid, usual: number, length: number): boolean {
  const prefix = oid.slice(0, length)
  if (loose.get(oid.slice(0, usual))?.some((other) => other !== oid && other.startsWith(prefix))) return true
  return store.packs.some(({ index }) => {
    const { from, to } = index.prefixRange(prefix)
    for (let at = from; at < to; at++) if (index.oidAt(at) !== oid) return true
    return false
  })
}
