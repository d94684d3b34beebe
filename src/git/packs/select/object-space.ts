import { GitError } from '../../errors.ts'
import type { ObjectType, Oid } from '../../objects/oid.ts'
import { oidAt, rawOid } from '../../objects/oid.ts'
import type { Budget } from '../../store/budget.ts'
import type { DiskStore } from '../../store/disk.ts'
import { missing, named } from '../../store/rules.ts'
import type { GitObject, ObjectHeader } from '../../store/types.ts'
import type { PackFile } from '../pack-file.ts'

/** The memo's size at first and in the end. Clearing a large one costs more than a small fetch has to look up. */
const FIRST_MEMO = 1 << 10
const FULL_MEMO = 1 << 18
const NONE: ReadonlySet<string> = new Set()

/**
 * The objects of a store by whole numbers, so that walks over millions keep bits and not strings. Packed objects are
 * numbered pack by pack, the largest first, in the order of the index; an object in several packs goes by the first. Objects that lie
 * elsewhere (loose, or in packs that came later) are numbered from `packed` on, as they are met.
 */
export class ObjectSpace {
  readonly store: DiskStore
  readonly packs: readonly PackFile[]
  /** How many numbers the packs take. */
  readonly packed: number
  /** The first number of each pack, and `packed` after the last. */
  readonly #bases: number[]
  readonly #others: Oid[] = []
  readonly #otherNumbers = new Map<Oid, number>()
  /** For the first bits of an id, the number (plus one) found there last: trees name the same objects again and again. */
  #memo = new Uint32Array(FIRST_MEMO)
  #searches = 0

  /** @param leftOut paths of packs that are not to count */
  constructor(store: DiskStore, leftOut: ReadonlySet<string> = NONE) {
    this.store = store
    this.packs = store.packs.filter(({ path }) => !leftOut.has(path)).toSorted((a, b) => b.index.count - a.index.count)
    this.#bases = [0]
    for (const pack of this.packs) this.#bases.push((this.#bases[this.#bases.length - 1] as number) + pack.index.count)
    this.packed = this.#bases[this.packs.length] as number
  }

  /** All numbers given so far are below this one. */
  get size(): number {
    return this.packed + this.#others.length
  }

  /** The number of the object whose raw id lies at `at`, or -1 when the store does not have it. */
  find(bytes: Uint8Array, at: number): number {
    const slot = (((bytes[at] as number) << 10) | ((bytes[at + 1] as number) << 2) | ((bytes[at + 2] as number) >> 6)) & (this.#memo.length - 1)
    const known = (this.#memo[slot] as number) - 1
    if (known >= 0 && this.#isAt(known, bytes, at)) return known
    const found = this.#search(bytes, at)
    if (found >= 0 && found < this.packed) this.#memo[slot] = found + 1
    if (++this.#searches === FIRST_MEMO) this.#memo = new Uint32Array(FULL_MEMO)
    return found
  }

  findOid(oid: Oid): number {
    return this.find(rawOid(oid), 0)
  }

  /** @throws GitError `missing`, or `corrupt` where it may be in a pack that cannot be read */
  get(oid: Oid): number {
    const number = this.findOid(oid)
    if (number >= 0) return number
    this.store.get(oid)
    throw missing(oid)
  }

  oid(number: number): Oid {
    if (number >= this.packed) return this.#others[number - this.packed] as Oid
    const pack = this.packOf(number)
    return (this.packs[pack] as PackFile).index.oidAt(number - (this.#bases[pack] as number))
  }

  /** Which of `packs` a number below `packed` belongs to. */
  packOf(number: number): number {
    let pack = 0
    while ((this.#bases[pack + 1] as number) <= number) pack++
    return pack
  }

  /** The first number of a pack: its objects are numbered from there in the order of its index. */
  base(pack: number): number {
    return this.#bases[pack] as number
  }

  /** False for a copy of an object that goes by the number of another copy. */
  isCanonical(number: number): boolean {
    const pack = this.packOf(number)
    if (pack === 0) return true
    const raw = (this.packs[pack] as PackFile).index.rawAt(number - (this.#bases[pack] as number))
    return this.packs.slice(0, pack).every((earlier) => earlier.index.findRaw(raw, 0) < 0)
  }

  /** @param budget pays for all that is inflated on the way, of what is packed @throws GitError as the store does */
  read(number: number, maxBytes?: number, budget?: Budget): GitObject {
    if (number >= this.packed) return this.store.get(this.oid(number), undefined, maxBytes)
    const at = this.packOf(number)
    const pack = this.packs[at] as PackFile
    try {
      return pack.read(number - (this.#bases[at] as number), maxBytes, budget)
    } catch (error) {
      pack.forgetPieces()
      throw named(this.oid(number), error)
    }
  }

  /** The same, or undefined for what is larger than `maxBytes`. @throws GitError as the store does */
  readSmall(number: number, maxBytes: number, budget?: Budget): GitObject | undefined {
    try {
      return this.read(number, maxBytes, budget)
    } catch (error) {
      if (error instanceof GitError && error.kind === 'limit') return undefined
      throw error
    }
  }

  /** See `ObjectReader.pieces`. */
  pieces(number: number): AsyncIterable<Uint8Array> {
    return this.store.pieces(this.oid(number))
  }

  /** Type and inflated size. */
  header(number: number): ObjectHeader {
    if (number < this.packed) {
      const pack = this.packOf(number)
      return (this.packs[pack] as PackFile).headerOf((this.packs[pack] as PackFile).index.offsetAt(number - (this.#bases[pack] as number)))
    }
    const header = this.store.findHeader(this.oid(number))
    if (!header) throw missing(this.oid(number))
    return header
  }

  /** The bytes of a tree, commit or tag. @throws GitError `corrupt` when it is of another type */
  readAs(type: ObjectType, number: number): Uint8Array {
    const object = this.read(number)
    if (object.type !== type) throw new GitError('corrupt', `Cannot read ${this.oid(number)} as a ${type}: it is a ${object.type}`)
    return object.data
  }

  #search(bytes: Uint8Array, at: number): number {
    for (let pack = 0; pack < this.packs.length; pack++) {
      const position = (this.packs[pack] as PackFile).index.findRaw(bytes, at)
      if (position >= 0) return (this.#bases[pack] as number) + position
    }
    return this.#findOther(oidAt(bytes, at))
  }

  #findOther(oid: Oid): number {
    const known = this.#otherNumbers.get(oid)
    if (known !== undefined) return known
    if (!this.store.has(oid)) return -1
    const number = this.size
    this.#others.push(oid)
    this.#otherNumbers.set(oid, number)
    return number
  }

  #isAt(number: number, bytes: Uint8Array, at: number): boolean {
    const pack = this.packOf(number)
    return (this.packs[pack] as PackFile).index.isAt(number - (this.#bases[pack] as number), bytes, at)
  }
}
