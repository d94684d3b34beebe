import type { Db, Tx } from '#kernel/db.ts'
import { indexed } from './search-words.ts'

interface IssueText {
  id: number
  repo_id: number
  title: string
  body: string
}

interface CommentText {
  id: number
  repo_id: number
  body: string
}

/** The word that stands for a repository in the index, so that a search in one reads nothing of the others. */
function repoWord(repoId: number): string {
  return `r${repoId}`
}

export function indexIssue(tx: Tx, { id, repo_id, title, body }: IssueText): void {
  tx.run('INSERT OR REPLACE INTO issue_search (rowid, title, body, repo) VALUES (?, ?, ?, ?)', id, indexed(title), indexed(body), repoWord(repo_id))
}

export function indexComment(tx: Tx, { id, repo_id, body }: CommentText): void {
  tx.run('INSERT OR REPLACE INTO comment_search (rowid, body, repo) VALUES (?, ?, ?)', id, indexed(body), repoWord(repo_id))
}

/** How many issues and comments the index lacks, or has too many. */
export function countUnindexed(db: Db): number {
  const sql = `SELECT
    (SELECT count(*) FROM issue WHERE id NOT IN (SELECT id FROM issue_search_docsize)) + (SELECT count(*) FROM issue_search_docsize WHERE id NOT IN (SELECT id FROM issue)) +
    (SELECT count(*) FROM live_comment WHERE type = 'comment' AND id NOT IN (SELECT id FROM comment_search_docsize)) +
    (SELECT count(*) FROM comment_search_docsize WHERE id NOT IN (SELECT id FROM live_comment WHERE type = 'comment')) AS n`
  return db.find<{ n: number }>(sql)?.n ?? 0
}

/** Makes the index anew from what is indexed. */
export function rebuildIndex(tx: Tx): void {
  tx.run("INSERT INTO issue_search (issue_search) VALUES ('delete-all')")
  tx.run("INSERT INTO comment_search (comment_search) VALUES ('delete-all')")
  for (const row of eachRow<IssueText>(tx, 'SELECT id, repo_id, title, body FROM issue WHERE id > ? ORDER BY id LIMIT 500')) indexIssue(tx, row)
  const comments = "SELECT id, repo_id, body FROM live_comment WHERE type = 'comment' AND id > ? ORDER BY id LIMIT 500"
  for (const row of eachRow<CommentText>(tx, comments)) indexComment(tx, row)
}

function* eachRow<T extends { id: number }>(db: Db, sql: string): Generator<T> {
  let rows = db.all<T>(sql, 0)
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield* rows
    rows = db.all<T>(sql, last.id)
  }
}
