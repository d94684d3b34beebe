import { ActionButton, Choice, Select, SubmitButton, TextArea, TextField, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import type { MergeStyle, PullRow } from '#work/pulls/index.ts'
import { MergeReasons, MergeTrouble } from './merge-words.tsx'
import { type Outlook, styleNames } from './outlook.ts'

interface Props {
  visit: Visit
  address: string
  issue: IssueRow
  pull: PullRow
  outlook: Outlook
  /** Why the last try did not succeed. */
  error: string | undefined
}

/** Merges a pull request, or says why that is not possible; once it is closed, takes its branch away. */
export function MergeBox({ visit, address, issue, pull, outlook, error }: Props) {
  if (issue.is_closed === 1) return <AfterMerge address={address} pull={pull} outlook={outlook} error={error} />
  const { styles, laterStyles, obstacles, updates } = outlook
  const isOwnDraft = outlook.isDraft && outlook.mayEdit
  return (
    <section class="written merge" aria-label="Merge">
      <MergeTrouble said={error} address={address} baseBranch={pull.base_branch} />
      {styles.length === 0 && !isOwnDraft && (
        <MergeReasons
          words="This cannot be merged now"
          said={obstacles.length > 0 ? obstacles : ['no way of merging is allowed here.']}
          address={address}
          baseBranch={pull.base_branch}
        />
      )}
      {isOwnDraft && <ReadyForm address={address} />}
      {styles.map((style, i) => (
        <details name="merge" open={i === 0}>
          <summary>{styleNames[style]}</summary>
          {style === 'fast-forward-only' && outlook.isDiverged ? <NoFastForward pull={pull} /> : <MergeForm {...{ address, pull, outlook, style }} />}
        </details>
      ))}
      {outlook.isContrary && updates.includes('merge') && (
        <p>
          {isOwnDraft && 'Its changes are in conflict with the branch. '}
          <a href={`${address}/conflicts`}>Solve the conflicts here</a>
        </p>
      )}
      {laterStyles.length > 0 && <LaterForm address={address} outlook={outlook} />}
      <Scheduled visit={visit} address={address} outlook={outlook} />
      {updates.length > 0 && <UpdateForm address={address} pull={pull} updates={updates} />}
      {outlook.isBehindOthers && (
        <p class="faint">
          <code>{pull.head_branch}</code> lacks commits of <code>{pull.base_branch}</code>; only who may push to it can bring it up to date.
        </p>
      )}
    </section>
  )
}

function ReadyForm({ address }: Pick<Props, 'address'>) {
  return (
    <form class="buttons" method="post" action={`${address}/draft`}>
      <span>This is still a draft.</span>
      <button class="primary" type="submit" name="action" value="ready">
        Ready for review
      </button>
    </form>
  )
}

/** The other way round, for the side of the page. */
export function DraftButton({ address }: Pick<Props, 'address'>) {
  return (
    <ActionButton action={`${address}/draft`} name="action" value="draft">
      Convert to draft
    </ActionButton>
  )
}

/** What is pushed until then is merged along: no head is named. */
function LaterForm({ address, outlook: { laterStyles, deletesBranch } }: Pick<Props, 'address' | 'outlook'>) {
  return (
    <details name="merge">
      <summary>Merge when it is possible</summary>
      <form class="fields" method="post" action={`${address}/merge`}>
        <p class="faint">It is merged by itself, in your name, as soon as its checks have succeeded and its reviews allow it.</p>
        <input type="hidden" name="merge_when_checks_succeed" value="true" />
        <Select name="do" label="How" options={laterStyles.map((style) => [style, styleNames[style] ?? style] as const)} />
        <Choice name="delete_branch_after_merge" label="Delete the branch afterwards" isOn={deletesBranch} />
        <SubmitButton>Merge when it is possible</SubmitButton>
      </form>
    </details>
  )
}

function Scheduled({ visit, address, outlook: { scheduled } }: Pick<Props, 'visit' | 'address' | 'outlook'>) {
  if (scheduled === undefined) return null
  const { by, style, mayCancel } = scheduled
  return (
    <form class="buttons" method="post" action={`${address}/cancel_auto_merge`}>
      <span>
        {by === undefined ? 'Somebody' : <a href={visit.to`/${by}`}>{by}</a>}
        {` has it merged as soon as its checks have succeeded and nothing else is in the way: ${styleNames[style] ?? style}.`}
      </span>
      {mayCancel && <button type="submit">Do not merge it then</button>}
    </form>
  )
}

function UpdateForm({ address, pull, updates }: Pick<Props, 'address' | 'pull'> & Pick<Outlook, 'updates'>) {
  return (
    <form class="buttons" method="post" action={`${address}/update`}>
      {updates.map((style) => (
        <button type="submit" name="style" value={style}>
          {style === 'merge' ? `Merge ${pull.base_branch} into this branch` : `Rebase it onto ${pull.base_branch}`}
        </button>
      ))}
    </form>
  )
}

/** What is left to do with one that is closed. */
function AfterMerge({ address, pull, outlook: { mayDelete, mayRevert }, error }: Pick<Props, 'address' | 'pull' | 'outlook' | 'error'>) {
  if (!mayDelete && !mayRevert && error === undefined) return null
  return (
    <section class="written" aria-label="Branch">
      <MergeTrouble said={error} address={address} baseBranch={pull.base_branch} />
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

function NoFastForward({ pull }: Pick<Props, 'pull'>) {
  return (
    <div class="fields">
      <p>
        <code>{pull.base_branch}</code> has new commits, so it cannot be fast-forwarded. Update <code>{pull.head_branch}</code> first.
      </p>
      <button type="submit" disabled>
        {styleNames['fast-forward-only']}
      </button>
    </div>
  )
}

function MergeForm({ address, pull, outlook, style }: Pick<Props, 'address' | 'pull' | 'outlook'> & { style: MergeStyle }) {
  const title = outlook.titles[style]
  const isRefused = outlook.obstacles.length > 0
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
      {isRefused && <MergeReasons words="The rules are against it" said={outlook.obstacles} address={address} baseBranch={pull.base_branch} />}
      {isRefused && (
        <label class="choice">
          <input type="checkbox" name="force_merge" value="true" required /> Merge it all the same
        </label>
      )}
      <Choice name="delete_branch_after_merge" label="Delete the branch afterwards" isOn={outlook.deletesBranch} />
      {!isRefused && <Choice name="merge_when_checks_succeed" label="Wait until its checks have succeeded" isOn={false} />}
      <SubmitButton>{styleNames[style] ?? 'Merge'}</SubmitButton>
    </form>
  )
}
