import { Elysia, t } from 'elysia'
import { atLeast, gate, IdText, PageQuery, type RepoAccess, RepoParams, refuseArchived } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { DeletedLately, type DeletedThing, listDeletedLately, RestoreForm } from '#repositories/deletions/index.ts'
import { answerDone, answerPage, Empty, Icon, Pager, Progress, RepoFrame, SubmitButton, Tabs, Time, Visit } from '#web/index.ts'
import { createMilestone, editMilestone, removeMilestone, restoreMilestone } from './change-milestones.ts'
import { listMilestones, type MilestoneRow } from './store.ts'

const PAGE_SIZE = 30
const MilestoneParams = t.Object({ ...RepoParams.properties, id: IdText('id of the milestone') })
const Query = t.Object({ ...PageQuery.properties, state: t.Optional(t.String()) })
const MilestoneForm = t.Object({
  title: t.String({ maxLength: 255, pattern: '\\S', error: 'a title that is not blank is expected' }),
  description: t.Optional(t.String({ maxLength: 65_535 })),
  due: t.Optional(t.String({ pattern: '^(\\d{4}-\\d\\d-\\d\\d)?$', error: 'a date like 2026-01-31 is expected' })),
})
const StateForm = t.Object({ action: t.Union([t.Literal('close'), t.Literal('reopen'), t.Literal('delete')]) })

const doneWords = { close: 'Milestone closed', reopen: 'Milestone reopened', delete: 'Milestone deleted' }

/** Go's zero time takes a date away. */
const NO_DATE = '0001-01-01T00:00:00Z'

/** The milestones of a repository with how far they are, and the forms that change them. */
export function milestonePages(context: Context) {
  const back = ({ viewer, repo, request }: { viewer: Visit['viewer']; repo: RepoAccess; request: Request }, text: string, deletion?: number) => {
    const visit = new Visit(context, viewer, request)
    const address = visit.to`/${repo.owner.name}/${repo.row.name}/milestones`
    const undo = deletion === undefined ? {} : { undo: { action: `${address}/restore`, fields: { id: String(deletion) } } }
    return answerDone(visit, address, { text, ...undo })
  }
  const optionsOf = ({ title, description, due }: typeof MilestoneForm.static) => ({ title, description, due_on: due ? `${due}T00:00:00Z` : NO_DATE })
  return new Elysia({ name: 'milestones.pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/milestones',
      ({ viewer, repo, request, query }) => {
        const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const isClosed = query.state === 'closed'
        const { rows, total } = listMilestones(context.db, repo.row.id, isClosed, '', page)
        const visit = new Visit(context, viewer, request)
        const deleted = mayWrite(repo) ? listDeletedLately(context, 'milestone', { kind: 'repo', id: repo.row.id }) : []
        const props = { visit, repo, milestones: rows, deleted, isClosed, page, total }
        return answerPage(<MilestonesPage {...props} />)
      },
      { repo: 'issues|pulls:read', params: RepoParams, query: Query, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/milestones',
      (asked) => {
        createMilestone(context, asked.repo, optionsOf(asked.body))
        return back(asked, `Milestone “${asked.body.title}” created`)
      },
      { repo: 'issues|pulls:write', params: RepoParams, body: MilestoneForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/milestones/restore',
      (asked) => {
        refuseArchived(asked.repo)
        restoreMilestone(context, asked.repo, rowIdIn(asked.body.id))
        return back(asked, 'The milestone is there again')
      },
      { repo: 'issues|pulls:write', params: RepoParams, body: RestoreForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/milestones/:id',
      (asked) => {
        editMilestone(context, asked.repo, asked.params.id, optionsOf(asked.body))
        return back(asked, `Milestone “${asked.body.title}” saved`)
      },
      { repo: 'issues|pulls:write', params: MilestoneParams, body: MilestoneForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/milestones/:id/state',
      (asked) => {
        const { action } = asked.body
        if (action === 'delete') return back(asked, doneWords.delete, removeMilestone(context, asked.repo, asked.params.id, asked.viewer))
        editMilestone(context, asked.repo, asked.params.id, { state: action === 'close' ? 'closed' : 'open' })
        return back(asked, doneWords[action])
      },
      { repo: 'issues|pulls:write', params: MilestoneParams, body: StateForm, detail: { hide: true } },
    )
}

interface Props {
  visit: Visit
  repo: RepoAccess
  milestones: readonly MilestoneRow[]
  /** Those that can be restored. */
  deleted: readonly DeletedThing[]
  isClosed: boolean
  page: Page
  total: number
}

function MilestonesPage({ visit, repo, milestones, deleted, isClosed, page, total }: Props) {
  const base = visit.to`/${repo.owner.name}/${repo.row.name}`
  const isWritable = mayWrite(repo)
  return (
    <RepoFrame visit={visit} repo={repo} tab="issues" title="Milestones">
      <h2>Milestones</h2>
      <Tabs
        visit={visit}
        label="State"
        now={isClosed ? 'closed' : 'open'}
        tabs={[
          { name: 'open', href: '?state=open', text: 'Open', icon: 'milestone' },
          { name: 'closed', href: '?state=closed', text: 'Closed', icon: 'check' },
        ]}
      />
      {milestones.length === 0 && (
        <Empty visit={visit} icon="milestone" title="There are none.">
          Milestones gather what is to be done by a day or for a release.
        </Empty>
      )}
      {milestones.length > 0 && (
        <ul class="list">
          {milestones.map((one) => (
            <Milestone visit={visit} base={base} milestone={one} mayWrite={isWritable} />
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      {isWritable && (
        <details open={total === 0 && !isClosed}>
          <summary>New milestone</summary>
          <MilestoneFields action={`${base}/milestones`} button="Make the milestone" />
        </details>
      )}
      <DeletedLately visit={visit} action={`${base}/milestones/restore`} deleted={deleted} icon="milestone" />
    </RepoFrame>
  )
}

/** Whether the viewer may change what milestones there are. */
function mayWrite({ row, permission }: RepoAccess): boolean {
  return row.archived_at === null && (['issues', 'pulls'] as const).some((unit) => atLeast(permission.of(unit), 'write'))
}

function Milestone({ visit, base, milestone, mayWrite }: { visit: Visit; base: string; milestone: MilestoneRow; mayWrite: boolean }) {
  const { id, title, description, due_at, closed_at, open_issue_count: open, closed_issue_count: closed } = milestone
  const address = `${base}/milestones/${id}`
  return (
    <li>
      <a href={`${base}/issues?state=all&milestones=${id}`}>{title}</a>
      <Progress done={closed} all={open + closed} label={`How much of ${title} is done`} />
      <div class="meta">
        <span>{`${open + closed === 0 ? 0 : Math.floor((closed / (open + closed)) * 100)}% done`}</span>
        <span>
          <Icon visit={visit} name="issue-opened" />
          {`${open} open`}
        </span>
        <span>
          <Icon visit={visit} name="check" />
          {`${closed} closed`}
        </span>
        {due_at !== null && (
          <span>
            <Icon visit={visit} name="calendar" />
            {'due '}
            <Time at={due_at} />
          </span>
        )}
      </div>
      {description !== '' && <p class="preserved">{description}</p>}
      {mayWrite && (
        <details>
          <summary class="quiet">Change</summary>
          <MilestoneFields action={address} milestone={milestone} button="Save" />
          <form class="buttons" method="post" action={`${address}/state`}>
            <button type="submit" name="action" value={closed_at === null ? 'close' : 'reopen'}>
              {closed_at === null ? 'Close' : 'Reopen'}
            </button>
            <button class="danger" type="submit" name="action" value="delete">
              Delete this milestone
            </button>
          </form>
        </details>
      )}
    </li>
  )
}

function MilestoneFields({ action, milestone, button }: { action: string; milestone?: MilestoneRow; button: string }) {
  const due = milestone?.due_at ? new Date(milestone.due_at * 1000).toISOString().slice(0, 10) : undefined
  return (
    <form class="fields" method="post" action={action}>
      <label>
        Title
        <input name="title" value={milestone?.title} maxlength="255" required />
      </label>
      <label>
        What it is about
        <textarea name="description" rows="3">
          {`\n${milestone?.description ?? ''}`}
        </textarea>
      </label>
      <label>
        Due
        <input name="due" type="date" value={due} />
      </label>
      <SubmitButton>{button}</SubmitButton>
    </form>
  )
}
