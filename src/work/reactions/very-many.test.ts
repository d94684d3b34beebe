import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const MANY = 1100

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
forge.repo(ada, 'engine')
const { body: issue } = await forge.call<{ id: number }>('POST /repos/ada/engine/issues', { as: ada, body: { title: 'Loved' } })
const { body: comment } = await forge.call<{ id: number }>('POST /repos/ada/engine/issues/1/comments', { as: ada, body: { body: 'Done' } })
const { db } = forge.context

test('very many reactions to a comment are listed whole and in order', async () => {
  const path = `GET /repos/ada/engine/issues/comments/${comment.id}/reactions`
  const none = await forge.call<null>(path, { as: ada })
  db.tx((tx) => {
    for (let n = 0; n < MANY; n++) {
      tx.insert('reaction', { issue_id: issue.id, comment_id: comment.id, user_id: ada.row.id, content: `sign${n}`, created_at: 1_700_000_000 + n })
    }
  })
  const { status, headers, body } = await forge.call<{ content: string; user: { login: string } }[]>(path, { as: ada })
  expect([none.body, status, headers.get('content-type')?.includes('json')]).toEqual([null, 200, true])
  expect(body.map(({ content, user }) => `${user.login} ${content}`)).toEqual(Array.from({ length: MANY }, (_, n) => `ada sign${n}`))
})
