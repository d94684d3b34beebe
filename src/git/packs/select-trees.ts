import { GitError } from '../errors.ts'
import type { Marks } from '../history/marks.ts'
import type { GitLimits } from '../limits.ts'
import { oidAt } from '../objects/oid.ts'
import { eachEntry, entryType } from '../objects/tree.ts'
import { IntList } from './int-list.ts'
import type { ObjectBounds } from './object-filter.ts'
import type { ObjectSpace } from './object-space.ts'
import type { Pulse } from './pulse.ts'
import type { VisitEntry } from './tree-reader.ts'
import { TreeReader } from './tree-reader.ts'

/** Marks of a selection, by object number. */
export const SELECTED = 1
/** The receiver has it. */
export const KNOWN = 2
const WALKED = 4

/** The trees that the receiver has, and those it is to get, at one path. */
interface TreePlace {
  known: Set<number>
  fresh: Set<number>
  depth: number
}

function placeOf(places: Map<string, TreePlace>, name: string, depth: number): TreePlace {
  const place = places.get(name) ?? { known: new Set(), fresh: new Set(), depth: depth + 1 }
  places.set(name, place)
  return place
}

/** Walks trees, each once, choosing what lies below them or marking it as known. */
export class TreeWalk {
  readonly #space: ObjectSpace
  readonly #marks: Marks
  readonly #limits: GitLimits
  readonly #pulse: Pulse
  readonly #reader: TreeReader
  /** Trees of which nothing below needs to be looked at: it is marked already, will be before the walk is over, or the receiver has it all. */
  readonly #isKnown = (tree: number): boolean => this.#marks.has(tree, KNOWN)
  readonly #isMet = (tree: number): boolean => (this.#marks.of(tree) & (KNOWN | WALKED)) !== 0
  /** Few trees are to be read: the store's own cache serves them better than a reader that has to learn their delta chains first. */
  #isShort = false
  /** Trees met and not yet read, and how deep each lies. */
  readonly #trees = new IntList()
  readonly #depths = new IntList()

  constructor(space: ObjectSpace, marks: Marks, limits: GitLimits, pulse: Pulse) {
    this.#space = space
    this.#marks = marks
    this.#limits = limits
    this.#pulse = pulse
    this.#reader = new TreeReader(space, limits.maxParsedBytes)
  }

  /** Marks a tree and everything below it as known to the receiver. Holes are passed over: what is not here need not be left out. */
  async know(root: number): Promise<void> {
    this.#knowTree(root, 0)
    await this.#walk((tree, depth) => this.#knowBelow(tree, depth))
  }

  /**
   * Marks as known what lies in the `edges` along the paths where the `fresh` trees differ from them, and no more: a
   * small fetch then costs in proportion to what changed. What moved here from an unchanged directory goes out again,
   * as it does with `git pack-objects --sparse`.
   */
  async knowAlong(edges: readonly number[], fresh: readonly number[]): Promise<void> {
    this.#isShort = true
    const places: TreePlace[] = [{ known: new Set(edges), fresh: new Set(fresh), depth: 0 }]
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      this.#knowPlace(place, places)
      const wait = this.#pulse()
      if (wait) await wait
    }
  }

  /** The subtrees of one place, by name; those that are in doubt are put on `places`. */
  #knowPlace({ known, fresh, depth }: TreePlace, places: TreePlace[]): void {
    for (const tree of known) this.#marks.add(tree, KNOWN)
    const changed = [...fresh].filter((tree) => !this.#marks.has(tree, KNOWN))
    if (changed.length === 0 || depth > this.#limits.maxTreeDepth) return
    const below = new Map<string, TreePlace>()
    for (const tree of known) {
      this.#eachChild(tree, false, (child) => this.#marks.add(child, KNOWN))
      this.#eachChild(tree, true, (child, name) => placeOf(below, name, depth).known.add(child))
    }
    for (const tree of changed) this.#eachChild(tree, true, (child, name) => placeOf(below, name, depth).fresh.add(child))
    for (const place of below.values()) {
      for (const child of place.known) this.#marks.add(child, KNOWN)
      if (place.known.size > 0 && place.fresh.size > 0) places.push(place)
    }
  }

  /** Gives `visit` the children of a tree that are trees, or those that are not, as far as they are here. */
  #eachChild(tree: number, areTrees: boolean, visit: (child: number, name: string) => void): void {
    const data = this.#space.readAs('tree', tree)
    eachEntry(data, (mode, nameStart, nameEnd, at) => {
      if ((entryType(mode) === 'tree') !== areTrees) return
      const child = this.#space.find(data, at)
      if (child >= 0) visit(child, areTrees ? Buffer.from(data.subarray(nameStart, nameEnd)).toString('latin1') : '')
    })
  }

  /**
   * Gives `take` what is not known and passes `bounds`: the tree, and everything below it. Objects may be given twice.
   * @throws GitError `missing` on a hole, `corrupt` on bytes that are no tree, `limit` when trees lie too deep
   */
  async select(root: number, bounds: ObjectBounds, take: (number: number) => void): Promise<void> {
    this.#selectTree(root, 0, bounds, take)
    await this.#walk((tree, depth) => this.#selectBelow(tree, depth, bounds, take))
  }

  async #walk(visit: (tree: number, depth: number) => void): Promise<void> {
    for (let tree = this.#trees.pop(); tree !== undefined; tree = this.#trees.pop()) {
      visit(tree, this.#depths.pop() ?? 0)
      const wait = this.#pulse()
      if (wait) await wait
    }
  }

  #push(tree: number, depth: number): void {
    if (depth > this.#limits.maxTreeDepth)
      throw new GitError('limit', `Cannot walk trees: more than ${this.#limits.maxTreeDepth} directories lie inside one another`)
    this.#trees.push(tree)
    this.#depths.push(depth)
  }

  #knowTree(tree: number, depth: number): void {
    if (this.#marks.has(tree, KNOWN)) return
    this.#marks.add(tree, KNOWN)
    this.#push(tree, depth)
  }

  #knowBelow(tree: number, depth: number): void {
    this.#reader.visit(tree, this.#isKnown, (bytes, at, isTree) => {
      const child = this.#space.find(bytes, at)
      if (child < 0) return
      if (isTree) this.#knowTree(child, depth + 1)
      else this.#marks.add(child, KNOWN)
    })
  }

  #selectTree(tree: number, depth: number, bounds: ObjectBounds, take: (number: number) => void): void {
    const marks = this.#marks.of(tree)
    if (marks & KNOWN || (marks & WALKED && !bounds.isNearer(tree, depth))) return
    this.#marks.add(tree, WALKED)
    if (!bounds.reaches(tree, depth)) return
    if (bounds.takesTrees) take(tree)
    this.#push(tree, depth)
  }

  #selectBelow(tree: number, depth: number, bounds: ObjectBounds, take: (number: number) => void): void {
    const takesBlobs = bounds.takesBlobsAt(depth + 1)
    const visit: VisitEntry = (bytes, at, isTree) => {
      if (!isTree && !takesBlobs) return
      const child = this.#space.find(bytes, at)
      if (child < 0) throw new GitError('missing', `Cannot find object ${oidAt(bytes, at)}, named by tree ${this.#space.oid(tree)}`)
      if (isTree) this.#selectTree(child, depth + 1, bounds, take)
      else this.#selectBlob(child, bounds, take)
    }
    if (bounds.dependsOnDepth || this.#isShort) this.#reader.visitAll(tree, visit)
    else this.#reader.visit(tree, this.#isMet, visit)
  }

  #selectBlob(blob: number, bounds: ObjectBounds, take: (number: number) => void): void {
    if (this.#marks.of(blob) & (KNOWN | WALKED)) return
    this.#marks.add(blob, WALKED)
    if (bounds.takesBlob(this.#space, blob)) take(blob)
  }
}
