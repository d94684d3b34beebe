import { expect, spyOn, test } from 'bun:test'
import { oneStepBatches, testForge } from '../../../test/harness.ts'

const MANY = 130

test('a long conversation follows its issue to another repository a part at a time, and is there from the first moment, whatever becomes of the other', async () => {
  await using forge = testForge({}, oneStepBatches)
  const { db, jobs } = forge.context
  const ada = await forge.person('ada')
  const asAda = forge.asUser(ada)
  for (const name of ['here', 'there']) forge.repo(ada, name)
  const issue = (await asAda.post<{ id: number }>('/repos/ada/here/issues', { title: 'Gear' })).body
  const first = (await asAda.post<{ id: number }>('/repos/ada/here/issues/1/comments', { body: 'a cogwheel' })).body
  const repo_id = forge.context.db.find<{ repo_id: number }>('SELECT repo_id FROM issue')?.repo_id ?? 0
  db.tx((tx) => {
    const said = { issue_id: issue.id, repo_id, type: 'comment', poster_id: ada.row.id, body: 'turns', created_at: 1, updated_at: 1 }
    for (let n = 0; n < MANY; n++) tx.insert('comment', said)
  })
  const behind = () => db.all('SELECT 1 FROM comment WHERE repo_id = ?', repo_id).length
  const said = async (repo: string) => (await asAda.get<unknown>(`/repos/ada/${repo}/issues/comments`)).headers.get('x-total-count')
  const read = async (repo: string) => (await asAda.get(`/repos/ada/${repo}/issues/comments/${first.id}`)).status
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  expect((await asAda.post('/repos/ada/here/issues/1/move', { owner: 'ada', repo: 'there' })).status).toBe(201)
  expect([behind() > 0, behind() < MANY]).toEqual([true, true])
  expect([await said('here'), await said('there'), await read('here'), await read('there')]).toEqual(['0', `${MANY + 1}`, 404, 200])
  expect((await asAda.delete('/repos/ada/here')).status).toBe(204)
  rest.mockRestore()
  resolve()
  await jobs.resume()
  expect([behind(), await said('there'), db.all('SELECT * FROM job')]).toEqual([0, `${MANY + 1}`, []])
  const found = await asAda.get<unknown[]>('/repos/ada/there/issues?q=cogwheel')
  expect(found.body.length).toBe(1)
})
