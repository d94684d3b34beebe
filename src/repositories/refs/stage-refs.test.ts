import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { RepoRow } from '#access/index.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound } from '#kernel/errors.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { clearRefs, countRefs, findRef, getState, listRefs, type RefUpdate, refSnapshot, updateRefs, writeObjects } from './index.ts'
import { stageRefs, sweepBatches } from './stage-refs.ts'
import { copyBranchesAndTags } from './store.ts'

const MANY = 2100
let forge: TestForge
let repo: RepoRow
let oid: Oid
beforeEach(async () => {
  forge = testForge({ git: { UPKEEP_SECONDS: 0 } })
  repo = forge.repo(await forge.person('ada'), 'engine')
  const who = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }
  oid = await writeObjects(forge.context, repo.id, async (writing) => {
    const made = await writing.make('firstCommit', { files: [{ path: 'a', data: 'a' }], who, message: 'First' })
    writing.land((_tx, move) => move({ actorId: 1, message: 'test', updates: [{ name: 'refs/heads/main', new: made, fastForward: true }] }))
    return made
  })
})
afterEach(() => forge[Symbol.asyncDispose]())

const many = (): RefUpdate[] => Array.from({ length: MANY }, (_, i) => ({ name: `refs/heads/many/${i}`, new: oid, fastForward: true }))
const count = () => countRefs(forge.context.db, repo.id)
const batches = () => forge.context.db.all('SELECT 1 FROM ref_batch').length
const rows = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM ref')?.n
const update = (one: RefUpdate) => forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: repo.id, actorId: 1, message: 'rival', updates: [one] }))

/** Creates many refs as a push does; `meanwhile` happens when they have been written ahead. */
function pushMany(updates: RefUpdate[], meanwhile?: () => unknown) {
  return writeObjects(forge.context, repo.id, async (writing) => {
    await writing.make('nothing', { tips: [oid] })
    await writing.stage(updates)
    await meanwhile?.()
    return writing.land((_tx, move) => move({ actorId: 1, message: 'push', updates, atomic: true }))
  })
}

test('many new refs are there all at once, counted and told of', async () => {
  const seen: unknown[] = []
  const results = await pushMany(many(), async () => {
    const { snapshot } = await refSnapshot(forge.context, repo)
    seen.push(rows(), count(), snapshot.refs.length, findRef(forge.context.db, repo.id, 'refs/heads/many/7'))
  })
  expect(seen).toEqual([MANY + 1, 1, 1, undefined])
  expect(results.every((one) => one.ok)).toBe(true)
  const branches = forge.context.db.find('SELECT branch_count FROM repository WHERE id = ?', repo.id)
  expect([count(), (await refSnapshot(forge.context, repo)).snapshot.refs.length, batches(), branches]).toEqual([
    MANY + 1,
    MANY + 1,
    0,
    { branch_count: MANY + 1 },
  ])
  expect(getState(forge.context.db, repo.id).is_exact).toBe(1)
})

test('a repository that is deleted while its refs are written ahead keeps none of them', async () => {
  const deleted = () => {
    forge.context.db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', repo.id))
    return clearRefs(forge.context, repo.id)
  }
  let isDeleted: Promise<unknown> | undefined
  const complete = (one: RefUpdate) => {
    if (one.name.endsWith('/1700')) isDeleted = deleted()
    return one
  }
  await expect(stageRefs(forge.context, repo.id, many(), complete)).rejects.toBeInstanceOf(NotFound)
  await isDeleted
  expect([rows(), batches()]).toEqual([0, 0])
})

test('a ref that moves meanwhile has them judged again: what is still right lands', async () => {
  await pushMany(many(), () => update({ name: 'refs/tags/other', new: oid }))
  expect([count(), batches()]).toEqual([MANY + 2, 0])
})

test('one that somebody else creates meanwhile refuses them all, and nothing is left of them', async () => {
  const results = await pushMany(
    many().map((one) => ({ ...one, old: '0'.repeat(40) as Oid })),
    () => update({ name: 'refs/heads/many/7', new: oid }),
  )
  expect(results.some((one) => one.ok)).toBe(false)
  expect(listRefs(forge.context.db, repo.id).map(({ name }) => name)).toEqual(['refs/heads/main', 'refs/heads/many/7'])
  expect([rows(), batches()]).toEqual([2, 0])
})

test.each<[claim: string, one: RefUpdate]>([
  ['a name that is none', { name: 'refs/heads/a..b', new: '' as Oid }],
  ['a directory where a new ref is', { name: 'refs/heads/many/7/x', new: '' as Oid }],
  ['a directory where a ref is', { name: 'refs/heads/main/x', new: '' as Oid }],
])('%s among them is not written ahead, and refused as ever', async (_claim, one) => {
  const results = await pushMany([...many(), { ...one, new: oid }])
  expect(results.at(-1)?.ok).toBe(false)
  expect([rows(), batches()]).toEqual([1, 0])
})

test('what a crash left of them is removed at the start', async () => {
  await stageRefs(forge.context, repo.id, many(), (one) => one)
  expect([rows(), count(), batches()]).toEqual([MANY + 1, 1, 1])
  await sweepBatches(forge.context)
  expect([rows(), batches()]).toEqual([1, 0])
})

test('what is written ahead goes into no copy of the refs', async () => {
  const copy = forge.repo(await forge.person('bob'), 'engine')
  let copied: string[] = []
  await pushMany(many(), () => {
    forge.context.db.tx((tx) => copyBranchesAndTags(tx, repo.id, copy.id))
    copied = listRefs(forge.context.db, copy.id).map(({ name }) => name)
  })
  expect(copied).toEqual(['refs/heads/main'])
})
