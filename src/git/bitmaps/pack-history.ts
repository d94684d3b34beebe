import { type Checkpoint, inTurns } from '../checkpoint.ts'
import type { CommitSource } from '../history/commit-source.ts'
import type { Oid } from '../objects/oid.ts'
import type { PackFile } from '../packs/pack-file.ts'
import { IntList } from '../packs/select/int-list.ts'
import type { ObjectSpace } from '../packs/select/object-space.ts'
import type { Bitset } from './bitset.ts'
import { ChangedObjects } from './changed-objects.ts'

/** What trees change is noted, 4 bytes each: of made-up histories that would be without end. The whole of git's own is a million. */
const MAX_CHANGES = 4_000_000

/** The history that a pack has with all that it reaches, and what each of its commits added. */
export class PackHistory {
  /** Commits as ids of the source, parents before their children. */
  readonly commits: readonly number[]
  readonly #source: CommitSource
  /** By commit id: its bit plus one, 0 where something that it reaches lies outside of the pack; and which of `commits` it is. */
  readonly #bits: Uint32Array
  readonly #rows: Uint32Array
  /** Where the changes of each of `commits` end. */
  readonly #ends: Uint32Array
  readonly #changes = new IntList()

  constructor(source: CommitSource, commits: readonly number[]) {
    this.#source = source
    this.commits = commits
    this.#bits = new Uint32Array(source.size)
    this.#rows = new Uint32Array(source.size)
    this.#ends = new Uint32Array(commits.length)
  }

  /** The first bit is 0. Undefined when the commit reaches what is not in the pack. */
  findBit(id: number): number | undefined {
    const bit = (this.#bits[id] as number) - 1
    return bit < 0 ? undefined : bit
  }

  parents(id: number): readonly number[] {
    return this.#source.parents(id)
  }

  /** Sets the bits of what a commit has that its parents do not have in the same place, itself included. */
  addChanges(id: number, into: Bitset): void {
    // Noted from the newest on.
    const row = this.#rows[id] as number
    const end = this.#ends[row] as number
    for (let i = row + 1 < this.#ends.length ? (this.#ends[row + 1] as number) : 0; i < end; i++) into.add(this.#changes.at(i))
  }

  /** Answers false when there is no end to what is to be noted. @throws GitError as reading trees does */
  async read(space: ObjectSpace, pack: PackFile, checkpoint: Checkpoint): Promise<boolean> {
    const ranks = ranksOf(pack)
    const changed = new ChangedObjects(space, pack.index.count)
    const numbers = new IntList()
    const treeOf = (id: number): number => space.findOid(this.#source.tree(id))
    // From the newest on: older trees mostly are deltas of newer ones, which are still in the store's cache then.
    for (let row = this.commits.length - 1; row >= 0; row--) {
      const id = this.commits[row] as number
      const number = space.findOid(this.#source.oid(id))
      this.#rows[id] = row
      numbers.clear()
      if (number >= 0 && number < pack.index.count && changed.list(treeOf(id), [...this.#source.parents(id)].map(treeOf), numbers)) {
        this.#bits[id] = (ranks[number] as number) + 1
        this.#changes.push(ranks[number] as number)
        for (const one of numbers.view()) this.#changes.push(ranks[one] as number)
      }
      this.#ends[row] = this.#changes.length
      if (this.#changes.length > MAX_CHANGES) return false
      const wait = checkpoint()
      if (wait) await wait
    }
    await inTurns(this.commits, checkpoint, (id) => {
      if (this.#source.parents(id).some((parent) => this.#bits[parent] === 0)) this.#bits[id] = 0
    })
    return true
  }
}

/** The place of each object in the order of offsets, by its position in the index. */
function ranksOf({ index }: PackFile): Uint32Array {
  const order = index.offsetOrder()
  const ranks = new Uint32Array(order.length)
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank] as number] = rank
  return ranks
}

/** All that commits reach, as ids, parents before their children. @throws GitError `missing` */
export async function listParentsFirst(source: CommitSource, tips: Iterable<Oid>, checkpoint: Checkpoint): Promise<number[]> {
  const listed: number[] = []
  const isMet = new Set<number>()
  const stack: number[] = []
  for (const tip of tips) {
    stack.push(source.idOf(tip))
    while (stack.length > 0) {
      const id = stack.at(-1) as number
      if (id < 0) {
        listed.push(-1 - id)
        stack.pop()
      } else if (isMet.has(id)) {
        stack.pop()
      } else {
        isMet.add(id)
        stack[stack.length - 1] = -1 - id
        for (const parent of source.parents(id)) if (!isMet.has(parent)) stack.push(parent)
      }
      const wait = checkpoint()
      if (wait) await wait
    }
  }
  return listed
}
