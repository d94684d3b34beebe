import type { CommitSource } from '../history/commit-source.ts'
import { Marks } from '../history/marks.ts'
import type { GitLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import type { DiskStore } from '../store/disk.ts'
import type { Checkpoint } from './checkpoint.ts'
import { inTurns } from './checkpoint.ts'
import { IntList } from './int-list.ts'
import type { ObjectFilter } from './object-filter.ts'
import { ObjectBounds } from './object-filter.ts'
import { ObjectSpace } from './object-space.ts'
import { ChangeWalk } from './select-changes.ts'
import { selectCommits } from './select-commits.ts'
import { KNOWN, SELECTED, TreeWalk } from './select-trees.ts'
import { peelTo } from './tag-chain.ts'

/** Up to so many new commits, only what they changed is compared with what the receiver has. */
const FEW_COMMITS = 256

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
  /** Called now and then with how many objects have been found. */
  onProgress?(count: number): void
}

/**
 * What `wants` reach and `haves` do not, within the bounds of `filter` and `cuts`. What is wanted itself always
 * comes along, whatever the filter.
 * @throws GitError `missing` when something that should be sent is not in the store
 */
export async function enumerateObjects(space: ObjectSpace, source: CommitSource, options: EnumerateOptions): Promise<Selection> {
  const run = new Enumeration(space, source, options)
  await run.commits()
  await run.below()
  return run.selection
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

  constructor(space: ObjectSpace, source: CommitSource, options: EnumerateOptions) {
    this.selection = new Selection(space)
    this.#source = source
    this.#options = options
    this.#bounds = new ObjectBounds(options.filter, options.limits.maxTreeDepth)
    this.#trees = new TreeWalk(space, this.selection.marks, options.limits, () => this.#checkpoint())
    for (const oid of options.cuts ?? []) this.#cuts.add(source.idOf(oid))
  }

  /** Chooses commits, and marks what the receiver has at their edge. */
  async commits(): Promise<void> {
    const haves = await this.#haves()
    const wants = await this.#wants()
    const found = await selectCommits(this.#source, { wants, haves, isCut: (id) => this.#cuts.has(id), checkpoint: () => this.#checkpoint() })
    // A shallow client's commits have no edge with what it is about to get, and share their trees with it all the same.
    const edges = this.#cuts.size > 0 ? new Set([...found.edges, ...haves]) : found.edges
    if (this.#cuts.size === 0 && found.ids.length <= FEW_COMMITS) this.#edges = this.#knowEdges(edges)
    else for (const id of edges) await this.#know(id)
    this.#commits = found.ids
  }

  /** Chooses what lies below the commits, and what was wanted by itself. */
  async below(): Promise<void> {
    const { walksTrees } = this.#bounds
    const edges = this.#edges
    for (const id of this.#commits) {
      if (this.#bounds.takesCommits || this.#wanted.has(id)) this.selection.add(this.#commitNumber(id))
      if (walksTrees && !edges) await this.#trees.select(this.#treeNumber(id), this.#bounds, this.selection.add)
      const wait = this.#checkpoint()
      if (wait) await wait
    }
    if (walksTrees && edges) await this.#changesSince(edges)
    for (const root of this.#roots) await this.#trees.select(root, this.#bounds, this.selection.add)
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
