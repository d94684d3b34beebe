import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, pageOfSize } from '#kernel/page.ts'
import type { RouteSource } from '#kernel/slice.ts'
import { collaboratorsKnownTo, findKnownPerson, listCollaborations } from '#repositories/collaborators/index.ts'
import { answerPage, Visit } from '#web/index.ts'
import { explain } from './explain.ts'
import { madeUpAccount } from './made-up.ts'
import { countSiteAdmins, listCredentials, listTeamsWith } from './store.ts'
import { type Answer, AudiencePage, type Listed } from './templates.tsx'
import { viewAsPages } from './view-as-pages.ts'

const PAGE_SIZE = 100
const number = t.Optional(t.String())
const Query = t.Object({
  name: t.Optional(t.String({ maxLength: 255 })),
  who: t.Optional(t.String({ maxLength: 20 })),
  teams: number,
  people: number,
  keys: number,
})

/** Who can see a repository, and why, for its administrators. */
export function audiencePages(context: Context, server: RouteSource) {
  return new Elysia({ name: 'audience.pages' })
    .use(viewAsPages(context, server))
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/access', ({ viewer, repo, request, query }) => show(context, new Visit(context, viewer, request), repo, query), {
      repo: 'admin',
      params: RepoParams,
      query: Query,
      detail: { hide: true },
    })
}

function show(context: Pick<Context, 'config' | 'db' | 'authenticator'>, visit: Visit, repo: RepoAccess, query: typeof Query.static): Response {
  const { db } = context
  const viewer = requireUser(visit.viewer)
  const { row, owner } = repo
  const others = [
    { who: 'Anonymous visitors', level: explain(context, repo, undefined).level },
    { who: 'All signed-in users', level: explain(context, repo, madeUpAccount(viewer.user, false)).level },
    { who: 'Restricted users', level: explain(context, repo, madeUpAccount(viewer.user, true)).level },
  ]
  const props = {
    others,
    people: pageOf(query.people, (stretch) => listCollaborations(db, row.id, collaboratorsKnownTo(viewer, repo), stretch)),
    teams: pageOf(query.teams, (stretch) => (owner.kind === 'organization' ? listTeamsWith(db, owner.id, row.id, stretch) : [])),
    credentials: pageOf(query.keys, (stretch) => listCredentials(db, row.id, stretch)),
    siteAdmins: countSiteAdmins(db),
    answer: answerOf(context, visit, repo, query),
  }
  return answerPage(<AudiencePage visit={visit} repo={repo} {...props} />)
}

/** One more is read than is shown, instead of counting them. */
function pageOf<T>(number: string | undefined, read: (stretch: Pick<Page, 'limit' | 'offset'>) => T[]): Listed<T> {
  const page = pageOfSize(number, PAGE_SIZE)
  const rows = read({ limit: PAGE_SIZE + 1, offset: page.offset })
  return { rows: rows.slice(0, PAGE_SIZE), page, hasMore: rows.length > PAGE_SIZE }
}

function answerOf(
  context: Pick<Context, 'config' | 'db' | 'authenticator'>,
  visit: Visit,
  repo: RepoAccess,
  { name = '', who }: typeof Query.static,
): Answer | undefined {
  if (who === 'visitor') return { name: '', explanation: explain(context, repo, undefined) }
  if (name.trim() === '') return undefined
  const user = findKnownPerson(context.db, requireUser(visit.viewer), repo, name.trim())
  return user ? { name: user.name, explanation: explain(context, repo, user) } : { name: name.trim() }
}
