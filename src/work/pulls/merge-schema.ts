import { type Static, t } from 'elysia'
import { Unprocessable } from '#kernel/errors.ts'
import { mergeStyles } from '#repositories/repos/index.ts'

const Line = t.Optional(t.String({ maxLength: 4096 }))
const Message = t.Optional(t.String({ maxLength: 1_048_576 }))
const Style = t.Optional(t.String({ maxLength: 40, description: mergeStyles.join(', ') }))
const Flag = t.Optional(t.Boolean())

/** Older clients spell the first fields as Go does. */
export const MergePullRequestOption = t.Object(
  {
    do: Style,
    merge_title_field: Line,
    merge_message_field: Message,
    merge_commit_id: Line,
    head_commit_id: Line,
    delete_branch_after_merge: Flag,
    force_merge: Flag,
    merge_when_checks_succeed: Flag,
    Do: Style,
    MergeTitleField: Line,
    MergeMessageField: Message,
    MergeCommitID: Line,
  },
  { $id: 'MergePullRequestOption' },
)

const Text = t.Optional(t.String())

/** What every error has, and of a conflict Gitea's own record: the style, and the commit that does not apply. */
export const APIMergeConflictError = t.Object(
  { message: t.String(), url: t.String(), Style: Text, StdOut: Text, StdErr: Text, Err: Text, CommitSHA: Text },
  { $id: 'APIMergeConflictError' },
)

export type MergeStyle = (typeof mergeStyles)[number]

/** How a pull request is to be merged. */
export interface MergeTerms {
  style: MergeStyle
  title: string | undefined
  message: string | undefined
  mergeOid: string | undefined
  headOid: string | undefined
  deletesBranch: boolean | undefined
  /** Whether what the rules of the branch ask for is to be passed over. */
  isForced?: boolean
  /** Whether the merge was scheduled until its checks succeed. */
  isScheduled?: boolean
}

/** @throws Unprocessable without a style, or with one that is none */
export function parseMerge(body: Static<typeof MergePullRequestOption>): MergeTerms {
  const asked = body.do ?? body.Do
  const style = mergeStyles.find((one) => one === asked)
  if (style === undefined) throw new Unprocessable(`[Do]: expected one of ${mergeStyles.join(', ')}`)
  return {
    style,
    title: body.merge_title_field || body.MergeTitleField || undefined,
    message: body.merge_message_field || body.MergeMessageField || undefined,
    mergeOid: body.merge_commit_id || body.MergeCommitID || undefined,
    headOid: body.head_commit_id || undefined,
    deletesBranch: body.delete_branch_after_merge,
    isForced: body.force_merge === true,
  }
}
