import { afterAll, expect, spyOn } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { oneStepBatches, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const MANY = 1100
/** Rows that may go in one transaction. */
const SLICE = 100

const forge = testForge({}, oneStepBatches)
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

const rowsOf = (table: string, where = '1') => db.find<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)?.n ?? 0

test('a comment with very many reactions is deleted and restored at once; purged, it is gone at once and they follow a part at a time', async () => {
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
  const referring = () => rowsOf('reaction', `comment_id = ${comment.id}`) + rowsOf('notification', `comment_id = ${comment.id}`)
  const at = `/repos/ada/engine/issues/comments/${comment.id}`
  const key = () => db.find<{ key: string }>("SELECT id || '.' || deleted_at AS key FROM comment WHERE id = ?", comment.id)?.key
  expect([(await asAda.delete(at)).status, (await asAda.get(at)).status, (await asAda.get(`${at}/reactions`)).status]).toEqual([204, 404, 404])
  expect((await hers.post(`/ada/engine/issues/1/deleted/${key()}/restore`)).status).toBe(303)
  expect([(await asAda.get(at)).status, (await asAda.get<unknown[]>(`${at}/reactions`)).body.length, referring()]).toEqual([200, MANY, 2 * MANY])

  await asAda.delete(at)
  let [left, largest] = [referring(), 0]
  const rest = spyOn(db, 'rest').mockImplementation(async () => {
    largest = Math.max(largest, left - referring())
    left = referring()
  })
  const forgotten = await hers.post(`/ada/engine/issues/1/deleted/${key()}/forget`)
  await forge.context.jobs.resume()
  rest.mockRestore()
  expect([forgotten.status, rowsOf('comment', `id = ${comment.id}`), referring(), largest <= SLICE]).toEqual([303, 0, 0, true])
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
})
