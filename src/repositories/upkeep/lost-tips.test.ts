import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { findLostTips, findRef, getState, updateRefs, writeObjects } from '#repositories/refs/index.ts'
import { git, type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { outcome } from '../../../test/outcome.ts'
import { lookAfter } from './index.ts'

/**
 * What only refs that are gone reached is given out to nobody, so every clone of everything looks for it; where others reach it all, clones
 * need not. A wrong yes gives out what somebody took away.
 */

let forge: TestForge
let ada: Person
let repo: RepoRow
let server: Bun.Server<unknown>
let work: string

beforeEach(async () => {
  forge = testForge({ git: { UPKEEP_SECONDS: 0 } })
  ada = await forge.person('ada')
  repo = forge.repo(ada, 'engine')
  server = Bun.serve({ port: 0, fetch: forge.app.fetch })
  work = mkdtempSync(join(tmpdir(), 'pf-'))
  await git(['init', '-q', '-b', 'main', work])
  await commit('first')
  await push('main')
})
afterEach(async () => {
  await server.stop(true)
  await forge[Symbol.asyncDispose]()
  rmSync(work, { recursive: true, force: true })
})

const url = () => `http://${ada.token}@localhost:${server.port}/ada/engine`
const run = (...args: string[]) => git(args, { cwd: work })
const push = (...refs: string[]) => run('push', '-q', url(), ...refs)
const commit = async (message: string) => {
  await run('commit', '-q', '--allow-empty', '-m', message)
  return (await run('rev-parse', 'HEAD')) as Oid
}
const visit = () => lookAfter(forge.context, repo)
const isExact = () => getState(forge.context.db, repo.id).is_exact === 1

/** Clones everything. @returns what is in the clone, and whether its packs went out as they lie */
async function clone() {
  const path = mkdtempSync(join(tmpdir(), 'pf-'))
  try {
    const child = Bun.spawn(['git', 'clone', '-q', '--progress', '--mirror', url(), path], { stderr: 'pipe', stdout: 'ignore' })
    const said = await new Response(child.stderr).text()
    expect(await child.exited).toBe(0)
    const objects = await git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: path })
    return { objects: objects.split('\n'), isAsStored: /Total \d+, sent as stored/.test(said) }
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

test('after a merged branch went, clones take the packs as they lie again', async () => {
  await run('checkout', '-qb', 'topic')
  const tip = await commit('work')
  await push('topic', 'topic:main')
  await forge.asUser(ada).delete('/repos/ada/engine/branches/topic')
  expect([isExact(), (await clone()).isAsStored]).toEqual([false, false])
  await visit()
  const { objects, isAsStored } = await clone()
  expect([isExact(), isAsStored, objects.includes(tip)]).toEqual([true, true, true])
})

test.each<[string, () => Promise<unknown>]>([
  ['a branch that nobody merged went', () => push(':topic')],
  ['a branch was moved by force', () => push('+main:topic')],
  ['one that was merged and one that was not went', () => push('main:refs/heads/merged').then(() => push(':merged', ':topic'))],
])('when %s, what it had is given to nobody, however often the repository is looked after', async (_, lose) => {
  await run('checkout', '-qb', 'topic')
  const tip = await commit('a secret')
  await push('topic')
  await lose()
  for (const message of ['next', 'and next']) {
    await visit()
    const { objects, isAsStored } = await clone()
    expect([isExact(), isAsStored, objects.includes(tip)]).toEqual([false, false, false])
    await run('checkout', '-q', 'main')
    await commit(message)
    await push('main')
  }
})

test('a tag that is deleted takes its tag object with it, though its commit stays', async () => {
  await run('tag', '-a', '-m', 'what nobody is to read', 'v1')
  const tag = (await run('rev-parse', 'v1')) as Oid
  await push('v1', 'main:refs/heads/same')
  await push(':same')
  await visit()
  expect(isExact()).toBe(true)
  await push(':v1')
  await visit()
  expect([isExact(), (await clone()).objects.includes(tag)]).toEqual([false, false])
})

test('what is lost while others are looked for is looked for by a later visit', async () => {
  await run('checkout', '-qb', 'topic')
  const secret = await commit('a secret')
  await push('topic', 'main:refs/heads/merged')
  await push(':merged')
  const real = forge.context.git.run.bind(forge.context.git)
  let asked = 0
  forge.context.git.run = (async (task: 'areReached', ...rest: [never, never]) => {
    const answer = await real(task, ...rest)
    if (task === 'areReached' && ++asked === 1) await push(':topic')
    return answer
  }) as typeof real
  await visit()
  expect([asked, isExact(), findLostTips(forge.context.db, repo.id)?.includes(secret)]).toEqual([1, false, true])
  await visit()
  expect([isExact(), (await clone()).objects.includes(secret)]).toEqual([false, false])
})

test('what a crash leaves between a pack and its ref is never taken for reached, also where only a merged branch was lost before', async () => {
  await push('main:refs/heads/merged')
  await push(':merged')
  const { db } = forge.context
  const who = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }
  const land = (work: (move: () => unknown) => void) =>
    writeObjects(forge.context, repo.id, async (writing) => {
      const oid = await writing.make('firstCommit', { files: [{ path: 'a', data: 'a' }], who, message: 'a' })
      const update = { name: 'refs/heads/other', old: SHA1.zero, new: oid, fastForward: true }
      writing.land((_tx, move) => work(() => move({ actorId: 1, message: 'test', updates: [update] })))
    })
  // Nothing is written any more from the middle of the transaction on, as when the process ends there.
  const tx = db.tx.bind(db)
  const killed = land(() => {
    db.tx = () => {
      throw new Error('killed')
    }
    throw new Error('killed')
  })
  expect(await outcome(killed)).toThrow('killed')
  db.tx = tx
  expect(findLostTips(db, repo.id)).toBeUndefined()
  await visit()
  expect(isExact()).toBe(false)
})

test('what lands, or fails to, beside a merged branch that was lost changes nothing about that', async () => {
  await push('main:refs/heads/merged')
  await push(':merged')
  const lost = findLostTips(forge.context.db, repo.id)
  await commit('next')
  await push('main')
  await run('push', '-q', url(), 'main~1:refs/heads/merged/x', 'main:refs/heads/merged').catch(() => {})
  expect(findLostTips(forge.context.db, repo.id)).toEqual(lost)
  await visit()
  expect(isExact()).toBe(true)
})

test('of very many that are lost nobody asks', async () => {
  const tip = findRef(forge.context.db, repo.id, 'refs/heads/main')?.oid as Oid
  const names = Array.from({ length: 101 }, (_, i) => `refs/heads/b${i}`)
  const tips = await Promise.all(names.map((_, i) => commitOn(tip, i)))
  await push(...tips.map((oid, i) => `${oid}:${names[i]}`))
  const updates = names.map((name, i) => ({ name, old: tips[i] as Oid, new: SHA1.zero }))
  forge.context.db.tx((tx) => void updateRefs(forge.context, tx, { repoId: repo.id, actorId: 1, message: 'test', updates }))
  expect([isExact(), findLostTips(forge.context.db, repo.id)]).toEqual([false, undefined])
})

async function commitOn(parent: Oid, i: number): Promise<Oid> {
  return (await run('commit-tree', '-p', parent, '-m', `branch ${i}`, `${parent}^{tree}`)) as Oid
}
