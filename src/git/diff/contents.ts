import { GitError } from '../errors.ts'
import { GITLINK_MODE } from '../objects/tree.ts'
import type { ObjectReader } from '../store/types.ts'
import { isBinary } from './line-stats.ts'
import type { TreeSide } from './tree-diff.ts'

const nothing = new Uint8Array(0)

/** Both sides of a changed file. */
export interface Contents {
  before: Uint8Array
  after: Uint8Array
  isBinary: boolean
}

/**
 * What a file has on each side: nothing where it is not there, a line that names the commit for a submodule.
 * Undefined when a side has more than `maxBytes`. @throws GitError `missing` or `corrupt` when a blob is
 */
export function contentsOf(store: ObjectReader, old: TreeSide | undefined, now: TreeSide | undefined, maxBytes: number): Contents | undefined {
  const before = contentOf(store, old, maxBytes)
  const after = contentOf(store, now, maxBytes)
  return before && after && { before, after, isBinary: isBinaryChange({ old, new: now }, before, after) }
}

/** Whether one of the sides is, as attributes say or, where they do not, its content. */
export function isBinaryChange({ old, new: now }: { old: TreeSide | undefined; new: TreeSide | undefined }, before: Uint8Array, after: Uint8Array): boolean {
  return (old?.isBinary ?? isBinary(before)) || (now?.isBinary ?? isBinary(after))
}

function contentOf(store: ObjectReader, side: TreeSide | undefined, maxBytes: number): Uint8Array | undefined {
  if (side === undefined) return nothing
  if (side.mode === GITLINK_MODE) return Buffer.from(`Subproject commit ${side.oid}\n`)
  try {
    return store.get(side.oid, 'blob', maxBytes).data
  } catch (error) {
    if (error instanceof GitError && error.kind === 'limit') return undefined
    throw error
  }
}

const BLOCK = 1024
const LF = 10

/**
 * Both contents without the blocks that are the same at their ends, up to a line break: what git compares when it shows no lines
 * around changes. It matters, since which lines are found to have changed depends on all there are. Source: `trim_common_tail`.
 */
export function withoutCommonTail(before: Uint8Array, after: Uint8Array): [before: Uint8Array, after: Uint8Array] {
  const shorter = Math.min(before.length, after.length)
  let trimmed = 0
  while (trimmed + BLOCK <= shorter && isSameBlock(before, after, trimmed)) trimmed += BLOCK
  if (trimmed === 0) return [before, after]
  const lineEnd = before.indexOf(LF, before.length - trimmed)
  const kept = lineEnd < 0 ? trimmed : lineEnd + 1 - (before.length - trimmed)
  return [before.subarray(0, before.length - trimmed + kept), after.subarray(0, after.length - trimmed + kept)]
}

function isSameBlock(a: Uint8Array, b: Uint8Array, fromEnd: number): boolean {
  const [endA, endB] = [a.length - fromEnd, b.length - fromEnd]
  return Buffer.compare(a.subarray(endA - BLOCK, endA), b.subarray(endB - BLOCK, endB)) === 0
}
