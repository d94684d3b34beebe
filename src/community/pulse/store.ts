import type { Db } from '#kernel/db.ts'

/** An issue or pull request that something happened to. */
export interface MovedIssue {
  number: number
  title: string
  is_pull: 0 | 1
  created_at: number
  closed_at: number | null
  merged_at: number | null
}

export interface PulseRelease {
  tag_name: string
  title: string
  created_at: number
}

/** Issues and pull requests that changed since `since` (seconds), the last change first. */
export function listMoved(db: Db, repoId: number, since: number, limit: number): MovedIssue[] {
  return db.all<MovedIssue>(
    `SELECT number, title, is_pull, created_at, closed_at, merged_at FROM issue INDEXED BY issue_all_updated
     WHERE repo_id = ? AND updated_at >= ? ORDER BY updated_at DESC LIMIT ?`,
    repoId,
    since,
    limit,
  )
}

export function listPublished(db: Db, repoId: number, since: number, limit: number): PulseRelease[] {
  return db.all<PulseRelease>(
    'SELECT tag_name, title, created_at FROM release WHERE repo_id = ? AND created_at >= ? AND is_draft = 0 ORDER BY created_at DESC, id DESC LIMIT ?',
    repoId,
    since,
    limit,
  )
}
