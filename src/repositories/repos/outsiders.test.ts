import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { oneStepBatches, type TestForge, testForge } from '../../../test/harness.ts'

const MANY = 250

const forge: TestForge = testForge({}, oneStepBatches)
afterAll(() => forge[Symbol.asyncDispose]())
// Tests look at all that the outsider stars and watches.
afterEach(() => {
  spyOn(db, 'rest').mockRestore()
  db.tx((tx) => {
    for (const table of ['star', 'watch']) tx.run(`DELETE FROM ${table}`)
  })
})
const { db } = forge.context
const [ada, last] = [await forge.person('ada'), await forge.person('bob')]
const crowd = db.tx((tx) => {
  const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM user WHERE id = ?', last.row.id) ?? {}
  return Array.from({ length: MANY }, (_, n) => tx.insert('user', { ...row, name: `p${n}`, lower_name: `p${n}`, email: `p${n}@example.org` }))
})
const outsider = await forge.person('outsider')

/** A repository that all of them and the last star and watch. */
function starred(name: string) {
  const repo = forge.repo(ada, name)
  const people = [...crowd, outsider.row.id]
  db.tx((tx) => {
    for (const user_id of people) for (const table of ['star', 'watch']) tx.insert(table, { user_id, repo_id: repo.id, created_at: 1 })
    tx.insert('collaboration', { repo_id: repo.id, user_id: crowd[200] as number, level: 'read' })
  })
  return repo
}

/** Holds what the background does, until it is let go on. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  spyOn(db, 'rest').mockImplementation(() => promise)
  return resolve
}

const holders = (table: string, repoId: number) =>
  db.all<{ user_id: number }>(`SELECT user_id FROM ${table} WHERE repo_id = ? AND user_id <> ?`, repoId, ada.row.id)
const edit = (name: string, body: unknown) => forge.asUser(ada).patch(`/repos/ada/${name}`, body)

test('very many people let go of a repository that is hidden a few at a time, and none of them sees it meanwhile', async () => {
  const { id, name } = starred('hidden')
  const goOn = hold()
  expect((await edit(name, { private: true })).status).toBe(200)
  for (const table of ['star', 'watch']) expect(holders(table, id).length).toBeGreaterThan(MANY / 2)
  for (const path of ['/user/starred', '/user/subscriptions', '/users/outsider/starred', '/users/outsider/subscriptions'])
    expect([path, (await forge.asUser(outsider).get(path)).body]).toEqual([path, [] as never])
  goOn()
  await forge.context.jobs.resume()
  for (const table of ['star', 'watch']) expect(holders(table, id)).toEqual([{ user_id: crowd[200] as number }])
  expect(db.all('SELECT * FROM job')).toEqual([])
})

test('who sees it again before their turn keeps it, and a crash leaves the rest to the next start', async () => {
  const { id, name } = starred('back')
  const goOn = hold()
  await edit(name, { private: true })
  const before = holders('star', id).length
  await edit(name, { private: false })
  goOn()
  const { context } = forge
  await context.jobs.resume()
  expect([holders('star', id).length, before > MANY / 2, db.all('SELECT * FROM job')]).toEqual([before, true, []])
})

test('a repository that is deleted before everybody had their turn holds nothing up', async () => {
  const { name } = starred('gone')
  const goOn = hold()
  await edit(name, { private: true })
  expect((await forge.asUser(ada).delete(`/repos/ada/${name}`)).status).toBe(204)
  goOn()
  await forge.context.jobs.resume()
  expect(db.all('SELECT * FROM job')).toEqual([])
})
