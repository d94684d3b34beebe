import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { accessStore } from '#access/index.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { findRef, getState, updateRefs } from '#repositories/refs/index.ts'
import { eventually } from '../../../test/eventually.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { makeDelta, PackBuilder } from '../../../test/pack-builder.ts'
import { create, packedCommit, push, send } from './receive.fixture.ts'

let forge: TestForge
let ada: Person
beforeEach(async () => {
  forge = testForge({ git: { UPKEEP_SECONDS: 0 } })
  ada = await forge.person('ada')
})
afterEach(() => forge[Symbol.asyncDispose]())

const one = packedCommit('one')
const two = packedCommit('two')
const broken = one.pack.slice(0, -1)

/** The repository as it is now. */
function repo(name = 'engine') {
  const found = accessStore.findRepo(forge.context.db, ada.row.id, name)
  if (!found) throw new Error(`There is no repository ${name}`)
  return found
}

const objects = () => join(forge.context.git.pathOf(repo().id), 'objects')
const packs = () => readdirSync(join(objects(), 'pack')).filter((name) => name.endsWith('.pack'))
const quarantines = () => readdirSync(objects()).filter((name) => name.startsWith('tmp_'))

test('a push that fails takes the repository it made away, unless another push has landed there', async () => {
  expect(await push(forge, ada, 'ada/alone', { commands: [create('refs/heads/a', one.oid)], pack: broken })).toContain('ng refs/heads/a')
  expect((await forge.asUser(ada).get('/repos/ada/alone')).status).toBe(404)
  const other = { commands: [create('refs/heads/b', two.oid)], pack: two.pack }
  // The first push has made the repository once its commands are read.
  const meanwhile = async () => {
    await eventually(() => accessStore.findRepo(forge.context.db, ada.row.id, 'engine'))
    expect(await push(forge, ada, 'ada/engine', other)).toContain('ok refs/heads/b')
  }
  const failing = { commands: [create('refs/heads/a', one.oid)], pack: broken, duringPack: meanwhile }
  expect(await push(forge, ada, 'ada/engine', failing)).toContain('ng refs/heads/a')
  expect(findRef(forge.context.db, repo().id, 'refs/heads/b')?.oid).toBe(two.oid as never)
})

test('a push that only deletes a ref that does not exist creates no repository', async () => {
  expect(await push(forge, ada, 'ada/alone', { commands: [`${SHA1.zero} ${SHA1.zero} refs/heads/a`] })).toContain('ok refs/heads/a')
  expect((await forge.asUser(ada).get('/repos/ada/alone')).status).toBe(404)
})

test('a push to a repository that another push has made meanwhile lands beside it', async () => {
  const other = { commands: [create('refs/heads/b', two.oid)], pack: two.pack }
  const meanwhile = async () => expect(await push(forge, ada, 'ada/engine', other)).toContain('ok refs/heads/b')
  expect(await push(forge, ada, 'ada/engine', { commands: [create('refs/heads/a', one.oid)], pack: one.pack, meanwhile })).toContain('ok refs/heads/a')
  expect(['a', 'b'].map((name) => findRef(forge.context.db, repo().id, `refs/heads/${name}`)?.oid)).toEqual([one.oid, two.oid] as never[])
})

test('a push whose pack does not come on is told that it is too slow', async () => {
  await using hurried = testForge({ server: { PROGRESS_SECONDS: 1 } })
  const bob = await hurried.person('bob')
  const wait = Promise.withResolvers<void>()
  const slow = { commands: [create('refs/heads/a', one.oid)], pack: one.pack, duringPack: () => wait.promise }
  const report = await push(hurried, bob, 'bob/engine', slow)
  wait.resolve()
  expect(report).toMatch(/unpack .*: The request is too slow: fewer than 65536 bytes in 1 seconds\n/)
  expect(report).toContain('ng refs/heads/a unpacker error')
})

test('a push whose pack is rejected early is answered after the client has sent everything', async () => {
  let unsent = 200
  const nextPiece = () => (unsent-- > 0 ? Buffer.alloc(65_536) : undefined)
  const report = await push(forge, ada, 'ada/engine', { commands: [create('refs/heads/a', one.oid)], pack: Buffer.alloc(24, 'x'), nextPiece })
  expect(report).toContain('unpack Cannot accept pack: it does not start with "PACK"')
  expect(unsent).toBeLessThan(0)
})

test('a push whose client goes while its deltas are resolved ends, and lands nothing', async () => {
  await push(forge, ada, 'ada/engine', { commands: [create('refs/heads/a', one.oid)], pack: one.pack })
  const builder = new PackBuilder()
  const base = builder.add('blob', 'x'.repeat(1_000_000))
  for (let i = 0; i < 800; i++) builder.ofsDelta(base, makeDelta(1_000_000, 1_000_004, [[0, 1_000_000], String(1000 + i)]))
  const long = { commands: [create('refs/heads/b', one.oid)], pack: builder.build() }
  const response = await send(forge, ada, 'ada/engine', long)
  await response.body?.cancel()
  await eventually(() => quarantines().length === 0)
  expect(findRef(forge.context.db, repo().id, 'refs/heads/b')).toBeUndefined()
})

test('branches that are pushed one after another are listed by the dates of their commits', async () => {
  for (const [name, seconds] of [
    ['old', 1_000_000_000],
    ['new', 1_600_000_000],
    ['older', 900_000_000],
  ] as const) {
    const { oid, pack } = packedCommit(name, seconds)
    expect(await push(forge, ada, 'ada/engine', { commands: [create(`refs/heads/${name}`, oid)], pack })).toContain('ok')
  }
  const { body } = await forge.asUser(ada).get<{ name: string }[]>('/repos/ada/engine/branches')
  expect(body.map(({ name }) => name)).toEqual(['new', 'old', 'older'])
})

test('the branch that became the default one during a push is not deleted by it', async () => {
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  await forge.asUser(ada).post('/repos/ada/engine/branches', { new_branch_name: 'side' })
  const { oid } = findRef(forge.context.db, repo().id, 'refs/heads/side') ?? { oid: '' }
  const meanwhile = () => forge.asUser(ada).patch('/repos/ada/engine', { default_branch: 'side' })
  const report = await push(forge, ada, 'ada/engine', { commands: [`${oid} ${SHA1.zero} refs/heads/side`], meanwhile })
  expect(report).toContain('ng refs/heads/side branch side is the default branch and cannot be deleted')
})

test('a push that loses the race for its ref leaves no pack and no quarantine, and the store exact', async () => {
  forge.repo(ada, 'engine')
  expect(await push(forge, ada, 'ada/engine', { commands: [create('refs/heads/a', one.oid)], pack: one.pack })).toContain('ok')
  const { id } = repo()
  const rival = { name: 'refs/heads/b', new: one.oid as never, fastForward: true }
  const meanwhile = () => forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: id, actorId: 1, message: 'rival', updates: [rival] }))
  const report = await push(forge, ada, 'ada/engine', { commands: [create('refs/heads/b', two.oid)], pack: two.pack, meanwhile })
  expect(report).toContain('ng refs/heads/b reference was already updated')
  expect({ packs: packs().length, quarantines: quarantines(), isExact: getState(forge.context.db, id).is_exact }).toEqual({
    packs: 1,
    quarantines: [],
    isExact: 1,
  })
})

test('while a pack is being published the store counts as inexact, durably', async () => {
  forge.repo(ada, 'engine')
  const { id } = repo()
  // A directory in the pack's place makes publishing fail.
  mkdirSync(join(objects(), 'pack', `pack-${Buffer.from(one.pack.slice(-20)).toString('hex')}.pack`, 'in the way'), { recursive: true })
  expect(await push(forge, ada, 'ada/engine', { commands: [create('refs/heads/a', one.oid)], pack: one.pack })).toContain('ng refs/heads/a internal error')
  expect({ ref: findRef(forge.context.db, id, 'refs/heads/a'), isExact: getState(forge.context.db, id).is_exact }).toEqual({ ref: undefined, isExact: 0 })
})
