import type { EventBase } from '#kernel/events.ts'

/** Something happened to a review of a pull request; what it was about stands beside it, as it may be gone when this is read. */
export interface ReviewEvent extends EventBase {
  type: 'pull_review'
  action: 'submitted' | 'dismissed' | 'undismissed' | 'deleted' | 'requested' | 'request_removed'
  repoId: number
  issueId: number
  number: number
  title: string
  reviewId: number
  /** What it says. */
  state: 'APPROVED' | 'COMMENT' | 'REQUEST_CHANGES' | 'REQUEST_REVIEW' | 'PENDING'
  /** Its words; of a dismissal, why. */
  body: string
  /** Whose it is, or who is asked. */
  reviewerId?: number
  /** The team that is asked. */
  teamId?: number
  /** The head that it is about. */
  commitOid?: string
  /** The entry of the timeline. */
  entryId?: number
  /** Comments on lines that were sent with it. */
  commentIds?: readonly number[]
  /** Accounts that its words mention and that may read them. */
  mentioned?: readonly number[]
}
