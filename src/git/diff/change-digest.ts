import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps, type Steps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { ByteWriter } from './byte-writer.ts'
import { changedFiles, treeOf } from './changed-files.ts'
import { type PatchOptions, writePatch } from './patch.ts'
import type { FileChange } from './renames.ts'

/** What there is to tell two sets of changes apart. */
export interface ChangeDigest {
  /** The tree that the changes come to. */
  tree: Oid
  /** A digest of their diff, wherever its lines stand; empty when they are too many to say. */
  key: string
  /** Whether more time would have come to the same. */
  isWhole: boolean
}

export interface DigestOptions extends Pick<PatchOptions, 'maxFileBytes'> {
  /** With more changed files than this there is no digest. Default: 10,000. */
  maxFiles?: number
  /** When it takes longer than these milliseconds there is none either. Default: a minute. */
  deadline?: number
  signal?: AbortSignal
}

const DEFAULT_MAX_FILES = 10_000
const DEFAULT_DEADLINE = 60_000
const LF = 10

/**
 * What `git patch-id --verbatim` tells changes apart by, and modes: every byte of their diff counts, blanks too, but not the numbers of its
 * lines and the ids of the files. @throws GitError `missing` or `corrupt`
 */
export async function digestChanges(store: ObjectReader, from: Oid | undefined, to: Oid, options: DigestOptions = {}): Promise<ChangeDigest> {
  const { maxFiles = DEFAULT_MAX_FILES, deadline = DEFAULT_DEADLINE, signal } = options
  const end = performance.now() + deadline
  const tree = treeOf(store, to)
  const { changes, isTruncated } = await changedFiles(store, from, tree, { maxFiles, renames: false, signal })
  if (isTruncated) return { tree, key: '', isWhole: true }
  const hasher = new Bun.CryptoHasher('sha256')
  for (const change of changes) {
    if (performance.now() > end) return { tree, key: '', isWhole: false }
    await runSteps(hashFile(hasher, store, change, options), signal)
    if (isDue()) await breathe()
    signal?.throwIfAborted()
  }
  return { tree, key: hasher.digest('hex'), isWhole: true }
}

/** The same of one file. @throws GitError `missing` or `corrupt` */
export function* digestFile(store: ObjectReader, change: FileChange, options: Pick<PatchOptions, 'maxFileBytes'>): Steps<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  yield* hashFile(hasher, store, change, options)
  return hasher.digest('hex')
}

function* hashFile(hasher: Bun.CryptoHasher, store: ObjectReader, change: FileChange, options: DigestOptions): Steps<void> {
  const out = new ByteWriter()
  const comparison = yield* writePatch(out, store, change, options)
  const text = Buffer.from(out.take())
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(LF, start)
    const next = end < 0 ? text.length : end + 1
    // Lines of a file begin with a sign, so that what begins with these words is none.
    const isPlace = startsWith(text, start, '@@ ')
    if (isPlace) hasher.update('@@\n')
    else if (!startsWith(text, start, 'index ')) hasher.update(text.subarray(start, next))
    start = next
  }
  // Of what is shown without its lines only the ids tell what it is.
  if (comparison.kind === 'binary' || comparison.kind === 'too-large') hasher.update(`${change.old?.oid} ${change.new?.oid}\n`)
}

function startsWith(text: Buffer, at: number, word: string): boolean {
  return text.toString('latin1', at, at + word.length) === word
}
