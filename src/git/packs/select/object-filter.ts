import type { ObjectType } from '../../objects/oid.ts'
import type { ObjectSpace } from './object-space.ts'

/**
 * What a partial clone leaves out. All filters reduce to three bounds, and a combination to the tightest of each,
 * because every part of a `combine:` must let an object through.
 */
export interface ObjectFilter {
  /** Blobs of this many bytes or more stay behind; 0 leaves out all. */
  blobLimit: number
  /** Trees and blobs this deep or deeper stay behind; a commit's own tree has depth 0. */
  treeDepth: number
  /** The types that may pass. */
  types: ReadonlySet<ObjectType>
}

/** Whether all but blobs pass: `blob:none`, what nearly every partial clone asks for. */
export function leavesOutBlobsAlone({ blobLimit, treeDepth, types }: ObjectFilter): boolean {
  return blobLimit === 0 && treeDepth === Infinity && (['commit', 'tree', 'tag'] as const).every((type) => types.has(type))
}

/** A filter at work in one walk. */
export class ObjectBounds {
  readonly takesCommits: boolean
  readonly takesTrees: boolean
  readonly #takesBlobs: boolean
  readonly #blobLimit: number
  readonly #treeDepth: number
  /** The least depth at which each tree was met, kept only when depth matters. */
  readonly #depths = new Map<number, number>()

  /**
   * @param maxTreeDepth the deepest bound that is kept to: a tree may have to be looked into again for each depth at which it is met.
   * Trees deeper than that pass; a filter may let more through than it was asked to
   */
  constructor(filter: ObjectFilter | undefined, maxTreeDepth: number) {
    const takes = (type: ObjectType): boolean => filter?.types.has(type) ?? true
    this.#blobLimit = filter?.blobLimit ?? Infinity
    const treeDepth = filter?.treeDepth ?? Infinity
    this.#treeDepth = treeDepth <= maxTreeDepth ? treeDepth : Infinity
    this.takesCommits = takes('commit')
    this.takesTrees = takes('tree')
    this.#takesBlobs = takes('blob') && this.#blobLimit > 0
  }

  /** False when nothing below commits passes. */
  get walksTrees(): boolean {
    return this.#treeDepth > 0 && (this.takesTrees || this.#takesBlobs)
  }

  /** Whether the same tree may pass at one place and stay behind at another. */
  get dependsOnDepth(): boolean {
    return this.#treeDepth !== Infinity
  }

  /** Whether a tree met before lies nearer to the root this time, so that more of it passes. */
  isNearer(tree: number, depth: number): boolean {
    return this.dependsOnDepth && depth < (this.#depths.get(tree) ?? Infinity)
  }

  /** Whether a tree at this depth passes; remembers the depth. */
  reaches(tree: number, depth: number): boolean {
    if (this.dependsOnDepth) this.#depths.set(tree, depth)
    return depth < this.#treeDepth
  }

  takesBlobsAt(depth: number): boolean {
    return this.#takesBlobs && depth < this.#treeDepth
  }

  takesBlob(space: ObjectSpace, blob: number): boolean {
    return this.#takesBlobs && (this.#blobLimit === Infinity || space.header(blob).size < this.#blobLimit)
  }
}
