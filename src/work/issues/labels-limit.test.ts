import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { MOST_LABELS } from './schema.ts'

test('an issue carries so many labels and no more, and nothing of what is refused is done', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const ada = await forge.person('ada')
  const asAda = forge.asUser(ada)
  const repo = forge.repo(ada, 'engine')
  const label = (name: string, is_exclusive = 0) => ({ repo_id: repo.id, name, color: 'aabbcc', is_exclusive, created_at: 1, updated_at: 1 })
  const ids = db.tx((tx) => Array.from({ length: MOST_LABELS }, (_, n) => tx.insert('label', label(`l${n}`))))
  const [kind = 0, other = 0] = db.tx((tx) => ['kind/a', 'kind/b'].map((name) => tx.insert('label', label(name, 1))))
  const at = '/repos/ada/engine/issues'
  expect((await asAda.post(at, { title: 'Theirs', labels: [...ids.slice(1), kind] })).status).toBe(201)
  const state = () => [db.all('SELECT label_id FROM issue_label'), db.all('SELECT id FROM comment')].map(({ length }) => length)
  const before = state()
  expect(before[0]).toBe(MOST_LABELS)
  expect((await asAda.post(`${at}/1/labels`, { title: 'Theirs', labels: ids.slice(0, 1) })).status).toBe(422)
  expect(state()).toEqual(before)
  // One takes the other's place.
  expect((await asAda.post(`${at}/1/labels`, { title: 'Theirs', labels: [other, ...ids.slice(1, 3)] })).status).toBe(200)
  expect(db.all('SELECT 1 FROM issue_label WHERE label_id = ?', kind)).toEqual([])
  expect((await asAda.put(`${at}/1/labels`, { title: 'Theirs', labels: ids })).status).toBe(200)
  expect(state()[0]).toBe(MOST_LABELS)
})
