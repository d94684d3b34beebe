import { Elysia, t } from 'elysia'
import { findVisibleRepo, gate, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { pathOf, queryOf } from '#kernel/http.ts'
import { parsePage } from '#kernel/page.ts'
import { answerDone, answerPage, numberText, safeReturn, seeOther, Visit } from '#web/index.ts'
import { filterOf, getThread, markAll } from './find-notifications.ts'
import { takeEvents } from './follow-events.ts'
import { NotificationsPage } from './list-page.tsx'
import { choicePages } from './settings-pages.tsx'
import { findNotifications, setStatus } from './store.ts'
import { subscriptionPages } from './subscription-pages.tsx'
import { presentThreads } from './view.ts'

const PAGE_SIZE = 50
const Query = t.Object({ ...PageQuery.properties, all: t.Optional(t.String()), repo: t.Optional(t.String({ maxLength: 512 })) })
const StatusForm = t.Object({
  status: t.Union([t.Literal('read'), t.Literal('unread'), t.Literal('pinned')]),
  back: t.Optional(t.String({ maxLength: 2000 })),
})
const terms = { signedIn: [], detail: { hide: true } } as const

/** What somebody is told of, why, and what they choose to be told of; looking at it changes nothing. */
export function notificationPages(context: Context) {
  return new Elysia({ name: 'notifications.pages' }).use(listPages(context)).use(subscriptionPages(context)).use(choicePages(context))
}

function listPages(context: Context) {
  return new Elysia({ name: 'notifications.lists' })
    .use(gate(context, 'page'))
    .get('/notifications', ({ viewer, request, query }) => show(context, viewer, request, query), { ...terms, query: Query })
    .post('/notifications', (asked) => readAll(context, asked.viewer, asked.request, asked.query.repo), { ...terms, query: Query })
    .post(
      '/notifications/:id',
      ({ viewer, request, params, body }) => {
        const { id } = getThread(context, viewer, params.id)
        context.db.tx((tx) => setStatus(tx, id, body.status))
        return seeOther(new Visit(context, viewer, request).below(ownList(body.back)))
      },
      { ...terms, params: t.Object({ id: t.String() }), body: StatusForm },
    )
}

/** The list that a form stood on. */
function ownList(back: string | undefined): string {
  const path = safeReturn(back)
  return pathOf(`http://localhost${path}`) === '/notifications' ? path : '/notifications'
}

function repoNamed(context: Pick<Context, 'db'>, viewer: Member, name: string | undefined) {
  const [owner = '', repo = ''] = name?.split('/') ?? []
  return name ? findVisibleRepo(context.db, viewer, owner, repo) : undefined
}

async function show(context: Context, viewer: Member, request: Request, query: typeof Query.static): Promise<Response> {
  await takeEvents(context)
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const visit = new Visit(context, viewer, request)
  const repo = repoNamed(context, viewer, query.repo)
  // A repository that is not there has told nothing; no repository has the id 0.
  const filter = filterOf({ viewer, repoId: query.repo ? (repo?.row.id ?? 0) : undefined, request })
  const { rows, total } = await findNotifications(context.db, filter, page)
  return answerPage(
    <NotificationsPage
      visit={visit}
      threads={presentThreads({ db: context.db, rootUrl: visit.root }, viewer, rows)}
      reasons={new Map(rows.map(({ id, reason }) => [id, reason]))}
      repo={query.repo}
      page={page}
      total={total}
      now={rfc3339(context.clock.seconds())}
    />,
  )
}

/** What came since the page was made stays new. */
async function readAll(context: Context, viewer: Member, request: Request, name: string | undefined): Promise<Response> {
  const repo = repoNamed(context, viewer, name)
  const marked = name && !repo ? [] : await markAll(context, { viewer, repoId: repo?.row.id, request })
  const visit = new Visit(context, viewer, request)
  const text = marked.length === 1 ? '1 notification marked as read' : `${numberText(marked.length)} notifications marked as read`
  return answerDone(visit, visit.to`/notifications`, queryOf(request.url).includes('to-status') ? 'Notifications updated' : text)
}
