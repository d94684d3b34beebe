import { afterAll, expect, spyOn, test } from 'bun:test'
import { oneStepBatches, testForge } from '../../../test/harness.ts'

const MANY = 250

const forge = testForge({}, oneStepBatches)
afterAll(() => forge[Symbol.asyncDispose]())

test('very much time that somebody takes back is gone at once, though it is cleared a part at a time; what they track then stays', async () => {
  const { db, jobs } = forge.context
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  const asAda = forge.asUser(ada)
  forge.repo(ada, 'engine')
  const issue = (await asAda.post<{ id: number }>('/repos/ada/engine/issues', { title: 'Gear' })).body
  db.tx((tx) => {
    const worked = (user_id: number) => tx.insert('tracked_time', { issue_id: issue.id, user_id, seconds: 60, created_at: 1 })
    for (let n = 0; n < MANY; n++) worked(ada.row.id)
    worked(bob.row.id)
  })
  const times = async () => {
    const { body, headers } = await asAda.get<{ user_name: string; time: number }[]>('/repos/ada/engine/issues/1/times')
    return [Number(headers.get('x-total-count')), body.map(({ user_name, time }) => `${user_name} ${time}`)]
  }
  expect((await times())[0]).toBe(MANY + 1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  const reset = async () => (await asAda.delete('/repos/ada/engine/issues/1/times')).status
  expect([await reset(), await reset()]).toEqual([204, 404])
  const rows = () => db.all('SELECT 1 FROM tracked_time').length
  expect(rows()).toBeGreaterThan(100)
  expect(await times()).toEqual([1, ['bob 60']])
  expect((await asAda.post('/repos/ada/engine/issues/1/times', { time: 5 })).status).toBe(200)
  expect(await times()).toEqual([2, ['bob 60', 'ada 5']])
  rest.mockRestore()
  resolve()
  await jobs.resume()
  expect([rows(), await times(), db.all('SELECT * FROM job')]).toEqual([2, [2, ['bob 60', 'ada 5']], []])
})
