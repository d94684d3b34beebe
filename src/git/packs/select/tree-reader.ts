import { GitError } from '../../errors.ts'
import { named } from '../../store/rules.ts'
import { deltaSizes } from '../delta.ts'
import { applyDeltaInto, RunRecorder } from '../delta-into.ts'
import { OFS_DELTA, REF_DELTA } from '../entry.ts'
import { positionAtOffset } from '../offset-search.ts'
import type { PackFile } from '../pack-file.ts'
import { EntryReader } from './entry-reader.ts'
import { IntList } from './int-list.ts'
import type { ObjectSpace } from './object-space.ts'
import type { TreeFrame } from './tree-frames.ts'
import { edgesAtMost, TreeFrames } from './tree-frames.ts'

/** Gets the place of an entry's raw id. */
export type VisitEntry = (bytes: Uint8Array, at: number, isTree: boolean) => void

const RAW = 20
const DIRECTORY = 0x34
const GITLINK = 0x36
const ZERO = 0x30
/** Past the longest mode; a tree's is one shorter, and names are not empty. */
const MODE_BYTES = 6
/** Beyond this a chain is left to the store, which has its own limits. */
const MAX_CHAIN = 256

/**
 * Reads trees for walks, which meet a hundred thousand that are all but the same. A tree that lies in its pack as a
 * delta of one whose entries the walk takes care of anyway is looked at only where the two differ. Links to other
 * repositories are passed over.
 */
export class TreeReader {
  readonly #space: ObjectSpace
  readonly #maxBytes: number
  readonly #frames = new TreeFrames()
  readonly #entries = new EntryReader()
  readonly #runs = new RunRecorder()
  /** Stretches of the base's entries that the tree made last has as well: where each begins and ends. */
  readonly #kept = new IntList()

  constructor(space: ObjectSpace, maxBytes: number) {
    this.#space = space
    this.#maxBytes = maxBytes
  }

  /**
   * Visits the entries of `tree`, but may leave out those it has in common with a tree of which `isSettled` is true,
   * or with one visited before.
   * @throws GitError `corrupt` when it is no tree, `limit` when it is too large
   */
  visit(tree: number, isSettled: (tree: number) => boolean, visit: VisitEntry): void {
    try {
      this.#visit(tree, isSettled, visit)
    } catch (error) {
      throw named(this.#space.oid(tree), error)
    }
  }

  #visit(tree: number, isSettled: (tree: number) => boolean, visit: VisitEntry): void {
    const chain: number[] = []
    let frame = this.#climb(tree, chain)
    let base: TreeFrame | undefined
    for (let next = chain.pop(); frame !== undefined && next !== undefined; next = chain.pop()) {
      if (isSettled(frame.tree)) frame.seen.fill(1)
      base = frame
      frame = this.#apply(base, next)
    }
    visitUnseen(frame ?? this.#readPlain(tree), visit)
    if (frame !== undefined && base !== undefined) this.#settleKept(base)
  }

  /** Visits all entries of `tree`. @throws GitError as `visit` does */
  visitAll(tree: number, visit: VisitEntry): void {
    const frame = this.#readPlain(tree)
    visitUnseen(frame, visit)
  }

  /** What the tree made last has taken over from its base has been visited now. */
  #settleKept(base: TreeFrame): void {
    for (let i = 0; i < this.#kept.length; i += 2) base.seen.fill(1, this.#kept.at(i), this.#kept.at(i + 1))
  }

  /** Goes from `tree` to what it stands on, noting deltas in `chain`, up to a tree that is at hand or whole. Undefined when that does not fit. */
  #climb(tree: number, chain: number[]): TreeFrame | undefined {
    for (let at = tree; chain.length < MAX_CHAIN; ) {
      const known = this.#frames.find(at)
      if (known) return known
      const base = at < this.#space.packed ? this.#baseOf(at) : -1
      if (base < 0) return this.#whole(at)
      chain.push(at)
      at = base
    }
    return undefined
  }

  /** The tree that `tree` is a delta of; -1 when it lies whole. Leaves its entry open. */
  #baseOf(tree: number): number {
    const number = this.#space.packOf(tree)
    const pack = this.#space.packs[number] as PackFile
    const offset = pack.index.offsetAt(tree - this.#space.base(number))
    const header = this.#entries.open(pack, offset)
    if (header.type === OFS_DELTA) return this.#space.base(number) + positionAtOffset(pack.index, offset - header.baseDistance)
    return header.type === REF_DELTA ? this.#space.base(number) + pack.index.findRaw(this.#entries.bytes, header.baseOidAt) : -1
  }

  #whole(tree: number): TreeFrame | undefined {
    const data = this.#space.readAs('tree', tree)
    if (data.length > TreeFrames.maxLength) return undefined
    const frame = this.#frames.make(tree, data.length)
    frame.bytes.set(data)
    parseAll(frame)
    return frame
  }

  /** Makes `tree` from its base. Undefined when there is no room. */
  #apply(base: TreeFrame, tree: number): TreeFrame | undefined {
    this.#baseOf(tree)
    const delta = this.#entries.inflate(this.#maxBytes)
    const sizes = deltaSizes(delta)
    if (sizes.base !== base.bytes.length) throw new GitError('corrupt', `Cannot read tree ${this.#space.oid(tree)}: its delta does not match its base`)
    if (sizes.result > TreeFrames.maxLength) return undefined
    const frame = this.#frames.make(tree, sizes.result)
    // Making room may have cost the base its own.
    if (this.#frames.find(base.tree) !== base) return this.#frames.drop(frame)
    this.#runs.count = 0
    applyDeltaInto(base.bytes, 0, base.bytes.length, delta, sizes.bodyAt, frame.bytes, 0, sizes.result, this.#runs)
    this.#parseChanged(frame, base)
    return frame
  }

  /** Finds the frame's entries; takes over whole stretches of them that lie in the base as well, and notes those in `#kept`. */
  #parseChanged(frame: TreeFrame, base: TreeFrame): void {
    const runs = this.#runs
    const end = frame.bytes.length
    this.#kept.clear()
    for (let at = 0, run = 0; at < end; ) {
      while (run < runs.count && (runs.to[run] as number) + (runs.length[run] as number) <= at) run++
      const isCopied = run < runs.count && (runs.to[run] as number) <= at
      const next = isCopied
        ? this.#takeOver(frame, base, at, (runs.from[run] as number) + at - (runs.to[run] as number), (runs.from[run] as number) + (runs.length[run] as number))
        : at
      if (next === at) frame.edges[frame.count++] = at
      at = next === at ? entryEnd(frame, at) : next
    }
    frame.edges[frame.count] = end
  }

  /** Takes over the entries that lie whole in the base's bytes from `from` (at `at` in the frame) to `to`; returns where the next one begins. */
  #takeOver(frame: TreeFrame, base: TreeFrame, at: number, from: number, to: number): number {
    const first = lastEdgeUpTo(base, from)
    if (base.edges[first] !== from) return at
    const last = lastEdgeUpTo(base, to)
    if (last === first) return at
    const shift = at - from
    frame.seen.set(base.seen.subarray(first, last), frame.count)
    for (let i = first; i < last; i++) frame.edges[frame.count++] = (base.edges[i] as number) + shift
    this.#kept.push(first)
    this.#kept.push(last)
    return (base.edges[last] as number) + shift
  }

  #readPlain(tree: number): TreeFrame {
    const bytes = this.#space.readAs('tree', tree)
    const most = edgesAtMost(bytes.length)
    const frame = { tree, bytes, edges: new Uint32Array(most), count: 0, seen: new Uint8Array(most) }
    parseAll(frame)
    return frame
  }
}

function visitUnseen(frame: TreeFrame, visit: VisitEntry): void {
  const { bytes, edges, seen, count } = frame
  for (let i = 0; i < count; i++) {
    if (seen[i] === 1) continue
    seen[i] = 1
    visitEntry(bytes, edges[i] as number, edges[i + 1] as number, visit)
  }
}

function visitEntry(bytes: Uint8Array, at: number, end: number, visit: VisitEntry): void {
  // Trees of long ago have modes with a zero in front.
  while (bytes[at] === ZERO) at++
  if (bytes[at] === DIRECTORY) visit(bytes, end - RAW, true)
  else if (bytes[at + 1] !== GITLINK) visit(bytes, end - RAW, false)
}

function parseAll(frame: TreeFrame): void {
  for (let at = 0; at < frame.bytes.length; at = entryEnd(frame, at)) frame.edges[frame.count++] = at
  frame.edges[frame.count] = frame.bytes.length
}

/** Where the entry that begins at `at` ends. @throws GitError `corrupt` */
function entryEnd(frame: TreeFrame, at: number): number {
  const { bytes } = frame
  const nul = bytes.indexOf(0, at + MODE_BYTES)
  const end = nul + 1 + RAW
  if (nul <= at + MODE_BYTES || end > bytes.length) throw new GitError('corrupt', 'Cannot read tree: it has an entry that is truncated or too short')
  return end
}

/** The last edge, the end included, that lies at or before `position`. */
function lastEdgeUpTo(tree: TreeFrame, position: number): number {
  let low = 0
  let high = tree.count
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((tree.edges[middle] as number) <= position) low = middle
    else high = middle - 1
  }
  return low
}
