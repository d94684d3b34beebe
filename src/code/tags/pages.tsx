import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { TAGS } from '#git/refs/names.ts'
import { pageOfSize } from '#kernel/page.ts'
import { answerDone, answerFeed, type FeedForm, troubleWith, Visit } from '#web/index.ts'
import { deleteTag } from './change-tags.ts'
import { showTags } from './list-page.tsx'
import { listTags } from './list-tags.ts'

const PAGE_SIZE = 50
const FEED_ITEMS = 20
const MAX_CHOSEN = 200
const TagsQuery = t.Object({ page: t.Optional(t.String({ maxLength: 20 })), q: t.Optional(t.String({ maxLength: 1024 })) })
const ChosenForm = t.Object({ name: t.Optional(t.Array(t.String({ maxLength: 1024 }), { maxItems: MAX_CHOSEN })) })

/** The tags of a repository, the newest first, as a page and as feeds. */
export function tagPages(context: Context) {
  const feed = { repo: 'code:read', params: RepoParams, detail: { hide: true } } as const
  return new Elysia({ name: 'tags.pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/tags',
      ({ viewer, repo, request, query }) =>
        showTags(context, new Visit(context, viewer, request), repo, { text: query.q?.trim() ?? '', page: pageOfSize(query.page, PAGE_SIZE) }),
      { repo: 'code:read', params: RepoParams, query: TagsQuery, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/tags/delete',
      ({ viewer, repo, request, body }) => {
        const { user } = requireUser(viewer)
        const visit = new Visit(context, viewer, request)
        const troubles = (body.name ?? []).flatMap((name) => troubleWith(name, () => deleteTag(context, user, repo, name)))
        if (troubles.length > 0) return showTags(context, visit, repo, { text: '', page: pageOfSize(undefined, PAGE_SIZE) }, troubles.join(' '))
        return answerDone(
          visit,
          visit.to`/${repo.owner.name}/${repo.row.name}/tags`,
          body.name?.length === 1 ? `Tag “${body.name[0]}” deleted` : `${body.name?.length ?? 0} tags deleted`,
        )
      },
      { repo: 'code:write', params: RepoParams, body: ChosenForm, detail: { hide: true } },
    )
    .use(gate(context, 'either'))
    .get('/:owner/:repo/tags.rss', ({ viewer, repo, request }) => serveFeed(context, new Visit(context, viewer, request), repo, 'rss'), feed)
    .get('/:owner/:repo/tags.atom', ({ viewer, repo, request }) => serveFeed(context, new Visit(context, viewer, request), repo, 'atom'), feed)
}

async function serveFeed(context: Pick<Context, 'db' | 'git'>, visit: Visit, repo: RepoAccess, form: FeedForm): Promise<Response> {
  const { tags } = await listTags(context, repo, { page: 1, limit: FEED_ITEMS, offset: 0 })
  const home = visit.at`${repo.owner.name}/${repo.row.name}`
  const items = tags.map(({ ref, description }) => {
    const name = ref.name.slice(TAGS.length)
    const link = visit.at`${repo.owner.name}/${repo.row.name}/src/tag/${name}`
    return { id: `${link}#${ref.oid}`, title: name, link, author: description.who?.name ?? '', at: description.who?.seconds ?? 0, text: description.message }
  })
  return answerFeed({ title: `Tags of ${repo.owner.name}/${repo.row.name}`, link: `${home}/tags`, self: visit.here, items }, form)
}
