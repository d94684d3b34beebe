import { SubmitButton, Trouble } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import type { MergeStyle, PullRow } from '#work/pulls/index.ts'

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

/** Merges a pull request, or says why that is not possible. */
export function MergeBox({ address, issue, pull, outlook, error }: Props) {
  if (issue.merged_at !== null || issue.is_closed === 1) return null
  return (
    <section class="written" aria-label="Merge">
      <Trouble text={error} />
      {outlook.styles.length === 0 ? (
        <p>{`This cannot be merged now: ${outlook.obstacle ?? 'no way of merging is allowed here.'}`}</p>
      ) : (
        <MergeForm {...{ address, pull, outlook }} />
      )}
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
      <form class="buttons" method="post" action={`${address}/update`}>
        <button type="submit" name="style" value="merge">
          {`Merge ${pull.base_branch} into this branch`}
        </button>
        <button type="submit" name="style" value="rebase">
          {`Rebase it onto ${pull.base_branch}`}
        </button>
      </form>
    </section>
  )
}

function MergeForm({ address, pull, outlook }: Pick<Props, 'address' | 'pull' | 'outlook'>) {
  return (
    <form class="fields" method="post" action={`${address}/merge`}>
      <input type="hidden" name="head_commit_id" value={pull.head_oid} />
      <label>
        How
        <select name="do">
          {outlook.styles.map((style) => (
            <option value={style}>{styleNames[style]}</option>
          ))}
        </select>
      </label>
      <details>
        <summary>Message of the commit</summary>
        <label>
          Title
          <input name="merge_title_field" maxlength="4096" placeholder="the usual one" />
        </label>
        <label>
          Text
          <textarea name="merge_message_field" rows="4" />
        </label>
      </details>
      {outlook.obstacle !== undefined && (
        <label class="choice">
          <input type="checkbox" name="force_merge" value="true" required /> {`Although a rule is against it: ${outlook.obstacle}`}
        </label>
      )}
      <label class="choice">
        <input type="checkbox" name="delete_branch_after_merge" value="true" checked={outlook.deletesBranch} /> Delete the branch afterwards
      </label>
      <label class="choice">
        <input type="checkbox" name="merge_when_checks_succeed" value="true" /> Wait until its checks have succeeded
      </label>
      <SubmitButton>Merge</SubmitButton>
    </form>
  )
}
