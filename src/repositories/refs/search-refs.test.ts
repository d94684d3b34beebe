import { expect, test } from 'bun:test'
import { SHA1 } from '#git/objects/oid.ts'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { Random } from '../../../test/generate-history.ts'
import { testForge } from '../../../test/harness.ts'
import { listBranches, listRefs, refPage, searchBranches, searchRefs, updateRefs } from './index.ts'
import { insertReflog, listDeleted } from './store.ts'

const one = '1'.repeat(40) as typeof SHA1.zero

async function searched(names: readonly string[], text: string, limit = 50): Promise<string[]> {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  const updates = names.map((name) => ({ name, old: SHA1.zero, new: one }))
  forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: id, actorId: ada.row.id, message: 'test', updates }))
  return (await searchRefs(forge.context.db, id, { prefix: 'refs/heads/', text, limit })).map(({ name }) => name.slice('refs/heads/'.length))
}

const table: [claim: string, names: string[], text: string, found: string[]][] = [
  ['a text is found anywhere in a name', ['refs/heads/fix/login', 'refs/heads/main'], 'log', ['fix/login']],
  ['letters are the same in both cases', ['refs/heads/Fix'], 'fIX', ['Fix']],
  ['tags are no branches', ['refs/tags/main', 'refs/heads/main'], 'ma', ['main']],
  ['the prefix itself is no part of the name', ['refs/heads/main'], 'heads', []],
  ['signs of patterns mean themselves', ['refs/heads/a_b', 'refs/heads/axb', 'refs/heads/100%'], '_', ['a_b']],
  ['so does the one for all', ['refs/heads/a', 'refs/heads/100%'], '%', ['100%']],
  ['an empty text finds all', ['refs/heads/b', 'refs/heads/a'], '', ['a', 'b']],
]

test.each(table)('%s', async (_, names, text, found) => {
  expect(await searched(names, text)).toEqual(found)
})

test('names behind the first stretch are found, and no more than asked for', async () => {
  const names = Array.from({ length: 2100 }, (_, i) => `refs/heads/b${String(i).padStart(5, '0')}`)
  expect(await searched([...names, 'refs/heads/zebra'], 'zeb')).toEqual(['zebra'])
  expect(await searched(names, 'b0', 3)).toEqual(['b00000', 'b00001', 'b00002'])
})

test('pages of branches and of refs that are looked through a stretch at a time are those of all at once', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  const random = new Random(3)
  // Few dates, so that stretches end between branches of the same one; some that nobody has looked up yet.
  const updates = Array.from({ length: 4500 }, (_, i) => {
    const time = random.chance(0.3) ? undefined : 1_700_000_000 + random.below(3)
    return { name: `refs/${random.chance(0.95) ? 'heads' : 'tags'}/b${i}`, old: SHA1.zero, new: one, time }
  })
  db.tx((tx) => updateRefs(forge.context, tx, { repoId: id, actorId: ada.row.id, message: 'test', updates }))
  const fitting = listBranches(db, id).filter(({ name }) => name.includes('1'))
  for (const [offset, limit] of [
    [0, 50],
    [fitting.length - 7, 50],
    [1999, 3],
    [fitting.length, 5],
  ] as const) {
    expect(await searchBranches(db, id, '1', { offset, limit })).toEqual({ rows: fitting.slice(offset, offset + limit), total: fitting.length })
  }
  const heads = listRefs(db, id, { prefix: 'refs/heads/' })
  for (const [offset, limit] of [
    [0, 50],
    [3990, 20],
    [heads.length - 3, 50],
    [heads.length, 5],
  ] as const) {
    expect(await refPage(db, id, 'refs/heads/', { offset, limit })).toEqual({ rows: heads.slice(offset, offset + limit), total: heads.length })
  }
  expect(await refPage(db, id, 'refs/none/', { offset: 0, limit: 5 })).toEqual({ rows: [], total: 0 })
})

test('refs deleted a moment ago are found without a look at the rest of the log', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  const entry = { repo_id: id, name: 'refs/heads/main', old_oid: one, new_oid: one, actor_id: ada.row.id, message: 'test', created_at: 1000 }
  db.tx((tx) => {
    for (let i = 0; i < 20_000; i++) insertReflog(tx, entry)
    insertReflog(tx, { ...entry, name: 'refs/heads/gone', new_oid: SHA1.zero })
  })
  const took = Array.from({ length: 20 }, () => {
    const spent = cpuMeter()
    expect(listDeleted(db, id, 900)).toEqual([{ name: 'refs/heads/gone', old_oid: one }])
    return spent()
  })
  // All of it takes 2 ms.
  expect(Math.min(...took)).toBeLessThan(0.5)
})
