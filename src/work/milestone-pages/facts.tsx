import { atLeast, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { EditForm, type Html, Icon, numberText, Progress, SubmitButton, Time, type Visit } from '#web/index.ts'
import type { MilestoneRow } from '#work/milestones/index.ts'
import { renderText } from '#work/threads/index.ts'

/** Whether the viewer may change what milestones there are. */
export function mayWrite({ row, permission }: RepoAccess): boolean {
  return row.archived_at === null && (['issues', 'pulls'] as const).some((unit) => atLeast(permission.of(unit), 'write'))
}

/** What a milestone says of itself; undefined for nothing. */
export async function renderDescription(
  context: Pick<Context, 'services'>,
  visit: Visit,
  repo: RepoAccess,
  { id, description }: MilestoneRow,
): Promise<Html | undefined> {
  return description.trim() === '' ? undefined : renderText(context, visit, repo, description, id)
}

/** How far it is, and when it is due. @param now seconds since 1970 */
export function Facts({ visit, milestone, now }: { visit: Visit; milestone: MilestoneRow; now: number }) {
  const { title, due_at, closed_at, open_issue_count: open, closed_issue_count: closed } = milestone
  const isLate = due_at !== null && closed_at === null && due_at < now
  return (
    <>
      <Progress done={closed} all={open + closed} label={`Progress of ${title}`} />
      <div class="meta">
        <span>{`${open + closed === 0 ? 0 : Math.floor((closed / (open + closed)) * 100)}% complete`}</span>
        <span>
          <Icon visit={visit} name="issue-opened" />
          {`${numberText(open)} open`}
        </span>
        <span>
          <Icon visit={visit} name="check" />
          {`${numberText(closed)} closed`}
        </span>
        {due_at !== null && (
          <span class={isLate ? 'warn' : undefined}>
            <Icon visit={visit} name={isLate ? 'alert' : 'calendar'} />
            {isLate ? 'overdue since ' : 'due '}
            <Time at={due_at} dated />
          </span>
        )}
        {closed_at !== null && (
          <span>
            {'closed '}
            <Time at={closed_at} />
          </span>
        )}
      </div>
    </>
  )
}

/** The forms that change one. @param address of its own */
export function Changes({ address, milestone }: { address: string; milestone: MilestoneRow }) {
  return (
    <details>
      <summary class="quiet">Edit</summary>
      <MilestoneFields action={address} milestone={milestone} button="Save milestone" />
      <form class="buttons" method="post" action={`${address}/state`}>
        <button type="submit" name="action" value={milestone.closed_at === null ? 'close' : 'reopen'}>
          {milestone.closed_at === null ? 'Close milestone' : 'Reopen milestone'}
        </button>
        <button class="danger" type="submit" name="action" value="delete">
          Delete milestone
        </button>
      </form>
    </details>
  )
}

export function MilestoneFields({ action, milestone, button }: { action: string; milestone?: MilestoneRow; button: string }) {
  const due = milestone?.due_at ? new Date(milestone.due_at * 1000).toISOString().slice(0, 10) : undefined
  return (
    <EditForm class="fields" action={action} isNew={!milestone}>
      <label>
        Title
        <input name="title" value={milestone?.title} maxlength="255" dir="auto" required />
      </label>
      <label>
        Description
        <textarea name="description" rows="3" maxlength="65535" dir="auto">
          {`\n${milestone?.description ?? ''}`}
        </textarea>
      </label>
      <label>
        Due date
        <input name="due" type="date" value={due} />
      </label>
      <SubmitButton>{button}</SubmitButton>
    </EditForm>
  )
}
