import { lineOf, type Viewer, visibleTo } from '#access/index.ts'
import { type Condition, condition } from '#kernel/database/condition.ts'
import { question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface TopicWordRow {
  id: number
  name: string
  created_at: number
  updated_at: number
  /** Among the repositories that the viewer sees. */
  repo_count: number
}

/** The rows of `repository AS r` that have a topic of this name. */
export function hasTopic(name: string): Condition {
  return condition('r.id IN (SELECT repo_id FROM topic WHERE name = ?)', name)
}

/** By name. */
export function listTopics(db: Db, repoId: number, { limit, offset }: Pick<Page, 'limit' | 'offset'>): string[] {
  const rows = db.all<{ name: string }>('SELECT name FROM topic WHERE repo_id = ? ORDER BY name LIMIT ? OFFSET ?', repoId, limit, offset)
  return rows.map(({ name }) => name)
}

export function countTopics(db: Db, repoId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM topic WHERE repo_id = ?', repoId)?.n ?? 0
}

/** What it has already stays as it is. */
export function insertTopic(tx: Tx, repoId: number, name: string): void {
  tx.run('INSERT INTO topic (repo_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING', repoId, name)
}

/** Gives a repository the topics of another. */
export function copyTopics(tx: Tx, fromId: number, toId: number): void {
  tx.run('INSERT INTO topic (repo_id, name) SELECT ?, name FROM topic WHERE repo_id = ? ON CONFLICT DO NOTHING', toId, fromId)
}

/** @returns whether the repository had it */
export function removeTopic(tx: Tx, repoId: number, name: string): boolean {
  return tx.run('DELETE FROM topic WHERE repo_id = ? AND name = ?', repoId, name) > 0
}

/** Leaves the repository only those of its topics that are among `names`. */
export function keepTopics(tx: Tx, repoId: number, names: readonly string[]): void {
  tx.run('DELETE FROM topic WHERE repo_id = ? AND name NOT IN (SELECT value FROM json_each(?))', repoId, JSON.stringify(names))
}

/** Topics that hold `text`, the most used first; one that only repositories carry which the viewer does not see is hidden with them. */
export async function searchTopics(db: LongDb, viewer: Viewer, text: string, page: Page): Promise<{ rows: TopicWordRow[]; total: number }> {
  const { sql, values } = visibleTo(viewer)
  const from = `FROM topic_word JOIN topic ON topic.name = topic_word.name JOIN repository AS r ON r.id = topic.repo_id
    WHERE instr(topic_word.name, ?) > 0 AND ${sql}`
  const inOrder = `SELECT topic_word.*, count(*) AS repo_count ${from} GROUP BY topic_word.id ORDER BY repo_count DESC, topic_word.name LIMIT ? OFFSET ?`
  const { rows, counted } = await db.askAside(
    {
      rows: question<TopicWordRow>(inOrder, text, ...values, page.limit, page.offset),
      counted: question<{ n: number }>(`SELECT count(DISTINCT topic_word.id) AS n ${from}`, text, ...values),
    },
    lineOf(viewer),
  )
  return { rows, total: counted[0]?.n ?? 0 }
}
