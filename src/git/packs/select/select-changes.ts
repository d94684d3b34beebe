import type { Checkpoint } from '../../checkpoint.ts'
import { differencesOf, TreeCursor } from '../../diff/tree-cursor.ts'
import { GitError } from '../../errors.ts'
import type { Marks } from '../../history/marks.ts'
import { oidAt } from '../../objects/oid.ts'
import type { ObjectBounds } from './object-filter.ts'
import type { ObjectSpace } from './object-space.ts'
import { KNOWN, type TreeWalk, WALKED } from './select-trees.ts'

/** The trees that the receiver has, and those it is to get, at one path. */
interface TreePlace {
  known: Set<number>
  fresh: Set<number>
  depth: number
}

/** What a choice is made of, and where it goes. */
export interface ChangeChoice {
  space: ObjectSpace
  marks: Marks
  bounds: ObjectBounds
  checkpoint: Checkpoint
  take(number: number): void
}

const RAW = 20

/**
 * Chooses what new trees have that those of the receiver do not have at the same path, and marks as known what lies there
 * instead: a small fetch costs in proportion to what changed. What moved here from an unchanged directory goes out again,
 * as it does with `git pack-objects --sparse`.
 */
export class ChangeWalk {
  readonly #choice: ChangeChoice
  readonly #trees: TreeWalk
  readonly #places: TreePlace[] = []
  /** Met on the way; taken at the end, when all is marked that the receiver is known to have. */
  readonly #metTrees: number[] = []
  readonly #metBlobs: number[] = []
  /** Where the receiver has nothing to compare with. */
  readonly #whole: TreePlace[] = []

  constructor(choice: ChangeChoice, trees: TreeWalk) {
    this.#choice = choice
    this.#trees = trees
  }

  /** @throws GitError as `TreeWalk.select` does */
  async select(known: readonly number[], fresh: readonly number[]): Promise<void> {
    const { bounds, take, checkpoint } = this.#choice
    for (const tree of known) this.#choice.marks.add(tree, KNOWN)
    this.#add({ known: new Set(known), fresh: new Set(fresh), depth: 0 })
    for (let place = this.#places.pop(); place !== undefined; place = this.#places.pop()) {
      this.#compare(place)
      const wait = checkpoint()
      if (wait) await wait
    }
    if (bounds.takesTrees) for (const tree of this.#metTrees) take(tree)
    for (const blob of this.#metBlobs) this.#trees.selectBlob(blob, bounds, take)
    for (const { fresh: trees, depth } of this.#whole) for (const tree of trees) await this.#trees.select(tree, bounds, take, depth)
  }

  #add(place: TreePlace): void {
    if (place.known.size === 0) this.#whole.push(place)
    else if (place.fresh.size > 0) this.#places.push(place)
  }

  #compare({ known, fresh, depth }: TreePlace): void {
    const changed = [...fresh].filter((tree) => this.#isToGo(tree, depth))
    if (changed.length === 0) return
    const [base, ...others] = known
    const below = new Map<string, TreePlace>()
    const bytes = this.#bytesOf(base as number)
    for (const tree of others) this.#compareTrees(bytes, this.#bytesOf(tree), depth, below, this.#meetKnown)
    for (const tree of changed) this.#compareTrees(bytes, this.#bytesOf(tree), depth, below, this.#meetFresh)
    for (const place of below.values()) this.#add(place)
  }

  /** Whether a tree goes out, and has not been looked into. */
  #isToGo(tree: number, depth: number): boolean {
    const { marks, bounds } = this.#choice
    if (marks.has(tree, KNOWN) || (marks.has(tree, WALKED) && !bounds.isNearer(tree, depth))) return false
    marks.add(tree, WALKED)
    if (!bounds.reaches(tree, depth)) return false
    this.#metTrees.push(tree)
    return true
  }

  /** Gives `meet` what `bytes` has other than the known tree `base`. */
  #compareTrees(base: Uint8Array, bytes: Uint8Array, depth: number, below: Map<string, TreePlace>, meet: MeetEntry): void {
    for (const [old, other] of differencesOf(new TreeCursor(base, RAW), new TreeCursor(bytes, RAW))) {
      if (old && !old.isGitlink) this.#meetKnown(old, depth, () => placeOf(below, old, depth))
      if (other && !other.isGitlink) meet(other, depth, () => placeOf(below, other, depth))
    }
  }

  /** Holes are passed over: what is not here need not be left out. */
  readonly #meetKnown: MeetEntry = (entry, _depth, place) => {
    const number = this.#choice.space.find(entry.data, entry.oidAt)
    if (number < 0) return
    this.#choice.marks.add(number, KNOWN)
    if (entry.isDirectory) place().known.add(number)
  }

  readonly #meetFresh: MeetEntry = (entry, depth, place) => {
    const { space, bounds } = this.#choice
    if (!entry.isDirectory && !bounds.takesBlobsAt(depth + 1)) return
    const number = space.find(entry.data, entry.oidAt)
    if (number < 0) throw new GitError('missing', `Cannot find object ${oidAt(entry.data, entry.oidAt)}, named by a tree`)
    if (entry.isDirectory) place().fresh.add(number)
    else this.#metBlobs.push(number)
  }

  #bytesOf(tree: number): Uint8Array {
    return this.#choice.space.readAs('tree', tree)
  }
}

type MeetEntry = (entry: TreeCursor, depth: number, place: () => TreePlace) => void

function placeOf(places: Map<string, TreePlace>, entry: TreeCursor, depth: number): TreePlace {
  const name = Buffer.prototype.latin1Slice.call(entry.data, entry.nameStart, entry.nameEnd)
  const place = places.get(name) ?? { known: new Set(), fresh: new Set(), depth: depth + 1 }
  places.set(name, place)
  return place
}
