import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Empty, type Html, Icon, Pager, RepoFrame, Tabs, type Visit } from '#web/index.ts'
import { findInRepo, type Issue, mayRead, presentIssues } from '#work/issues/index.ts'
import { findMilestone, type MilestoneRow } from '#work/milestones/index.ts'
import { IssueRow } from '#work/threads/index.ts'
import { Changes, Facts, mayWrite, renderDescription } from './facts.tsx'

const PAGE_SIZE = 25
const kinds = { issues: ['Issues', 'issue-opened'], pulls: ['Pull requests', 'git-pull-request'] } as const
type Kind = keyof typeof kinds

interface Query {
  page?: string
  state?: string
  type?: string
}

/** A milestone with what is in it, of which the viewer may read one kind or both. @throws NotFound */
export async function showMilestone(
  context: Pick<Context, 'db' | 'services' | 'clock'>,
  visit: Visit,
  repo: RepoAccess,
  id: number,
  query: Query,
): Promise<Response> {
  const milestone = findMilestone(context.db, repo.row.id, id)
  if (!milestone) throw new NotFound()
  const readable = (Object.keys(kinds) as Kind[]).filter((kind) => mayRead(repo, { is_pull: kind === 'pulls' ? 1 : 0 }))
  const kind = readable.find((one) => one === query.type) ?? (readable[0] as Kind)
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const state = query.state === 'closed' ? 'closed' : 'open'
  const { rows, total } = await findInRepo(context, visit.viewer, repo, { milestones: String(id), type: kind, state }, page)
  const issues = presentIssues({ db: context.db, rootUrl: visit.root }, visit.viewer, rows, () => repo)
  const text = await renderDescription(context, visit, repo, milestone)
  return answerPage(<MilestonePage {...{ visit, repo, milestone, text, readable, kind, state, issues, page, total, now: context.clock.seconds() }} />)
}

interface Props {
  visit: Visit
  repo: RepoAccess
  milestone: MilestoneRow
  /** What it says of itself. */
  text: Html | undefined
  readable: readonly Kind[]
  kind: Kind
  state: 'open' | 'closed'
  issues: readonly Issue[]
  page: Page
  total: number
  now: number
}

function MilestonePage({ visit, repo, milestone, text, readable, kind, state, issues, page, total, now }: Props) {
  const base = visit.to`/${repo.owner.name}/${repo.row.name}`
  const [name, icon] = kinds[kind]
  return (
    <RepoFrame visit={visit} repo={repo} tab="issues" title={milestone.title}>
      <div class="bar">
        <h2 dir="auto">
          <Icon visit={visit} name="milestone" /> {milestone.title}
          {milestone.closed_at !== null && <span class="mark">Closed</span>}
        </h2>
        <a class="button" href={`${base}/milestones`}>
          All milestones
        </a>
      </div>
      <Facts visit={visit} milestone={milestone} now={now} />
      {text && <div class="text">{text}</div>}
      {mayWrite(repo) && <Changes address={`${base}/milestones/${milestone.id}`} milestone={milestone} />}
      <Tabs
        visit={visit}
        label="Type"
        now={kind}
        tabs={readable.map((one) => ({ name: one, href: `?type=${one}&state=${state}`, text: kinds[one][0], icon: kinds[one][1] }))}
      />
      <div class="list-head">
        <nav aria-label="State">
          {(['open', 'closed'] as const).map((one) => (
            <a href={`?type=${kind}&state=${one}`} aria-current={one === state ? 'page' : undefined}>
              {one === state ? `${total} ${one}` : one === 'open' ? 'Open' : 'Closed'}
            </a>
          ))}
        </nav>
        <nav class="narrow" aria-label="More">
          <a href={`${base}/${kind}?state=${state}&milestone=${milestone.id}`}>Search and sort</a>
        </nav>
      </div>
      {issues.length === 0 && <Empty visit={visit} icon={icon} title={`No ${state} ${name.toLowerCase()} in this milestone`} />}
      {issues.length > 0 && (
        <ul class="list">
          {issues.map((issue) => (
            <IssueRow visit={visit} issue={issue} href={`${base}/${kind}/${issue.number}`} isInMilestone />
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
