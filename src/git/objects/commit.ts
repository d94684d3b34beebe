import { GitError } from '../errors.ts'
import { headerLine, idIn, splitHeader } from './header-text.ts'
import type { Ident } from './ident.ts'
import { encodeIdent, parseIdent } from './ident.ts'
import type { Oid } from './oid.ts'
import { isOid } from './oid.ts'

export interface Commit {
  tree: Oid
  parents: Oid[]
  author: Ident
  committer: Ident
  /** The whole message, its last line break included. */
  message: string
  /** What the bytes are encoded in when it is not UTF-8; the texts here are decoded. */
  encoding?: string
  /** The armoured signature. */
  gpgsig?: string
  /** All other header lines (`mergetag`, `gpgsig-sha256`, …), in order. */
  extra?: [key: string, value: string][]
}

/** What a walk needs of a commit. */
export interface CommitLinks {
  tree: Oid
  parents: Oid[]
  /** Committer date, seconds since 1970; 0 when it cannot be read. */
  committerTime: number
}

const LF = 10
const ZERO = 48
const known = new Set(['tree', 'parent', 'author', 'committer', 'encoding', 'gpgsig'])
const noOne = parseIdent('')

/**
 * Reads a commit. Only ids are insisted on: history has commits without author, with odd dates and with texts in no known encoding.
 * @throws GitError `corrupt` when the tree or a parent is missing or no id
 */
export function parseCommit(data: Uint8Array): Commit {
  const { headers, message } = splitHeader(data)
  const headerValue = (key: string) => headers.find((header) => header[0] === key)?.[1]
  const identOf = (key: string) => parseIdent(headerValue(key) ?? '')
  const parents = headers.filter(([key]) => key === 'parent').map(([key, value]) => idIn('commit', key, value))
  const commit: Commit = { tree: idIn('commit', 'tree', headerValue('tree')), parents, author: identOf('author'), committer: identOf('committer'), message }
  const extra = headers.filter(([key]) => !known.has(key))
  const encoding = headerValue('encoding')
  const gpgsig = headerValue('gpgsig')
  if (encoding !== undefined) commit.encoding = encoding
  if (gpgsig !== undefined) commit.gpgsig = gpgsig
  if (extra.length > 0) commit.extra = extra
  return commit
}

/** Writes a commit, in UTF-8 whatever `encoding` says. @throws GitError `refused` for an identity or header that cannot be written */
export function encodeCommit(commit: Commit): Uint8Array {
  let text = headerLine('tree', commit.tree)
  for (const parent of commit.parents) text += headerLine('parent', parent)
  text += headerLine('author', encodeIdent(commit.author)) + headerLine('committer', encodeIdent(commit.committer))
  for (const [key, value] of commit.extra ?? []) text += extraLine(key, value)
  if (commit.gpgsig !== undefined) text += headerLine('gpgsig', commit.gpgsig)
  return Buffer.from(`${text}\n${commit.message}`)
}

/** Tree, parents and committer date without decoding any text. @throws GitError `corrupt` when the tree or a parent is missing or no id */
export function commitLinks(data: Uint8Array): CommitLinks {
  let at = 0
  const id = (key: string): Oid => {
    const end = data.indexOf(LF, at)
    const text = latin1(data, at + key.length, end < 0 ? data.length : end)
    at = end < 0 ? data.length : end + 1
    if (!isOid(text)) throw new GitError('corrupt', `Cannot read commit: its "${key.trim()}" line is not an object ID`)
    return text
  }
  if (!beginsWith(data, at, 'tree ')) throw new GitError('corrupt', 'Cannot read commit: it does not start with a "tree" line')
  const tree = id('tree ')
  const parents: Oid[] = []
  while (beginsWith(data, at, 'parent ')) parents.push(id('parent '))
  return { tree, parents, committerTime: committerTime(data, at) }
}

/** The committer date in seconds since 1970, 0 when there is none that can be read; nothing else of the commit is looked at. */
export function commitTime(data: Uint8Array): number {
  return committerTime(data, 0)
}

/** Looks for the date in the header lines from `at` on. */
function committerTime(data: Uint8Array, at: number): number {
  while (at < data.length && data[at] !== LF) {
    const lineEnd = data.indexOf(LF, at)
    const end = lineEnd < 0 ? data.length : lineEnd
    if (beginsWith(data, at, 'committer ')) return dateIn(data, at, end)
    at = end + 1
  }
  return noOne.seconds
}

/** The seconds of `… <mail> 1700000000 +0100` read backwards: the zone, then digits. Odd lines go the long way. */
function dateIn(data: Uint8Array, start: number, end: number): number {
  const digitsEnd = end - ' +0000'.length
  let seconds = 0
  let scale = 1
  let at = digitsEnd - 1
  for (; at > start && isDigit(data[at] as number) && scale < 1e12; at--, scale *= 10) seconds += ((data[at] as number) - ZERO) * scale
  const isPlain = scale > 1 && data[digitsEnd] === 32 && data[at] === 32 && data[at - 1] === 62
  return isPlain ? seconds : parseIdent(latin1(data, start, end)).seconds
}

function extraLine(key: string, value: string): string {
  if (!/^[!-~]+$/.test(key) || known.has(key)) throw new GitError('refused', `Cannot encode commit: "${key}" is not an extra header`)
  return headerLine(key, value)
}

function beginsWith(data: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (data[at + i] !== text.charCodeAt(i)) return false
  return true
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 57
}

function latin1(data: Uint8Array, from: number, to: number): string {
  return Buffer.prototype.latin1Slice.call(data, from, to)
}
