import { KeptPages, type RepoAccess } from '#access/index.ts'
import { findDefaultPlace } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { HistoryStats } from '#git/history/history-stats.ts'
import { KeptWork } from '#kernel/kept-work.ts'

/** For commits, and then for their lines: all of it in a worker. */
const COUNT_MS = 2000
const MAX_AUTHORS = 100
/** Of all histories, in bytes. */
const MOST_KEPT = 4 * 1024 * 1024
const ENTRY = 150

/** Histories never change: what ends at a commit is counted once. */
class KeptStats extends KeptWork<HistoryStats> {
  constructor() {
    super(
      MOST_KEPT,
      ({ weeks, authors }) => (1 + weeks.length + authors.length) * ENTRY,
      ({ isCut, linesSince }) => !isCut && linesSince === undefined,
    )
  }
}

/** What the default branch's history tells. @param since seconds since 1970 @returns undefined when there is no commit */
export async function readStats(context: Pick<Context, 'db' | 'git' | 'services'>, repo: RepoAccess, since?: number): Promise<HistoryStats | undefined> {
  const tip = findDefaultPlace(context, repo)?.commit
  if (tip === undefined) return undefined
  const options = { tip, since, milliseconds: COUNT_MS, maxAuthors: MAX_AUTHORS }
  const found = await context.services.get(KeptStats).answer(`${repo.row.id} ${tip} ${since}`, () => context.git.run('historyStats', repo.row.id, options))
  if (found.isCut || found.linesSince !== undefined) context.services.get(KeptPages).leaveOut()
  return found
}
