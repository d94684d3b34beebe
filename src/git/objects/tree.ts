import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { defaultLimits } from '../limits.ts'
import type { ObjectType, Oid } from './oid.ts'
import { oidAt, rawOid } from './oid.ts'

export interface TreeEntry {
  /** As written, e.g. 0o100644; trees of long ago have 0o100664 too. See `entryType`. */
  mode: number
  /** Decoded as UTF-8, bytes that are not with U+FFFD in their place. */
  name: string
  oid: Oid
  /** The name's bytes, when `name` alone would not give them back. */
  rawName?: Uint8Array
}

/** Gets an entry's mode, where its name begins and ends, and where its raw id begins. True ends the iteration. */
export type EntryVisitor = (mode: number, nameStart: number, nameEnd: number, oidAt: number) => boolean | undefined | void

/** The modes that git writes. */
export const FILE_MODE = 0o100644
export const TREE_MODE = 0o040000
/** A commit of another repository: a submodule. */
export const GITLINK_MODE = 0o160000

const TYPE_BITS = 0o170000
const MAX_MODE_DIGITS = 7
const SPACE = 32
const ZERO = 48
const SLASH = 47
const SHA1_LENGTH = 20

/** What an entry of `mode` points at; 'commit' is in another repository. */
export function entryType(mode: number): Exclude<ObjectType, 'tag'> {
  const bits = mode & TYPE_BITS
  if (bits === TREE_MODE) return 'tree'
  return bits === GITLINK_MODE ? 'commit' : 'blob'
}

/**
 * Steps through a tree's bytes without making objects. Source: git's `tree-walk.c`.
 * @throws GitError `corrupt` when they are no tree
 */
export function eachEntry(data: Uint8Array, visit: EntryVisitor, rawLength = SHA1_LENGTH): void {
  const end = data.length
  let at = 0
  while (at < end) {
    const start = at
    let mode = 0
    for (let byte = data[at] as number; byte !== SPACE; byte = data[++at] as number) {
      if (!(byte >= ZERO && byte < ZERO + 8) || at - start === MAX_MODE_DIGITS) throw corrupt('a mode is not octal, or truncated')
      mode = mode * 8 + byte - ZERO
    }
    const nameStart = ++at
    while (at < end && data[at] !== 0) at++
    if (at === nameStart || nameStart === start + 1) throw corrupt('an entry has no name or no mode')
    if (at + rawLength >= end) throw corrupt('its last entry is truncated')
    if (visit(mode, nameStart, at, at + 1) === true) return
    at += 1 + rawLength
  }
}

/**
 * Every entry, in the order of the tree.
 * @throws GitError `corrupt` when the bytes are no tree, `limit` when they are more, or hold more entries, than allowed
 */
export function parseTree(data: Uint8Array, limits: GitLimits = defaultLimits, rawLength = SHA1_LENGTH): TreeEntry[] {
  if (data.length > limits.maxParsedBytes)
    throw new GitError('limit', `Cannot read tree: its ${data.length} bytes are over the limit of ${limits.maxParsedBytes}`)
  const entries: TreeEntry[] = []
  const visit: EntryVisitor = (mode, nameStart, nameEnd, at) => {
    if (entries.length === limits.maxTreeEntries) throw new GitError('limit', `Cannot read tree: it has more than ${limits.maxTreeEntries} entries`)
    entries.push(entryAt(data, mode, nameStart, nameEnd, at, rawLength))
  }
  eachEntry(data, visit, rawLength)
  return entries
}

/** The entry called `name`, byte for byte. @throws GitError `corrupt` when what comes before it is no tree */
export function findEntry(data: Uint8Array, name: string | Uint8Array, rawLength = SHA1_LENGTH): TreeEntry | undefined {
  const wanted = typeof name === 'string' ? Buffer.from(name) : name
  let found: TreeEntry | undefined
  const visit: EntryVisitor = (mode, nameStart, nameEnd, at) => {
    if (!isSame(data, nameStart, nameEnd, wanted)) return false
    found = entryAt(data, mode, nameStart, nameEnd, at, rawLength)
    return true
  }
  eachEntry(data, visit, rawLength)
  return found
}

/**
 * A tree of `entries`, in git's order whatever theirs.
 * @throws GitError `refused` for names that are empty, not unique, or have a slash or a NUL
 */
export function encodeTree(entries: readonly TreeEntry[]): Uint8Array {
  const sorted = entries.map((entry) => ({ entry, name: nameBytes(entry) })).sort((a, b) => compareNames(a.name, a.entry.mode, b.name, b.entry.mode))
  refuseDuplicates(sorted.map(({ name }) => name))
  return Buffer.concat(sorted.flatMap(({ entry, name }) => [Buffer.from(`${entry.mode.toString(8)} `), name, NUL, rawOid(entry.oid)]))
}

const NUL = new Uint8Array(1)

function entryAt(data: Uint8Array, mode: number, nameStart: number, nameEnd: number, at: number, rawLength: number): TreeEntry {
  const name = Buffer.prototype.utf8Slice.call(data, nameStart, nameEnd)
  const entry: TreeEntry = { mode, name, oid: oidAt(data, at, rawLength) }
  if (name.includes('\ufffd')) entry.rawName = new Uint8Array(data.subarray(nameStart, nameEnd))
  return entry
}

function nameBytes({ name, rawName }: TreeEntry): Uint8Array {
  const bytes = rawName ?? Buffer.from(name)
  if (bytes.length === 0 || bytes.includes(0) || bytes.includes(SLASH)) throw refused(name, 'a name must not be empty or contain a slash or a NUL byte')
  return bytes
}

/** Directories sort as if their names ended in a slash. */
function compareNames(a: Uint8Array, modeA: number, b: Uint8Array, modeB: number): number {
  const shorter = Math.min(a.length, b.length)
  const order = Buffer.compare(a.subarray(0, shorter), b.subarray(0, shorter))
  return order !== 0 ? order : byteAt(a, shorter, modeA) - byteAt(b, shorter, modeB)
}

function byteAt(name: Uint8Array, at: number, mode: number): number {
  if (at < name.length) return name[at] as number
  return (mode & TYPE_BITS) === TREE_MODE ? SLASH : 0
}

/** A file and a directory of one name need not be neighbours in the order. */
function refuseDuplicates(names: readonly Uint8Array[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    const text = Buffer.prototype.latin1Slice.call(name, 0, name.length)
    if (seen.has(text)) throw refused(Buffer.from(name).toString(), 'there are two entries with this name')
    seen.add(text)
  }
}

function isSame(data: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (data[start + i] !== name[i]) return false
  return true
}

function refused(name: string, reason: string): GitError {
  return new GitError('refused', `Cannot encode tree entry "${name}": ${reason}`)
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot read tree: ${reason}`)
}
