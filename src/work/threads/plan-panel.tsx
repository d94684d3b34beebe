import { LabelMark, Time, type Visit } from '#web/index.ts'
import type { ThreadView } from './view.ts'

interface Props {
  visit: Visit
  view: ThreadView
  address: string
}

/** What is planned for an issue, and for who may, how that is changed. */
export function PlanPanel({ visit, view, address }: Props) {
  const { issue, choices, rights } = view
  return (
    <aside class="plan" aria-label="Plan">
      <h2>Labels</h2>
      <p>{issue.labels.length === 0 ? <span class="faint">None</span> : issue.labels.map((one) => <LabelMark label={one} />)}</p>
      <h2>Milestone</h2>
      <p>{issue.milestone?.title ?? <span class="faint">None</span>}</p>
      <h2>Assigned to</h2>
      <p>
        {(issue.assignees ?? []).map(({ login }) => (
          <>
            <a href={visit.to`/${login}`}>{login}</a>{' '}
          </>
        ))}
        {issue.assignees === null && <span class="faint">Nobody</span>}
      </p>
      <h2>Due</h2>
      <p>{issue.due_date ? <Time at={Date.parse(issue.due_date) / 1000} /> : <span class="faint">No date</span>}</p>
      {choices && <PlanForm view={view} choices={choices} address={address} />}
      {rights.self !== undefined && (
        <form method="post" action={`${address}/subscription`}>
          <button type="submit" name="action" value={view.isSubscribed ? 'unsubscribe' : 'subscribe'}>
            {view.isSubscribed ? 'Stop notifying me' : 'Notify me'}
          </button>
        </form>
      )}
      {rights.administers && <Administration view={view} address={address} />}
    </aside>
  )
}

function PlanForm({ view: { issue }, choices, address }: Pick<Props, 'view' | 'address'> & { choices: NonNullable<ThreadView['choices']> }) {
  const has = new Set(issue.labels.map(({ id }) => id))
  const assigned = new Set(issue.assignees?.map(({ login }) => login))
  return (
    <details>
      <summary>Change</summary>
      <form class="fields" method="post" action={`${address}/plan`}>
        <fieldset>
          <legend>Labels</legend>
          {choices.labels.map((label) => (
            <label class="choice">
              <input type="checkbox" name="labels" value={label.id} checked={has.has(label.id)} /> <LabelMark label={label} />
            </label>
          ))}
          {choices.labels.length === 0 && <span class="faint">There are none yet.</span>}
        </fieldset>
        <label>
          Milestone
          <select name="milestone">
            <option value="0">None</option>
            {issue.milestone?.state === 'closed' && (
              <option value={issue.milestone.id} selected>
                {issue.milestone.title}
              </option>
            )}
            {choices.milestones.map(({ id, title }) => (
              <option value={id} selected={issue.milestone?.id === id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>Assigned to</legend>
          {choices.people.map((name) => (
            <label class="choice">
              <input type="checkbox" name="assignees" value={name} checked={assigned.has(name)} /> {name}
            </label>
          ))}
        </fieldset>
        <label>
          Due
          <input type="date" name="due" value={issue.due_date?.slice(0, 10)} />
        </label>
        <button class="primary" type="submit">
          Save
        </button>
      </form>
    </details>
  )
}

function Administration({ view: { issue }, address }: Pick<Props, 'view' | 'address'>) {
  return (
    <form class="buttons" method="post" action={`${address}/administer`}>
      <button type="submit" name="action" value={issue.is_locked ? 'unlock' : 'lock'}>
        {issue.is_locked ? 'Unlock' : 'Lock'}
      </button>
      <button type="submit" name="action" value={issue.pin_order > 0 ? 'unpin' : 'pin'}>
        {issue.pin_order > 0 ? 'Unpin' : 'Pin'}
      </button>
      <details>
        <summary>Delete</summary>
        <button class="danger" type="submit" name="action" value="delete">
          {`Delete #${issue.number} for ever`}
        </button>
      </details>
    </form>
  )
}
