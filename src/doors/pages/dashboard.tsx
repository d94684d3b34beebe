import type { Member } from '#access/index.ts'
import { type Activity, ActivityList, readFeed } from '#community/activity/index.ts'
import { takeEvents } from '#community/notifications/index.ts'
import type { Context } from '#context.ts'
import { answerPage, Empty, Icon, Layout, type Visit } from '#web/index.ts'
import { findWaiting, type Issue, presentAnywhere } from '#work/issues/index.ts'
import { IssueRow } from '#work/threads/index.ts'
import { findOwnRepos } from './show.tsx'
import { type ListedRepo, RepoList } from './templates.tsx'

/** As many of each are shown; lists of their own have the rest. */
const MAX_WAITING = 10
const MAX_REPOS = 10
const MAX_FEED = 20
const first = (limit: number) => ({ page: 1, limit, offset: 0 })

/** What a member comes for: what waits for them, where they work, and what has happened there. */
export async function showDashboard(context: Context, visit: Visit, viewer: Member): Promise<Response> {
  const { id } = viewer.user
  const waiting = waitingFor(context, visit, viewer)
  await takeEvents(context)
  const unread = visit.countNews()
  const repos = findOwnRepos(context, visit, id, first(MAX_REPOS))
  const activities = await readFeed(context, viewer, { of: 'receiver', id }, { page: first(MAX_FEED) })
  return answerPage(<DashboardPage visit={visit} waiting={waiting} unread={unread} repos={repos} activities={activities} />)
}

interface Waiting {
  issue: Issue
  why: string
}

/** What is open and asks for their review, or is theirs to do; each once. */
function waitingFor(context: Pick<Context, 'db'>, visit: Visit, viewer: Member): Waiting[] {
  const rows = findWaiting(context, viewer, MAX_WAITING)
  const issues = presentAnywhere({ db: context.db, rootUrl: visit.root }, viewer, rows)
  return issues.map((issue, i) => ({ issue, why: rows[i]?.asks_review === 1 ? 'asks for your review' : 'is yours to do' }))
}

interface Props {
  visit: Visit
  waiting: readonly Waiting[]
  unread: number
  repos: readonly ListedRepo[]
  activities: readonly Activity[]
}

function DashboardPage({ visit, waiting, unread, repos, activities }: Props) {
  return (
    <Layout visit={visit} title="Dashboard">
      <h1 class="unseen">Dashboard</h1>
      <div class="thread">
        <div>
          <section>
            <h2>Waiting for you</h2>
            {unread > 0 && (
              <p class="notice">
                <Icon visit={visit} name="bell" />{' '}
                <a href={visit.to`/notifications`}>{unread === 1 ? 'One new notification' : `${unread} new notifications`}</a>
              </p>
            )}
            {waiting.length === 0 && <Empty visit={visit} icon="check" title="Nothing asks for your review, and nothing is assigned to you." />}
            {waiting.length > 0 && (
              <ul class="list">
                {waiting.map(({ issue, why }) => (
                  <IssueRow visit={visit} issue={issue} href={issue.html_url} isAnywhere why={why} />
                ))}
              </ul>
            )}
          </section>
          <section>
            <h2>What happened</h2>
            <ActivityList visit={visit} activities={activities} />
          </section>
        </div>
        <section>
          <div class="bar">
            <h2>Your repositories</h2>
            <a class="button" href={visit.to`/repo/create`}>
              <Icon visit={visit} name="plus" />
              New
            </a>
          </div>
          <RepoList visit={visit} repos={repos} none="Make one, or push to a name that is not there yet." />
        </section>
      </div>
    </Layout>
  )
}
