import type { RepoAccess, UserRow, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { type EntryType, insertEntry, type NewEntry } from './entry-store.ts'
import type { CommentEvent, IssueEvent } from './events.ts'
import { findIssueById, type IssueRow, updateIssue } from './store.ts'

/** Somebody does something to an issue: who, where, and when it is dated. */
export interface Deed {
  context: Context
  doer: UserRow
  repo: RepoAccess
  at: number
  /** The accounts whose rights references to other repositories use; all of them must have the right. Absent: references act in their own repository only. */
  elsewhere?: readonly Viewer[] | undefined
  /** Whether the date was asked for, by who may. */
  isDated?: boolean
}

/** Adds an entry to the issue's timeline. @returns its id */
export function addEntry(tx: Tx, { doer, at }: Deed, issue: IssueRow, type: EntryType, more: Partial<NewEntry> = {}): number {
  return insertEntry(tx, { issue_id: issue.id, repo_id: issue.repo_id, type, poster_id: doer.id, created_at: at, ...more })
}

/** Changes the issue's row, which is dated with it. @returns the row as it is now */
export function change(tx: Tx, { at }: Deed, issue: IssueRow, columns: Partial<IssueRow> = {}): IssueRow {
  updateIssue(tx, issue.id, { ...columns, updated_at: at })
  return findIssueById(tx, issue.id) as IssueRow
}

export function announce(
  tx: Tx,
  { context, doer }: Deed,
  issue: IssueRow,
  action: IssueEvent['action'],
  more: Partial<Omit<IssueEvent, 'type' | 'action'>> = {},
): void {
  const { id: issueId, repo_id: repoId, number, title, is_pull } = issue
  context.events.record(tx, { type: 'issue', action, actorId: doer.id, repoId, issueId, number, isPull: is_pull === 1, title, ...more })
}

export function announceComment(
  tx: Tx,
  { context, doer }: Deed,
  issue: IssueRow,
  action: CommentEvent['action'],
  more: Pick<CommentEvent, 'commentId' | 'body' | 'former' | 'mentioned'>,
): void {
  const { id: issueId, repo_id: repoId, number, is_pull } = issue
  context.events.record(tx, { type: 'issue_comment', action, actorId: doer.id, repoId, issueId, number, isPull: is_pull === 1, ...more })
}
