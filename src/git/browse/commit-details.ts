import { breathe, isDue } from '#kernel/breathe.ts'
import { isBinaryChange } from '../diff/contents.ts'
import { type LineStats, lineStats } from '../diff/line-stats.ts'
import { detectRenames, type FileChange } from '../diff/renames.ts'
import { ToldSides } from '../diff/told-sides.ts'
import { diffTrees, type TreeChange, type TreeSide } from '../diff/tree-diff.ts'
import { GitError } from '../errors.ts'
import { type Commit, parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { shortenCommit } from './shorten.ts'

export interface ChangedFile {
  path: string
  status: 'added' | 'removed' | 'modified'
}

/** A commit and what it changed against its first parent. */
export interface CommitDetails {
  oid: Oid
  /** Without further headers, and with texts of no more than tens of kilobytes: see `shortenCommit`. */
  commit: Commit
  /** What a signature signs: the commit without it. Absent when it is not signed. */
  payload?: Uint8Array
  files?: ChangedFile[]
  stats?: LineStats
}

export interface DetailOptions {
  files: boolean
  stat: boolean
}

/** Files of one commit that are listed, and looked into. */
const MAX_FILES = 5000
/** A file larger than this is not looked into for `stats`. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
/** Files that moved are looked for as `diff.renameLimit` says, whose default is 1000: a list asks this of many commits. */
const RENAME_LIMIT = 1000

/** What is left to be told of the changes of all commits of one list: a few trees unfold into any number of files, and a list has fifty commits. */
export class ChangeBudget {
  files = 20_000
  /** Characters of their paths. */
  paths = 4 * 1024 * 1024
  /** Bytes that are looked into for `stats`. */
  text = 64 * 1024 * 1024
  /** Pairs of files that are compared because one may have become the other. */
  pairs = RENAME_LIMIT ** 2
}

/** What a commit says, shortened. @param among how many it is listed @throws GitError `missing` or `corrupt` when the commit is */
export function readShortened(store: ObjectReader, oid: Oid, among = 1): Commit {
  const { data } = store.get(oid, 'commit')
  return shortenCommit(parseCommit(data), data.length, among)
}

/** The same, and what its signature signs. @param among how many it is listed @throws GitError `missing` or `corrupt` when the commit is */
export function tellCommit(store: ObjectReader, oid: Oid, among = 1): CommitDetails {
  const { data } = store.get(oid, 'commit')
  const commit = shortenCommit(parseCommit(data), data.length, among)
  return commit.gpgsig === undefined ? { oid, commit } : { oid, commit, payload: withoutSignature(data) }
}

/**
 * The same, and what it changed, as far as there is something left for it.
 * @param left shared by all commits of a list
 * @throws GitError `missing` or `corrupt` when the commit is
 */
export async function commitDetails(store: ObjectReader, oid: Oid, options: DetailOptions, among = 1, left = new ChangeBudget()): Promise<CommitDetails> {
  const details = tellCommit(store, oid, among)
  const { commit } = details
  if (!options.files && !options.stat) return details
  const before = parentTree(store, commit)
  const changes = await changesOf(store, before, commit, left)
  if (options.files) details.files = changes.map(({ path, status }) => ({ path, status: statusNames[status] }))
  if (options.stat) details.stats = await statsOf(store, changes, new ToldSides(store, before ?? commit.tree), left)
  return details
}

const statusNames = { added: 'added', deleted: 'removed', modified: 'modified', 'type-changed': 'modified' } as const

function parentTree(store: ObjectReader, { parents: [parent] }: Commit): Oid | undefined {
  return parent === undefined ? undefined : parseCommit(store.get(parent, 'commit').data).tree
}

async function changesOf(store: ObjectReader, before: Oid | undefined, commit: Commit, left: ChangeBudget): Promise<TreeChange[]> {
  const changes: TreeChange[] = []
  for (const change of diffTrees(store, before, commit.tree)) {
    if (changes.length === MAX_FILES || left.files < 1 || left.paths < change.path.length) break
    left.files--
    left.paths -= change.path.length
    changes.push(change)
    if (isDue()) await breathe()
  }
  return changes
}

/** As `git diff --shortstat` counts: of a file that was renamed, the lines that changed on the way. */
async function statsOf(store: ObjectReader, changes: readonly TreeChange[], told: ToldSides, left: ChangeBudget): Promise<LineStats> {
  const total = { additions: 0, deletions: 0 }
  for (const change of await withRenames(store, changes, told, left)) {
    if (change.old?.oid === change.new?.oid) continue
    const [before, after] = [contentOf(store, change.old), contentOf(store, change.new)]
    if (before === undefined || after === undefined || (left.text -= before.length + after.length) < 0) continue
    const stats = await runSteps(lineStats(before, after, {}, isBinaryChange(told.change(change), before, after)))
    total.additions += stats.additions
    total.deletions += stats.deletions
    if (isDue()) await breathe()
  }
  return total
}

async function withRenames(store: ObjectReader, changes: readonly TreeChange[], told: ToldSides, left: ChangeBudget): Promise<FileChange[]> {
  const { changes: found } = await runSteps(detectRenames(store, changes, { limit: RENAME_LIMIT, left, maxFileBytes: MAX_FILE_BYTES, told }))
  return found
}

/** Undefined for what is too large to look into; a submodule is a line that names its commit. */
function contentOf(store: ObjectReader, side: TreeSide | undefined): Uint8Array | undefined {
  if (side === undefined) return new Uint8Array(0)
  if (side.mode === 0o160000) return Buffer.from(`Subproject commit ${side.oid}\n`)
  try {
    return store.get(side.oid, 'blob', MAX_FILE_BYTES).data
  } catch (error) {
    if (error instanceof GitError && error.kind === 'limit') return undefined
    throw error
  }
}

/** Source: git's `commit.c`, `remove_signature`. Byte for byte, whatever the commit is encoded in. */
function withoutSignature(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data).toString('latin1')
  const end = text.indexOf('\n\n')
  return Uint8Array.from(Buffer.from(text.slice(0, end + 1).replace(/^gpgsig(-sha256)? .*\n( .*\n)*/gm, '') + text.slice(end + 1), 'latin1'))
}
