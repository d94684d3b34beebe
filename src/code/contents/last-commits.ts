import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Oid } from '#git/objects/oid.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { doneWithin } from '#kernel/wait-at-most.ts'

/** A directory of a commit, and of its entries those that are asked for; else all of them. */
export interface Directory {
  tip: Oid
  dir: string
  names?: string[] | undefined
}

/** The same with how many entries those are. */
export interface CountedDirectory extends Directory {
  count: number
}

/** By name, the commit that last changed an entry. */
export type LastCommits = ReadonlyMap<string, CommitDetails>

/** What is kept of the answers, in characters. */
const MOST_KEPT = 8 * 1024 * 1024
/** Of an entry and of a commit, besides its message. */
const ENTRY_SIZE = 200
const COMMIT_SIZE = 500

interface Found {
  last: LastCommits
  /** Whether it tells of all entries. */
  isWhole: boolean
}

class KeptLastCommits extends KeptWork<Found> {
  constructor() {
    super(
      MOST_KEPT,
      ({ last }) => sizeOf(last),
      ({ isWhole }) => isWhole,
    )
  }
}

function sizeOf(found: LastCommits): number {
  const commits = [...new Set(found.values())]
  const text = commits.reduce((sum, { commit, payload }) => sum + COMMIT_SIZE + commit.message.length + (payload?.length ?? 0), 0)
  return text + (found.size + 1) * ENTRY_SIZE
}

type Kept = Pick<Context, 'git' | 'services'>

/** The commits that last changed the entries of a directory: a walk through history, unless somebody has asked before. */
export async function findLastCommits({ git, services }: Kept, repoId: number, { tip, dir, names }: Directory): Promise<LastCommits> {
  const find = async () => ({ last: await git.run('lastCommits', repoId, { tip, dir, names }), isWhole: true })
  return (await services.get(KeptLastCommits).answer(keyOf(repoId, { tip, dir, names }), find)).last
}

/** Those of them that are found in so many milliseconds; after as long again there are none. */
export async function findLastCommitsSoon(
  { git, services }: Kept,
  repoId: number,
  { count, ...directory }: CountedDirectory,
  milliseconds: number,
): Promise<LastCommits> {
  const kept = services.get(KeptLastCommits)
  const whole = kept.find(keyOf(repoId, directory))
  if (whole) return whole.last
  const find = async () => {
    const last = await git.run('lastCommits', repoId, { ...directory, milliseconds })
    return { last, isWhole: last.size === count }
  }
  const found = kept.answer(keyOf(repoId, directory, milliseconds), find)
  const last = found.then((one) => one.last)
  return doneWithin<LastCommits>(last, 2 * milliseconds, new Map())
}

function keyOf(repoId: number, { tip, dir, names }: Directory, milliseconds?: number): string {
  return JSON.stringify([repoId, tip, dir, names, milliseconds])
}
