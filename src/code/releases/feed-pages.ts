import { Elysia } from 'elysia'
import { gate, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Documents } from '#markdown/index.ts'
import { answerFeed, type FeedForm, type FeedItem, raw, Visit } from '#web/index.ts'
import type { Release } from './schema.ts'
import { listReleases } from './store.ts'
import { presentReleases } from './view.ts'

const ITEMS = 20

/** Releases for feed readers: those that are out. */
export function releaseFeeds(context: Context) {
  const terms = { repo: 'releases:read', params: RepoParams, detail: { hide: true } } as const
  return new Elysia({ name: 'releases.feeds' })
    .use(gate(context, 'either'))
    .get('/:owner/:repo/releases.rss', ({ viewer, repo, request }) => serve(context, new Visit(context, viewer, request), repo, 'rss'), terms)
    .get('/:owner/:repo/releases.atom', ({ viewer, repo, request }) => serve(context, new Visit(context, viewer, request), repo, 'atom'), terms)
}

async function serve(context: Pick<Context, 'db' | 'services'>, visit: Visit, repo: RepoAccess, form: FeedForm): Promise<Response> {
  const { rows } = await listReleases(context.db, visit.viewer, repo.row.id, { isDraft: false }, { page: 1, limit: ITEMS, offset: 0 })
  const releases = presentReleases({ db: context.db, rootUrl: visit.root }, visit.viewer, repo, rows)
  const items: FeedItem[] = []
  for (const release of releases) items.push(await itemOf(context, visit, repo, release))
  const name = `${repo.owner.name}/${repo.row.name}`
  return answerFeed({ title: `Releases of ${name}`, link: visit.at`${name}/releases`, self: visit.here, items }, form)
}

async function itemOf(context: Pick<Context, 'services'>, visit: Visit, repo: RepoAccess, release: Release): Promise<FeedItem> {
  const html = release.body === '' ? undefined : await context.services.get(Documents).renderComment(visit, repo, release.body)
  return {
    id: release.url,
    title: release.name || release.tag_name,
    link: release.html_url,
    author: release.author?.login ?? '',
    at: Date.parse(release.published_at) / 1000,
    text: release.body,
    ...(html === undefined ? {} : { content: raw(html) }),
  }
}
