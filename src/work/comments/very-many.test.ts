import { afterAll, expect, spyOn, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const MANY = 1100

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
const repo = forge.repo(ada, 'engine')
const { body: issue } = await forge.call<{ id: number }>('POST /repos/ada/engine/issues', { as: ada, body: { title: 'Long' } })
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
  const { status, headers, body } = await forge.call<{ id: number }[]>('GET /repos/ada/engine/issues/1/comments', { as: ada })
  const longest = Math.max(...all.mock.results.map(({ value }) => (value as unknown[]).length))
  all.mockRestore()
  expect([status, headers.get('content-type')?.includes('json'), body.map(({ id }) => id), longest]).toEqual([200, true, ids, 250])
  const some = await forge.call<{ id: number }[]>('GET /repos/ada/engine/issues/1/comments?since=2023-11-14T22:17:30Z', { as: ada })
  expect(some.body.length).toBe(db.all("SELECT 1 FROM comment WHERE updated_at >= unixepoch('2023-11-14T22:17:30Z')").length)
})
