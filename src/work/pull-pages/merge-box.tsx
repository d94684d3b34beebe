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
          words="Merging is blocked"
          said={obstacles.length > 0 ? obstacles : ['No merge style is enabled in this repository.']}
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
          {isOwnDraft && 'This branch has conflicts that must be resolved. '}
          <a href={`${address}/conflicts`}>Resolve conflicts</a>
        </p>
      )}
      {laterStyles.length > 0 && <LaterForm address={address} outlook={outlook} />}
      <Scheduled visit={visit} address={address} outlook={outlook} />
      {updates.length > 0 && <UpdateForm address={address} updates={updates} />}
      {outlook.isBehindOthers && (
        <p class="faint">
          <code>{pull.head_branch}</code> is out of date with <code>{pull.base_branch}</code>. Only users who can push to <code>{pull.head_branch}</code> can
          update it.
        </p>
      )}
    </section>
  )
}

function ReadyForm({ address }: Pick<Props, 'address'>) {
  return (
    <form class="buttons" method="post" action={`${address}/draft`}>
      <span>This pull request is still a draft.</span>
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
      <summary>Auto-merge when checks succeed</summary>
      <form class="fields" method="post" action={`${address}/merge`}>
        <p class="faint">The server merges this pull request in your name when all required checks succeed and its reviews allow merging.</p>
        <input type="hidden" name="merge_when_checks_succeed" value="true" />
        <Select name="do" label="Merge style" options={laterStyles.map((style) => [style, styleNames[style] ?? style] as const)} />
        <Choice name="delete_branch_after_merge" label="Delete branch after merge" isOn={deletesBranch} />
        <SubmitButton>Enable auto-merge</SubmitButton>
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
        {by === undefined ? 'Ghost' : <a href={visit.to`/${by}`}>{by}</a>}
        {` enabled auto-merge (${styleNames[style] ?? style}). The server merges this pull request when its checks succeed and nothing else blocks it.`}
      </span>
      {mayCancel && <button type="submit">Disable auto-merge</button>}
    </form>
  )
}

function UpdateForm({ address, updates }: Pick<Props, 'address'> & Pick<Outlook, 'updates'>) {
  return (
    <form class="buttons" method="post" action={`${address}/update`}>
      {updates.map((style) => (
        <button type="submit" name="style" value={style}>
          {`Update branch (${style})`}
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
            The branch <code>{pull.head_branch}</code> can be deleted.
          </p>
          <button class="danger" type="submit">
            Delete branch
          </button>
        </form>
      )}
      {mayRevert && (
        <form method="post" action={`${address}/revert`}>
          <p>A revert creates a new branch with a commit that undoes these changes. You can then open a pull request from it.</p>
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
          <TextField name="merge_title_field" label="Commit title" value={title} most={4096} />
          <TextArea name="merge_message_field" label="Commit description" />
        </>
      )}
      {isRefused && <MergeReasons words="Branch protection rules block merging" said={outlook.obstacles} address={address} baseBranch={pull.base_branch} />}
      {isRefused && (
        <label class="choice">
          <input type="checkbox" name="force_merge" value="true" required /> Merge without waiting for requirements (bypass branch protection)
        </label>
      )}
      <Choice name="delete_branch_after_merge" label="Delete branch after merge" isOn={outlook.deletesBranch} />
      {!isRefused && <Choice name="merge_when_checks_succeed" label="Auto-merge when checks succeed" isOn={false} />}
      <SubmitButton>{styleNames[style] ?? 'Merge'}</SubmitButton>
    </form>
  )
}
