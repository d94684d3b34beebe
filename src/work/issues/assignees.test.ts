import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { MOST_ASSIGNEES } from './schema.ts'

test('an issue is given to so many people and no more, whichever way they come, and nothing of what is refused is done', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const ada = await forge.person('ada')
  const repo = forge.repo(ada, 'engine')
  const names = db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM user WHERE id = ?', ada.row.id) ?? {}
    return Array.from({ length: MOST_ASSIGNEES + 1 }, (_, n) => {
      const name = `p${n}`
      tx.insert('collaboration', {
        repo_id: repo.id,
        user_id: tx.insert('user', { ...row, name, lower_name: name, email: `${name}@example.org` }),
        level: 'write',
      })
      return name
    })
  })
  const [last = '', ...most] = names
  const at = '/repos/ada/engine/issues'
  const call = async (line: string, body: unknown) => (await forge.asUser(ada).send(line, { body })).status
  expect(await call(`POST ${at}`, { title: 'Theirs', assignees: most })).toBe(201)
  const state = () => [db.all('SELECT user_id FROM issue_assignee'), db.all('SELECT id FROM comment')].map(({ length }) => length)
  const before = state()
  expect(before[0]).toBe(MOST_ASSIGNEES)
  expect(await call(`POST ${at}/1/assignees`, { assignees: [last] })).toBe(422)
  expect(await call(`PATCH ${at}/1`, { assignees: names })).toBe(422)
  expect(await call(`POST ${at}`, { title: 'Too many', assignee: last, assignees: most })).toBe(422)
  expect(state()).toEqual(before)
  expect(await call(`POST ${at}/1/assignees`, { assignees: most.slice(0, 3) })).toBe(201)
  expect(await call(`PATCH ${at}/1`, { assignees: [last, ...most.slice(1)] })).toBe(201)
  expect(await call(`PATCH ${at}/1`, { assignees: [] })).toBe(201)
  expect(state()[0]).toBe(0)
})
