import { Elysia, t } from 'elysia'
import { gate, lineOf, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { ActionButton, answerDone, answerPage, Empty, Layout, Pager, Visit } from '#web/index.ts'
import { accessTo, findIssueById, type Issue, listIssuesById, mayRead, presentAnywhere, putSubscription } from '#work/issues/index.ts'
import { IssueRow } from '#work/threads/index.ts'
import { readableTo } from './find-notifications.ts'
import { listSubscriptions } from './store.ts'

const PAGE_SIZE = 50
const SubscriptionForm = t.Object({ issue: t.String({ maxLength: 20 }), action: t.Union([t.Literal('subscribe'), t.Literal('unsubscribe')]) })
const terms = { signedIn: [], detail: { hide: true } } as const

/** The issues and pull requests that somebody asked to be told of, or to be left alone with. */
export function subscriptionPages(context: Context) {
  return new Elysia({ name: 'notifications.subscriptions' })
    .use(gate(context, 'page'))
    .get('/notifications/subscriptions', ({ viewer, request, query }) => show(context, viewer, request, query), { ...terms, query: PageQuery })
    .post(
      '/notifications/subscriptions',
      ({ viewer, request, body }) => {
        const issue = findIssueById(context.db, rowIdIn(body.issue))
        const repo = issue && accessTo(context.db, viewer, issue.repo_id)
        if (!issue || !repo || !mayRead(repo, issue)) throw new NotFound()
        const isOn = body.action === 'subscribe'
        context.db.tx((tx) => putSubscription(tx, issue.id, viewer.user.id, isOn, context.clock.seconds()))
        const text = isOn ? `Subscribed to #${issue.number}` : `Unsubscribed from #${issue.number}`
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/notifications/subscriptions`, text)
      },
      { ...terms, body: SubscriptionForm },
    )
}

async function show(
  context: Pick<Context, 'config' | 'rootUrl' | 'db' | 'services'>,
  viewer: Member,
  request: Request,
  query: { page?: string },
): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listSubscriptions(context.db, { userId: viewer.user.id, line: lineOf(viewer), readable: readableTo(viewer) }, page)
  const found = listIssuesById(
    context.db,
    rows.map(({ issue_id }) => issue_id),
  )
  const isOn = new Map(rows.map(({ issue_id, is_on }) => [issue_id, is_on === 1]))
  const issues = presentAnywhere({ db: context.db, rootUrl: visit.root }, viewer, found)
  return answerPage(<SubscriptionsPage visit={visit} issues={issues} isOn={isOn} page={page} total={total} />)
}

interface Props {
  visit: Visit
  issues: readonly Issue[]
  isOn: ReadonlyMap<number, boolean>
  page: Page
  total: number
}

function SubscriptionsPage({ visit, issues, isOn, page, total }: Props) {
  return (
    <Layout visit={visit} title="Subscriptions">
      <h1>Subscriptions</h1>
      <p>
        <a href={visit.to`/notifications`}>Notifications</a>
      </p>
      {issues.length === 0 && (
        <Empty visit={visit} icon="bell" title="No subscriptions">
          Use “Subscribe” on the page of an issue or pull request to get notifications about it.
        </Empty>
      )}
      {issues.length > 0 && (
        <ul class="list">
          {issues.map((issue) => (
            <IssueRow
              visit={visit}
              issue={issue}
              href={visit.to`/${issue.repository?.full_name ?? ''}/${issue.pull_request ? 'pulls' : 'issues'}/${issue.number}`}
              isAnywhere
              note={isOn.get(issue.id) === false && <span class="mark">Unsubscribed</span>}
              after={<Change visit={visit} issue={issue} isOn={isOn.get(issue.id) === true} />}
            />
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

function Change({ visit, issue, isOn }: { visit: Visit; issue: Issue; isOn: boolean }) {
  const action = isOn ? 'unsubscribe' : 'subscribe'
  return (
    <ActionButton action={visit.to`/notifications/subscriptions`} to={`#${issue.number}`} name="action" value={action} fields={{ issue: String(issue.id) }}>
      {isOn ? 'Unsubscribe' : 'Subscribe'}
    </ActionButton>
  )
}
