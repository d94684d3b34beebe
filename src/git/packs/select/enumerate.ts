import type { Bitset } from '../../bitmaps/bitset.ts'
import { findPackBitmap, forgetPackBitmap, type PackBitmap } from '../../bitmaps/pack-bitmap.ts'
import { type Reached, reachWith } from '../../bitmaps/reach-walk.ts'
import type { Checkpoint } from '../../checkpoint.ts'
import { inTurns } from '../../checkpoint.ts'
import { GitError } from '../../errors.ts'
import type { CommitSource } from '../../history/commit-source.ts'
import { Marks } from '../../history/marks.ts'
import type { GitLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import type { DiskStore } from '../../store/disk.ts'
import { IntList } from './int-list.ts'
import type { ObjectFilter } from './object-filter.ts'
import { ObjectBounds } from './object-filter.ts'
import { ObjectSpace } from './object-space.ts'
import { ChangeWalk } from './select-changes.ts'
import { selectCommits } from './select-commits.ts'
import { KNOWN, SELECTED, TreeWalk, WALKED } from './select-trees.ts'
import { peelTo } from './tag-chain.ts'

/** Up to so many new commits, only what they changed is compared with what the receiver has. */
const FEW_COMMITS = 256
/** Of what the receiver has, so many commits are looked at that no bitmap tells of: to know less of it costs bytes, not correctness. */
const MOST_KNOWN = 4096
/** Bits of a bitmap are gone through in steps of so many words of 32. */
const WORDS_A_STEP = 8

/** Objects chosen for a pack. */
export class Selection {
  readonly space: ObjectSpace
  /** SELECTED and KNOWN, by object number. */
  readonly marks: Marks
  readonly numbers = new IntList()

  constructor(space: ObjectSpace) {
    this.space = space
    this.marks = new Marks(space.size)
  }

  has(number: number): boolean {
    return this.marks.has(number, SELECTED)
  }

  /** Whether the receiver was found to have it. */
  isKnown(number: number): boolean {
    return this.marks.has(number, KNOWN)
  }

  readonly add = (number: number): void => {
    if (this.marks.of(number) & (SELECTED | KNOWN)) return
    this.marks.add(number, SELECTED)
    this.numbers.push(number)
  }
}

export interface EnumerateOptions {
  wants: Iterable<Oid>
  /** What the receiver has, with all that it reaches. */
  haves?: Iterable<Oid>
  /** Commits whose parents are out of bounds. */
  cuts?: ReadonlySet<Oid>
  filter?: ObjectFilter
  limits: GitLimits
  checkpoint: Checkpoint
  /** Whether to believe the bitmaps beside packs. What they tell wrong is not sent: nothing is to be thrown away by them, nor taken from strangers. */
  usesBitmaps?: boolean
  /** Called now and then with how many objects have been found. */
  onProgress?(count: number): void
}

/**
 * What `wants` reach and `haves` do not, within the bounds of `filter` and `cuts`. What is wanted itself always
 * comes along, whatever the filter.
 * @throws GitError `missing` when something that should be sent is not in the store
 */
export async function enumerateObjects(space: ObjectSpace, source: CommitSource, options: EnumerateOptions): Promise<Selection> {
  const bitmap = options.usesBitmaps ? findBitmap(space, options) : undefined
  try {
    return await new Enumeration(space, source, options, bitmap).run()
  } catch (error) {
    // What is missing may be so by a bitmap alone: a walk comes upon it, or does without.
    if (!bitmap || !(error instanceof GitError)) throw error
    forgetPackBitmap(bitmap.pack)
    return new Enumeration(space, source, options).run()
  }
}

/** Those of the largest pack, by whose numbers all of its objects go. They know neither depths nor cuts. */
function findBitmap(space: ObjectSpace, { cuts, filter }: EnumerateOptions): PackBitmap | undefined {
  const [largest] = space.packs
  if (!largest || (cuts?.size ?? 0) > 0 || (filter?.treeDepth ?? Infinity) !== Infinity) return undefined
  return findPackBitmap(largest, space.store.format)
}

class Enumeration {
  readonly selection: Selection
  readonly #source: CommitSource
  readonly #options: EnumerateOptions
  readonly #bounds: ObjectBounds
  readonly #trees: TreeWalk
  readonly #cuts = new Set<number>()
  /** Commits wanted by their own id or by a tag's. */
  readonly #wanted = new Set<number>()
  /** Trees to look into once the commits are done. */
  #roots: number[] = []
  #commits: Uint32Array = new Uint32Array()
  /** Trees that the receiver has, when the commits are so few that only what they changed is to be looked at. */
  #edges: number[] | undefined
  readonly #bitmap: PackBitmap | undefined

  constructor(space: ObjectSpace, source: CommitSource, options: EnumerateOptions, bitmap?: PackBitmap) {
    this.#bitmap = bitmap
    this.selection = new Selection(space)
    this.#source = source
    this.#options = options
    this.#bounds = new ObjectBounds(options.filter, options.limits.maxTreeDepth)
    this.#trees = new TreeWalk(space, this.selection.marks, options.limits, () => this.#checkpoint())
    for (const oid of options.cuts ?? []) this.#cuts.add(source.idOf(oid))
  }

  async run(): Promise<Selection> {
    await this.#chooseCommits()
    await this.#chooseBelow()
    return this.selection
  }

  /** Chooses commits, and marks what the receiver has at their edge. */
  async #chooseCommits(): Promise<void> {
    const haves = await this.#haves()
    const wants = await this.#wants()
    const bitmap = this.#bounds.walksTrees ? this.#bitmap : undefined
    if (bitmap && haves.length === 0) return this.#takeReached(bitmap, wants, [])
    const found = await selectCommits(this.#source, { wants, haves, isCut: (id) => this.#cuts.has(id), checkpoint: () => this.#checkpoint() })
    // A shallow client's commits have no edge with what it is about to get, and share their trees with it all the same.
    const edges = this.#cuts.size > 0 ? new Set([...found.edges, ...haves]) : found.edges
    if (this.#cuts.size === 0 && found.ids.length <= FEW_COMMITS) this.#edges = this.#knowEdges(edges)
    else if (bitmap) return this.#takeReached(bitmap, wants, found.edges)
    else for (const id of edges) await this.#know(id)
    this.#commits = found.ids
  }

  /** Chooses what lies below the commits, and what was wanted by itself. */
  async #chooseBelow(): Promise<void> {
    const { walksTrees } = this.#bounds
    const edges = this.#edges
    for (const id of this.#commits) {
      if (this.#bounds.takesCommits || this.#wanted.has(id)) this.selection.add(this.#commitNumber(id))
      if (walksTrees && !edges) await this.#trees.select(this.#treeNumber(id), this.#bounds, this.selection.add)
      const wait = this.#checkpoint()
      if (wait) await wait
    }
    if (walksTrees && edges) await this.#changesSince(edges)
    for (const root of this.#roots) await this.#trees.selectInside(root, this.#bounds, this.selection.add)
  }

  /** Chooses what bitmaps tell of, and leaves to be walked what they do not. */
  async #takeReached(bitmap: PackBitmap, wants: readonly number[], edges: readonly number[]): Promise<void> {
    const { space, marks, add } = this.selection
    const options = { space, source: this.#source, bitmap, checkpoint: () => this.#checkpoint() }
    await this.#knowReached(bitmap, await reachWith(edges, { ...options, most: MOST_KNOWN }))
    const { bits, commits } = await reachWith(wants, { ...options, isOut: (number) => marks.has(number, KNOWN) })
    const order = bitmap.pack.index.offsetOrder()
    const taken = bits.copy()
    if (!this.#bounds.takesCommits) taken.removeAll(bitmap.ofType('commit'))
    if (!this.#bounds.takesTrees) taken.removeAll(bitmap.ofType('tree'))
    const blobs = bitmap.ofType('blob')
    await this.#eachBit(bits, (bit) => {
      const number = order[bit] as number
      marks.add(number, WALKED)
      if (taken.has(bit) && (!blobs.has(bit) || this.#bounds.takesBlob(space, number))) add(number)
    })
    await inTurns(
      this.#wanted,
      () => this.#checkpoint(),
      (id) => add(this.#commitNumber(id)),
    )
    this.#commits = Uint32Array.from(commits)
  }

  async #knowReached(bitmap: PackBitmap, { bits, commits }: Reached): Promise<void> {
    const order = bitmap.pack.index.offsetOrder()
    await this.#eachBit(bits, (bit) => this.selection.marks.add(order[bit] as number, KNOWN))
    for (const id of commits) await this.#know(id)
  }

  async #eachBit(bits: Bitset, visit: (bit: number) => void): Promise<void> {
    for (let word = 0; word < bits.words.length; word += WORDS_A_STEP) {
      bits.each(visit, word, Math.min(word + WORDS_A_STEP, bits.words.length))
      const wait = this.#checkpoint()
      if (wait) await wait
    }
  }

  /** Selects what is wanted itself, with what its tags lead to; returns the commits to start from. */
  async #wants(): Promise<number[]> {
    await inTurns(this.#options.wants, this.#options.checkpoint, (oid) => {
      const end = peelTo(this.selection.space, oid, this.selection.add)
      if (end.type === 'commit') {
        this.#wanted.add(this.#source.idOf(end.oid))
        return
      }
      this.selection.add(end.number)
      if (end.type === 'tree') this.#roots.push(end.number)
    })
    return [...this.#wanted]
  }

  async #haves(): Promise<number[]> {
    const commits: number[] = []
    const { space, marks } = this.selection
    await inTurns(this.#options.haves ?? [], this.#options.checkpoint, (oid) => {
      if (space.findOid(oid) < 0) return
      const end = peelTo(space, oid, (tag) => marks.add(tag, KNOWN))
      if (end.type === 'commit') commits.push(this.#source.idOf(end.oid))
      else marks.add(end.number, KNOWN)
    })
    return commits
  }

  /** Marks the commits at the edge as known; answers their trees. */
  #knowEdges(edges: Iterable<number>): number[] {
    const { space, marks } = this.selection
    const trees: number[] = []
    for (const commit of edges) {
      const number = space.findOid(this.#source.oid(commit))
      const tree = space.findOid(this.#source.tree(commit))
      if (number >= 0) marks.add(number, KNOWN)
      if (tree >= 0) trees.push(tree)
    }
    return trees
  }

  async #changesSince(edges: readonly number[]): Promise<void> {
    const { space, marks, add: take } = this.selection
    this.#trees.isShort = true
    const choice = { space, marks, bounds: this.#bounds, checkpoint: () => this.#checkpoint(), take }
    const fresh = Array.from(this.#commits, (id) => this.#treeNumber(id))
    await new ChangeWalk(choice, this.#trees).select(edges, fresh)
  }

  async #know(commit: number): Promise<void> {
    const { space, marks } = this.selection
    const number = space.findOid(this.#source.oid(commit))
    const tree = space.findOid(this.#source.tree(commit))
    if (number >= 0) marks.add(number, KNOWN)
    if (tree >= 0) await this.#trees.know(tree)
  }

  #commitNumber(id: number): number {
    return this.selection.space.get(this.#source.oid(id))
  }

  #treeNumber(id: number): number {
    return this.selection.space.get(this.#source.tree(id))
  }

  #checkpoint(): Promise<void> | undefined {
    const wait = this.#options.checkpoint()
    if (wait) this.#options.onProgress?.(this.selection.numbers.length)
    return wait
  }
}

/** Everything that `tips` reach: what a repack keeps. Tips that the store does not have are an error, `missing`. */
export function collectReachable(
  store: DiskStore,
  source: CommitSource,
  tips: Iterable<Oid>,
  options: { limits: GitLimits; checkpoint: Checkpoint },
): Promise<Selection> {
  return enumerateObjects(new ObjectSpace(store), source, { wants: tips, ...options })
}

/** How many objects `tips` reach. */
export async function countReachable(
  store: DiskStore,
  source: CommitSource,
  tips: Iterable<Oid>,
  options: { limits: GitLimits; checkpoint: Checkpoint },
): Promise<number> {
  return (await collectReachable(store, source, tips, options)).numbers.length
}
