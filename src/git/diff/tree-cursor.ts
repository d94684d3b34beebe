import { GitError } from '../errors.ts'

const DIRECTORY = 0o040000
const SYMLINK = 0o120000
const GITLINK = 0o160000
const TYPE_BITS = 0o170000
const MAX_MODE = 0o777777

/**
 * Steps through a tree's raw bytes, entry by entry, without making objects: the current entry is in the fields.
 * `isAtEnd` is true behind the last one. Source: git's `tree-walk.c`.
 */
export class TreeCursor {
  readonly data: Uint8Array
  /** As git compares modes: old trees' 100664 is 100644. */
  mode = 0
  nameStart = 0
  nameEnd = 0
  oidAt = 0
  isAtEnd = false
  readonly #rawLength: number
  /** Where the current entry begins; the length of the data at the end. */
  #start = 0

  /** @throws GitError `corrupt` (as `next` does) when the bytes are no tree */
  constructor(data: Uint8Array, rawLength: number) {
    this.data = data
    this.#rawLength = rawLength
    this.#read(0)
  }

  get isDirectory(): boolean {
    return this.mode === DIRECTORY
  }

  get isGitlink(): boolean {
    return this.mode === GITLINK
  }

  next(): void {
    this.#read(this.oidAt + this.#rawLength)
  }

  /** Steps both cursors behind the entries that are byte for byte the same from here on, this one included. */
  skipShared(other: TreeCursor): void {
    const [from, otherFrom] = [this.#start, other.#start]
    const shared = from + sharedLength(this.data, from, other.data, otherFrom)
    let start = from
    for (let end = this.#endOf(start); end <= shared; end = this.#endOf(start)) start = end
    if (start === from) return
    this.#read(start)
    other.#read(otherFrom + start - from)
  }

  /** Where the entry that begins at `start` ends; infinity when none does. */
  #endOf(start: number): number {
    const nul = this.data.indexOf(0, start)
    return nul < 0 ? Infinity : nul + 1 + this.#rawLength
  }

  #read(start: number): void {
    const { data } = this
    this.#start = start
    this.isAtEnd = start >= data.length
    if (this.isAtEnd) return
    let at = start
    let mode = 0
    for (; data[at] !== 0x20; at++) {
      const digit = (data[at] as number) - 0x30
      if (!(digit >= 0 && digit <= 7) || mode > MAX_MODE) throw corrupt('a mode is not octal')
      mode = mode * 8 + digit
    }
    this.mode = canonicalMode(mode)
    this.nameStart = ++at
    at = data.indexOf(0, at)
    if (at <= this.nameStart || at + this.#rawLength >= data.length) throw corrupt('it ends within an entry, or a name is empty')
    this.nameEnd = at
    this.oidAt = at + 1
  }

  /** Negative, 0 or positive as this entry sorts before, with or after `other`'s: directories as if their names ended in a slash. */
  compareTo(other: TreeCursor): number {
    const [a, b] = [this.data, other.data]
    const [lengthA, lengthB] = [this.nameEnd - this.nameStart, other.nameEnd - other.nameStart]
    const shorter = Math.min(lengthA, lengthB)
    for (let i = 0; i < shorter; i++) {
      const difference = (a[this.nameStart + i] as number) - (b[other.nameStart + i] as number)
      if (difference !== 0) return difference
    }
    return this.#byteAt(shorter) - other.#byteAt(shorter)
  }

  /** Whether mode and id are the same. */
  isSameAs(other: TreeCursor): boolean {
    if (this.mode !== other.mode) return false
    for (let i = 0; i < this.#rawLength; i++) if (this.data[this.oidAt + i] !== other.data[other.oidAt + i]) return false
    return true
  }

  isNamed(name: Uint8Array): boolean {
    if (this.nameEnd - this.nameStart !== name.length) return false
    for (let i = 0; i < name.length; i++) if (this.data[this.nameStart + i] !== name[i]) return false
    return true
  }

  #byteAt(index: number): number {
    if (this.nameStart + index < this.nameEnd) return this.data[this.nameStart + index] as number
    return this.isDirectory ? 0x2f : 0
  }
}

/** Entries in which two trees differ: those of one name together, else one alone. The cursors are moved on by the next step. */
export function* differencesOf(left: TreeCursor, right: TreeCursor): Generator<[left: TreeCursor | undefined, right: TreeCursor | undefined], void, undefined> {
  for (left.skipShared(right); !left.isAtEnd || !right.isAtEnd; left.skipShared(right)) {
    const order = left.isAtEnd ? 1 : right.isAtEnd ? -1 : left.compareTo(right)
    if (order !== 0 || !left.isSameAs(right)) yield [order <= 0 ? left : undefined, order >= 0 ? right : undefined]
    if (order <= 0) left.next()
    if (order >= 0) right.next()
  }
}

/** How many bytes are the same from `at` and `otherAt` on. Halving with a native comparison beats looking at each byte. */
function sharedLength(data: Uint8Array, at: number, other: Uint8Array, otherAt: number): number {
  let same = 0
  let different = Math.min(data.length - at, other.length - otherAt) + 1
  let tried = different - 1
  while (same + 1 < different) {
    if (isSame(data, at + same, other, otherAt + same, tried - same)) same = tried
    else different = tried
    tried = (same + different) >>> 1
  }
  return same
}

function isSame(data: Uint8Array, at: number, other: Uint8Array, otherAt: number, length: number): boolean {
  return Buffer.prototype.compare.call(data as Buffer, other, otherAt, otherAt + length, at, at + length) === 0
}

/** What git makes of a mode when it compares: two kinds of file, symbolic link, directory, and all else a submodule. */
function canonicalMode(mode: number): number {
  const type = mode & TYPE_BITS
  if (type === 0o100000) return (mode & 0o100) !== 0 ? 0o100755 : 0o100644
  if (type === DIRECTORY || type === SYMLINK) return type
  return GITLINK
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot read tree: ${reason}`)
}
