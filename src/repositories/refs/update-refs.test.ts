import { expect, test } from 'bun:test'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { refsOf } from '#git/workers/ref-list.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { findRef, listReflog, listRefs, type RefUpdate, refSnapshot, updateRefs } from './index.ts'

const one = '1'.repeat(40) as Oid
const two = '2'.repeat(40) as Oid
const zero = SHA1.zero

async function forgeWithRepo() {
  const forge = testForge()
  const ada = await forge.person('ada')
  const repo = forge.repo(ada, 'engine')
  const update = (updates: RefUpdate[], atomic = false) =>
    forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: repo.id, actorId: ada.row.id, message: 'test', updates, atomic }))
  return { forge, repo, update }
}

/** Each row: refs that exist, what is asked, and what becomes of it (`ok`, or a part of the reason). */
const table: [claim: string, existing: string[], updates: RefUpdate[], outcome: string[]][] = [
  ['a new branch is created', [], [{ name: 'refs/heads/a', old: zero, new: one }], ['ok']],
  ['a branch moves from where it is', ['refs/heads/a'], [{ name: 'refs/heads/a', old: one, new: two }], ['ok']],
  ['a stale old value is refused', ['refs/heads/a'], [{ name: 'refs/heads/a', old: two, new: two }], ['already updated']],
  ['creating what exists is refused', ['refs/heads/a'], [{ name: 'refs/heads/a', old: zero, new: two }], ['already updated']],
  ['deleting a ref that does not exist succeeds, as in git', [], [{ name: 'refs/heads/a', old: zero, new: zero }], ['ok']],
  ['deleting a ref that another push deleted meanwhile is refused', [], [{ name: 'refs/heads/a', old: one, new: zero }], ['no longer exists']],
  ['a file cannot be where a directory is', ['refs/heads/a/b'], [{ name: 'refs/heads/a', new: one }], ['conflict with refs/heads/a/b']],
  ['a directory cannot be where a file is', ['refs/heads/a'], [{ name: 'refs/heads/a/b', new: one }], ['conflict with refs/heads/a']],
  [
    'two new refs of one call can conflict',
    [],
    [
      { name: 'refs/heads/a', new: one },
      { name: 'refs/heads/a/b', new: one },
    ],
    ['conflict', 'conflict'],
  ],
  [
    'a deletion makes room in the same call',
    ['refs/heads/a'],
    [
      { name: 'refs/heads/a/b', new: one },
      { name: 'refs/heads/a', new: zero },
    ],
    ['ok', 'ok'],
  ],
  [
    'one ref twice in a call is refused',
    [],
    [
      { name: 'refs/heads/a', new: one },
      { name: 'refs/heads/a', new: two },
    ],
    ['multiple updates', 'multiple updates'],
  ],
  ['a traversing name is refused', [], [{ name: 'refs/heads/../../config', new: one }], ['funny refname: ']],
  ['a name that ends in .lock is refused', [], [{ name: 'refs/heads/a.lock', new: one }], ['funny refname: a part ends with ".lock"']],
  ['a name directly under refs/ is refused, as git does', [], [{ name: 'refs/stash', new: one }], ['funny refname: it lies directly under "refs/"']],
  ['HEAD itself cannot be pushed', [], [{ name: 'HEAD', new: one }], ['funny refname: it does not start with "refs/"']],
  ['a ref of the server’s own is refused', [], [{ name: 'refs/pull/1/head', new: one }], ['managed by the server']],
  ['and so is one that differs in case alone', [], [{ name: 'refs/PULL/1/head', new: one }], ['too similar to refs/pull/']],
  ['and one of another form that is a branch in a mirror', [], [{ name: 'refs/ｈeads/main', new: one }], ['too similar to refs/heads/']],
  ['and one with a joiner, which some file systems ignore', [], [{ name: 'refs/he\u200dads/main', new: one }], ['too similar to refs/heads/']],
  ['what would take the room of all pull requests is refused', [], [{ name: 'refs/pull', new: one }], ['would conflict with the refs in refs/pull/']],
  ['and of all branches', [], [{ name: 'refs/heads', new: one }], ['would conflict with the refs in refs/heads/']],
  ['and, in other letters, of all tags', [], [{ name: 'refs/Tags', new: one }], ['too similar to refs/tags/']],
  ['refs of others’ own names are taken', [], [{ name: 'refs/changes/01/1', new: one }], ['ok']],
  ['names that differ in case live side by side', ['refs/heads/a'], [{ name: 'refs/heads/A', new: two }], ['ok']],
]

test.each(table)('%s', async (_claim, existing, updates, outcome) => {
  const { forge, repo, update } = await forgeWithRepo()
  await using _ = forge
  update(existing.map((name) => ({ name, new: one })))
  const before = listRefs(forge.context.db, repo.id)
  const results = update(updates)
  expect(results.map((result) => (result.ok ? 'ok' : result.reason))).toEqual(outcome.map((text) => (text === 'ok' ? 'ok' : expect.stringContaining(text))))
  for (const [i, result] of results.entries()) {
    if (!result.ok) continue
    expect(findRef(forge.context.db, repo.id, (updates[i] as RefUpdate).name)?.oid ?? zero).toBe((updates[i] as RefUpdate).new)
  }
  if (results.every((result) => !result.ok)) expect(listRefs(forge.context.db, repo.id)).toEqual(before)
})

test('an atomic call with one refusal changes nothing and says so for each ref', async () => {
  const { forge, repo, update } = await forgeWithRepo()
  await using _ = forge
  const results = update(
    [
      { name: 'refs/heads/a', new: one },
      { name: 'refs/heads/b.lock', new: one },
    ],
    true,
  )
  expect(results).toEqual([
    { name: 'refs/heads/a', ok: false, reason: 'atomic push failed' },
    { name: 'refs/heads/b.lock', ok: false, reason: 'funny refname: a part ends with ".lock"' },
  ])
  expect(listRefs(forge.context.db, repo.id)).toEqual([])
})

test('an atomic call deletes a ref that does not exist and records nothing about it', async () => {
  const { forge, repo, update } = await forgeWithRepo()
  await using _ = forge
  const results = update(
    [
      { name: 'refs/heads/a', new: one },
      { name: 'refs/heads/gone', old: zero, new: zero },
    ],
    true,
  )
  expect(results).toEqual([
    { name: 'refs/heads/a', ok: true },
    { name: 'refs/heads/gone', ok: true, wasAbsent: true },
  ])
  expect(listReflog(forge.context.db, repo.id, 'refs/heads/gone', { limit: 9 })).toEqual([])
  expect(update([{ name: 'refs/heads/gone', old: zero, new: zero }])).toEqual([{ name: 'refs/heads/gone', ok: true, wasAbsent: true }])
  expect(forge.context.events.after(0, 99).filter(({ event }) => event.type === 'push')).toHaveLength(1)
})

test('each change leaves a line in the reflog and one push event', async () => {
  const { forge, repo, update } = await forgeWithRepo()
  await using _ = forge
  update([{ name: 'refs/heads/a', new: one }])
  update([{ name: 'refs/heads/a', old: one, new: two }])
  expect(listReflog(forge.context.db, repo.id, 'refs/heads/a', { limit: 9 }).map((row) => [row.old_oid, row.new_oid])).toEqual([
    [one, two],
    [zero, one],
  ])
  const pushes = forge.context.events.after(0, 99).filter(({ event }) => event.type === 'push')
  expect(pushes.map(({ event }) => event)).toMatchObject([
    { changes: [{ before: zero, forced: false }] },
    { changes: [{ before: one, after: two, forced: true }] },
  ])
})

test('the first push decides the default branch when the configured one is not among the pushed', async () => {
  const { forge, repo, update } = await forgeWithRepo()
  await using _ = forge
  update([
    { name: 'refs/heads/topic', new: one },
    { name: 'refs/heads/master', new: one },
  ])
  expect((await defaultBranch(forge)).default_branch).toBe('master')
  update([{ name: 'refs/heads/main', new: one }])
  expect((await defaultBranch(forge)).default_branch).toBe('master')
  expect((await snapshotAt(forge, repo.id)).head).toEqual({ target: 'refs/heads/master' })
})

test('a snapshot of refs is as new as the last change', async () => {
  const { forge, repo, update } = await forgeWithRepo()
  await using _ = forge
  update([{ name: 'refs/heads/a', new: one }])
  expect((await refsAt(forge, repo.id)).map((ref) => ref.oid)).toEqual([one])
  update([{ name: 'refs/heads/a', new: two }])
  expect((await refsAt(forge, repo.id)).map((ref) => ref.oid)).toEqual([two])
})

async function defaultBranch(forge: TestForge) {
  return (await forge.get<{ default_branch: string }>('/repos/ada/engine')).body
}

async function refsAt(forge: TestForge, repoId: number) {
  return (await snapshotAt(forge, repoId)).chunks.flatMap(refsOf)
}

async function snapshotAt(forge: TestForge, repoId: number) {
  const repo = forge.context.db.find<Parameters<typeof refSnapshot>[1]>('SELECT * FROM repository WHERE id = ?', repoId)
  if (!repo) throw new Error('the repository is gone')
  return refSnapshot(forge.context, repo)
}
