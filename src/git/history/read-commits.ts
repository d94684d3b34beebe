import type { CommitLinks } from '../objects/commit.ts'
import { type ObjectFormat, type Oid, oidAt } from '../objects/oid.ts'
import { IntList } from '../packs/select/int-list.ts'

/** What commits that were read say, by small whole numbers from 0 on: in columns, for a walk may read a million. */
export class ReadCommits {
  readonly #rawLength: number
  #trees = Buffer.alloc(0)
  #dates = new Float64Array()
  /** Where in `#parents` a commit's begin, with their number; 0 for a commit that is not there. */
  #starts = new Uint32Array()
  readonly #parents = new IntList()

  constructor({ rawLength }: ObjectFormat) {
    this.#rawLength = rawLength
    // So that nothing begins at 0.
    this.#parents.push(0)
  }

  has(commit: number): boolean {
    return commit < this.#starts.length && this.#starts[commit] !== 0
  }

  /** @param parents their numbers, whatever these mean to the caller */
  set(commit: number, { tree, committerTime }: CommitLinks, parents: readonly number[]): void {
    if (commit >= this.#starts.length) this.#grow(commit + 1)
    this.#trees.write(tree, commit * this.#rawLength, 'hex')
    this.#dates[commit] = committerTime
    this.#starts[commit] = this.#parents.length
    this.#parents.push(parents.length)
    for (const parent of parents) this.#parents.push(parent)
  }

  tree(commit: number): Oid {
    return oidAt(this.#trees, commit * this.#rawLength, this.#rawLength)
  }

  date(commit: number): number {
    return this.#dates[commit] as number
  }

  /** Puts the parents into `into`, in order and instead of what it held. */
  parents(commit: number, into: number[]): void {
    const start = this.#starts[commit] as number
    const count = this.#parents.at(start)
    into.length = count
    for (let i = 0; i < count; i++) into[i] = this.#parents.at(start + 1 + i)
  }

  #grow(least: number): void {
    const capacity = Math.max(32, least, 2 * this.#starts.length)
    const [trees, dates, starts] = [Buffer.alloc(capacity * this.#rawLength), new Float64Array(capacity), new Uint32Array(capacity)]
    trees.set(this.#trees)
    dates.set(this.#dates)
    starts.set(this.#starts)
    this.#trees = trees
    this.#dates = dates
    this.#starts = starts
  }
}
