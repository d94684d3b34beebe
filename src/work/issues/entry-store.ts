import type { Db, Row, Tx } from '#kernel/db.ts'

/** An entry of a timeline: a comment, or something that happened. */
export interface CommentRow {
  id: number
  issue_id: number
  repo_id: number
  type: EntryType
  poster_id: number | null
  body: string
  content_version: number
  label_id: number | null
  milestone_id: number | null
  old_milestone_id: number | null
  assignee_id: number | null
  is_removal: number
  old_text: string
  new_text: string
  dependent_issue_id: number | null
  ref_issue_id: number | null
  ref_comment_id: number | null
  ref_action: string
  commit_oid: string
  /** The repository of a commit that refers to the issue; null: the issue's own. */
  ref_repo_id: number | null
  time_id: number | null
  /** The review that it belongs to. */
  review_id: number | null
  /** The team that was asked for a review. */
  assignee_team_id: number | null
  created_at: number
  updated_at: number
}

/** Gitea's names of them. Source: `models/issues/comment.go`. */
export type EntryType =
  | 'comment'
  | 'reopen'
  | 'close'
  | 'issue_ref'
  | 'commit_ref'
  | 'comment_ref'
  | 'pull_ref'
  | 'label'
  | 'milestone'
  | 'assignees'
  | 'change_title'
  | 'start_tracking'
  | 'stop_tracking'
  | 'add_time_manual'
  | 'cancel_tracking'
  | 'delete_time_manual'
  | 'added_deadline'
  | 'modified_deadline'
  | 'removed_deadline'
  | 'add_dependency'
  | 'remove_dependency'
  | 'lock'
  | 'unlock'
  | 'change_issue_ref'
  | 'pin'
  | 'unpin'
  | 'change_time_estimate'
  | 'delete_branch'
  | 'change_target_branch'
  | 'pull_push'
  /** What a pull request was opened with. Timelines show it as `pull_push`; the versions of a pull request are counted without it. */
  | 'first_push'
  | 'merge_pull'
  | 'review'
  | 'review_request'
  | 'dismiss_review'
  /** A comment on a line of a pull request; not sent yet, it is seen by its author alone. */
  | 'code'
  | 'code_draft'
  | 'pull_scheduled_merge'
  | 'pull_cancel_scheduled_merge'

export type NewEntry = Pick<CommentRow, 'issue_id' | 'repo_id' | 'type' | 'poster_id' | 'created_at'> & Partial<CommentRow>

/** @returns its id */
export function insertEntry(tx: Tx, entry: NewEntry): number {
  return tx.insert('comment', { updated_at: entry.created_at, ...entry } as Row)
}

/** Finds a live entry by the repository that its issue is in: the entry may still follow the issue there. */
export function findEntry(db: Db, repoId: number, id: number): CommentRow | undefined {
  return db.find<CommentRow>('SELECT * FROM live_comment WHERE id = ? AND (SELECT repo_id FROM issue WHERE issue.id = issue_id) = ?', id, repoId)
}

/** What texts were, each once it was changed: with the first change what stood at the beginning. */
export function insertHistory(tx: Tx, row: { issue_id: number; comment_id: number | null; editor_id: number | null; body: string; created_at: number }): void {
  tx.insert('content_history', row)
}

export interface HistoryRow {
  id: number
  editor_id: number | null
  body: string
  created_at: number
}

/** Newest first; nothing of a text that was never edited. */
export function listHistory(db: Db, issueId: number, commentId: number | null): HistoryRow[] {
  return db.all<HistoryRow>(
    'SELECT id, editor_id, body, created_at FROM content_history WHERE issue_id = ? AND comment_id IS ? ORDER BY id DESC',
    issueId,
    commentId,
  )
}

export function hasHistory(db: Db, issueId: number, commentId: number | null): boolean {
  return db.find('SELECT 1 FROM content_history WHERE issue_id = ? AND comment_id IS ?', issueId, commentId) !== undefined
}
