import { join } from 'node:path'
import { breathe, isDue } from '#kernel/breathe.ts'
import { readShortened } from '../browse/commit-details.ts'
import { subjectOf } from '../browse/shorten.ts'
import { abbreviator } from '../diff/abbreviate.ts'
import { applyPatch, type PatchedEntry } from '../diff/apply-patch.ts'
import { type ChangeDigest, type DigestOptions, digestChanges } from '../diff/change-digest.ts'
import { writeMails } from '../diff/commit-mail.ts'
import { type DiffFilesOptions, diffFiles, diffText, type FileDiff, type FileDiffs, type NewText } from '../diff/diff-files.ts'
import { type FileLine, type FollowOptions, followLines } from '../diff/follow-lines.ts'
import { findPlaces, type PlaceFound, type PlaceInDiff } from '../diff/line-hunks.ts'
import type { PatchLimits } from '../diff/parse-patch.ts'
import type { FileChange } from '../diff/renames.ts'
import { type MakeOptions, type MakeParts, type Send, type WriteDiffOptions, writeDiff } from '../diff/write-diff.ts'
import { type Blame, type BlameOptions, blame } from '../history/blame.ts'
import { CommitSource } from '../history/commit-source.ts'
import { limitedSteps } from '../history/limited-walk.ts'
import { mergeBaseSteps } from '../history/merge-base.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps } from '../steps.ts'
import type { OpenRepo } from './open-repos.ts'
import type { PatchShard } from './patch-shard.ts'
import { spooledSend } from './spooled-send.ts'
import type { TaskIo } from './task-io.ts'

/** Trees, commits or tags; undefined is the empty tree. What lies between two commits as such, the caller has found out (merge-base.ts). */
export interface DiffEnds {
  from: Oid | undefined
  to: Oid | undefined
}

/** A commit, and one that it is to be merged into. */
interface Branches {
  base: Oid
  head: Oid
}

/** Options that can be sent to another thread. `fullIds`: ids are shown whole, as with `--full-index`. */
type Sendable<T> = Omit<T, 'signal' | 'abbreviate' | 'withMemory'>
type TextOptions = Sendable<WriteDiffOptions> & { fullIds?: boolean }

/** What the API asks to know about differences. */
export interface BlamedCommit {
  author: string
  /** The author's. */
  email: string
  seconds: number
  /** The first line of its message. */
  subject: string
}

/** With this cache, a blame stays below the memory that `taskKinds` reserves for it. */
const BLAME_CACHE_BYTES = 16 * 1024 * 1024

export type BlameReport = Blame & { commits: Map<Oid, BlamedCommit> }

export const diffTasks = {
  async diffFiles(repo: OpenRepo, { from, to, options = {} }: DiffEnds & { options?: Sendable<DiffFilesOptions> }): Promise<FileDiffs> {
    return diffFiles(repo.store, from, to, { attributes: from ?? to, ...options })
  },

  /** What a text would change that is in no repository yet; see `diffText`. */
  async diffText(repo: OpenRepo, { options, ...text }: NewText & { options?: Sendable<DiffFilesOptions> }): Promise<FileDiff> {
    return runSteps(diffText(repo.store, text, options))
  },

  /** What tells the changes from one tree to another from other ones; see `digestChanges`. */
  async digestChanges(repo: OpenRepo, { from, to, options }: { from: Oid | undefined; to: Oid; options?: Sendable<DigestOptions> }): Promise<ChangeDigest> {
    return digestChanges(repo.store, from, to, options)
  },

  /** Where lines of one tree are in another; see `followLines`. */
  async followLines(
    repo: OpenRepo,
    { from, to, lines, options = {} }: { from: Oid; to: Oid; lines: FileLine[]; options?: Sendable<FollowOptions> },
  ): Promise<(FileLine | undefined)[]> {
    return followLines(repo.store, from, to, lines, options)
  },

  /** What the changes that merging `head` into `base` would bring show at some places. */
  async findPlaces(
    repo: OpenRepo,
    { base, head, places, options = {} }: Branches & { places: PlaceInDiff[]; options?: Sendable<DiffFilesOptions> },
  ): Promise<{ from: Oid | undefined; found: PlaceFound[] }> {
    const [from] = await runSteps(mergeBaseSteps(repo.commits(), base, head))
    return { from, found: await findPlaces(repo.store, { from, to: head }, places, options) }
  },

  /** What a patch makes of a tree; nothing is written. See `applyPatch`. */
  async applyPatch(repo: OpenRepo, { tree, patch, limits }: { tree: Oid; patch: Uint8Array; limits?: PatchLimits }): Promise<PatchedEntry[]> {
    return applyPatch(repo.store, tree, patch, limits)
  },

  /** The best common ancestor of two commits, the newest where there are several; undefined where the histories are unrelated. */
  async mergeBase(repo: OpenRepo, { a, b }: { a: Oid; b: Oid }): Promise<Oid | undefined> {
    return (await runSteps(mergeBaseSteps(repo.commits(), a, b)))[0]
  },

  /** Which commit every line of a file comes from, and what those say. Of `ignoreRevisions` those that are no commits here are passed over. */
  async blame(repo: OpenRepo, { commit, path, options = {} }: { commit: Oid; path: string; options?: Omit<BlameOptions, 'signal'> }): Promise<BlameReport> {
    const ignoreRevisions = (options.ignoreRevisions ?? []).filter((oid) => repo.store.findHeader(oid)?.type === 'commit')
    const found = await repo.readFrugally(BLAME_CACHE_BYTES, (reader) =>
      blame(new CommitSource(reader, repo.graph()), commit, path, { ...options, ignoreRevisions }),
    )
    const commits = new Map<Oid, BlamedCommit>()
    for (const oid of new Set(found.groups.map((group) => group.commit))) {
      if (isDue()) await breathe()
      const { author, message } = readShortened(repo.store, oid)
      commits.set(oid, { author: author.name, email: author.email, seconds: author.seconds, subject: subjectOf(message) })
    }
    return { ...found, commits }
  },
}

export const diffStreamTasks = {
  /** The text of `git diff from to`. */
  async diffText(repo: OpenRepo, { from, to, spool, options: asked }: DiffEnds & Spooled & { options?: TextOptions }, io: TaskIo): Promise<void> {
    const options = { attributes: from ?? to, ...asked }
    const place = { path: repo.path, limits: repo.limits }
    const shardOf = (changes: FileChange[]): PatchShard => ({ repo: place, changes, options })
    const makeParts: MakeParts = (parts) => io.fork('makePatches', parts.map(shardOf)) as Promise<Uint8Array[]>
    await writeDiff(repo.store, from, to, { ...options, ...inThread(repo, options, io) }, sender(repo, spool, io), makeParts)
  },

  /** The text of `git format-patch --stdout from..to`: the commits that `to` has and `from` has not, merges left out. Returns how many there are. */
  async rangePatches(
    repo: OpenRepo,
    { from, to, spool, options = {} }: Spooled & { from: Oid[]; to: Oid; options?: MailOptions },
    io: TaskIo,
  ): Promise<number> {
    const source = repo.commits()
    const ids = await runSteps(limitedSteps(source, { include: [to], exclude: from }), io.signal)
    const commits = ids.filter((id) => source.parents(id).length < 2).map((id) => source.oid(id))
    await writeMails(repo.store, commits.reverse(), { ...options, ...inThread(repo, options, io) }, sender(repo, spool, io))
    return commits.length
  },
}

type MailOptions = TextOptions & { subjectPrefix?: string; signature?: string }

/** Name of a passing file beside the repository's objects, for what slow readers hold in memory otherwise. */
interface Spooled {
  spool?: string
}

function sender(repo: OpenRepo, spool: string | undefined, io: TaskIo): Send {
  const send: Send = (bytes) => io.send(bytes)
  return spool === undefined ? send : spooledSend(join(repo.path, 'objects', spool), send)
}

function inThread(repo: OpenRepo, { fullIds }: { fullIds?: boolean }, io: TaskIo): MakeOptions {
  return { signal: io.signal, abbreviate: fullIds ? undefined : abbreviator(repo.store), withMemory: (bytes, work) => io.withMemory(bytes, work) }
}
