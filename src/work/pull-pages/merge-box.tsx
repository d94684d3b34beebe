import { Choice, SubmitButton, TextArea, TextField, Trouble } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import type { MergeStyle, PullRow } from '#work/pulls/index.ts'
import { MergeReason } from './merge-words.tsx'

/** Whether the viewer could merge. */
export interface Outlook {
  /** Those that are possible, the repository's usual one first; none when something is in the way. */
  styles: readonly MergeStyle[]
  /** Beside styles: what only an administrator can pass over. */
  obstacle: string | undefined
  /** Whether the branches may contradict each other. */
  isContrary?: boolean
  isScheduled: boolean
  deletesBranch: boolean
  /** What the commit of a merge says at first, by style; those that make none have none. */
  titles: Partial<Record<MergeStyle, string>>
  /** Whether the branch can be brought up to its base, as far as is known, by somebody who is signed in. */
  mayUpdate: boolean
  /** The branch is there, its changes are merged or given up, and the viewer may delete it. */
  mayDelete: boolean
  /** It is merged, and the viewer may make a branch that takes it back. */
  mayRevert: boolean
  mayEdit: boolean
}

export const styleNames: Partial<Record<MergeStyle, string>> = {
  merge: 'Make a merge commit',
  rebase: 'Rebase, then fast-forward',
  'rebase-merge': 'Rebase, then make a merge commit',
  squash: 'Make one commit of all',
  'fast-forward-only': 'Fast-forward only',
}

interface Props {
  address: string
  issue: IssueRow
  pull: PullRow
  outlook: Outlook
  /** Why the last try did not succeed. */
  error: string | undefined
}

/** Merges a pull request, or says why that is not possible; once it is closed, takes its branch away. */
export function MergeBox({ address, issue, pull, outlook, error }: Props) {
  if (issue.is_closed === 1) return <AfterMerge address={address} pull={pull} outlook={outlook} error={error} />
  return (
    <section class="written merge" aria-label="Merge">
      <Trouble text={error} />
      {outlook.styles.length === 0 && (
        <p>
          This cannot be merged now:{' '}
          <MergeReason
            said={outlook.obstacle ?? 'no way of merging is allowed here.'}
            address={address}
            baseBranch={pull.base_branch}
            mayEdit={outlook.mayEdit}
          />
        </p>
      )}
      {outlook.styles.map((style, i) => (
        <details name="merge" open={i === 0}>
          <summary>{styleNames[style]}</summary>
          <MergeForm {...{ address, pull, outlook, style }} />
        </details>
      ))}
      {outlook.isContrary && (
        <p>
          <a href={`${address}/conflicts`}>Solve the conflicts here</a>
        </p>
      )}
      {outlook.isScheduled && (
        <form method="post" action={`${address}/cancel_auto_merge`}>
          <p>It will be merged when its checks have succeeded.</p>
          <button type="submit">Do not merge it then</button>
        </form>
      )}
      {outlook.mayUpdate && <UpdateForm address={address} pull={pull} />}
    </section>
  )
}

function UpdateForm({ address, pull }: Pick<Props, 'address' | 'pull'>) {
  return (
    <form class="buttons" method="post" action={`${address}/update`}>
      <button type="submit" name="style" value="merge">
        {`Merge ${pull.base_branch} into this branch`}
      </button>
      <button type="submit" name="style" value="rebase">
        {`Rebase it onto ${pull.base_branch}`}
      </button>
    </form>
  )
}

/** What is left to do with one that is closed. */
function AfterMerge({ address, pull, outlook: { mayDelete, mayRevert }, error }: Pick<Props, 'address' | 'pull' | 'outlook' | 'error'>) {
  if (!mayDelete && !mayRevert && error === undefined) return null
  return (
    <section class="written" aria-label="Branch">
      <Trouble text={error} />
      {mayDelete && (
        <form method="post" action={`${address}/delete_branch`}>
          <p>
            The branch <code>{pull.head_branch}</code> is no longer needed for this.
          </p>
          <button class="danger" type="submit">
            Delete the branch
          </button>
        </form>
      )}
      {mayRevert && (
        <form method="post" action={`${address}/revert`}>
          <p>A branch can be made that takes back what this brought, for a pull request of its own.</p>
          <button type="submit">Revert</button>
        </form>
      )}
    </section>
  )
}

function MergeForm({ address, pull, outlook, style }: Pick<Props, 'address' | 'pull' | 'outlook'> & { style: MergeStyle }) {
  const title = outlook.titles[style]
  return (
    <form class="fields" method="post" action={`${address}/merge`}>
      <input type="hidden" name="do" value={style} />
      <input type="hidden" name="head_commit_id" value={pull.head_oid} />
      {title !== undefined && (
        <>
          <TextField name="merge_title_field" label="Title of the commit" value={title} most={4096} />
          <TextArea name="merge_message_field" label="Text of the commit" />
        </>
      )}
      {outlook.obstacle !== undefined && (
        <label class="choice">
          <input type="checkbox" name="force_merge" value="true" required />
          {' Although a rule is against it: '}
          <MergeReason said={outlook.obstacle} address={address} baseBranch={pull.base_branch} mayEdit={outlook.mayEdit} />
        </label>
      )}
      <Choice name="delete_branch_after_merge" label="Delete the branch afterwards" isOn={outlook.deletesBranch} />
      <Choice name="merge_when_checks_succeed" label="Wait until its checks have succeeded" isOn={false} />
      <SubmitButton>{styleNames[style] ?? 'Merge'}</SubmitButton>
    </form>
  )
}
