import { expect, test } from 'bun:test'
import { migrate } from '#kernel/database/migrate.ts'
import type { Database } from '#kernel/db.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { restore } from '#repositories/deletions/soft-delete.ts'
import { slices } from '#slices.ts'
import { FormerDeletion, storeBeforeSoftDeletion } from './former-deletions.ts'

const [ADA, BOB, REPO, DIGEST] = [1, 2, 1, 'd'.repeat(64)]
const at = { created_at: 100, updated_at: 100 }

/** A repository with two labels, two milestones, two issues and a pull request, on which people wrote. */
function fill(db: Database) {
  return db.tx((tx) => {
    const label = (name: string) => tx.insert('label', { repo_id: REPO, name, description: `what ${name} means`, color: 'aabbcc', is_exclusive: 1, ...at })
    const milestone = (title: string) => tx.insert('milestone', { repo_id: REPO, title, description: 'soon', due_at: 900, ...at })
    const [bug, other, v1, v2] = [label('bug'), label('other'), milestone('v1'), milestone('v2')]
    const issue = (number: number, more: object) =>
      tx.insert('issue', { repo_id: REPO, number, title: `Gear ${number}`, poster_id: ADA, milestone_id: v1, ...at, ...more })
    const [one, two, pull] = [issue(101, {}), issue(102, { is_closed: 1, closed_at: 200 }), issue(103, { is_pull: 1, milestone_id: v2 })]
    tx.insert('pull', { issue_id: pull, repo_id: REPO, base_branch: 'main', head_branch: 'topic', head_oid: 'a'.repeat(40) })
    for (const issue_id of [one, two, pull]) for (const label_id of [bug, other]) tx.insert('issue_label', { issue_id, label_id })
    const entry = (issue_id: number, type: string, more: object) => tx.insert('comment', { issue_id, repo_id: REPO, type, poster_id: ADA, ...at, ...more })
    for (const issue_id of [one, two]) entry(issue_id, 'label', { label_id: bug, body: '1' })
    entry(one, 'milestone', { milestone_id: v1 })
    entry(two, 'milestone', { milestone_id: v2, old_milestone_id: v1 })
    const words = entry(one, 'comment', { poster_id: BOB, body: 'It’s “rotten”', content_version: 2, updated_at: 150 })
    const more = entry(one, 'comment', { body: 'More' })
    for (const id of [words, more]) tx.run("INSERT INTO comment_search (rowid, body, repo) VALUES (?, 'x', 'r1')", id)
    for (const issue_id of [two, pull]) entry(issue_id, 'comment_ref', { ref_issue_id: one, ref_comment_id: words, ref_action: 'none' })
    for (const body of ['It', 'It’s “rotten”']) tx.insert('content_history', { issue_id: one, comment_id: words, editor_id: BOB, body, created_at: 100 })
    tx.insert('blob', { digest: DIGEST, size: 5 })
    tx.insert('attachment', {
      uuid: 'u-1',
      repo_id: REPO,
      issue_id: one,
      comment_id: words,
      uploader_id: BOB,
      name: 'a.txt',
      size: 5,
      digest: DIGEST,
      created_at: 1,
    })
    for (const [user_id, content] of [[ADA, 'heart'], [BOB, 'heart'], [BOB, 'eyes']] as const) // biome-ignore format: one line
      tx.insert('reaction', { issue_id: one, comment_id: words, user_id, content, created_at: 1 })
    tx.insert('notification', { user_id: ADA, issue_id: one, comment_id: words, updated_at: 1 })
    const review = tx.insert('review', { issue_id: pull, state: 'COMMENT', reviewer_id: BOB, ...at })
    const line = entry(pull, 'code', { poster_id: BOB, body: 'Why?', review_id: review })
    const place = { issue_id: pull, path: 'a.ts', line: 3, at_oid: 'a'.repeat(40), original_oid: 'a'.repeat(40), hunk: '@@', resolver_id: ADA }
    tx.insert('review_comment', { comment_id: line, ...place })
    tx.insert('review_standing', { issue_id: pull, base_oid: 'b', head_oid: 'a' })
    return { bug, other, v1, v2, one, two, pull, words, line }
  })
}
type Filled = ReturnType<typeof fill>

const shown = ['label', 'milestone', 'issue', 'issue_label', 'comment', 'content_history', 'attachment', 'reaction', 'reaction_count', 'notification']
const tables = [...shown, 'review', 'review_comment', 'pull', 'blob']

/** All rows, without the columns that came later. */
function rowsOf(db: Database): Record<string, object[]> {
  const rows = (table: string) => db.all<{ deleted_at?: unknown; deleted_by?: unknown }>(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)
  return Object.fromEntries(tables.map((table) => [table, rows(table).map(({ deleted_at: _at, deleted_by: _by, ...row }) => row)]))
}

function upgrade(db: Database): void {
  migrate(db, migrationsOf(slices))
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
}

const deletedIn = (db: Database, table: string) => db.all(`SELECT id, deleted_at, deleted_by FROM ${table} WHERE deleted_at IS NOT NULL ORDER BY id`)

/** Begins the four deletions; the caller says how far they come. */
function begin(db: Database, { bug, v1, words, line, one, pull }: Filled) {
  return {
    label: new FormerDeletion(db, { kind: 'label', id: bug, repo_id: REPO, deleted_by: ADA }),
    milestone: new FormerDeletion(db, { kind: 'milestone', id: v1, repo_id: REPO, deleted_by: null }),
    comment: new FormerDeletion(db, { kind: 'comment', id: words, repo_id: REPO, issue_id: one, author_id: BOB, deleted_by: ADA }),
    onLine: new FormerDeletion(db, { kind: 'comment', id: line, repo_id: REPO, issue_id: pull, author_id: BOB, deleted_by: BOB }),
  }
}

function finish({ label, milestone, comment, onLine }: ReturnType<typeof begin>): void {
  label.remove('issue_label', 'label_id').remove('comment', 'label_id')
  milestone.empty('issue', 'milestone_id').empty('comment', 'milestone_id').empty('comment', 'old_milestone_id')
  comment.empty('notification', 'comment_id').remove('attachment', 'comment_id').remove('reaction', 'comment_id')
  comment.remove('content_history', 'comment_id').remove('comment', 'ref_comment_id')
  onLine.remove('review_comment', 'comment_id')
}

function restoreAll(db: Database, { bug, v1, words, line }: Filled): void {
  db.tx((tx) => {
    restore(tx, 'label', { id: bug })
    restore(tx, 'milestone', { id: v1 })
    restore(tx, 'comment', { id: words })
    restore(tx, 'comment', { id: line })
  })
}

test('what was deleted and kept is there as deleted, and restoring it gives everything back', async () => {
  const db = await storeBeforeSoftDeletion()
  const filled = fill(db)
  const before = rowsOf(db)
  const deletions = begin(db, filled)
  finish(deletions)
  for (const one of Object.values(deletions)) one.settle()
  upgrade(db)
  expect(deletedIn(db, 'label')).toEqual([{ id: filled.bug, deleted_at: 5000, deleted_by: ADA }])
  expect(deletedIn(db, 'milestone')).toEqual([{ id: filled.v1, deleted_at: 5000, deleted_by: null }])
  expect(deletedIn(db, 'comment')).toEqual([
    { id: filled.words, deleted_at: 5000, deleted_by: ADA },
    { id: filled.line, deleted_at: 5000, deleted_by: BOB },
  ])
  const counts = (issue: number) => db.find('SELECT comment_count, deleted_comment_count FROM issue WHERE id = ?', issue)
  expect([counts(filled.one), counts(filled.pull)]).toEqual([
    { comment_count: 1, deleted_comment_count: 1 },
    { comment_count: 0, deleted_comment_count: 1 },
  ])
  expect(db.find('SELECT review_comment_count AS n FROM pull WHERE issue_id = ?', filled.pull)).toEqual({ n: 0 })
  expect(db.all('SELECT rowid FROM comment_search WHERE rowid = ?', filled.words)).toEqual([])
  // Where its comments stand is looked up anew.
  expect(db.all('SELECT 1 FROM review_standing')).toEqual([])
  restoreAll(db, filled)
  expect(rowsOf(db)).toEqual(before)
})

test('deletions that were stopped halfway lose nothing', async () => {
  const db = await storeBeforeSoftDeletion()
  const filled = fill(db)
  const before = rowsOf(db)
  const { label, milestone, comment } = begin(db, filled)
  label.remove('issue_label', 'label_id', `issue_id = ${filled.one}`).remove('comment', 'label_id', `issue_id = ${filled.two}`)
  milestone.empty('issue', 'milestone_id', `id = ${filled.one}`)
  comment.remove('reaction', 'comment_id', "content = 'heart'").remove('comment', 'ref_comment_id', `issue_id = ${filled.pull}`)
  upgrade(db)
  expect([deletedIn(db, 'label').length, deletedIn(db, 'milestone').length, deletedIn(db, 'comment').length]).toEqual([1, 1, 2])
  restoreAll(db, filled)
  expect(rowsOf(db)).toEqual(before)
})

test('restorations that were stopped halfway are over, with everything that was still to follow', async () => {
  const db = await storeBeforeSoftDeletion()
  const filled = fill(db)
  const before = rowsOf(db)
  const deletions = begin(db, filled)
  finish(deletions)
  for (const one of Object.values(deletions)) one.restoreAlone()
  upgrade(db)
  expect(['label', 'milestone', 'comment'].map((table) => deletedIn(db, table))).toEqual([[], [], []])
  expect(rowsOf(db)).toEqual(before)
})

test('what was removed for good stays away, with all that still named it', async () => {
  const db = await storeBeforeSoftDeletion()
  const filled = fill(db)
  const deletions = begin(db, filled)
  deletions.comment.remove('attachment', 'comment_id')
  for (const one of Object.values(deletions)) one.forget()
  upgrade(db)
  expect(['label', 'milestone', 'comment'].map((table) => deletedIn(db, table))).toEqual([[], [], []])
  const naming = (from: string, id: number) => db.all(`SELECT 1 FROM ${from} = ?`, id).length
  expect([
    naming('issue_label WHERE label_id', filled.bug),
    naming('issue WHERE milestone_id', filled.v1),
    naming('reaction WHERE comment_id', filled.words),
  ]).toEqual([0, 0, 0])
  expect(db.find('SELECT issue_count FROM label WHERE id = ?', filled.other)).toEqual({ issue_count: 3 })
  expect(db.find('SELECT use_count, unused_since IS NOT NULL AS is_unused FROM blob WHERE digest = ?', DIGEST)).toEqual({ use_count: 0, is_unused: 1 })
})

test('what belonged to an issue that no longer exists stays away, and a comment loses its review', async () => {
  const db = await storeBeforeSoftDeletion()
  const filled = fill(db)
  const deletions = begin(db, filled)
  finish(deletions)
  for (const one of Object.values(deletions)) one.settle()
  db.tx((tx) => {
    tx.run('DELETE FROM issue WHERE id = ?', filled.one)
    tx.run('DELETE FROM review WHERE issue_id = ?', filled.pull)
  })
  upgrade(db)
  const { bug, words, line, two, pull } = filled
  expect(db.all('SELECT id, review_id FROM comment WHERE id IN (?, ?)', words, line)).toEqual([{ id: line, review_id: null }])
  expect(db.all('SELECT issue_id FROM issue_label WHERE label_id = ? ORDER BY 1', bug)).toEqual([{ issue_id: two }, { issue_id: pull }])
  expect(db.find('SELECT issue_count FROM label WHERE id = ?', bug)).toEqual({ issue_count: 2 })
  expect(db.find('SELECT open_issue_count, closed_issue_count FROM milestone WHERE id = ?', filled.v1)).toEqual({ open_issue_count: 0, closed_issue_count: 1 })
})
