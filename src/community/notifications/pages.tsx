import { Elysia, t } from 'elysia'
import { gate, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Layout, Pager, seeOther, Time, Visit } from '#web/index.ts'
import { filterOf, getThread, markAll } from './find-notifications.ts'
import { takeEvents } from './follow-events.ts'
import type { NotificationThread } from './schema.ts'
import { countNotifications, listNotifications, type Status, setStatus } from './store.ts'
import { presentThreads } from './view.ts'

const PAGE_SIZE = 50
const Query = t.Object({ ...PageQuery.properties, all: t.Optional(t.String()) })
const StatusForm = t.Object({ status: t.Union([t.Literal('read'), t.Literal('unread'), t.Literal('pinned')]) })

/** What somebody is told of, by repository; looking at it changes nothing. */
export function notificationPages(context: Context) {
  const back = (asked: { viewer: Visit['viewer']; request: Request }) => seeOther(new Visit(context, asked.viewer, asked.request).to`/notifications`)
  return new Elysia({ name: 'notifications.pages' })
    .use(gate(context, 'page'))
    .get(
      '/notifications',
      async ({ viewer, request, query }) => {
        await takeEvents(context)
        const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const visit = new Visit(context, viewer, request)
        const filter = filterOf({ viewer, request })
        const here = { db: context.db, rootUrl: visit.root }
        const threads = presentThreads(here, viewer, listNotifications(context.db, filter, page))
        return answerPage(<NotificationsPage visit={visit} threads={threads} page={page} total={countNotifications(context.db, filter)} />)
      },
      { signedIn: [], query: Query, detail: { hide: true } },
    )
    .post(
      '/notifications',
      (asked) => {
        markAll(context, asked)
        return back(asked)
      },
      { signedIn: [], detail: { hide: true } },
    )
    .post(
      '/notifications/:id',
      (asked) => {
        const { id } = getThread(context, asked.viewer, asked.params.id)
        const status: Status = asked.body.status
        context.db.tx((tx) => setStatus(tx, id, status))
        return back(asked)
      },
      { signedIn: [], params: t.Object({ id: t.String() }), body: StatusForm, detail: { hide: true } },
    )
}

interface Props {
  visit: Visit
  threads: readonly NotificationThread[]
  page: Page
  total: number
}

function NotificationsPage({ visit, threads, page, total }: Props) {
  const byRepo = Map.groupBy(threads, ({ repository }) => repository.full_name)
  return (
    <Layout visit={visit} title="Notifications">
      <div class="bar">
        <h1>Notifications</h1>
        <form method="post" action={visit.to`/notifications`}>
          <button type="submit">Mark all as read</button>
        </form>
      </div>
      <nav class="tabs" aria-label="Which">
        <a href={visit.to`/notifications`}>New</a>
        <a href={`${visit.to`/notifications`}?all=true`}>All</a>
      </nav>
      {threads.length === 0 && <p class="faint">There is nothing new.</p>}
      {[...byRepo].map(([name, some]) => (
        <section>
          <h2>{name}</h2>
          <ul class="list">
            {some.map((thread) => (
              <Thread visit={visit} thread={thread} />
            ))}
          </ul>
        </section>
      ))}
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

function Thread({ visit, thread: { id, subject, unread, pinned, updated_at } }: { visit: Visit; thread: NotificationThread }) {
  return (
    <li class="bar">
      <span>
        <a href={subject.latest_comment_html_url || subject.html_url}>{subject.title}</a> <span class="mark">{subject.state}</span>
        {pinned && <span class="mark">Pinned</span>} <Time at={Date.parse(updated_at) / 1000} />
      </span>
      <form class="buttons" method="post" action={visit.to`/notifications/${id}`}>
        <button type="submit" name="status" value={unread ? 'read' : 'unread'}>
          {unread ? 'Mark as read' : 'Mark as new'}
        </button>
        <button type="submit" name="status" value={pinned ? 'read' : 'pinned'}>
          {pinned ? 'Unpin' : 'Pin'}
        </button>
      </form>
    </li>
  )
}
