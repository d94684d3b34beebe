import { Elysia, t } from 'elysia'
import { atLeast, gate, KeptPages, type RepoAccess, RepoParams, type Unit } from '#access/index.ts'
import { People } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { HistoryStats } from '#git/history/history-stats.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerPage, Visit } from '#web/index.ts'
import { readStats } from './kept-stats.ts'
import { beginOf, isPeriod, type Period } from './periods.ts'
import { listMoved, listPublished } from './store.ts'
import { ContributorsPage, FrequencyPage, PulsePage } from './templates.tsx'

/** What changed in a period, of which so much is looked at. */
const MAX_MOVED = 2000
const MAX_RELEASES = 20

/** What has become of a repository of late, and who made it what it is. */
export function pulsePages(context: Context) {
  return new Elysia({ name: 'pulse.pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/activity', ({ viewer, repo, request }) => showPulse(context, new Visit(context, viewer, request), repo, 'weekly'), {
      repo: 'read',
      params: RepoParams,
      detail: { hide: true },
    })
    .get('/:owner/:repo/activity/contributors', ({ viewer, repo, request }) => showContributors(context, new Visit(context, viewer, request), repo), {
      repo: 'code:read',
      params: RepoParams,
      detail: { hide: true },
    })
    .get('/:owner/:repo/activity/recent-commits', ({ viewer, repo, request }) => showContributors(context, new Visit(context, viewer, request), repo), {
      repo: 'code:read',
      params: RepoParams,
      detail: { hide: true },
    })
    .get(
      '/:owner/:repo/activity/code-frequency',
      async ({ viewer, repo, request }) => {
        const visit = new Visit(context, viewer, request)
        return answerPage(<FrequencyPage visit={visit} repo={repo} stats={await readStats(context, repo)} />, 200, visit.unindexed)
      },
      { repo: 'code:read', params: RepoParams, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/activity/:period',
      ({ viewer, repo, request, params: { period } }) => {
        if (!isPeriod(period)) throw new NotFound()
        return showPulse(context, new Visit(context, viewer, request), repo, period)
      },
      { repo: 'read', params: t.Object({ ...RepoParams.properties, period: t.String({ maxLength: 20 }) }), detail: { hide: true } },
    )
}

/** The commits of each week, and who made them. */
async function showContributors(context: Context, visit: Visit, repo: RepoAccess): Promise<Response> {
  const stats = await readStats(context, repo)
  return answerPage(<ContributorsPage visit={visit} repo={repo} people={peopleOf(context, visit, stats)} stats={stats} />, 200, visit.unindexed)
}

async function showPulse(context: Context, visit: Visit, repo: RepoAccess, period: Period): Promise<Response> {
  const { db, clock, services } = context
  const since = beginOf(period, clock.seconds())
  const may = (unit: Unit) => atLeast(repo.permission.of(unit), 'read')
  const moved = may('issues') || may('pulls') ? listMoved(db, repo.row.id, since, MAX_MOVED) : []
  const [issues, pulls] = [0, 1].map((isPull) => moved.filter(({ is_pull }) => is_pull === isPull)) as [typeof moved, typeof moved]
  const opened = (all: typeof moved) => all.filter(({ created_at }) => created_at >= since)
  const closed = (all: typeof moved) => all.filter(({ closed_at, merged_at }) => merged_at === null && closed_at !== null && closed_at >= since)
  const merged = pulls.filter(({ merged_at }) => merged_at !== null && merged_at >= since)
  const stats = may('code') ? await readStats(context, repo, since) : undefined
  // A period goes on without a word in the database.
  services.get(KeptPages).leaveOut()
  const pulse = {
    period,
    since,
    pulls: may('pulls') ? { opened: opened(pulls), merged, closed: closed(pulls) } : undefined,
    issues: may('issues') ? { opened: opened(issues), closed: closed(issues) } : undefined,
    releases: may('releases') ? listPublished(db, repo.row.id, since, MAX_RELEASES) : undefined,
    stats,
    people: peopleOf(context, visit, stats),
    isCut: moved.length === MAX_MOVED || stats?.isCut === true,
  }
  return answerPage(<PulsePage visit={visit} repo={repo} pulse={pulse} />, 200, visit.unindexed)
}

function peopleOf(context: Pick<Context, 'db' | 'rootUrl'>, { viewer }: Visit, stats: HistoryStats | undefined): People {
  const people = new People(context, viewer)
  people.meet((stats?.authors ?? []).map(({ email }) => email))
  return people
}
