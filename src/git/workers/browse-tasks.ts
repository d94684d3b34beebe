import { open, rm } from 'node:fs/promises'
import { breathe, isDue, mapInTurns } from '#kernel/breathe.ts'
import { ChangeBudget, type CommitDetails, commitDetails, type DetailOptions, tellCommit } from '../browse/commit-details.ts'
import { describeTag, type TagDescription } from '../browse/describe-tag.ts'
import { FileFinder, type FindPathsOptions, type FoundPaths } from '../browse/find-paths.ts'
import { listAlong, type Unfolded } from '../browse/list-along.ts'
import { type ListTreeOptions, listTree, type TreeListing } from '../browse/list-tree.ts'
import { type FoundPath, openEntry, openPath } from '../browse/open-path.ts'
import { type LinesAsked, readLines } from '../browse/read-lines.ts'
import { charsetOf } from '../diff/detect-charset.ts'
import { ToldSides } from '../diff/told-sides.ts'
import { findNote } from '../edit/notes.ts'
import { GitError } from '../errors.ts'
import { aheadBehindSteps, type Distance } from '../history/ahead-behind.ts'
import { lastCommits } from '../history/last-commits.ts'
import { ancestorSteps } from '../history/merge-base.ts'
import { pathHistory } from '../history/path-history.ts'
import { type PushedMessage, type PushedRange, parseTips, pushedCommits } from '../history/pushed-commits.ts'
import { countCommits, listCommits } from '../history/walk.ts'
import { commitTime } from '../objects/commit.ts'
import type { ObjectType, Oid } from '../objects/oid.ts'
import { writeAll } from '../packs/write-all.ts'
import { runSteps } from '../steps.ts'
import { checkType, getHeader } from '../store/rules.ts'
import { type ObjectReader, piecesOf } from '../store/types.ts'
import { type LookInput, type LookName, looks } from './looks.ts'
import type { OpenRepo } from './open-repos.ts'

export interface HistoryRange {
  include: Oid[]
  exclude: Oid[]
  /** Only commits that changed this file or directory. */
  path?: string
  /** Seconds since 1970. */
  since?: number
  until?: number
}

export interface ComparedTip {
  details: CommitDetails
  /** Commits that only it has, and that it has not. */
  distance?: Distance
}

interface EntriesAsked {
  entries: readonly Pick<FoundPath, 'mode' | 'oid'>[]
  /** Larger ones come without content. */
  maxBytes: number
  mostBytes: number
}

const finder = new FileFinder()

/** What the API asks to look at a repository. */
export const browseTasks = {
  /** See `GitService.look`. */
  async look(repo: OpenRepo, { name, input }: { name: LookName; input: LookInput<LookName> }): Promise<unknown> {
    return looks[name](repo.store, input as never)
  },

  /** Lines of files, in the order asked for; undefined where there are none. */
  async readLines(repo: OpenRepo, { asked }: { asked: readonly LinesAsked[] }): Promise<(string[] | undefined)[]> {
    return asked.map((one) => readLines(repo.store, one))
  },

  /** One page of a history, newest first. */
  async listCommits(repo: OpenRepo, input: { range: HistoryRange; skip: number; limit: number; details: DetailOptions }): Promise<CommitDetails[]> {
    const { range, skip, limit } = input
    const source = repo.commits()
    const { path } = range
    const ids =
      path === undefined
        ? await runSteps(listCommits(source, { ...range, skip, limit }))
        : await Array.fromAsync(pathHistory(source, { ...range, path, skip, limit }))
    const oids = ids.map((id) => source.oid(id))
    const left = new ChangeBudget()
    return mapInTurns(oids, (oid) => commitDetails(repo.store, oid, input.details, oids.length, left))
  },

  /**
   * The newest commits that a push brought to each of its refs, in their order, by one look at the history: a push may have moved a
   * thousand. Undefined where some of it is no longer there.
   */
  async listPushed(repo: OpenRepo, range: PushedRange): Promise<(CommitDetails[] | undefined)[]> {
    return listEach(repo, range, Number.POSITIVE_INFINITY, range.pushed.length)
  },

  /**
   * The same of commits' messages alone, and of no more refs than bring `limit` commits together: of the first one at least, and who asked
   * asks again for the others.
   */
  async listPushedMessages(repo: OpenRepo, range: PushedRange): Promise<PushedMessage[][]> {
    const lists = await listEach(repo, range, range.limit)
    return lists.map((commits = []) => commits.map(({ oid, commit: { message } }) => ({ oid, message })))
  },

  async countCommits(repo: OpenRepo, { range }: { range: HistoryRange }): Promise<number> {
    const source = repo.commits()
    if (range.path === undefined) return runSteps(countCommits(source, range))
    let count = 0
    for await (const _ of pathHistory(source, { ...range, path: range.path })) count++
    return count
  },

  async readCommit(repo: OpenRepo, { oid, details }: { oid: Oid; details: DetailOptions }): Promise<CommitDetails> {
    return commitDetails(repo.store, oid, details)
  },

  async listTree(repo: OpenRepo, { tree, options }: { tree: Oid; options: ListTreeOptions }): Promise<TreeListing> {
    return listTree(repo.store, tree, options)
  },

  /** The directories on the way to a path, for a tree beside a file. */
  async listAlong(repo: OpenRepo, { tree, path, most }: { tree: Oid; path: string; most: number }): Promise<Unfolded> {
    return listAlong(repo.store, tree, path, most)
  },

  /** The first bytes of a blob, of those that are not larger than `maxBytes`. */
  async readBeginning(repo: OpenRepo, { oid, bytes, maxBytes }: { oid: Oid; bytes: number; maxBytes: number }): Promise<Uint8Array> {
    return repo.store.get(oid, 'blob', maxBytes).data.slice(0, bytes)
  },

  async openPath(repo: OpenRepo, { tree, path, maxBytes }: { tree: Oid; path: string; maxBytes: number }): Promise<FoundPath | undefined> {
    return openPath(repo.store, tree, path, maxBytes)
  },

  /** Detects the encoding of a file that is not UTF-8. Undefined when that fails, and for larger files. */
  async charsetAt(repo: OpenRepo, { tree, path, oid, maxBytes }: { tree: Oid; path: string; oid: Oid; maxBytes: number }): Promise<string | undefined> {
    if (getHeader(repo.store, oid).size > maxBytes) return undefined
    return charsetOf(repo.store.get(oid, 'blob', maxBytes).data, new ToldSides(repo.store, tree).encoding(path))
  },

  /** What the first of some entries are, at least one: no more once their contents come to `mostBytes`. */
  async openEntries(repo: OpenRepo, { entries, maxBytes, mostBytes }: EntriesAsked): Promise<FoundPath[]> {
    const found: FoundPath[] = []
    for (let [i, bytes] = [0, 0]; i < entries.length && bytes < mostBytes; i++) {
      const one = openEntry(repo.store, entries[i] as EntriesAsked['entries'][number], maxBytes)
      found.push(one)
      bytes += one.data?.length ?? 0
      if (isDue()) await breathe()
    }
    return found
  },

  /** The files of a tree whose paths are like a query, the best first. */
  async findPaths(repo: OpenRepo, { tree, ...options }: FindPathsOptions & { tree: Oid }): Promise<FoundPaths> {
    return finder.find(repo.path, repo.store, tree, options)
  },

  /** The note of an object in a tree of notes, and where it lies. */
  async readNote(repo: OpenRepo, { tree, of, maxBytes }: { tree: Oid; of: Oid; maxBytes: number }): Promise<{ path: string; data: Uint8Array } | undefined> {
    const found = findNote(repo.store, tree, of)
    return found && { path: found.path, data: repo.store.get(found.blob, 'blob', maxBytes).data }
  },

  /** The contents of blobs, in their order; undefined for those that are larger than `maxBytes`, or for which there is no room left. */
  async readBlobs(
    repo: OpenRepo,
    { oids, maxBytes, maxTotalBytes }: { oids: Oid[]; maxBytes: number; maxTotalBytes: number },
  ): Promise<(Uint8Array | undefined)[]> {
    let left = maxTotalBytes
    return mapInTurns(oids, (oid) => {
      const { size } = getHeader(repo.store, oid)
      if (size > Math.min(maxBytes, left)) return undefined
      left -= size
      return repo.store.get(oid, 'blob', maxBytes).data
    })
  },

  /**
   * Writes a blob's content into a file, whose reader may take as long as it likes: no worker waits, and nothing of a large blob is held.
   * A file that could not be written whole is removed.
   */
  async spoolBlob(repo: OpenRepo, { oid, path }: { oid: Oid; path: string }): Promise<void> {
    checkType(oid, getHeader(repo.store, oid), 'blob')
    const file = await open(path, 'wx', 0o600)
    try {
      let at = 0
      for await (const bytes of piecesOf(repo.store, oid)) {
        writeAll(file.fd, bytes, at)
        at += bytes.length
        if (isDue()) await breathe()
      }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  },

  /** By name, the commit that last changed an entry of directory `dir`; after `milliseconds` those that were found. */
  async lastCommits(repo: OpenRepo, input: { tip: Oid; dir: string; names?: string[]; milliseconds?: number }): Promise<Map<string, CommitDetails>> {
    const { tip, dir, ...options } = input
    const last = await lastCommits(repo.commits(), tip, dir, options)
    const commits = new Map<Oid, CommitDetails>()
    const oids = new Set(last.values())
    for (const oid of oids) commits.set(oid, tellCommit(repo.store, oid, oids.size))
    return new Map([...last].map(([name, oid]) => [name, commits.get(oid) as CommitDetails]))
  },

  /** In the order of `oids`; undefined for objects that are not there. */
  async objectTypes(repo: OpenRepo, { oids }: { oids: Oid[] }): Promise<(ObjectType | undefined)[]> {
    return mapInTurns(oids, (oid) => repo.store.findHeader(oid)?.type)
  },

  /** Committer dates in seconds since 1970, in the order of `oids`; undefined for what is no commit that can be read. */
  async commitTimes({ store }: OpenRepo, { oids }: { oids: Oid[] }): Promise<(number | undefined)[]> {
    return mapInTurns(oids, (oid) => (store.findHeader(oid)?.type === 'commit' ? commitTime(store.get(oid, 'commit').data) : undefined))
  },

  /** What branches end at, in the order of `tips`, and how far each is from `base`; where `milliseconds` are over, without the distance. */
  async compareTips(repo: OpenRepo, { tips, base, milliseconds }: { tips: Oid[]; base: Oid | undefined; milliseconds: number }): Promise<ComparedTip[]> {
    const source = repo.commits()
    const end = performance.now() + milliseconds
    return mapInTurns(tips, async (tip) => {
      const details = tellCommit(repo.store, tip, tips.length)
      if (base === undefined || performance.now() > end) return { details }
      return { details, distance: await runSteps(aheadBehindSteps(source, tip, base)) }
    })
  },

  /** Whether each of `tips` has a commit in its history; undefined once time has run out. */
  async containing(repo: OpenRepo, { tips, oid, milliseconds }: { tips: Oid[]; oid: Oid; milliseconds: number }): Promise<(boolean | undefined)[]> {
    const source = repo.commits()
    const end = performance.now() + milliseconds
    return mapInTurns(tips, async (tip) => {
      if (performance.now() > end) return undefined
      return repo.store.findHeader(tip)?.type === 'commit' && (await runSteps(ancestorSteps(source, oid, tip)))
    })
  },

  /** In the order of `oids`. */
  async describeTags(repo: OpenRepo, { oids }: { oids: Oid[] }): Promise<TagDescription[]> {
    return mapInTurns(oids, (oid) => describeTag(repo.store, oid, oids.length))
  },
}

/** Of each ref what a push brought to it, in their order, until so many commits are listed. */
async function listEach(repo: OpenRepo, { pushed, others, limit }: PushedRange, enough: number, among = 1): Promise<(CommitDetails[] | undefined)[]> {
  const [source, tips] = [repo.commits(), parseTips(others)]
  const lists: (CommitDetails[] | undefined)[] = []
  let listed = 0
  for (const ref of pushed) {
    const list = await listUnlessGone(repo.store, () => runSteps(pushedCommits(source, ref, { others: tips, limit })), among)
    lists.push(list)
    listed += list?.length ?? 0
    if (listed >= enough) break
    if (isDue()) await breathe()
  }
  return lists
}

async function listUnlessGone(store: ObjectReader, list: () => Promise<Oid[]>, among: number): Promise<CommitDetails[] | undefined> {
  try {
    return (await list()).map((oid) => tellCommit(store, oid, among))
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}
