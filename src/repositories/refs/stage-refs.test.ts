import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { RepoRow } from '#access/index.ts'
import type { Oid } from '#git/objects/oid.ts'
import { refsOf } from '#git/workers/ref-list.ts'
import { NotFound } from '#kernel/errors.ts'
import { eventually } from '../../../test/eventually.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import {
  clearRefs,
  findRef,
  getState,
  listReflog,
  listRefs,
  type RefPolicy,
  type RefUpdate,
  refSnapshot,
  StaleStage,
  updateRefs,
  writeObjects,
} from './index.ts'
import { stageRefs, sweepBatches } from './stage-refs.ts'
import { StagedNames } from './staged-names.ts'
import { copyBranchesAndTags } from './store.ts'

const MANY = 2100
let forge: TestForge
let repo: RepoRow
let oid: Oid
let other: Oid
beforeEach(async () => {
  forge = testForge({ git: { UPKEEP_SECONDS: 0 } })
  repo = forge.repo(await forge.person('ada'), 'engine')
  const who = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }
  oid = await writeObjects(forge.context, repo.id, async (writing) => {
    const made = await writing.make('firstCommit', { files: [{ path: 'a', data: 'a' }], who, message: 'First' })
    writing.land((_tx, move) => move({ actorId: 1, message: 'test', updates: [{ name: 'refs/heads/main', new: made, fastForward: true }] }))
    return made
  })
  other = await writeObjects(forge.context, repo.id, async (writing) => {
    const made = await writing.make('firstCommit', { files: [{ path: 'b', data: 'b' }], who, message: 'Other' })
    writing.land((_tx, move) => move({ actorId: 1, message: 'test', updates: [{ name: 'refs/tags/other', new: made, fastForward: true }] }))
    forge.context.db.tx((tx) =>
      updateRefs(forge.context, tx, { repoId: repo.id, actorId: 1, message: 'test', updates: [{ name: 'refs/tags/other', new: zero }] }),
    )
    return made
  })
  forge.context.db.tx((tx) => tx.run('UPDATE ref_state SET is_exact = 1'))
})
afterEach(() => forge[Symbol.asyncDispose]())

const many = (): RefUpdate[] => Array.from({ length: MANY }, (_, i) => ({ name: `refs/heads/many/${i}`, new: oid, fastForward: true }))
const count = () => listRefs(forge.context.db, repo.id).length
const batches = () => forge.context.db.all('SELECT 1 FROM ref_batch').length
const rows = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM ref')?.n
const update = (one: RefUpdate) => forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: repo.id, actorId: 1, message: 'rival', updates: [one] }))

/** Moves many refs as a push does; `meanwhile` happens when they have been written ahead. */
function pushMany(updates: RefUpdate[], meanwhile?: () => unknown, more: { atomic?: boolean; policies?: RefPolicy[]; actorId?: number } = { atomic: true }) {
  return writeObjects(forge.context, repo.id, async (writing) => {
    await writing.make('nothing', { tips: [oid, other] })
    const request = { actorId: 1, message: 'push', updates, ...more }
    for (let tries = 1; ; tries++) {
      await writing.stage(request)
      if (tries === 1) await meanwhile?.()
      try {
        return writing.land((_tx, move) => move(request))
      } catch (error) {
        if (!(error instanceof StaleStage) || tries === 3) throw error
      }
    }
  })
}

const rules = { complete: (one: RefUpdate) => one, policies: () => () => undefined }
const zero = '0'.repeat(40) as Oid
/** Name and id of all refs, as everybody sees them. */
const seen = () => listRefs(forge.context.db, repo.id).map((ref) => `${ref.name} ${ref.oid}`)
const plain = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM ref WHERE next_oid IS NOT NULL')?.n === 0
/** Of three kinds: every third one is moved, every third one deleted, and as many new ones created. */
const mixed = (): RefUpdate[] =>
  Array.from({ length: MANY }, (_, i): RefUpdate => {
    if (i % 3 === 0) return { name: `refs/heads/many/${i}`, old: oid, new: other, fastForward: true }
    return i % 3 === 1 ? { name: `refs/heads/many/${i}`, old: oid, new: zero } : { name: `refs/heads/new/${i}`, old: zero, new: oid }
  })
const afterMixed = () =>
  [
    `refs/heads/main ${oid}`,
    ...many().flatMap(({ name }, i) => (i % 3 === 0 ? [`${name} ${other}`] : i % 3 === 1 ? [] : [`${name} ${oid}`])),
    ...many().flatMap((_, i) => (i % 3 === 2 ? [`refs/heads/new/${i} ${oid}`] : [])),
  ].sort()

test('many new refs are there all at once, counted and told of', async () => {
  const found: unknown[] = []
  const results = await pushMany(many(), async () => {
    found.push(rows(), count(), (await refSnapshot(forge.context, repo)).count, findRef(forge.context.db, repo.id, 'refs/heads/many/7'))
  })
  expect(found).toEqual([MANY + 1, 1, 1, undefined])
  expect(results.every((one) => one.ok)).toBe(true)
  const branches = forge.context.db.find('SELECT branch_count FROM repository WHERE id = ?', repo.id)
  expect([count(), (await refSnapshot(forge.context, repo)).count, batches(), branches]).toEqual([MANY + 1, MANY + 1, 0, { branch_count: MANY + 1 }])
  expect(getState(forge.context.db, repo.id).is_exact).toBe(1)
})

test('a repository that is deleted while its refs are written ahead keeps none of them', async () => {
  const deleted = () => {
    forge.context.db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', repo.id))
    return clearRefs(forge.context, repo.id)
  }
  let isDeleted: Promise<unknown> | undefined
  const complete = (one: RefUpdate) => {
    if (one.name.endsWith('/1700')) setImmediate(() => (isDeleted = deleted()))
    return one
  }
  // Bun's own `rejects` runs the event loop within the turn that asks: in a run of all files this then waited for minutes.
  const failure = await stageRefs(forge.context, repo.id, many(), { ...rules, complete }).catch((error) => error)
  expect(failure).toBeInstanceOf(NotFound)
  await isDeleted
  expect([rows(), batches()]).toEqual([0, 0])
})

test('a ref that moves meanwhile has them judged again: what is still right lands', async () => {
  await pushMany(many(), () => update({ name: 'refs/tags/else', new: oid }))
  expect([count(), batches()]).toEqual([MANY + 2, 0])
})

test('one that somebody else creates meanwhile refuses them all, and nothing is left of them', async () => {
  const results = await pushMany(
    many().map((one) => ({ ...one, old: zero })),
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
  await stageRefs(forge.context, repo.id, many(), rules)
  expect([rows(), count(), batches()]).toEqual([MANY + 1, 1, 1])
  StagedNames.forget(forge.context, repo.id)
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

test('many refs move, go and come all at once, for every reader', async () => {
  await pushMany(many())
  const before = seen()
  let meanwhile: string[] = []
  const results = await pushMany(mixed(), async () => {
    meanwhile = seen()
    expect((await refSnapshot(forge.context, repo)).count).toBe(MANY + 1)
  })
  expect(results.every((one) => one.ok)).toBe(true)
  expect(meanwhile).toEqual(before)
  expect(seen().sort()).toEqual(afterMixed())
  expect(
    (await refSnapshot(forge.context, repo)).chunks
      .flatMap(refsOf)
      .map(({ name, oid }) => `${name} ${oid}`)
      .sort(),
  ).toEqual(afterMixed())
  const branches = forge.context.db.find<{ branch_count: number }>('SELECT branch_count FROM repository WHERE id = ?', repo.id)?.branch_count
  expect([count(), branches, getState(forge.context.db, repo.id).is_exact]).toEqual([afterMixed().length, afterMixed().length, 0])
})

test('afterwards the rows are plain, and the reflog knows what refs were before', async () => {
  await pushMany(many())
  await pushMany(mixed())
  const last = `refs/heads/new/${MANY - 1}`
  await eventually(() => listReflog(forge.context.db, repo.id, last, { limit: 1 }).length > 0)
  expect([plain(), rows(), batches()]).toEqual([true, afterMixed().length, 0])
  const logged = (name: string) => listReflog(forge.context.db, repo.id, name, { limit: 1 })[0]
  expect(logged('refs/heads/many/0')).toMatchObject({ old_oid: oid, new_oid: other })
  expect(logged('refs/heads/many/1')).toMatchObject({ old_oid: oid, new_oid: zero })
})

test('what a crash left of moves and deletions is as if they had not been asked for', async () => {
  await pushMany(many())
  const before = seen()
  await stageRefs(forge.context, repo.id, mixed(), rules)
  expect([seen(), plain()]).toEqual([before, false])
  StagedNames.forget(forge.context, repo.id)
  await sweepBatches(forge.context)
  expect([seen(), plain(), batches()]).toEqual([before, true, 0])
})

test('a crash right after they became visible loses none of them', async () => {
  await pushMany(many())
  await stageRefs(forge.context, repo.id, mixed(), rules)
  forge.context.db.tx((tx) => tx.run('DELETE FROM ref_batch'))
  StagedNames.forget(forge.context, repo.id)
  expect([seen().sort(), plain()]).toEqual([afterMixed(), false])
  expect(update({ name: 'refs/heads/many/0', old: other, new: oid })[0]).toEqual({ name: 'refs/heads/many/0', ok: true })
  expect(update({ name: 'refs/heads/many/1', old: zero, new: oid })[0]).toEqual({ name: 'refs/heads/many/1', ok: true })
  const now = seen()
  await sweepBatches(forge.context)
  expect([seen(), plain()]).toEqual([now, true])
})

test('one that moves meanwhile is refused, and those that do not depend on it go on unless all must', async () => {
  await pushMany(many())
  const rival = () => update({ name: 'refs/heads/many/0', old: oid, new: other })
  const atomic = await pushMany(mixed(), rival)
  expect([atomic.some((one) => one.ok), batches()]).toEqual([false, 0])
  const results = await pushMany(mixed(), undefined, {})
  expect(results.filter((one) => !one.ok)).toEqual([{ name: 'refs/heads/many/0', ok: false, reason: `reference was already updated to ${other.slice(0, 10)}` }])
  expect(seen().sort()).toEqual(afterMixed())
})

test('of many deletions, those of refs that do not exist succeed, and alone they change nothing', async () => {
  await pushMany(many().slice(0, MANY / 2))
  const results = await pushMany(many().map(({ name }, i) => ({ name, old: i < MANY / 2 ? oid : zero, new: zero })))
  expect(results.map((result) => result.ok && result.wasAbsent === true)).toEqual(many().map((_, i) => i >= MANY / 2))
  expect(seen()).toEqual([`refs/heads/main ${oid}`])
  const { version } = getState(forge.context.db, repo.id)
  expect((await pushMany(many().map(({ name }) => ({ name, old: zero, new: zero })))).every((result) => result.ok)).toBe(true)
  expect([getState(forge.context.db, repo.id).version, batches()]).toEqual([version, 0])
})

test('what a policy refuses is refused by name, and the rest is done', async () => {
  await pushMany(many())
  const policies: RefPolicy[] = [(_tx, _repo, { name }) => (name === 'refs/heads/new/2' ? 'not this one' : undefined)]
  const results = await pushMany(mixed(), undefined, { policies })
  expect(results.filter((one) => !one.ok)).toEqual([{ name: 'refs/heads/new/2', ok: false, reason: 'not this one', isForbidden: true }])
  expect(seen().sort()).toEqual(afterMixed().filter((line) => !line.startsWith('refs/heads/new/2 ')))
})

test('many are judged once, and once more where what they were judged on has changed, or cannot be told', async () => {
  for (const [meanwhile, basis, times] of [
    ['nothing', () => 'the same', 1],
    ['a rule', () => forge.context.db.find<{ description: string }>('SELECT description FROM repository')?.description, 2],
    ['nothing', undefined, 2],
  ] as const) {
    let asked = 0
    const policy: RefPolicy = Object.assign(() => void asked++, basis && { basis })
    const updates = many().map((one) => ({ ...one, name: `${one.name}-${meanwhile.replace(' ', '-')}-${times}` }))
    const change = () => meanwhile === 'a rule' && forge.context.db.tx((tx) => tx.run("UPDATE repository SET description = 'changed'"))
    const results = await pushMany(updates, change, { policies: [policy] })
    expect([results.every(({ ok }) => ok), asked / MANY]).toEqual([true, times])
  }
})

test.each(['**', 'many/1'])('a rule for %s that is made when many branches have been judged holds for them', async (rule) => {
  const { row: bob } = await forge.person('bob')
  await forge.asUser('ada').put('/repos/ada/engine/collaborators/bob', { permission: 'write' })
  const protect = () => forge.asUser('ada').post('/repos/ada/engine/branch_protections', { rule_name: rule, enable_push: false })
  const results = await pushMany(many(), protect, { actorId: bob.id })
  expect(results.filter(({ ok }) => !ok).length).toBe(rule === '**' ? MANY : 1)
  expect(count()).toBe(rule === '**' ? 1 : MANY)
})

test('a directory becomes a ref and a ref a directory in one push, and two pushes of many take turns', async () => {
  await pushMany([...many(), { name: 'refs/heads/file', new: oid }])
  const swap: RefUpdate[] = [
    ...many().map((one) => ({ ...one, new: zero })),
    { name: 'refs/heads/many', new: oid },
    { name: 'refs/heads/file', new: zero },
    { name: 'refs/heads/file/a', new: oid },
  ]
  const more = Array.from({ length: MANY }, (_, i): RefUpdate => ({ name: `refs/heads/more/${i}`, new: other }))
  const [first, second] = await Promise.all([pushMany(swap), pushMany(more)])
  expect([first.every((one) => one.ok), second.every((one) => one.ok)]).toEqual([true, true])
  expect(seen().sort()).toEqual(
    [`refs/heads/file/a ${oid}`, `refs/heads/main ${oid}`, `refs/heads/many ${oid}`, ...more.map(({ name }) => `${name} ${other}`)].sort(),
  )
})

test('a name twice in one push is refused', async () => {
  const results = await pushMany([...many(), { name: 'refs/heads/many/3', new: other }], undefined, {})
  expect(results.filter((one) => !one.ok).map(({ name }) => name)).toEqual(['refs/heads/many/3', 'refs/heads/many/3'])
})
