import { afterAll, expect, spyOn } from 'bun:test'
import { Settlement } from '#repositories/deletions/settle.ts'
import { DeletionSweep } from '#repositories/deletions/sweep.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const MANY = 1100
/** Rows that may go, or come back, in one transaction. */
const SLICE = 100

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
const asAda = forge.asUser(ada)
const repo = forge.repo(ada, 'engine')
const { body: issue } = await asAda.post<{ id: number }>('/repos/ada/engine/issues', { title: 'Long' })
const { db } = forge.context

test('very many comments of an issue are listed whole and in order, read a part at a time', async () => {
  db.tx((tx) => {
    // Several of one second, and ids that are not in the order of time.
    for (let n = 0; n < MANY; n++) {
      const at = 1_700_000_000 + ((n * 7) % 300)
      tx.insert('comment', { issue_id: issue.id, repo_id: repo.id, type: 'comment', poster_id: ada.row.id, body: `${n}`, created_at: at, updated_at: at })
    }
  })
  const ids = db.all<{ id: number }>('SELECT id FROM comment WHERE issue_id = ? ORDER BY created_at, id', issue.id).map(({ id }) => id)
  const all = spyOn(db, 'all')
  const { status, headers, body } = await asAda.get<{ id: number }[]>('/repos/ada/engine/issues/1/comments')
  const longest = Math.max(...all.mock.results.map(({ value }) => (value as unknown[]).length))
  all.mockRestore()
  expect([status, headers.get('content-type')?.includes('json'), body.map(({ id }) => id), longest]).toEqual([200, true, ids, 250])
  expect(headers.get('x-total-count')).toBe(String(MANY))
  const some = await asAda.get<{ id: number }[]>('/repos/ada/engine/issues/1/comments?since=2023-11-14T22:17:30Z')
  expect(some.headers.get('x-total-count')).toBe(String(some.body.length))
  expect(some.body.length).toBe(db.all("SELECT 1 FROM comment WHERE updated_at >= unixepoch('2023-11-14T22:17:30Z')").length)
})

/** Says to `seen` how many rows of a kind were left each time that others had their turn, until the work that `done` waits for is over. */
async function eachTurn<T>(count: () => number, work: () => Promise<T>, done: () => Promise<unknown>): Promise<{ result: T; largest: number }> {
  let left = count()
  let largest = 0
  const look = () => {
    largest = Math.max(largest, Math.abs(left - count()))
    left = count()
  }
  const rest = spyOn(db, 'rest').mockImplementation(async () => look())
  const result = await work()
  look()
  await done()
  look()
  rest.mockRestore()
  return { result, largest }
}

const rowsOf = (table: string, where = '1') => db.find<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)?.n ?? 0

test('a comment with very many reactions is gone at once, they follow a part at a time, and come back with it', async () => {
  const hers = new TestBrowser(forge, ada)
  const { body: comment } = await asAda.post<{ id: number }>('/repos/ada/engine/issues/1/comments', { body: 'Liked' })
  db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>("SELECT * FROM user WHERE name = 'ada'") ?? {}
    for (let n = 0; n < MANY; n++) {
      const user_id = tx.insert('user', { ...row, name: `u${n}`, lower_name: `u${n}`, email: `u${n}@example.org` })
      tx.insert('reaction', { issue_id: issue.id, comment_id: comment.id, user_id, content: '+1', created_at: 1 })
      tx.insert('notification', { issue_id: issue.id, comment_id: comment.id, user_id, updated_at: 1 })
    }
  })
  const settled = () => forge.context.services.get(Settlement).run()
  const refer = () => rowsOf('reaction', `comment_id = ${comment.id}`) + rowsOf('notification', `comment_id = ${comment.id}`)
  const at = `/repos/ada/engine/issues/comments/${comment.id}`
  const gone = await eachTurn(refer, () => asAda.delete(at), settled)
  expect([gone.result.status, refer(), gone.largest <= SLICE, (await asAda.get(at)).status]).toEqual([204, 0, true, 404])
  const id = db.find<{ id: number }>('SELECT id FROM deletion WHERE row_id = ?', comment.id)?.id
  const restore = `/ada/engine/issues/1/deleted/${id}.${comment.id}/restore`
  const back = await eachTurn(refer, () => hers.post(restore), settled)
  // A first part comes back with it, and another right after that.
  expect([back.result.status, refer(), back.largest <= 2 * SLICE, rowsOf('deletion'), db.all('PRAGMA foreign_key_check')]).toEqual([303, 2 * MANY, true, 0, []])
})

test('what was deleted on an issue goes after it a part at a time', async () => {
  const { id: poster_id } = ada.row
  const deleted = (n: number) => ({
    table_name: 'comment',
    row_id: 100_000 + n,
    repo_id: repo.id,
    issue_id: issue.id,
    author_id: poster_id,
    deleted_at: 4_000_000_000,
  })
  db.tx((tx) => {
    for (let n = 0; n < MANY; n++) tx.insert('deleted_row', { deletion_id: tx.insert('deletion', deleted(n)), step: 0, table_name: 'comment', content: '{}' })
  })
  const gone = await eachTurn(
    () => rowsOf('deleted_row'),
    () => asAda.delete('/repos/ada/engine/issues/1'),
    () => forge.context.services.get(DeletionSweep).run(),
  )
  expect([gone.result.status, gone.largest <= SLICE, rowsOf('deletion'), rowsOf('issue_gone_with_deletions')]).toEqual([204, true, 0, 0])
})
