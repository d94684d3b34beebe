import { fault } from './fault.ts'

/** How an entry stands to the one before it, as far as it hints at a file and a directory of one name. */
export const UNRELATED = 0
/** The one before is a file whose name begins this one: `foo` before `foo.c`; a directory `foo` may follow. */
export const AFTER_PREFIX_FILE = 1
/** This one is a directory whose name begins the one before: `foo/` after `foo.c`; a file `foo` may have come earlier. */
export const PREFIX_DIRECTORY = 2

const SLASH = 47

/**
 * The order of tree entries: by name, where a directory's name counts as if it ended in `/`. So a file and a directory of one name need
 * not be neighbours: `foo`, `foo.c`, `foo/`. Source: `verify_ordered` of git's `fsck.c`.
 */
export class TreeOrder {
  #bytes: Uint8Array = new Uint8Array()
  #at = 0
  #end = -1
  #isDirectory = false
  /** Names of files that a directory may still duplicate: pairs of start and end. */
  #candidates: number[] = []

  /** Begins a tree. */
  open(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#end = -1
    this.#candidates.length = 0
  }

  /** Makes the entry the one that the next is compared with, unchecked. */
  jump(at: number, end: number, isDirectory: boolean): void {
    this.#at = at
    this.#end = end
    this.#isDirectory = isDirectory
  }

  /**
   * Compares the entry, whose name is `bytes[at, end)`, with the one before.
   * @throws GitError `corrupt` when it is out of order or the same again
   */
  next(at: number, end: number, isDirectory: boolean): number {
    const relation = this.#end < 0 ? UNRELATED : this.#relate(at, end, isDirectory)
    this.jump(at, end, isDirectory)
    return relation
  }

  /** Like `next`, and also finds a directory with the name of a file further back; every entry must have come this way. */
  nextOfAll(at: number, end: number, isDirectory: boolean): void {
    const priorAt = this.#at
    const priorEnd = this.#end
    const relation = this.next(at, end, isDirectory)
    if (relation === AFTER_PREFIX_FILE) this.#candidates.push(priorAt, priorEnd)
    if (relation === PREFIX_DIRECTORY) this.#refuseCandidate(at, end)
  }

  #relate(at: number, end: number, isDirectory: boolean): number {
    const bytes = this.#bytes
    const common = Math.min(this.#end - this.#at, end - at)
    for (let i = 0; i < common; i++) {
      const difference = (bytes[this.#at + i] as number) - (bytes[at + i] as number)
      if (difference < 0) return UNRELATED
      if (difference > 0) throw this.#disorder(at, end)
    }
    return this.#relatePrefix(common, at, end, isDirectory)
  }

  #relatePrefix(common: number, at: number, end: number, isDirectory: boolean): number {
    const isPriorOver = this.#at + common === this.#end
    const isThisOver = at + common === end
    if (isPriorOver && isThisOver) throw fault('corrupt', `the tree has the entry "${this.#name(at, end)}" twice`)
    const prior = isPriorOver ? (this.#isDirectory ? SLASH : 0) : (this.#bytes[this.#at + common] as number)
    const current = isThisOver ? (isDirectory ? SLASH : 0) : (this.#bytes[at + common] as number)
    if (prior >= current) throw this.#disorder(at, end)
    if (isPriorOver && prior === 0 && current < SLASH) return AFTER_PREFIX_FILE
    return isThisOver && current === SLASH ? PREFIX_DIRECTORY : UNRELATED
  }

  /** Drops the candidates that the directory's name does not begin with; refuses the one that is that name. */
  #refuseCandidate(at: number, end: number): void {
    for (;;) {
      const candidateEnd = this.#candidates.pop()
      const candidateAt = this.#candidates.pop()
      if (candidateEnd === undefined || candidateAt === undefined) return
      const length = candidateEnd - candidateAt
      if (length > end - at || !this.#isSame(candidateAt, at, length)) continue
      if (length === end - at) throw fault('corrupt', `the tree has the entry "${this.#name(at, end)}" twice`)
      if ((this.#bytes[at + length] as number) >= SLASH) continue
      this.#candidates.push(candidateAt, candidateEnd)
      return
    }
  }

  #isSame(a: number, b: number, length: number): boolean {
    for (let i = 0; i < length; i++) if (this.#bytes[a + i] !== this.#bytes[b + i]) return false
    return true
  }

  #disorder(at: number, end: number): Error {
    return fault('corrupt', `the tree's entries are not in order: "${this.#name(at, end)}" comes after "${this.#name(this.#at, this.#end)}"`)
  }

  #name(at: number, end: number): string {
    return Buffer.prototype.utf8Slice.call(this.#bytes, at, Math.min(end, at + 100))
  }
}
