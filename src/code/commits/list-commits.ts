import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails, DetailOptions } from '#git/browse/commit-details.ts'
import { trimSlashes } from '#git/diff/path-filter.ts'
import type { HistoryRange } from '#git/workers/browse-tasks.ts'
import { Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { flagIn } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import { getNamedCommit } from '#repositories/refs/index.ts'
import { Recent } from './recent.ts'
import type { CommitsQuery, DetailsQuery } from './schema.ts'

/** Totals of ranges: every page tells them again. */
class Totals extends Recent<number> {
  constructor() {
    super(1000)
  }
}

/**
 * One page of a history, newest first, and how many commits there are on all pages.
 * @throws Conflict when there is no branch yet; NotFound for a revision that is none, and a path that no commit touched; Unprocessable on a bad date
 */
export async function listCommits(
  context: Pick<Context, 'db' | 'git' | 'services'>,
  { row }: RepoAccess,
  query: CommitsQuery,
  page: Page,
): Promise<{ commits: CommitDetails[]; total: number }> {
  if (row.is_empty === 1) throw new Conflict('Git Repository is empty.')
  const range: HistoryRange = {
    include: [await getNamedCommit(context, row, query.sha || row.default_branch)],
    exclude: query.not ? [await getNamedCommit(context, row, query.not)] : [],
    path: trimSlashes(query.path ?? '') || undefined,
    since: parseTime('since', query.since),
    until: parseTime('until', query.until),
  }
  const total = await countCommits(context, row.id, range)
  if (total === 0 && range.path !== undefined) throw new NotFound(`No commits changed "${range.path}"`)
  if (page.offset >= total) return { commits: [], total }
  const commits = await context.git.run('listCommits', row.id, { range, skip: page.offset, limit: page.limit, details: parseDetails(query) })
  return { commits, total }
}

/** How many commits a range has: counted once. */
export function countCommits(context: Pick<Context, 'git' | 'services'>, repoId: number, range: HistoryRange): Promise<number> {
  return context.services.get(Totals).answer(`${repoId} ${JSON.stringify(range)}`, () => context.git.run('countCommits', repoId, { range }))
}

/** What of a commit's changes is asked for; all of it unless switched off. */
export function parseDetails(query: DetailsQuery): DetailOptions {
  return { stat: isOn(query.stat), files: isOn(query.files) }
}

export function isOn(flag: string | undefined): boolean {
  return flagIn(flag) ?? true
}

function parseTime(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text.replace(' ', '+')) : Number.NaN
  if (Number.isNaN(time)) throw new Unprocessable(`[${name}]: Cannot use "${text}": expected a date like 2026-01-31T12:00:00Z`)
  return Math.floor(time / 1000)
}
