import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { carry } from '#git/workers/carried-error.ts'
import { FakeWorker } from '#git/workers/fake-worker.fixture.ts'
import { isDue } from '#kernel/breathe.ts'
import { git, type TestForge, testForge } from '../../../test/harness.ts'
import { outcome, rejection } from '../../../test/outcome.ts'
import { findRef, getState, type RefPolicy, writeObjects } from './index.ts'

let forge: TestForge
let repo: RepoRow
beforeEach(async () => {
  forge = testForge({ git: { UPKEEP_SECONDS: 0 } })
  repo = forge.repo(await forge.person('ada'), 'engine')
})
afterEach(() => forge[Symbol.asyncDispose]())

const path = () => forge.context.git.pathOf(repo.id)
const leftovers = () => readdirSync(join(path(), 'objects')).filter((name) => name !== 'info' && name !== 'pack')
const packs = () => readdirSync(join(path(), 'objects/pack')).filter((name) => name.endsWith('.pack'))
const isExact = () => getState(forge.context.db, repo.id).is_exact === 1
const isHeld = () => {
  const leave = forge.context.pushes.tryExclude(repo.id)
  leave?.()
  return leave === undefined
}

/** Commits one file to a branch that is not there yet. */
function commit(name: string, { policies, meanwhile }: { policies?: RefPolicy[]; meanwhile?: () => unknown } = {}): Promise<Oid> {
  const who = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }
  return writeObjects(forge.context, repo.id, async (writing) => {
    const oid = await writing.make('firstCommit', { files: [{ path: 'src/a.txt', data: name }], who, message: name })
    await meanwhile?.()
    writing.land((_tx, move) => {
      const [result] = move({ actorId: 1, message: 'test', updates: [{ name, old: SHA1.zero, new: oid, fastForward: true }], policies })
      if (!result?.ok) throw new Error(result?.reason)
    })
    return oid
  })
}

test('what is written becomes one pack that stock git finds sound, and the store stays exact', async () => {
  const oid = await commit('refs/heads/main')
  expect(await git(['rev-list', '--objects', '--count', oid], { cwd: path() })).toBe('4')
  await git(['fsck', '--full', '--strict'], { cwd: path() })
  expect({ packs: packs().length, leftovers: leftovers(), isExact: isExact(), isHeld: isHeld() }).toEqual({
    packs: 1,
    leftovers: [],
    isExact: true,
    isHeld: false,
  })
})

test('the repository is held, and the objects are out of sight, until the ref moves', async () => {
  const seen: unknown[] = []
  await commit('refs/heads/main', { meanwhile: () => seen.push(isHeld(), packs().length) })
  expect([...seen, isHeld(), packs().length]).toEqual([true, 0, false, 1])
})

test('a race for a ref that is lost leaves nothing behind, and the store exact', async () => {
  const outcomes = await Promise.allSettled([commit('refs/heads/main'), commit('refs/heads/main/conflict')])
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
  expect({ packs: packs().length, leftovers: leftovers(), isExact: isExact() }).toEqual({ packs: 1, leftovers: [], isExact: true })
})

test('a policy judges on the repository as it is when the ref moves, and its refusal leaves nothing', async () => {
  const policy: RefPolicy = (_tx, row) => `the default branch is ${row.default_branch}`
  const meanwhile = () => forge.context.db.tx((tx) => tx.update('repository', repo.id, { default_branch: 'moved' }))
  expect(await outcome(commit('refs/heads/main', { policies: [policy], meanwhile }))).toThrow('the default branch is moved')
  expect({ packs: packs(), leftovers: leftovers(), isExact: isExact() }).toEqual({ packs: [], leftovers: [], isExact: true })
})

test('a branch cannot be made to point at what is no commit, or not there', async () => {
  const first = await commit('refs/heads/main')
  const tree = (await git(['rev-parse', `${first}^{tree}`], { cwd: path() })) as Oid
  const point = (oid: Oid) =>
    writeObjects(forge.context, repo.id, async (writing) => {
      await writing.make('nothing', { tips: [oid] })
      return writing.land((_tx, move) => move({ actorId: 1, message: 'test', updates: [{ name: 'refs/heads/x', new: oid }] }))
    })
  expect(await point(tree)).toMatchObject([{ ok: false, reason: 'cannot update a branch to a tree' }])
  expect(await rejection(point('1'.repeat(40) as Oid))).toMatchObject({ kind: 'missing' })
  expect(await point(first)).toMatchObject([{ ok: true }])
})

test('a repository that is deleted meanwhile is not found', async () => {
  const meanwhile = () => forge.context.db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', repo.id))
  expect(await rejection(commit('refs/heads/main', { meanwhile }))).toMatchObject({ status: 404 })
  expect({ ref: findRef(forge.context.db, repo.id, 'refs/heads/main'), isHeld: isHeld() }).toEqual({ ref: undefined, isHeld: false })
  expect(existsSync(path()) && leftovers().length > 0).toBe(false)
})

test('where very many land at once, others have a turn between them', async () => {
  const oid = await commit('refs/heads/main')
  const began: number[] = []
  let turn = 0
  const count = setInterval(() => turn++, 0)
  const land = () =>
    writeObjects(forge.context, repo.id, (writing) =>
      writing.landPrepared({ actorId: 1, updates: [{ name: 'refs/heads/main', old: oid, new: oid }] }, () => {
        began.push(turn)
        // As long as a disk may take: longer than anybody may work without letting others in.
        while (!isDue());
      }),
    )
  await Promise.all(Array.from({ length: 10 }, land))
  clearInterval(count)
  expect(new Set(began).size).toBeGreaterThan(5)
})

test('a sync that fails in a worker ends the service, whatever its caller makes of it', async () => {
  const RealWorker = globalThis.Worker
  FakeWorker.reset()
  globalThis.Worker = FakeWorker as unknown as typeof Worker
  try {
    await using forge = testForge()
    const { git, disk } = forge.context
    const failWith = async (fields: Record<string, string>) => {
      const call = git.run('checkReach', 1, { tips: [] }).catch(() => 'kept to itself')
      const thread = FakeWorker.started[0] as FakeWorker
      thread.say({ kind: 'failed', id: thread.calls.at(-1) as number, error: carry(Object.assign(new Error('failed'), fields)) })
      return [await call, disk.isLost]
    }
    expect(await failWith({ code: 'ENOSPC', syscall: 'write' })).toEqual(['kept to itself', false])
    expect(await failWith({ code: 'EIO', syscall: 'fsync' })).toEqual(['kept to itself', true])
  } finally {
    globalThis.Worker = RealWorker
  }
})
