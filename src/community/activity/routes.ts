import { Elysia, t } from 'elysia'
import { Answers, gate, IdText, OrgParams, operation, PersonParams, paging, RepoParams, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { flagIn } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import type { Feed, TimeSpan } from './feed-store.ts'
import { countFeed, DAY, readContributions, readFeed } from './read-feed.ts'
import { type Activity, ActivityFeedsList, FeedQuery, Heatmap, UserFeedQuery } from './schema.ts'

const Username = PersonParams

/** What people did: feeds of a person, an organization, a team and a repository, and how much of it when. */
export function activity(context: Context) {
  const answers = context.services.get(Answers)
  /** Of a large store it takes long to count what a reader sees of a feed, and feeds are asked for again and again. */
  const listFeed = (asked: Asked, feed: Feed, receiverId?: number) => answers.keep(asked, () => readPage(context, asked, feed, receiverId))
  return new Elysia({ name: 'activity' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/users/:username/activities/feeds',
      ({ person, ...asked }) => {
        const own = flagIn(asked.query['only-performed-by']) ? 'actor' : 'receiver'
        return listFeed(asked, { of: person.kind === 'organization' ? 'org' : own, id: person.id }, person.id)
      },
      {
        person: 'visibleOrOrg',
        list: true,
        params: Username,
        query: UserFeedQuery,
        response: { 200: ActivityFeedsList },
        detail: operation('userListActivityFeeds', "List a user's activity feeds", 'user'),
      },
    )
    .get('/users/:username/heatmap', ({ viewer, person }) => readContributions(context, viewer, person.id), {
      person: 'visibleOrOrg',
      params: Username,
      response: { 200: Heatmap },
      detail: operation('userGetHeatmapData', "Get a user's heatmap", 'user'),
    })
    .get('/orgs/:org/activities/feeds', ({ org, ...asked }) => listFeed(asked, { of: 'org', id: org.row.id }, org.row.id), {
      org: 'visible',
      list: true,
      params: OrgParams,
      query: FeedQuery,
      response: { 200: ActivityFeedsList },
      detail: operation('orgListActivityFeeds', "List an organization's activity feeds", 'organization'),
    })
    .get('/teams/:id/activities/feeds', ({ team, ...asked }) => listFeed(asked, { of: 'team', id: team.row.id }, team.row.org_id), {
      team: 'member',
      list: true,
      params: t.Object({ id: IdText('ID of the team') }),
      query: FeedQuery,
      response: { 200: ActivityFeedsList },
      detail: operation('orgListTeamActivityFeeds', "List a team's activity feeds", 'organization'),
    })
    .get('/repos/:owner/:repo/activities/feeds', ({ repo, ...asked }) => listFeed(asked, { of: 'repo', id: repo.row.id }), {
      repo: 'read',
      list: true,
      params: RepoParams,
      query: FeedQuery,
      response: { 200: ActivityFeedsList },
      detail: operation('repoListActivityFeeds', "List a repository's activity feeds", 'repository'),
    })
}

interface Asked {
  viewer: Viewer
  request: Request
  set: { headers: Record<string, string | number> }
  query: { date?: string }
  page: Page
  total: (count: number) => void
}

async function readPage(context: Context, { viewer, query, page, total }: Asked, feed: Feed, receiverId?: number): Promise<Activity[]> {
  const time = parseDay(query.date)
  const activities = await readFeed(context, viewer, feed, { page, time, receiverId, hasComments: true })
  total(await countFeed(context, viewer, feed, { time }))
  return activities
}

function parseDay(text: string | undefined): TimeSpan | undefined {
  if (!text) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new Unprocessable(`[date]: invalid date "${text}": expected a date such as 2026-01-31`)
  }
  return { since: time / 1000, until: time / 1000 + DAY }
}
