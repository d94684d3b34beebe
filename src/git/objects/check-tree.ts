import { fault } from './fault.ts'
import { type IgnorableFault, namedFault } from './fsck-messages.ts'
import { findHostility, isDotGitattributes, isDotGitmodules } from './hostile-names.ts'
import type { ObjectType } from './oid.ts'
import { AFTER_PREFIX_FILE, PREFIX_DIRECTORY, TreeOrder } from './tree-order.ts'

/** A file whose content git acts on, and which is checked for that. */
export type ReadByGit = 'modules' | 'attributes' | undefined

/** Called for each new entry but gitlinks: where its raw id lies, what type the target must have, whether it is a file that git reads. */
export type OnTreeLink = (at: number, type: ObjectType, readByGit: ReadByGit) => void

/** Where entries begin, counted from the tree's start, and last the tree's length: `count + 1` numbers from `edges[at]` on. */
export interface TreeEdges {
  edges: Uint32Array
  at: number
  count: number
}

/** The stretches of a tree that are copies of stretches of its delta base; offsets count from the trees' starts. */
export interface CopiedRuns {
  count: number
  to: Float64Array
  from: Float64Array
  length: Float64Array
}

const TYPE_MASK = 0o170000
const FILE = 0o100000
const SYMLINK = 0o120000
const DIRECTORY = 0o040000
const GITLINK = 0o160000
const SPACE = 32
const DOT = 46
const ZERO = 48
/** Git's own bound, see `fsck.largePathname`. */
const MAX_NAME_BYTES = 4096
/** How far to look back for a file of a directory's name before giving the whole tree a look. */
const LOOK_BACK = 16

/** Bytes that make a name worth a closer look: `/`, `\`, `~`, and anything beyond ASCII. */
const isOddByte = new Uint8Array(256).map((_, byte) => (byte === 47 || byte === 92 || byte === 126 || byte >= 128 ? 1 : 0))

/** How many numbers `TreeEdges` needs at most for a tree of `size` bytes: no valid entry is shorter than `40000 x\0` and an id. */
export function edgesAtMost(size: number, rawLength: number): number {
  return Math.floor(size / (8 + rawLength)) + 2
}

/**
 * Checks trees: modes, names, order, duplicates. A tree made by a delta from a tree that has passed is checked only where it differs
 * (`checkChanged`): a long history has hundreds of thousands of trees of hundreds of entries, all but a few the same as the last.
 * Source: `fsck_tree` of git's `fsck.c`. All throw GitError: `corrupt` for bad syntax, modes or order, `refused` for hostile names,
 * `limit` for too many entries.
 */
export class TreeChecker {
  readonly #rawLength: number
  readonly #maxEntries: number
  readonly #onLink: OnTreeLink
  readonly #ignored: ReadonlySet<string>
  readonly #order = new TreeOrder()
  #bytes: Uint8Array = new Uint8Array()
  #start = 0
  #end = 0
  /** The entry last parsed. */
  #mode = 0
  #isPadded = false
  #nameAt = 0
  #nameEnd = 0
  #isOdd = false
  /** The base's entry that the last run of kept entries begins with. */
  #firstKept = 0

  /** @param ignored faults to let pass, by git's names for them */
  constructor(rawLength: number, maxEntries: number, onLink: OnTreeLink, ignored: ReadonlySet<string> = new Set()) {
    this.#rawLength = rawLength
    this.#maxEntries = maxEntries
    this.#onLink = onLink
    this.#ignored = ignored
  }

  /** Checks the whole tree in `bytes[start, end)` and fills `into`, when given. */
  check(bytes: Uint8Array, start: number, end: number, into?: TreeEdges): void {
    this.#open(bytes, start, end)
    let count = 0
    for (let at = start; at < end; count++) {
      if (count === this.#maxEntries) throw this.#tooMany()
      if (into) into.edges[into.at + count] = at - start
      at = this.#parse(at)
      this.#vet()
      this.#order.nextOfAll(this.#nameAt, this.#nameEnd, this.#mode === DIRECTORY)
    }
    if (into) closeEdges(into, count, end - start)
  }

  /** Fills `into` for the tree in `bytes[start, end)`, which has passed before. */
  findEdges(bytes: Uint8Array, start: number, end: number, into: TreeEdges): void {
    this.#open(bytes, start, end)
    const most = edgesAtMost(end - start, this.#rawLength) - 1
    let count = 0
    for (let at = start; at < end; count++) {
      if (count === most) throw fault('corrupt', 'the tree has entries that are too short')
      into.edges[into.at + count] = at - start
      at = this.#parse(at)
    }
    closeEdges(into, count, end - start)
  }

  /**
   * Checks what is new in the tree in `bytes[start, end)`, which consists of `runs` copied from a tree that has passed (`base`) and of
   * other bytes, and fills `into`. Answers false when it cannot tell: then `check` must look at the whole tree.
   */
  checkChanged(bytes: Uint8Array, start: number, end: number, base: TreeEdges, runs: CopiedRuns, into: TreeEdges): boolean {
    this.#open(bytes, start, end)
    let count = 0
    let isPriorNew = false
    for (let at = start, run = 0; at < end; ) {
      while (run < runs.count && (runs.to[run] as number) + (runs.length[run] as number) <= at - start) run++
      const kept = run < runs.count && (runs.to[run] as number) <= at - start ? this.#countKept(base, runs, run, at - start) : 0
      if (count + Math.max(kept, 1) > this.#maxEntries) throw this.#tooMany()
      const next = this.#parse(at)
      if (kept === 0) this.#vet()
      const relation = this.#order.next(this.#nameAt, this.#nameEnd, this.#mode === DIRECTORY)
      if (relation === AFTER_PREFIX_FILE && isPriorNew) return false
      if (relation === PREFIX_DIRECTORY && kept === 0 && this.#mayHaveTwin(into, count)) return false
      isPriorNew = kept === 0
      if (kept === 0) into.edges[into.at + count++] = at - start
      at = kept === 0 ? next : this.#skipKept(at, base, kept, into, count)
      count += kept
    }
    closeEdges(into, count, end - start)
    return true
  }

  /** How many whole entries of the base run `run` holds from `position` on; 0 also when none begins just there. */
  #countKept(base: TreeEdges, runs: CopiedRuns, run: number, position: number): number {
    const from = (runs.from[run] as number) + position - (runs.to[run] as number)
    const first = lastEdgeUpTo(base, from)
    if (base.edges[base.at + first] !== from) return 0
    this.#firstKept = first
    return lastEdgeUpTo(base, (runs.from[run] as number) + (runs.length[run] as number)) - first
  }

  /** Moves over `kept` entries, of which the first has been parsed. Returns where the next entry begins. */
  #skipKept(at: number, base: TreeEdges, kept: number, into: TreeEdges, count: number): number {
    const first = base.at + this.#firstKept
    const shift = at - this.#start - (base.edges[first] as number)
    for (let i = 0, to = into.at + count; i < kept; i++) into.edges[to + i] = (base.edges[first + i] as number) + shift
    if (kept > 1) {
      this.#parse(this.#start + (base.edges[first + kept - 1] as number) + shift)
      this.#order.jump(this.#nameAt, this.#nameEnd, this.#mode === DIRECTORY)
    }
    return this.#start + (base.edges[first + kept] as number) + shift
  }

  /** Whether an earlier entry has the name of the directory just parsed, or may have it: all between begin with that name. */
  #mayHaveTwin(before: TreeEdges, count: number): boolean {
    const bytes = this.#bytes
    const length = this.#nameEnd - this.#nameAt
    for (let entry = count - 1; entry >= 0; entry--) {
      if (count - entry > LOOK_BACK) return true
      const name = bytes.indexOf(SPACE, this.#start + (before.edges[before.at + entry] as number)) + 1
      for (let i = 0; i < length; i++) if (bytes[name + i] !== bytes[this.#nameAt + i]) return false
      if (bytes[name + length] === 0) return true
    }
    return false
  }

  #open(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.#order.open(bytes)
  }

  /** Takes the entry at `at` apart; returns where the next one begins. */
  #parse(at: number): number {
    const bytes = this.#bytes
    const end = this.#end
    let mode = 0
    const modeEnd = Math.min(end, at + 8)
    let byte = 0
    this.#isPadded = bytes[at] === ZERO
    for (byte = bytes[at] as number; at < modeEnd && byte >= 48 && byte <= 55; byte = bytes[++at] as number) mode = mode * 8 + byte - 48
    if (at >= end || byte !== SPACE) throw fault('corrupt', 'the tree has an entry with a malformed mode')
    const nameAt = ++at
    let odd = bytes[at] === DOT ? 1 : 0
    while (at < end && bytes[at] !== 0) odd |= isOddByte[bytes[at++] as number] as number
    if (at + this.#rawLength >= end) throw fault('corrupt', 'the tree is truncated')
    this.#mode = mode
    this.#nameAt = nameAt
    this.#nameEnd = at
    this.#isOdd = odd !== 0
    return at + 1 + this.#rawLength
  }

  /** Checks the entry last parsed, but for its order. */
  #vet(): void {
    const at = this.#nameEnd + 1
    const type = this.#mode & TYPE_MASK
    if (type !== FILE && type !== SYMLINK && this.#mode !== DIRECTORY && this.#mode !== GITLINK) {
      throw fault('corrupt', `the tree's entry "${this.#name()}" has the invalid mode ${this.#mode.toString(8)}`)
    }
    if (this.#nameEnd === this.#nameAt) throw fault('refused', 'the tree has an entry with an empty name')
    if (this.#isPadded) this.#refuse('zeroPaddedFilemode', `the tree's entry "${this.#name()}" has a mode that starts with a zero`)
    if (this.#nameEnd - this.#nameAt > MAX_NAME_BYTES) this.#refuse('largePathname', `the tree has a name of more than ${MAX_NAME_BYTES} bytes`)
    const readByGit = this.#isOdd ? this.#vetOddName() : undefined
    if (readByGit === 'modules' && type === SYMLINK) throw fault('refused', `the tree's entry "${this.#name()}" is a symbolic link`)
    if (readByGit !== undefined && (type === DIRECTORY || type === GITLINK)) throw fault('refused', `the tree's entry "${this.#name()}" is not a file`)
    if (this.#isNull(at)) throw fault('refused', `the tree's entry "${this.#name()}" has the null object ID`)
    if (type !== GITLINK) this.#onLink(at, type === DIRECTORY ? 'tree' : 'blob', type === FILE ? readByGit : undefined)
  }

  #refuse(id: IgnorableFault, reason: string): void {
    if (!this.#ignored.has(id)) throw namedFault(id, reason)
  }

  /** Which of git's own files the name is a spelling of. */
  #vetOddName(): ReadByGit {
    const name = Buffer.prototype.utf8Slice.call(this.#bytes, this.#nameAt, this.#nameEnd)
    const hostility = findHostility(name)
    if (hostility !== undefined) throw fault('refused', `the tree has an entry with ${hostility}`)
    if (isDotGitmodules(name)) return 'modules'
    return isDotGitattributes(name) ? 'attributes' : undefined
  }

  #isNull(at: number): boolean {
    const bytes = this.#bytes
    if (bytes[at] !== 0 || bytes[at + 1] !== 0) return false
    for (let i = 2; i < this.#rawLength; i++) if (bytes[at + i] !== 0) return false
    return true
  }

  #name(): string {
    return Buffer.prototype.utf8Slice.call(this.#bytes, this.#nameAt, Math.min(this.#nameEnd, this.#nameAt + 100))
  }

  #tooMany(): Error {
    return fault('limit', `the tree has more than ${this.#maxEntries} entries`)
  }
}

function closeEdges(into: TreeEdges, count: number, length: number): void {
  into.edges[into.at + count] = length
  into.count = count
}

/** The last of the tree's edges that lies at or before `position`. */
function lastEdgeUpTo(tree: TreeEdges, position: number): number {
  let low = 0
  let high = tree.count
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((tree.edges[tree.at + middle] as number) <= position) low = middle
    else high = middle - 1
  }
  return low
}
