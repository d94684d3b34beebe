import type { Db, Tx } from '#kernel/db.ts'

export const opTypes = [
  'create_repo',
  'rename_repo',
  'transfer_repo',
  'commit_repo',
  'push_tag',
  'delete_tag',
  'delete_branch',
  'create_issue',
  'comment_issue',
  'close_issue',
  'reopen_issue',
  'create_pull_request',
  'comment_pull',
  'close_pull_request',
  'reopen_pull_request',
  'merge_pull_request',
  'auto_merge_pull_request',
  'approve_pull_request',
  'reject_pull_request',
  'pull_review_dismissed',
  'publish_release',
] as const

export interface ActivityRow {
  id: number
  op_type: (typeof opTypes)[number]
  actor_id: number
  repo_id: number
  /** In full, but of a release, which has its tag's name; empty for what is not about a ref. */
  ref_name: string
  /** Of a push, what the ref pointed to before and after it: object ids, zero before a ref was there. Else empty. */
  before_oid: string
  after_oid: string
  /** Null: the pushed commits are still to be read from the repository. */
  content: string | null
  comment_id: number | null
  created_at: number
  event_id: number
}

/** What an event says by itself. */
export type NewActivity = Omit<ActivityRow, 'id' | 'actor_id' | 'repo_id' | 'created_at' | 'event_id'>

export interface Place {
  /** Of the last event of which all is made. */
  event_id: number
  /** How many activities of the next one are made. */
  made: number
}

export function getPlace(db: Db): Place {
  return db.find<Place>('SELECT event_id, made FROM activity_place') ?? { event_id: 0, made: 0 }
}

/** Whether there are events that were not looked at yet: lists ask that each time. */
export function hasUnreadEvents(db: Db): boolean {
  return db.lookUp('SELECT 1 FROM event WHERE id > (SELECT event_id FROM activity_place) LIMIT 1') !== undefined
}

export function setPlace(tx: Tx, { event_id, made }: Place): void {
  tx.run('UPDATE activity_place SET event_id = ?, made = ?', event_id, made)
}

/** Unless the repository or whoever did it is gone already. */
export function insertActivity(tx: Tx, row: Omit<ActivityRow, 'id'>): void {
  tx.run(
    `INSERT INTO activity (op_type, actor_id, repo_id, ref_name, before_oid, after_oid, content, comment_id, created_at, event_id)
     SELECT ?, user.id, repository.id, ?, ?, ?, ?, ?, ?, ? FROM user JOIN repository WHERE user.id = ? AND repository.id = ?`,
    row.op_type,
    row.ref_name,
    row.before_oid,
    row.after_oid,
    row.content,
    row.comment_id,
    row.created_at,
    row.event_id,
    row.actor_id,
    row.repo_id,
  )
}

/** Pushes whose commits are still to be read, after the one with id `after`. */
export function listUnread(db: Db, after: number, limit: number): ActivityRow[] {
  return db.all<ActivityRow>('SELECT * FROM activity WHERE content IS NULL AND id > ? ORDER BY id LIMIT ?', after, limit)
}

export function setContent(tx: Tx, id: number, content: string): void {
  tx.run('UPDATE activity SET content = ? WHERE id = ?', content, id)
}
