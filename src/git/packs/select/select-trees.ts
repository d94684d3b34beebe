import type { Checkpoint } from '../../checkpoint.ts'
import { GitError } from '../../errors.ts'
import type { Marks } from '../../history/marks.ts'
import type { GitLimits } from '../../limits.ts'
import { oidAt } from '../../objects/oid.ts'
import { IntList } from './int-list.ts'
import type { ObjectBounds } from './object-filter.ts'
import type { ObjectSpace } from './object-space.ts'
import type { VisitEntry } from './tree-reader.ts'
import { TreeReader } from './tree-reader.ts'

/** Marks of a selection, by object number. */
export const SELECTED = 1
/** The receiver has it. */
export const KNOWN = 2
/** Looked into. */
export const WALKED = 4

/** Walks trees, each once, choosing what lies below them or marking it as known. */
export class TreeWalk {
  readonly #space: ObjectSpace
  readonly #marks: Marks
  readonly #checkpoint: Checkpoint
  readonly #reader: TreeReader
  /** Trees of which nothing below needs to be looked at: it is marked already, will be before the walk is over, or the receiver has it all. */
  readonly #isKnown = (tree: number): boolean => this.#marks.has(tree, KNOWN)
  readonly #isMet = (tree: number): boolean => (this.#marks.of(tree) & (KNOWN | WALKED)) !== 0
  /** Few trees are to be read: the store's own cache serves them better than a reader that has to learn their delta chains first. */
  isShort = false
  /** Trees met and not yet read, and how deep each lies. */
  readonly #trees = new IntList()
  readonly #depths = new IntList()

  constructor(space: ObjectSpace, marks: Marks, limits: GitLimits, checkpoint: Checkpoint) {
    this.#space = space
    this.#marks = marks
    this.#checkpoint = checkpoint
    this.#reader = new TreeReader(space, limits.maxParsedBytes)
  }

  /** Marks a tree and everything below it as known to the receiver. Holes are passed over: what is not here need not be left out. */
  async know(root: number): Promise<void> {
    this.#knowTree(root, 0)
    await this.#walk((tree, depth) => this.#knowBelow(tree, depth))
  }

  /**
   * Gives `take` what is not known and passes `bounds`: the tree, `depth` below its commit's, and everything below it. Objects may be given twice.
   * @throws GitError `missing` on a hole, `corrupt` on bytes that are no tree
   */
  async select(root: number, bounds: ObjectBounds, take: (number: number) => void, depth = 0): Promise<void> {
    this.#selectTree(root, depth, bounds, take)
    await this.#walk((tree, depth) => this.#selectBelow(tree, depth, bounds, take))
  }

  /**
   * The same for what lies below a tree that was asked for by itself: filters take its entries for as deep as a commit's own tree.
   * Source: `Documentation/rev-list-options.txt`, "--filter=tree:<depth>".
   */
  async selectInside(root: number, bounds: ObjectBounds, take: (number: number) => void): Promise<void> {
    if (this.#marks.has(root, KNOWN)) return
    this.#selectBelow(root, -1, bounds, take)
    await this.#walk((tree, depth) => this.#selectBelow(tree, depth, bounds, take))
  }

  /** Gives `take` a blob that is not known and passes `bounds`. */
  selectBlob(blob: number, bounds: ObjectBounds, take: (number: number) => void): void {
    if (this.#marks.of(blob) & (KNOWN | WALKED)) return
    this.#marks.add(blob, WALKED)
    if (bounds.takesBlob(this.#space, blob)) take(blob)
  }

  async #walk(visit: (tree: number, depth: number) => void): Promise<void> {
    for (let tree = this.#trees.pop(); tree !== undefined; tree = this.#trees.pop()) {
      visit(tree, this.#depths.pop() ?? 0)
      const wait = this.#checkpoint()
      if (wait) await wait
    }
  }

  /** However deep: what was taken in must come out again, and a tree is read once at any depth. */
  #push(tree: number, depth: number): void {
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
      else this.selectBlob(child, bounds, take)
    }
    if (bounds.dependsOnDepth || this.isShort) this.#reader.visitAll(tree, visit)
    else this.#reader.visit(tree, this.#isMet, visit)
  }
}
