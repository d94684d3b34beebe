import { defaultLimits } from '../limits.ts'
import { commitLinks } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import type { PathKey } from './changed-paths.ts'
import type { CommitGraph } from './commit-graph.ts'
import { OidTable } from './oid-table.ts'
import { ReadCommits } from './read-commits.ts'

/**
 * Commits by small whole numbers ("ids") for the length of one walk: the row in the commit-graph, or a number from
 * the graph's count on for commits that it does not have. Those are parsed once, when something asks for their links, and kept
 * as long as the source, so a source holds as many as the walks over it have met, some eighty bytes each. Cheap to make: one for each request, over a graph that the
 * caller keeps open. Every method that needs a commit's links throws GitError `missing` when it is not in the store
 * and `corrupt` when it is no commit.
 */
export class CommitSource {
  readonly store: ObjectReader
  readonly graph: CommitGraph | undefined
  /** Whether some commits have generation numbers, that is whether walks can be cut off exactly. */
  readonly hasGenerations: boolean
  readonly #graphCount: number
  /** The commits that the graph does not have, and what they say. */
  readonly #outsiders: OidTable
  readonly #read: ReadCommits
  readonly #scratch: number[] = []

  constructor(store: ObjectReader, graph?: CommitGraph) {
    this.store = store
    this.graph = graph
    this.hasGenerations = graph?.hasGenerations ?? false
    this.#graphCount = graph?.count ?? 0
    this.#outsiders = new OidTable(store.format.rawLength)
    this.#read = new ReadCommits(store.format)
  }

  /** All ids so far are below this number. */
  get size(): number {
    return this.#graphCount + this.#outsiders.count
  }

  /** The id of commit `oid`, which is not looked for in the store before something else is asked about it. */
  idOf(oid: Oid): number {
    const row = this.graph === undefined ? -1 : this.graph.find(oid)
    return row >= 0 ? row : this.#graphCount + this.#outsiders.numberOf(oid)
  }

  oid(id: number): Oid {
    return this.#isInGraph(id) ? this.#rows.oid(id) : this.#outsiders.oid(id - this.#graphCount)
  }

  tree(id: number): Oid {
    return this.#isInGraph(id) ? this.#rows.tree(id) : this.#read.tree(this.#outsider(id))
  }

  /** Committer date, seconds since 1970. */
  date(id: number): number {
    return this.#isInGraph(id) ? this.#rows.date(id) : this.#read.date(this.#outsider(id))
  }

  /** The ids of the parents, in order. The array is the source's own: read it before the next call, and do not change it. */
  parents(id: number): readonly number[] {
    if (this.#isInGraph(id)) this.#rows.parents(id, this.#scratch)
    else this.#read.parents(this.#outsider(id), this.#scratch)
    return this.#scratch
  }

  /** A number above that of every ancestor in the graph; Infinity for commits outside of it, which no commit inside descends from. */
  generation(id: number): number {
    return this.hasGenerations && this.#isInGraph(id) ? this.#rows.generation(id) : Infinity
  }

  /**
   * False when the graph is certain that `id` has the same as its first parent (a root: nothing) at the path of `keys`
   * (see `keysOf`).
   */
  mayHaveChanged(id: number, keys: readonly PathKey[]): boolean {
    const filters = this.#isInGraph(id) ? this.#rows.filters : undefined
    return filters === undefined || keys.every((key) => filters.mayHold(id, key))
  }

  #isInGraph(id: number): boolean {
    return id < this.#graphCount
  }

  get #rows(): CommitGraph {
    return this.graph as CommitGraph
  }

  /** The number of a commit that the graph does not have, once it is read. */
  #outsider(id: number): number {
    const number = id - this.#graphCount
    if (!this.#read.has(number)) {
      const links = commitLinks(this.store.get(this.oid(id), 'commit', defaultLimits.maxParsedBytes).data)
      this.#read.set(
        number,
        links,
        links.parents.map((parent) => this.idOf(parent)),
      )
    }
    return number
  }
}
