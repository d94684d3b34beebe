import type { EventBase } from '#kernel/events.ts'

export type IssueAction =
  | 'opened'
  | 'edited'
  | 'closed'
  | 'reopened'
  | 'deleted'
  | 'assigned'
  | 'unassigned'
  | 'label_updated'
  | 'label_cleared'
  | 'milestoned'
  | 'demilestoned'
  | 'deadline_changed'
  | 'locked'
  | 'unlocked'
  | 'pinned'
  | 'unpinned'
  | 'moved'
  | 'merged'
  | 'synchronized'
  | 'retargeted'

/** Something happened to an issue or a pull request; what it was about stands beside it, as it may be gone when this is read. */
export interface IssueEvent extends EventBase {
  type: 'issue'
  action: IssueAction
  repoId: number
  issueId: number
  number: number
  isPull: boolean
  title: string
  /** What was before, of an edit. */
  former?: { title?: string; body?: string; ref?: string }
  /** Whom it was given to or taken from. */
  assigneeId?: number
  labels?: { added: readonly number[]; removed: readonly number[] }
  milestoneId?: number
  formerMilestoneId?: number
  /** The commit that closed or reopened it. */
  commitOid?: string
  /** The timeline event of the closing or reopening. */
  entryId?: number
  /** Whether the merge was scheduled before its checks had succeeded. */
  isAutoMerge?: boolean
  /** Accounts that its new text mentions and that may read it. */
  mentioned?: readonly number[]
  /** Of one that was moved: where it was. */
  formerRepoId?: number
  formerNumber?: number
}

/** A comment was written, changed, deleted, or is there again. */
export interface CommentEvent extends EventBase {
  type: 'issue_comment'
  action: 'created' | 'edited' | 'deleted' | 'restored'
  repoId: number
  issueId: number
  number: number
  isPull: boolean
  commentId: number
  /** As it is now; of a deleted one as it was. */
  body: string
  former?: { body: string }
  mentioned?: readonly number[]
}
