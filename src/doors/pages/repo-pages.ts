import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams } from '#access/index.ts'
import { showHome } from '#code/contents/index.ts'
import { answerActivities, readFeed } from '#community/activity/index.ts'
import type { Context } from '#context.ts'
import { type FeedForm, parseFeedName, seeOther, Visit } from '#web/index.ts'
import { FEED_ITEMS } from './account-files.ts'

const HomeParams = t.Object({ ...RepoParams.properties, form: t.Optional(t.Union([t.Literal('rss'), t.Literal('atom'), t.Literal('git')])) })

const HomeQuery = t.Object({ page: t.Optional(t.String({ maxLength: 20 })) })

/**
 * A repository's home, and with `.rss` or `.atom` behind its name, which no repository can have in its own, a feed of what happens there. Whoever
 * opens the address to clone it from in a browser means its home.
 */
export function repoHome(context: Context) {
  return new Elysia({ name: 'site.repo-home' })
    .use(gate(context, 'either'))
    .onTransform(({ params }) => {
      Object.assign(params, takeForm(params as Record<string, string | null>))
    })
    .get(
      '/:owner/:repo',
      ({ viewer, repo, request, params, query }) => {
        const visit = new Visit(context, viewer, request)
        if (params.form === 'git') return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}`)
        return params.form === undefined ? showHome(context, visit, repo, query) : serveFeed(context, visit, repo, params.form)
      },
      { repo: 'read', params: HomeParams, query: HomeQuery, detail: { hide: true } },
    )
}

/** The route has one segment for both. */
function takeForm({ repo }: Record<string, string | null>): { repo: string; form: FeedForm | 'git' } | undefined {
  const [, bare] = /^(.+)\.git$/i.exec(repo ?? '') ?? []
  if (bare !== undefined) return { repo: bare, form: 'git' }
  const asked = parseFeedName(repo ?? '')
  return asked && { repo: asked.name, form: asked.form }
}

async function serveFeed(context: Context, visit: Visit, { owner, row }: RepoAccess, form: FeedForm): Promise<Response> {
  const activities = await readFeed(context, visit.viewer, { of: 'repo', id: row.id }, { page: { page: 1, limit: FEED_ITEMS, offset: 0 } })
  const name = `${owner.name}/${row.name}`
  return answerActivities(visit, activities, { title: `Feed of ${name}`, path: name, form })
}
