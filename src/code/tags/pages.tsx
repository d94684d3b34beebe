import { Elysia } from 'elysia'
import { gate, PageQuery, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { TAGS } from '#git/refs/names.ts'
import { parsePage } from '#kernel/page.ts'
import { answerFeed, answerPage, type FeedForm, RefList, Visit } from '#web/index.ts'
import { listTags } from './list-tags.ts'

const PAGE_SIZE = 50
const FEED_ITEMS = 20

/** The tags of a repository, the newest first, as a page and as feeds. */
export function tagPages(context: Context) {
  const feed = { repo: 'code:read', params: RepoParams, detail: { hide: true } } as const
  return new Elysia({ name: 'tags.pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/tags',
      async ({ viewer, repo, request, query }) => {
        const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const { tags, total } = await listTags(context, repo, page)
        const names = tags.map(({ ref }) => ref.name.slice(TAGS.length))
        return answerPage(<RefList visit={new Visit(context, viewer, request)} repo={repo} kind="tag" names={names} page={page} total={total} />)
      },
      { repo: 'code:read', params: RepoParams, query: PageQuery, detail: { hide: true } },
    )
    .use(gate(context, 'either'))
    .get('/:owner/:repo/tags.rss', ({ viewer, repo, request }) => serveFeed(context, new Visit(context, viewer, request), repo, 'rss'), feed)
    .get('/:owner/:repo/tags.atom', ({ viewer, repo, request }) => serveFeed(context, new Visit(context, viewer, request), repo, 'atom'), feed)
}

async function serveFeed(context: Context, visit: Visit, repo: RepoAccess, form: FeedForm): Promise<Response> {
  const { tags } = await listTags(context, repo, { page: 1, limit: FEED_ITEMS, offset: 0 })
  const home = visit.at`${repo.owner.name}/${repo.row.name}`
  const items = tags.map(({ ref, description }) => {
    const name = ref.name.slice(TAGS.length)
    const link = visit.at`${repo.owner.name}/${repo.row.name}/src/tag/${name}`
    return { id: `${link}#${ref.oid}`, title: name, link, author: description.who?.name ?? '', at: description.who?.seconds ?? 0, text: description.message }
  })
  return answerFeed({ title: `Tags of ${repo.owner.name}/${repo.row.name}`, link: `${home}/tags`, self: visit.here, items }, form)
}
