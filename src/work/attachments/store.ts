import type { Db, Tx } from '#kernel/db.ts'

export interface AttachmentRow {
  id: number
  uuid: string
  repo_id: number
  issue_id: number
  comment_id: number | null
  uploader_id: number | null
  name: string
  size: number
  digest: string
  download_count: number
  created_at: number
}

export type HolderKind = 'issue' | 'comment'

const held = { issue: 'issue_id IN (SELECT value FROM json_each(?)) AND comment_id IS NULL', comment: 'comment_id IN (SELECT value FROM json_each(?))' }
const holder = { issue: 'issue_id', comment: 'comment_id' }

/** Those beside the texts of issues, or beside comments, oldest first; `holder_id` tells beside which. */
export function listAttachmentsOf(db: Db, kind: HolderKind, ids: readonly number[]): (AttachmentRow & { holder_id: number })[] {
  if (ids.length === 0) return []
  return db.all(`SELECT *, ${holder[kind]} AS holder_id FROM attachment WHERE ${held[kind]} ORDER BY id`, JSON.stringify(ids))
}

export function findAttachment(db: Db, kind: HolderKind, holderId: number, id: number): AttachmentRow | undefined {
  return db.find<AttachmentRow>(`SELECT * FROM attachment WHERE id = ? AND ${held[kind]}`, id, JSON.stringify([holderId]))
}

/** Excludes the attachments of deleted comments. */
const IS_LIVE = '(comment_id IS NULL OR EXISTS (SELECT 1 FROM live_comment AS c WHERE c.id = comment_id))'

export function findAttachmentByUuid(db: Db, uuid: string): AttachmentRow | undefined {
  return db.find<AttachmentRow>(`SELECT * FROM attachment WHERE uuid = ? AND ${IS_LIVE}`, uuid)
}

/** @returns its id */
export function insertAttachment(tx: Tx, row: Omit<AttachmentRow, 'id' | 'download_count'>): number {
  return tx.insert('attachment', { ...row })
}

export function renameAttachment(tx: Tx, id: number, name: string): void {
  tx.run('UPDATE attachment SET name = ? WHERE id = ?', name, id)
}

export function deleteAttachment(tx: Tx, id: number): void {
  tx.run('DELETE FROM attachment WHERE id = ?', id)
}

export function countDownload(tx: Tx, id: number): void {
  tx.run('UPDATE attachment SET download_count = download_count + 1 WHERE id = ?', id)
}

/** Those beside the text of an issue, in another repository with it. */
export function moveAttachments(tx: Tx, issueId: number, repoId: number): void {
  tx.run('UPDATE attachment SET repo_id = ? WHERE issue_id = ? AND comment_id IS NULL', repoId, issueId)
}

/** The same of comments. */
export function moveAttachmentsOf(tx: Tx, commentIds: readonly number[], repoId: number): void {
  tx.run(`UPDATE attachment SET repo_id = ? WHERE ${held.comment}`, repoId, JSON.stringify(commentIds))
}
