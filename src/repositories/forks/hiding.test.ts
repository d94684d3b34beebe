import { afterAll, afterEach, beforeAll, expect, spyOn, test } from 'bun:test'
import { accessStore, type RepoRow, visibleTo } from '#access/index.ts'
import { oneStepBatches, type Person, testForge } from '../../../test/harness.ts'

const MANY = 120

const forge = testForge({}, oneStepBatches)
let ada: Person
let [bob, eve]: Person[] = []
beforeAll(async () => {
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  eve = await forge.person('eve')
})
// Tests look at all of eve's stars.
afterEach(() => forge.context.db.tx((tx) => tx.run('DELETE FROM star')))
afterAll(() => forge[Symbol.asyncDispose]())

/** A repository with very many forks, the last of which has one, too; eve stars them all. */
function forked(name: string) {
  const { db } = forge.context
  const base = forge.repo(ada, name)
  const owner = bob as Person
  const forks = db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM repository WHERE id = ?', base.id) ?? {}
    const make = (more: string, forkOf: number, at = {}) =>
      tx.insert('repository', { ...row, owner_id: owner.row.id, name: name + more, lower_name: name + more, fork_of: forkOf, fork_count: 0, ...at })
    const made = Array.from({ length: MANY }, (_, n) => make(`-${n}`, base.id))
    const all = [...made, make('-deep', made.at(-1) as number)]
    for (const repo_id of all) tx.insert('star', { user_id: (eve as Person).row.id, repo_id, created_at: 1 })
    return all
  })
  return { base, forks }
}

const publicOnes = (ids: readonly number[]) =>
  forge.context.db.all('SELECT 1 FROM repository WHERE is_private = 0 AND id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)).length
const setPrivate = async (name: string, isPrivate: boolean) =>
  expect((await forge.asUser(ada).patch(`/repos/ada/${name}`, { private: isPrivate })).status).toBe(200)

/** What eve sees of them, in lists and one by one. */
async function seen(ids: readonly number[]) {
  const { db } = forge.context
  const viewer = { user: (eve as Person).row } as Parameters<typeof visibleTo>[0]
  const { sql, values } = visibleTo(viewer)
  const json = JSON.stringify(ids)
  const listed = db.all(`SELECT r.id FROM repository AS r WHERE r.id IN (SELECT value FROM json_each(?)) AND ${sql}`, json, ...values).length
  const anonymous = visibleTo({} as typeof viewer)
  const open = db.all(`SELECT r.id FROM repository AS r WHERE r.id IN (SELECT value FROM json_each(?)) AND ${anonymous.sql}`, json, ...anonymous.values).length
  const repos = ids.map((id) => accessStore.findRepoById(db, id) as RepoRow)
  const statuses = await Promise.all(repos.map(async ({ name }) => (await forge.asUser(eve).get(`/repos/bob/${name}`)).status))
  return [listed, open, statuses.filter((status) => status === 200).length]
}

/** The background waits until it is let go on. */
function hold(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(forge.context.db, 'rest').mockImplementation(() => promise)
  return async () => {
    rest.mockRestore()
    resolve()
    await forge.context.jobs.resume()
  }
}

const left = () => ['hiding_repository', 'job'].map((table) => forge.context.db.all(`SELECT * FROM ${table}`).length)

test('very many forks of what becomes private do so a few at a time, and nobody sees any of them from the first moment', async () => {
  const { base, forks } = forked('many')
  const some = [...forks.slice(0, 2), ...forks.slice(-2)]
  expect(await seen(some)).toEqual([4, 4, 4])
  const goOn = hold()
  await setPrivate(base.name, true)
  expect(publicOnes(forks)).toBeGreaterThan(MANY / 2)
  expect(await seen(some)).toEqual([0, 0, 0])
  expect((await forge.asUser(eve).get<object[]>('/user/starred')).body).toEqual([])
  expect((await forge.asUser(bob).get('/repos/bob/many-119')).status).toBe(200)
  await goOn()
  expect([publicOnes(forks), await seen(some), left(), forge.context.db.all('SELECT 1 FROM star')]).toEqual([0, [0, 0, 0], [0, 0], []])
})

test('forks that have not become private when somebody changes their mind stay as they are', async () => {
  const { base, forks } = forked('back')
  const goOn = hold()
  await setPrivate(base.name, true)
  const before = publicOnes(forks)
  await setPrivate(base.name, false)
  expect(await seen(forks.slice(-2))).toEqual([2, 2, 2])
  await goOn()
  expect([publicOnes(forks), before > 0, left()]).toEqual([before, true, [0, 0]])
})

test('what is deleted as soon as it has become private takes its forks along into that, and so does what a crash interrupts', async () => {
  const { base, forks } = forked('gone')
  const goOn = hold()
  await setPrivate(base.name, true)
  expect((await forge.asUser(ada).delete(`/repos/ada/${base.name}`)).status).toBe(204)
  expect(await seen(forks.slice(-3))).toEqual([0, 0, 0])
  await goOn()
  await forge.context.jobs.resume()
  await goOn()
  expect([publicOnes(forks), left(), await seen(forks.slice(-3))]).toEqual([0, [0, 0], [0, 0, 0]])
})
