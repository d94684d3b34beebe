import { expect, spyOn, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { MOST_REACHED } from './dependency-store.ts'
import { MOST_DEPENDENCIES } from './schema.ts'

test('whether a dependency would be a circle is found from the end where few depend, and refused where very many do on both', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const { id: repo_id } = forge.repo(ada, 'engine')
  const { db } = forge.context
  const length = 2 * MOST_REACHED + 10
  const ids = db.tx((tx) => {
    const of = { repo_id, poster_id: ada.row.id, created_at: 1, updated_at: 1 }
    const made = Array.from({ length: length + 1 }, (_, n) => tx.insert('issue', { ...of, number: n + 1, title: 'Gear' }))
    // Each waits for the one after it, but for the last, which stands alone.
    for (let n = 0; n + 1 < length; n++) tx.run('INSERT INTO issue_dependency VALUES (?, ?, 1)', made[n] as number, made[n + 1] as number)
    tx.update('repository', repo_id, { last_issue_number: length + 1 })
    return made
  })
  expect(ids.length).toBe(length + 1)
  const all = spyOn(db, 'find')
  const letDepend = async (number: number, on: number) =>
    (await forge.asUser(ada).post(`/repos/ada/engine/issues/${number}/dependencies`, { index: on, owner: 'ada', repo: 'engine' })).status
  expect([
    // The last of the chain waits for the first: a circle that is too long to be seen.
    await letDepend(length, 1),
    // One within reach.
    await letDepend(MOST_REACHED, 1),
    // Nobody waits for it, and it waits for nobody.
    await letDepend(length + 1, 1),
    await letDepend(length, length + 1),
  ]).toEqual([422, 422, 201, 422])
  const looked = all.mock.results.flatMap(({ value }) => (value as { n?: number } | undefined)?.n ?? [])
  expect(Math.max(...looked)).toBeLessThanOrEqual(MOST_REACHED)
})

test('an issue waits for so many others at most', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const { id: repo_id } = forge.repo(ada, 'engine')
  const count = MOST_DEPENDENCIES + 2
  forge.context.db.tx((tx) => {
    const of = { repo_id, poster_id: ada.row.id, created_at: 1, updated_at: 1 }
    const ids = Array.from({ length: count }, (_, n) => tx.insert('issue', { ...of, number: n + 1, title: 'Gear' }))
    for (const on of ids.slice(3)) tx.run('INSERT INTO issue_dependency VALUES (?, ?, 1)', ids[0] as number, on)
    tx.update('repository', repo_id, { last_issue_number: count })
  })
  const letDepend = (on: number) => forge.asUser(ada).post('/repos/ada/engine/issues/1/dependencies', { index: on, owner: 'ada', repo: 'engine' })
  expect([(await letDepend(2)).status, (await letDepend(3)).status]).toEqual([201, 422])
  expect(forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM issue_dependency')?.n).toBe(MOST_DEPENDENCIES)
})
