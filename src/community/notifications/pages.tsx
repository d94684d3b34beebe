import { Elysia, t } from 'elysia'
import { gate, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Empty, Icon, type IconName, Layout, Pager, seeOther, Tabs, Time, Visit } from '#web/index.ts'
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
          <button type="submit">
            <Icon visit={visit} name="check" />
            Mark all as read
          </button>
        </form>
      </div>
      <Tabs
        visit={visit}
        label="Which"
        now={/[?&]all=true/.test(visit.path) ? 'all' : 'new'}
        tabs={[
          { name: 'new', href: visit.to`/notifications`, text: 'New', icon: 'bell' },
          { name: 'all', href: `${visit.to`/notifications`}?all=true`, text: 'All', icon: 'archive' },
        ]}
      />
      {threads.length === 0 && (
        <Empty visit={visit} icon="check" title="There is nothing new.">
          You are told here of what you watch, have a part in or are mentioned in.
        </Empty>
      )}
      {[...byRepo].map(([name, some]) => (
        <section>
          <h2>
            <a href={visit.to`/${name}`}>{name}</a>
          </h2>
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

/** By what it is about and how that stands. */
const looks: Partial<Record<string, readonly [icon: IconName, tone: string]>> = {
  'Issue open': ['issue-opened', 'good'],
  'Issue closed': ['issue-closed', 'done'],
  'Pull open': ['git-pull-request', 'good'],
  'Pull closed': ['git-pull-request-closed', 'bad'],
  'Pull merged': ['git-merge', 'done'],
}

function Thread({ visit, thread: { id, subject, unread, pinned, updated_at } }: { visit: Visit; thread: NotificationThread }) {
  const [icon, tone] = looks[`${subject.type} ${subject.state}`] ?? ['bell', 'faint']
  return (
    <li class="row">
      <span class={tone}>
        <Icon visit={visit} name={icon} label={`${subject.state} ${subject.type === 'Pull' ? 'pull request' : 'issue'}`} />
      </span>
      <div class="main">
        <a class={unread ? 'title' : 'title seen'} href={subject.latest_comment_html_url || subject.html_url}>
          {subject.title}
        </a>
        {unread && <span class="mark">New</span>}
        {pinned && <span class="mark">Pinned</span>}
        <div class="meta">
          <Time at={Date.parse(updated_at) / 1000} />
        </div>
      </div>
      <form class="buttons" method="post" action={visit.to`/notifications/${id}`}>
        <button class="quiet" type="submit" name="status" value={unread ? 'read' : 'unread'}>
          <Icon visit={visit} name={unread ? 'check' : 'dot-fill'} />
          {unread ? 'Mark as read' : 'Mark as new'}
        </button>
        <button class="quiet" type="submit" name="status" value={pinned ? 'read' : 'pinned'}>
          <Icon visit={visit} name="pin" />
          {pinned ? 'Unpin' : 'Pin'}
        </button>
      </form>
    </li>
  )
}
