import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { listDeletedLately } from '#repositories/deletions/index.ts'
import { answerPage, DeletedLately, type DeletedThing, Empty, type Html, Icon, Pager, Popup, RepoFrame, Tabs, type Visit, Way } from '#web/index.ts'
import { countMilestones, listMilestones, type MilestoneOrder, type MilestoneRow } from '#work/milestones/index.ts'
import { Changes, Facts, MilestoneFields, mayWrite, renderDescription } from './facts.tsx'

const PAGE_SIZE = 30

/** By the names that Gitea's addresses have for them. */
const orders: Record<Exclude<MilestoneOrder, ''>, string> = {
  nearestduedate: 'Nearest due date',
  furthestduedate: 'Furthest due date',
  leastcomplete: 'Least complete',
  mostcomplete: 'Most complete',
  mostissues: 'Most issues',
  leastissues: 'Fewest issues',
  name: 'Title',
}

interface Query {
  page?: string
  state?: string
  sort?: string
  q?: string
}

/** The milestones of a repository that are open, or those that are closed. */
export async function showMilestones(context: Context, visit: Visit, repo: RepoAccess, query: Query): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const isClosed = query.state === 'closed'
  const order = Object.hasOwn(orders, query.sort ?? '') ? (query.sort as keyof typeof orders) : 'nearestduedate'
  const q = query.q?.trim() ?? ''
  const { rows, total } = await listMilestones(context.db, visit.viewer, repo.row.id, { isClosed, name: q }, page, order)
  const texts = new Map<number, Html>()
  for (const row of rows) {
    const text = await renderDescription(context, visit, repo, row)
    if (text) texts.set(row.id, text)
  }
  const deleted = mayWrite(repo) ? listDeletedLately(context, 'milestone', { kind: 'repo', id: repo.row.id }) : []
  const counts = countMilestones(context.db, repo.row.id)
  const props = { visit, repo, milestones: rows, texts, deleted, isClosed, order, q, counts, page, total, now: context.clock.seconds() }
  return answerPage(<MilestonesPage {...props} />)
}

interface Props {
  visit: Visit
  repo: RepoAccess
  milestones: readonly MilestoneRow[]
  /** What they say of themselves, by id. */
  texts: ReadonlyMap<number, Html>
  /** Those that can be restored. */
  deleted: readonly DeletedThing[]
  isClosed: boolean
  order: keyof typeof orders
  /** What their titles are searched for. */
  q: string
  counts: Record<'open' | 'closed', number>
  page: Page
  total: number
  now: number
}

function MilestonesPage({ visit, repo, milestones, texts, deleted, isClosed, order, q, counts, page, total, now }: Props) {
  const base = visit.to`/${repo.owner.name}/${repo.row.name}`
  const isWritable = mayWrite(repo)
  const state = isClosed ? 'closed' : 'open'
  const asked = (change: { state?: string; sort?: string }) =>
    `?${new URLSearchParams({ state, ...(order === 'nearestduedate' ? {} : { sort: order }), ...(q === '' ? {} : { q }), ...change })}`
  return (
    <RepoFrame visit={visit} repo={repo} tab="issues" title="Milestones">
      <div class="bar">
        <h2>Milestones</h2>
        <form class="search" method="get">
          <input type="search" name="q" value={q} aria-label="Search milestones" placeholder="Search milestones" maxlength="255" />
          <input type="hidden" name="state" value={state} />
          <button type="submit">Search</button>
        </form>
      </div>
      <Tabs
        visit={visit}
        label="State"
        now={state}
        tabs={[
          { name: 'open', href: asked({ state: 'open' }), text: 'Open', icon: 'milestone', count: counts.open },
          { name: 'closed', href: asked({ state: 'closed' }), text: 'Closed', icon: 'check', count: counts.closed },
        ]}
      />
      {total > 1 && (
        <p>
          <Popup id="menu-sort" look="quiet" face={`Sort: ${orders[order].toLowerCase()}`}>
            {Object.entries(orders).map(([name, text]) => (
              <Way visit={visit} to={asked({ sort: name })} isNow={name === order}>
                {text}
              </Way>
            ))}
          </Popup>
        </p>
      )}
      {milestones.length === 0 && (
        <Empty visit={visit} icon="milestone" title={q === '' ? `No ${state} milestones` : `No ${state} milestones match “${q}”`}>
          {q === '' ? (
            'Use milestones to group issues and pull requests for a release or a deadline.'
          ) : (
            <a href={`?state=${state}`}>{`Show all ${state} milestones`}</a>
          )}
        </Empty>
      )}
      {milestones.length > 0 && (
        <ul class="list">
          {milestones.map((milestone) => (
            <li>
              <a dir="auto" href={`${base}/milestone/${milestone.id}`}>
                <Icon visit={visit} name="milestone" /> {milestone.title}
              </a>
              <Facts visit={visit} milestone={milestone} now={now} />
              {texts.has(milestone.id) && <div class="text">{texts.get(milestone.id)}</div>}
              {isWritable && <Changes address={`${base}/milestones/${milestone.id}`} milestone={milestone} />}
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      {isWritable && (
        <details open={counts.open + counts.closed === 0}>
          <summary>New milestone</summary>
          <MilestoneFields action={`${base}/milestones`} button="Create milestone" />
        </details>
      )}
      <DeletedLately visit={visit} action={`${base}/milestones/restore`} deleted={deleted} icon="milestone" />
    </RepoFrame>
  )
}
