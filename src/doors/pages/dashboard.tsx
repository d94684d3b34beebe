import type { Member } from '#access/index.ts'
import { type Activity, ActivityList, type FeedKind, findFeedKind, KindWays, readFeed } from '#community/activity/index.ts'
import { takeEvents } from '#community/notifications/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { listOrgs } from '#people/orgs/index.ts'
import { answerPage, Empty, Icon, Layout, NextPages, numberText, SearchForm, type Visit, Ways } from '#web/index.ts'
import { findWaiting, type Issue, presentAnywhere } from '#work/issues/index.ts'
import { IssueRow } from '#work/threads/index.ts'
import { findOwnRepos, type ListQuery } from './show.tsx'
import { type ListedRepo, RepoList } from './templates.tsx'

/** As many of each are shown; lists of their own have the rest. */
const MAX_WAITING = 10
const MAX_REPOS = 10
const MAX_FEED = 20
/** Organizations by which the feed can be narrowed down. */
const MAX_ORGS = 50
const first = (limit: number) => ({ page: 1, limit, offset: 0 })

/** What a member comes for: what waits for them, where they work, and what has happened there. */
export async function showDashboard(context: Context, visit: Visit, viewer: Member, query: ListQuery): Promise<Response> {
  const { id } = viewer.user
  const waiting = await waitingFor(context, visit, viewer)
  await takeEvents(context)
  const unread = visit.countNews()
  const page = parsePage({ page: query.page }, { defaultLimit: MAX_REPOS, maxLimit: MAX_REPOS })
  const found = await findOwnRepos(context, visit, id, query.q, { ...page, limit: MAX_REPOS + 1 })
  const { rows: orgs } = await listOrgs(context.db, viewer, first(MAX_ORGS), id)
  const org = orgs.find(({ lower_name }) => lower_name === query.org?.toLowerCase())
  const kind = findFeedKind(query.kind)
  const activities = await readFeed(context, viewer, org ? { of: 'org', id: org.id } : { of: 'receiver', id }, { page: first(MAX_FEED), kind })
  const repos = { found: found.slice(0, MAX_REPOS), q: query.q ?? '', page, hasMore: found.length > MAX_REPOS }
  const feed = { activities, orgs: orgs.map(({ name }) => name), now: org?.name, kind }
  return answerPage(<DashboardPage visit={visit} waiting={waiting} unread={unread} repos={repos} feed={feed} />)
}

interface Waiting {
  issue: Issue
  why: string
}

/** What is open and asks for their review, or is theirs to do; each once. */
async function waitingFor(context: Pick<Context, 'db'>, visit: Visit, viewer: Member): Promise<Waiting[]> {
  const rows = await findWaiting(context, viewer, MAX_WAITING)
  const issues = presentAnywhere({ db: context.db, rootUrl: visit.root }, viewer, rows)
  return issues.map((issue, i) => ({ issue, why: rows[i]?.asks_review === 1 ? 'review requested' : 'assigned to you' }))
}

interface Props {
  visit: Visit
  waiting: readonly Waiting[]
  unread: number
  repos: OwnRepos
  feed: Feed
}

interface OwnRepos {
  found: readonly ListedRepo[]
  /** What they are narrowed down by. */
  q: string
  page: Page
  hasMore: boolean
}

interface Feed {
  activities: readonly Activity[]
  /** The names of the viewer's organizations. */
  orgs: readonly string[]
  /** The one that it shows alone, and the kind of things. */
  now: string | undefined
  kind: FeedKind | undefined
}

function DashboardPage({ visit, waiting, unread, repos, feed }: Props) {
  return (
    <Layout visit={visit} title="Dashboard">
      <h1 class="unseen">Dashboard</h1>
      <div class="thread">
        <div>
          <section>
            <h2>Needs your attention</h2>
            {unread > 0 && (
              <p class="notice">
                <Icon visit={visit} name="bell" />{' '}
                <a href={visit.to`/notifications`}>{unread === 1 ? '1 unread notification' : `${numberText(unread)} unread notifications`}</a>
              </p>
            )}
            {waiting.length === 0 && <Empty visit={visit} icon="check" title="No review requests or assigned issues" />}
            {waiting.length > 0 && (
              <ul class="list">
                {waiting.map(({ issue, why }) => (
                  <IssueRow visit={visit} issue={issue} href={issue.html_url} isAnywhere why={why} />
                ))}
              </ul>
            )}
            {waiting.length >= MAX_WAITING && (
              <p class="ways-out">
                <a href={visit.to`/issues?type=assigned`}>Issues assigned to you</a>
                <a href={visit.to`/pulls?type=assigned`}>Pull requests assigned to you</a>
                <a href={visit.to`/pulls?type=review_requested`}>Pull requests to review</a>
              </p>
            )}
          </section>
          <Happened visit={visit} feed={feed} />
        </div>
        <Own visit={visit} repos={repos} kept={{ org: feed.now, kind: feed.kind }} />
      </div>
    </Layout>
  )
}

function Happened({ visit, feed: { activities, orgs, now, kind } }: { visit: Visit; feed: Feed }) {
  return (
    <section>
      <h2>Activity</h2>
      {orgs.length > 0 && (
        <Ways
          visit={visit}
          label="Filter by organization"
          name="org"
          choices={[[undefined, 'All repositories'], ...orgs.map((org) => [org, org] as const)]}
          now={now}
        />
      )}
      <KindWays visit={visit} now={kind} />
      <ActivityList visit={visit} activities={activities} />
    </section>
  )
}

interface OwnProps {
  visit: Visit
  repos: OwnRepos
  /** What the feed beside them is narrowed down by. */
  kept: Record<string, string | undefined>
}

function Own({ visit, repos: { found, q, page, hasMore }, kept }: OwnProps) {
  const isNarrow = q !== '' || page.page > 1
  return (
    <section>
      <div class="bar">
        <h2>Your repositories</h2>
        <a class="button" href={visit.to`/repo/create`}>
          <Icon visit={visit} name="plus" />
          New
        </a>
      </div>
      {(found.length > 0 || isNarrow) && <SearchForm action={visit.to`/`} label="Find a repository" q={q} kept={kept} />}
      <RepoList
        visit={visit}
        repos={found}
        title={isNarrow ? 'No repositories found' : undefined}
        none={isNarrow ? 'No repository name matches your search.' : 'Create one, or push to a new name and it is created for you.'}
      />
      <NextPages visit={visit} page={page} hasMore={hasMore} />
    </section>
  )
}
