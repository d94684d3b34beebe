import { Avatar, type Child, EditForm, Icon, LabelMark, Time, type Visit } from '#web/index.ts'
import { isCut, MAX_CHOICES, type Planned } from './choices.ts'
import { DependencyPanel } from './dependency-panel.tsx'
import { TimePanel } from './time-panel.tsx'
import type { ThreadView } from './view.ts'

interface Props {
  visit: Visit
  view: ThreadView
  address: string
  /** What else can be done. */
  children?: Child
}

/** What is planned for an issue, and for who may, how that is changed. */
export function PlanPanel({ visit, view, address, children }: Props) {
  const { issue, choices, rights } = view
  return (
    <aside class="plan" aria-label="Details">
      <Part title="Labels" none="None">
        {issue.labels.map((one) => (
          <LabelMark label={one} />
        ))}
      </Part>
      <Part title="Milestone" none="None">
        {issue.milestone && [
          <a href={visit.to`/${view.repo.owner.name}/${view.repo.row.name}/milestone/${issue.milestone.id}`}>
            <Icon visit={visit} name="milestone" />
            {issue.milestone.title}
          </a>,
        ]}
      </Part>
      <Part title="Assignees" none="No one">
        {issue.assignees?.map((one) => (
          <a href={visit.to`/${one.login}`}>
            <Avatar visit={visit} of={one} />
            {one.login}
          </a>
        ))}
      </Part>
      <Part title="Due date" none="None">
        {issue.due_date && [
          <span>
            <Icon visit={visit} name="calendar" /> <Time at={Date.parse(issue.due_date) / 1000} dated />
          </span>,
        ]}
      </Part>
      {choices && <PlanForm visit={visit} view={view} choices={choices} address={address} />}
      {view.dependencies && <DependencyPanel visit={visit} view={view} dependencies={view.dependencies} address={address} />}
      {view.times && <TimePanel visit={visit} view={view} times={view.times} address={address} />}
      {children}
      {rights.self !== undefined && (
        <form method="post" action={`${address}/subscription`}>
          <button type="submit" name="action" value={view.isSubscribed ? 'unsubscribe' : 'subscribe'}>
            <Icon visit={visit} name="bell" />
            {view.isSubscribed ? 'Unsubscribe' : 'Subscribe'}
          </button>
        </form>
      )}
      {rights.administers && <Administration visit={visit} view={view} address={address} />}
    </aside>
  )
}

/** @param none what is said where there is nothing */
function Part({ title, none, children }: { title: string; none: string; children?: readonly Child[] | null | '' | undefined }) {
  return (
    <section>
      <h2>{title}</h2>
      <p>{children && children.length > 0 ? children : <span class="faint">{none}</span>}</p>
    </section>
  )
}

/** With what the issue is planned as, which may not be among the first ones, or not be chosen any more: saving the form takes nothing away unasked. */
function withPlanOf({ labels, milestones, people }: NonNullable<ThreadView['choices']>, { issue }: ThreadView): NonNullable<ThreadView['choices']> {
  const assignees = issue.assignees?.map(({ login }) => login) ?? []
  return {
    labels: [...issue.labels.filter(({ id }) => !labels.some((one) => one.id === id)), ...labels],
    milestones,
    people: people.length < MAX_CHOICES ? people : [...assignees.filter((name) => !people.includes(name)), ...people],
  }
}

function PlanForm({ visit, view, choices, address }: Pick<Props, 'visit' | 'view' | 'address'> & { choices: NonNullable<ThreadView['choices']> }) {
  const { repo, issue } = view
  const assignees = issue.assignees?.map(({ login }) => login) ?? []
  const planned = { labels: issue.labels.map(({ id }) => id), milestone: issue.milestone?.id, assignees }
  const other = choices.milestones.some(({ id }) => id === issue.milestone?.id) ? undefined : (issue.milestone ?? undefined)
  const kind = issue.pull_request ? 'pulls' : 'issues'
  return (
    <details>
      <summary>
        <Icon visit={visit} name="pencil" />
        Edit details
      </summary>
      <EditForm class="fields" action={`${address}/plan`}>
        <PlanFields choices={withPlanOf(choices, view)} planned={planned} other={other} />
        <label>
          Due date
          <input type="date" name="due" value={issue.due_date?.slice(0, 10)} />
        </label>
        <button class="primary" type="submit">
          Save
        </button>
        {isCut(choices) && (
          <a href={visit.to`/${repo.owner.name}/${repo.row.name}/${kind}/bulk?issues=${issue.number}`}>Find more labels, milestones and assignees</a>
        )}
      </EditForm>
    </details>
  )
}

interface PlanFieldsProps {
  choices: NonNullable<ThreadView['choices']>
  planned: Planned
  /** The issue's milestone, where that is none of these: closed, or behind the first ones. */
  other?: { id: number; title: string } | undefined
}

/** Labels, milestone and assignees, to be chosen. */
export function PlanFields({ choices, planned, other }: PlanFieldsProps) {
  return (
    <>
      <fieldset>
        <legend>Labels</legend>
        {choices.labels.map((label) => (
          <label class="choice">
            <input type="checkbox" name="labels" value={label.id} checked={planned.labels.includes(label.id)} /> <LabelMark label={label} />
          </label>
        ))}
        {choices.labels.length === 0 && <span class="faint">No labels yet</span>}
      </fieldset>
      <label>
        Milestone
        <select name="milestone">
          <option value="0">None</option>
          {other && (
            <option value={other.id} selected>
              {other.title}
            </option>
          )}
          {choices.milestones.map(({ id, title }) => (
            <option value={id} selected={planned.milestone === id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <fieldset>
        <legend>Assignees</legend>
        {choices.people.map((name) => (
          <label class="choice">
            <input type="checkbox" name="assignees" value={name} checked={planned.assignees.includes(name)} /> {name}
          </label>
        ))}
      </fieldset>
    </>
  )
}

function Administration({ visit, view: { issue }, address }: Pick<Props, 'visit' | 'view' | 'address'>) {
  const kind = issue.pull_request ? 'pull request' : 'issue'
  return (
    <form class="buttons" method="post" action={`${address}/administer`}>
      <button type="submit" name="action" value={issue.is_locked ? 'unlock' : 'lock'}>
        <Icon visit={visit} name={issue.is_locked ? 'unlock' : 'lock'} />
        {issue.is_locked ? 'Unlock conversation' : 'Lock conversation'}
      </button>
      <button type="submit" name="action" value={issue.pin_order > 0 ? 'unpin' : 'pin'}>
        <Icon visit={visit} name="pin" />
        {`${issue.pin_order > 0 ? 'Unpin' : 'Pin'} ${kind}`}
      </button>
      <details>
        <summary>
          <Icon visit={visit} name="trash" />
          {`Delete ${kind}`}
        </summary>
        <button class="danger" type="submit" name="action" value="delete">
          {`Delete #${issue.number} permanently`}
        </button>
      </details>
    </form>
  )
}
