import type { Page } from '#kernel/page.ts'
import { Empty, Icon, type IconName, Layout, Pager, Popup, Tabs, Time, type Visit, Way } from '#web/index.ts'
import type { Reason } from './reasons.ts'
import type { NotificationThread } from './schema.ts'

/** Why somebody is told, in words. */
export const reasonWords: Record<Reason, string> = {
  offered: 'repository transfer',
  review_requested: 'review requested',
  assigned: 'assigned',
  mentioned: 'mentioned',
  reviewed: 'review dismissed',
  author: 'author',
  subscribed: 'subscribed',
  participating: 'participating',
  watching: 'watching',
}

interface Props {
  visit: Visit
  threads: readonly NotificationThread[]
  reasons: ReadonlyMap<number, Reason | ''>
  /** The one repository that the list is of, as it was asked for. */
  repo: string | undefined
  page: Page
  total: number
  /** When the page was made, as RFC 3339 has it. */
  now: string
}

const views = {
  new: ['Unread', 'bell', '', 'All caught up'],
  pinned: ['Pinned', 'pin', 'status-types=pinned', 'No pinned notifications'],
  read: ['Read', 'check', 'status-types=read', 'No read notifications'],
  all: ['All', 'archive', 'all=true', 'No notifications yet'],
} as const satisfies Record<string, readonly [label: string, icon: IconName, query: string, none: string]>
const kinds = { '': 'All types', issue: 'Issues', pull: 'Pull requests', repository: 'Repositories' } as const

/** What the address asks for. */
function askedIn({ path }: Visit) {
  const query = new URLSearchParams(path.split('?')[1])
  const view = query.has('all') ? 'all' : (Object.entries(views).find(([, [, , one]]) => one === `status-types=${query.get('status-types')}`)?.[0] ?? 'new')
  return { view: view as keyof typeof views, kind: query.get('subject-type') ?? '', repo: query.get('repo') ?? '' }
}

function addressOf(visit: Visit, { view, kind, repo }: ReturnType<typeof askedIn>): string {
  const parts = [views[view][2], kind && `subject-type=${encodeURIComponent(kind)}`, repo && `repo=${encodeURIComponent(repo)}`].filter(Boolean)
  return visit.to`/notifications` + (parts.length === 0 ? '' : `?${parts.join('&')}`)
}

export function NotificationsPage({ visit, threads, reasons, repo, page, total, now }: Props) {
  const asked = askedIn(visit)
  const byRepo = Map.groupBy(threads, ({ repository }) => repository.full_name)
  return (
    <Layout visit={visit} title="Notifications">
      <div class="bar">
        <h1>Notifications</h1>
        <div class="buttons">
          <a class="button" href={visit.to`/notifications/subscriptions`}>
            Subscriptions
          </a>
          <a class="button" href={visit.to`/notifications/watching`}>
            <Icon visit={visit} name="eye" />
            Watching
          </a>
          <a class="button" href={visit.to`/user/settings/notifications`}>
            <Icon visit={visit} name="sliders" />
            Settings
          </a>
          <ReadAll visit={visit} repo={repo} now={now}>
            Mark all as read
          </ReadAll>
        </div>
      </div>
      <Tabs
        visit={visit}
        label="Notification status"
        now={asked.view}
        tabs={(Object.keys(views) as (keyof typeof views)[]).map((name) => ({
          name,
          href: addressOf(visit, { ...asked, view: name }),
          text: views[name][0],
          icon: views[name][1],
        }))}
      />
      <div class="line">
        <Popup id="menu-kind" look="quiet" face={kinds[asked.kind as keyof typeof kinds] ?? kinds['']}>
          {Object.entries(kinds).map(([kind, text]) => (
            <Way visit={visit} to={addressOf(visit, { ...asked, kind })} isNow={kind === asked.kind}>
              {text}
            </Way>
          ))}
        </Popup>
        {repo && (
          <span>
            {`Showing only ${repo}. `}
            <a href={addressOf(visit, { ...asked, repo: '' })}>Show all repositories</a>
          </span>
        )}
      </div>
      {threads.length === 0 && (
        <Empty visit={visit} icon="check" title={views[asked.view][3]}>
          You get notifications about repositories that you watch, and about issues and pull requests that you participate in or that mention you.
        </Empty>
      )}
      {[...byRepo].map(([name, some]) => (
        <section>
          <div class="bar">
            <h2>
              <a href={visit.to`/${name}`}>{name}</a>
            </h2>
            <div class="buttons">
              {!repo && (
                <a class="button quiet" href={addressOf(visit, { ...asked, repo: name })} aria-label={`Filter by repository: ${name}`}>
                  Filter by repository
                </a>
              )}
              {some.some(({ unread }) => unread) && (
                <ReadAll visit={visit} repo={name} now={now} isQuiet>
                  Mark as read
                </ReadAll>
              )}
            </div>
          </div>
          <ul class="list">
            {some.map((thread) => (
              <Thread visit={visit} thread={thread} reason={reasons.get(thread.id) ?? ''} />
            ))}
          </ul>
        </section>
      ))}
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

interface ReadAllProps {
  visit: Visit
  repo: string | undefined
  now: string
  isQuiet?: boolean
  children: string
}

function ReadAll({ visit, repo, now, isQuiet = false, children }: ReadAllProps) {
  const of = repo ? `&repo=${encodeURIComponent(repo)}` : ''
  return (
    <form method="post" action={`${visit.to`/notifications`}?last_read_at=${encodeURIComponent(now)}${of}`}>
      <button class={isQuiet ? 'quiet' : undefined} type="submit" aria-label={isQuiet ? `${children}: ${repo}` : undefined}>
        <Icon visit={visit} name="check" />
        {children}
      </button>
    </form>
  )
}

/** By what it is about and how that stands. */
const looks: Partial<Record<string, readonly [icon: IconName, tone: string]>> = {
  'Issue open': ['issue-opened', 'good'],
  'Issue closed': ['issue-closed', 'done'],
  'Pull open': ['git-pull-request', 'good'],
  'Pull closed': ['git-pull-request-closed', 'bad'],
  'Pull merged': ['git-merge', 'done'],
  'Repository ': ['repo', 'good'],
}

const typeWords = { Issue: 'issue', Pull: 'pull request', Commit: 'commit', Repository: 'repository' } as const

function Thread({ visit, thread, reason }: { visit: Visit; thread: NotificationThread; reason: Reason | '' }) {
  const { id, subject, unread, pinned, updated_at } = thread
  const [icon, tone] = looks[`${subject.type} ${subject.state}`] ?? ['bell', 'faint']
  return (
    <li class="row">
      <span class={tone}>
        <Icon visit={visit} name={icon} label={`${subject.state} ${typeWords[subject.type]}`.trim()} />
      </span>
      <div class="main">
        <a class={unread ? 'title' : 'title seen'} dir="auto" href={subject.latest_comment_html_url || subject.html_url}>
          {subject.title}
        </a>
        {unread && <span class="mark">Unread</span>}
        {pinned && <span class="mark">Pinned</span>}
        <div class="meta">
          <span>
            {subject.type !== 'Repository' && `#${subject.html_url.split('/').at(-1)} `}
            <Time at={Date.parse(updated_at) / 1000} />
            {reason !== '' && ` · ${reasonWords[reason]}`}
          </span>
        </div>
      </div>
      <form class="buttons" method="post" action={visit.to`/notifications/${id}`}>
        <input type="hidden" name="back" value={visit.path} />
        <button class="quiet" type="submit" name="status" value={unread ? 'read' : 'unread'}>
          <Icon visit={visit} name={unread ? 'check' : 'dot-fill'} />
          {unread ? 'Mark as read' : 'Mark as unread'}
        </button>
        <button class="quiet" type="submit" name="status" value={pinned ? 'read' : 'pinned'}>
          <Icon visit={visit} name="pin" />
          {pinned ? 'Unpin' : 'Pin'}
        </button>
      </form>
    </li>
  )
}
