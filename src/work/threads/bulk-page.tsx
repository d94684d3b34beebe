import { accessStore, lineOf, type RepoAccess, refuseArchived } from '#access/index.ts'
import type { Context } from '#context.ts'
import { queryOf } from '#kernel/http.ts'
import { candidateNamesQuestion } from '#repositories/collaborators/index.ts'
import type { LabelRow } from '#repositories/labels/index.ts'
import { answerDone, answerPage, Empty, Icon, LabelMark, RepoFrame, SubmitButton, type Visit } from '#web/index.ts'
import { findChoosableLabels, type IssueRow, listAssigneeIds, listLabelsOf, requireWriter } from '#work/issues/index.ts'
import { listMilestones, type MilestoneRow } from '#work/milestones/index.ts'
import { type BulkForm, changeChosen, findChosen, isStateAll, MAX_CHOSEN, SAME } from './bulk.ts'
import { Return } from './bulk-bar.tsx'
import { showList } from './list.tsx'
import { stateIcons } from './list-head.tsx'
import { type Kind, type ListPlace, listAddress, listStateOf, words } from './list-place.ts'
import { SearchLine } from './search-line.ts'

/** As many labels, milestones and people are offered; a search finds the others. */
const MAX_CHOICES = 100

/** Several issues with all that can be done to them at once. */
export async function showBulk(context: Pick<Context, 'db'>, visit: Visit, repo: RepoAccess, kind: Kind, request: Request): Promise<Response> {
  refuseArchived(repo)
  requireWriter(visit.viewer, repo, { is_pull: kind === 'pulls' ? 1 : 0 })
  const asked = new URLSearchParams(queryOf(request.url))
  const place = placeOf(visit, repo, kind, { q: asked.get('q') ?? '', state: asked.get('state') ?? '' })
  const numbers = asked.getAll('issues').slice(0, MAX_CHOSEN).map(Number)
  const find = (asked.get('find') ?? '').trim().slice(0, 255)
  const first = { page: 1, limit: MAX_CHOICES, offset: 0 }
  const issues = findChosen(context, repo, kind, numbers)
  const carried = new Map(issues.flatMap(({ id }) => listLabelsOf(context.db, id).map((label) => [label.id, label])))
  const named = candidateNamesQuestion(context.db, visit.viewer, repo, 'issues', MAX_CHOICES + 1, find)
  const { people } = await context.db.askAside({ people: named }, lineOf(visit.viewer))
  const labels = findChoosableLabels(context.db, repo.row.id, repo.owner.id, find, first)
  const milestones = await listMilestones(context.db, visit.viewer, repo.row.id, { isClosed: false, name: find }, first)
  return answerPage(
    <BulkPage
      place={place}
      issues={issues}
      find={find}
      labels={labels.rows}
      carried={[...carried.values()].slice(0, MAX_CHOICES)}
      milestones={milestones.rows}
      isCut={[labels.total, milestones.total, people.length].some((count) => count > MAX_CHOICES)}
      people={people.slice(0, MAX_CHOICES).map(({ name }) => name)}
      assigned={assignedTo(context, issues)}
    />,
  )
}

/** Does what the form asks for, and says how it went on the list that it came from. */
export async function doBulk(context: Context, visit: Visit, repo: RepoAccess, kind: Kind, form: BulkForm): Promise<Response> {
  refuseArchived(repo)
  const place = placeOf(visit, repo, kind, form)
  if (!form.issues?.length) return answerDone(visit, listAddress(place), `No ${words[kind].many} selected`)
  const { done, troubles } = await changeChosen(context, visit.viewer, repo, kind, form)
  if (troubles.length > 0) return showList(context, visit, repo, kind, { q: String(place.line), state: place.state }, troubles)
  const [verb, back] = !isStateAll(form) ? ['updated'] : form.action === 'close' ? ['closed', 'reopen'] : ['reopened', 'close']
  const text = `${done.length} ${done.length === 1 ? words[kind].one : words[kind].many} ${verb}`
  if (back === undefined || done.length === 0) return answerDone(visit, listAddress(place), text)
  const fields = { issues: done.map(({ number }) => number).join(','), action: back, q: String(place.line), state: place.state }
  return answerDone(visit, listAddress(place), { text, undo: { action: bulkAddress(place), fields } })
}

function placeOf(visit: Visit, repo: RepoAccess, kind: Kind, { q = '', state }: { q?: string; state?: string }): ListPlace {
  return { visit, repo, kind, line: SearchLine.parse(q), state: listStateOf(state) }
}

function bulkAddress({ visit, repo: { owner, row }, kind }: ListPlace): string {
  return visit.to`/${owner.name}/${row.name}/${kind}/bulk`
}

function assignedTo({ db }: Pick<Context, 'db'>, issues: readonly IssueRow[]): string[] {
  return accessStore.listUsersById(db, listAssigneeIds(db, ...issues.map(({ id }) => id))).map(({ name }) => name)
}

interface Props {
  place: ListPlace
  issues: readonly IssueRow[]
  /** What labels, milestones and people are narrowed down by. */
  find: string
  /** Whether there are more of them than are offered. */
  isCut: boolean
  labels: readonly LabelRow[]
  /** Labels that stand on any of them. */
  carried: readonly LabelRow[]
  milestones: readonly MilestoneRow[]
  people: readonly string[]
  assigned: readonly string[]
}

function BulkPage(props: Props) {
  const { place, issues } = props
  const { visit, repo, kind } = place
  const title = `Edit ${issues.length} ${issues.length === 1 ? words[kind].one : words[kind].many}`
  return (
    <RepoFrame visit={visit} repo={repo} tab={kind} title={title}>
      <h2>{title}</h2>
      <p>
        <a href={listAddress(place)}>{`Back to ${words[kind].many}`}</a>
      </p>
      {issues.length === 0 && <Empty visit={visit} icon={stateIcons[kind][0]} title={`No ${words[kind].many} selected`} />}
      {issues.length > 0 && (
        <>
          <ul class="list">
            {issues.map((issue) => (
              <li>
                <Icon visit={visit} name={stateIcons[kind][issue.is_closed as 0 | 1]} />{' '}
                <a href={visit.to`/${repo.owner.name}/${repo.row.name}/${kind}/${issue.number}`}>{`#${issue.number} ${issue.title}`}</a>
              </li>
            ))}
          </ul>
          {(props.isCut || props.find !== '') && <FindOthers {...props} />}
          <BulkFields {...props} />
        </>
      )}
    </RepoFrame>
  )
}

function FindOthers({ place, issues, find }: Props) {
  return (
    <form class="search" method="get" action={bulkAddress(place)}>
      <Return place={place} />
      {issues.map(({ number }) => (
        <input type="hidden" name="issues" value={number} />
      ))}
      <input
        type="search"
        name="find"
        value={find}
        aria-label="Search labels, milestones and assignees"
        placeholder="Search labels, milestones and assignees"
        maxlength="255"
      />
      <button type="submit">Search</button>
    </form>
  )
}

function BulkFields({ place, issues, labels, carried, milestones, people, assigned }: Props) {
  return (
    <form class="fields" method="post" action={bulkAddress(place)}>
      <Return place={place} />
      {issues.map(({ number }) => (
        <input type="hidden" name="issues" value={number} />
      ))}
      <Labels name="labels" title="Add labels" labels={labels} />
      <Labels name="labels_removed" title="Remove labels" labels={carried} />
      <label>
        Milestone
        <select name="milestone">
          <option value={SAME}>No change</option>
          <option value="0">None</option>
          {milestones.map(({ id, title }) => (
            <option value={id}>{title}</option>
          ))}
        </select>
      </label>
      <People name="assignees" title="Add assignees" people={people} />
      <People name="assignees_removed" title="Remove assignees" people={assigned} />
      <label>
        State
        <select name="action">
          <option value="">No change</option>
          <option value="close">Closed</option>
          <option value="reopen">Open</option>
        </select>
      </label>
      <SubmitButton>{`Update ${issues.length === 1 ? words[place.kind].one : words[place.kind].many}`}</SubmitButton>
    </form>
  )
}

function Labels({ name, title, labels }: { name: string; title: string; labels: readonly LabelRow[] }) {
  return labels.length === 0 ? null : (
    <fieldset>
      <legend>{title}</legend>
      {labels.map((label) => (
        <label class="choice">
          <input type="checkbox" name={name} value={label.id} /> <LabelMark label={label} />
        </label>
      ))}
    </fieldset>
  )
}

function People({ name, title, people }: { name: string; title: string; people: readonly string[] }) {
  return people.length === 0 ? null : (
    <fieldset>
      <legend>{title}</legend>
      {people.map((one) => (
        <label class="choice">
          <input type="checkbox" name={name} value={one} /> {one}
        </label>
      ))}
    </fieldset>
  )
}
