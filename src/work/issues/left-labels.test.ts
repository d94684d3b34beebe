import { expect, spyOn, test } from 'bun:test'
import { oneStepBatches, testForge } from '../../../test/harness.ts'

const MANY = 250

test('very many issues of a repository that leaves an organization show its labels no more from that moment on, though they lose them a part at a time', async () => {
  await using forge = testForge({}, oneStepBatches)
  const { db, jobs } = forge.context
  const ada = await forge.person('ada')
  const asAda = forge.asUser(ada)
  await asAda.post('/orgs', { username: 'mill' })
  const { id: repo_id } = (await asAda.post<{ id: number }>('/orgs/mill/repos', { name: 'engine' })).body
  const theirs = (await asAda.post<{ id: number }>('/orgs/mill/labels', { name: 'theirs', color: '#aabbcc' })).body
  const own = (await asAda.post<{ id: number }>('/repos/mill/engine/labels', { name: 'own', color: '#aabbcc' })).body
  db.tx((tx) => {
    for (let number = 1; number <= MANY; number++) {
      const at = { created_at: 1, updated_at: 1 }
      const issue_id = tx.insert('issue', { repo_id, number, title: 'Gear', poster_id: ada.row.id, ...at })
      for (const { id: label_id } of [theirs, own]) {
        tx.insert('issue_label', { issue_id, label_id })
        tx.insert('comment', { issue_id, repo_id, type: 'label', poster_id: ada.row.id, label_id, body: '1', ...at })
      }
    }
    tx.update('repository', repo_id, { last_issue_number: MANY })
  })
  const named = (labels: { name: string }[]) => labels.map(({ name }) => name)
  const shown = async (owner: string) => ({
    issue: named((await asAda.get<{ labels: { name: string }[] }>(`/repos/${owner}/engine/issues/${MANY}`)).body.labels),
    alone: named((await asAda.get<{ name: string }[]>(`/repos/${owner}/engine/issues/${MANY}/labels`)).body),
    timeline: named((await asAda.get<{ label: { name: string } }[]>(`/repos/${owner}/engine/issues/${MANY}/timeline`)).body.map(({ label }) => label)),
  })
  const left = () => ['issue_label', 'comment'].map((table) => db.all(`SELECT 1 FROM ${table} WHERE label_id = ?`, theirs.id).length)
  const all = (names: string[]) => ({ issue: names, alone: names, timeline: names.toReversed() })

  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  await asAda.post('/repos/mill/engine/transfer', { new_owner: 'ada' })
  expect(Math.min(...left())).toBeGreaterThan(MANY / 2)
  expect(await shown('ada')).toEqual(all(['own']))
  // The organization's again, they are what they were, as far as they are still there.
  await asAda.post('/repos/ada/engine/transfer', { new_owner: 'mill' })
  expect(await shown('mill')).toEqual(all(['own', 'theirs']))
  await asAda.post('/repos/mill/engine/transfer', { new_owner: 'ada' })
  rest.mockRestore()
  resolve()
  await jobs.resume()
  expect([left(), await shown('ada'), db.all('SELECT 1 FROM job')]).toEqual([[0, 0], all(['own']), []])
  expect(db.all('SELECT issue_count FROM label ORDER BY id')).toEqual([{ issue_count: 0 }, { issue_count: MANY }])
})
