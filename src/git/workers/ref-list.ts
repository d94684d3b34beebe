import type { Oid } from '../objects/oid.ts'
import type { SnapshotRef } from '../protocol/context.ts'

/** Refs travel between threads as text in shared memory, one `oid name[ peeled]` a line: encoded once, decoded once a thread. */
export function encodeRefs(refs: readonly SnapshotRef[]): SharedArrayBuffer {
  const text = Buffer.from(refs.map((ref) => `${ref.oid} ${ref.name}${ref.peeled ? ` ${ref.peeled}` : ''}`).join('\n'))
  const shared = new SharedArrayBuffer(text.length)
  new Uint8Array(shared).set(text)
  return shared
}

const MAX_KEPT = 16
const kept = new Map<string, SnapshotRef[]>()

/** `key` names the state of the refs; a known one is not decoded again. */
export function decodeRefs(key: string, encoded: SharedArrayBuffer): SnapshotRef[] {
  const known = kept.get(key)
  if (known) return known
  const text = Buffer.from(new Uint8Array(encoded)).toString('utf8')
  const refs = text === '' ? [] : text.split('\n').map(parseLine)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(key, refs)
  return refs
}

function parseLine(line: string): SnapshotRef {
  const [oid, name, peeled] = line.split(' ')
  return peeled === undefined ? { oid: oid as Oid, name } : { oid: oid as Oid, name, peeled: peeled as Oid }
}
