import { expect, spyOn, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessStore } from '#access/index.ts'
import { GitError } from '#git/errors.ts'
import { commitGraphPath, findCommitGraph } from '#git/history/commit-graph.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { lineLog } from '#kernel/log.ts'
import { findRef, updateRefs } from '#repositories/refs/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { git, testForge, tryGit } from '../../../test/harness.ts'
import { outcome } from '../../../test/outcome.ts'
import { countPush } from './commit-graph.ts'
import { lookAfter, prepareWalks, visitAll } from './index.ts'
import { ExclusionLimit } from './join-packs.ts'
import { damage, pushedThrice, scratch } from './pushed-thrice.fixture.ts'
import { startUpkeep } from './upkeep.ts'

type Place = Awaited<ReturnType<typeof pushedThrice>>
const MiB = 1024 * 1024

test('many packs become one, with a commit-graph that has changed-path filters, and stock git finds nothing wrong with them', async () => {
  await using place = await pushedThrice()
  expect(place.packs()).toHaveLength(3)
  expect(await lookAfter(place.context, place.repo, true)).toEqual({ joined: 'all', graphWritten: true })
  expect(place.packs()).toHaveLength(1)
  await git(['fsck', '--full', '--strict'], { cwd: place.bare })
  await git(['commit-graph', 'verify'], { cwd: place.bare })
  expect(findCommitGraph(commitGraphPath(place.bare), SHA1)?.filters).toBeDefined()
  await git(['clone', '-q', place.url, join(scratch, 'join-clone')])
  expect(await git(['rev-list', '--count', 'HEAD'], { cwd: join(scratch, 'join-clone') })).toBe('3')
})

test('what a forced push left behind stays for the grace period in a cruft pack, then goes', async () => {
  await using place = await pushedThrice()
  await place.push('another three', '--amend')
  const lost = place.commits[2] as Oid
  await lookAfter(place.context, place.repo, true)
  expect((await tryGit(['cat-file', '-e', lost], { cwd: place.bare })).exitCode).toBe(0)
  expect(readdirSync(join(place.bare, 'objects', 'pack')).some((file) => file.endsWith('.mtimes'))).toBe(true)
  await git(['fsck', '--full', '--strict'], { cwd: place.bare })
  place.passDays(20)
  await lookAfter(place.context, place.repo, true)
  expect((await tryGit(['cat-file', '-e', lost], { cwd: place.bare })).exitCode).not.toBe(0)
  expect(place.packs()).toHaveLength(1)
  await git(['fsck', '--full', '--strict'], { cwd: place.bare })
})

test('what goes is in no commit-graph when it does: stock git finds nothing wrong, whenever the server is killed', async () => {
  await using place = await pushedThrice()
  const { git: store } = place.context
  await lookAfter(place.context, place.repo, true)
  await place.push('another three', '--amend')
  place.passDays(20)
  const run = store.run.bind(store)
  store.run = ((task: 'writeCommitGraph', ...rest: [number, never]) => {
    // Now there is one pack, and what was left behind has gone.
    if (task === 'writeCommitGraph' && place.packs().length === 1) throw new Error('killed')
    return run(task, ...rest)
  }) as typeof store.run
  expect(await outcome(lookAfter(place.context, place.repo, true))).toThrow('killed')
  expect((await tryGit(['cat-file', '-e', place.commits[2] as Oid], { cwd: place.bare })).exitCode).not.toBe(0)
  await git(['commit-graph', 'verify'], { cwd: place.bare })
  expect(await tryGit(['fsck', '--connectivity-only'], { cwd: place.bare })).toMatchObject({ exitCode: 0, stderr: '' })
})

test('what a branch had stays for the grace period after it was deleted, however old it is, and goes then', async () => {
  await using place = await pushedThrice()
  await place.push('another three', '--amend')
  const old = place.commits[2] as Oid
  const { context, repo } = place
  const name = 'refs/heads/old'
  const move = (to: { old?: Oid; new: Oid }) =>
    context.db.tx((tx) => updateRefs(context, tx, { repoId: repo.id, actorId: place.ada.row.id, message: 'test', updates: [{ name, ...to }] }))
  move({ new: old })
  place.passDays(20)
  const deletedAt = context.clock.seconds()
  move({ old, new: SHA1.zero })
  const isThere = async () => (await tryGit(['cat-file', '-e', `${old}^{tree}`], { cwd: place.bare })).exitCode === 0
  for (const days of [0, 13]) {
    place.passDays(days)
    await lookAfter(context, repo, true)
    expect([days, await isThere()]).toEqual([days, true])
    // By the age of this file a visit knows that there is nothing to drop yet.
    const cruft = readdirSync(join(place.bare, 'objects', 'pack')).find((file) => file.endsWith('.mtimes')) ?? ''
    expect(statSync(join(place.bare, 'objects', 'pack', cruft.replace('.mtimes', '.pack'))).mtimeMs).toBeGreaterThanOrEqual(deletedAt * 1000)
  }
  await git(['fsck', '--full', '--strict'], { cwd: place.bare })
  place.passDays(2)
  expect(await lookAfter(context, repo)).toMatchObject({ joined: 'all' })
  expect(await isThere()).toBe(false)
})

test('nothing goes when a ref moved while the reachable objects were being counted', async () => {
  await using place = await pushedThrice()
  await place.push('another three', '--amend')
  place.passDays(20)
  const lost = place.commits[2] as Oid
  const { context, repo } = place
  const rescue = () =>
    context.db.tx((tx) =>
      updateRefs(context, tx, { repoId: repo.id, actorId: place.ada.row.id, message: 'rescue', updates: [{ name: 'refs/heads/rescued', new: lost }] }),
    )
  const run = context.git.run.bind(context.git)
  // The worker begins to count with refs that are out of date.
  context.git.run = ((task: 'consolidate', id: number, input: () => Promise<never>, ...rest: [never]) => {
    if (task !== 'consolidate') return run(task, id, input, ...rest)
    return run(task, id, async () => {
      const refs = await input()
      rescue()
      return refs
    })
  }) as typeof run
  expect(await lookAfter(context, repo, true)).toMatchObject({ joined: 'none' })
  expect(findRef(place.context.db, place.repo.id, 'refs/heads/rescued')?.oid).toBe(lost)
  expect((await tryGit(['cat-file', '-e', lost], { cwd: place.bare })).exitCode).toBe(0)
})

test('garbage goes though refs moved while the join waited for its turn', async () => {
  await using place = await pushedThrice()
  await place.push('another three', '--amend')
  place.passDays(20)
  const { context, repo, commits } = place
  const { promise: others, resolve: goOn } = Promise.withResolvers<void>()
  context.git.pool.run = (
    (run) =>
    async (...call: Parameters<typeof run>) => {
      if (call[0] === 'consolidate') await others
      return run.apply(context.git.pool, call)
    }
  )(context.git.pool.run) as typeof context.git.pool.run
  const visit = lookAfter(context, repo, true)
  await place.push('four')
  goOn()
  expect(await visit).toMatchObject({ joined: 'all' })
  expect((await tryGit(['cat-file', '-e', commits[2] as Oid], { cwd: place.bare })).exitCode).not.toBe(0)
})

test('small packs are joined while a large one stays as it is', async () => {
  await using place = await pushedThrice({ MAX_PACKS: 2 })
  await lookAfter(place.context, place.repo, true)
  const [large] = place.packs()
  for (const text of ['four', 'five', 'six']) await place.push(text)
  expect(await lookAfter(place.context, place.repo)).toMatchObject({ joined: 'small' })
  const packs = place.packs()
  expect(packs.length).toBeLessThanOrEqual(2)
  expect(large).toBeString()
  await git(['fsck', '--full', '--strict'], { cwd: place.bare })
  await git(['clone', '-q', place.url, join(scratch, 'small-clone')])
  expect(await git(['rev-list', '--count', 'HEAD'], { cwd: join(scratch, 'small-clone') })).toBe('6')
})

test('upkeep that would remove something asks while a push is under way, keeps nobody waiting, and comes back later', async () => {
  await using place = await pushedThrice()
  await place.push('another three', '--amend')
  place.passDays(20)
  const leave = await place.context.pushes.share(place.repo.id)
  place.context.services.get(ExclusionLimit).milliseconds = 0
  const visit = lookAfter(place.context, place.repo, true)
  await place.push('four')
  expect(await visit).toMatchObject({ joined: 'none' })
  leave()
  const before = place.packs()
  await visitAll(place.context)
  expect(place.packs()).toEqual(before)
  place.passDays(1)
  await visitAll(place.context)
  expect(place.packs()).toHaveLength(1)
})

test('packs of a repository that somebody is in all the time are joined, though nothing of it can be dropped', async () => {
  await using place = await pushedThrice({ MAX_PACKS: 2 })
  await place.push('another three', '--amend')
  place.passDays(20)
  const leave = await place.context.pushes.share(place.repo.id)
  place.context.services.get(ExclusionLimit).milliseconds = 0
  const joined: number[] = []
  for (const texts of [['four'], ['five', 'six', 'seven']]) {
    for (const text of texts) await place.push(text)
    await visitAll(place.context)
    joined.push(place.packs().length)
  }
  leave()
  expect(joined.every((packs) => packs <= 2)).toBe(true)
  expect((await tryGit(['cat-file', '-e', place.commits[2] as Oid], { cwd: place.bare })).exitCode).toBe(0)
})

test('a damaged repository does not keep the others from being looked after, and is left alone for a while', async () => {
  const lines: string[] = []
  await using place = await pushedThrice({ MAX_PACKS: 2 }, { log: lineLog('error', (line) => lines.push(line)) })
  const [pack, ...others] = place.packs() as [string, ...string[]]
  for (const other of others) rmSync(join(place.bare, 'objects/pack', other))
  writeFileSync(join(place.bare, 'objects/pack', pack.replace('.pack', '.idx')), 'damaged')
  place.context.db.tx((tx) => tx.run('UPDATE ref_state SET is_exact = 0'))
  place.passDays(20)
  const sound = await place.forge.asUser(place.ada).post<{ id: number }>('/user/repos', { name: 'sound', auto_init: true })
  place.context.db.tx((tx) => tx.update('repository', sound.body.id, { size_bytes: 0 }))
  await visitAll(place.context)
  await visitAll(place.context)
  expect(lines.filter((line) => line.includes('cannot remove unreachable objects'))).toHaveLength(1)
  expect(accessStore.findRepoById(place.context.db, sound.body.id)?.size_bytes).toBeGreaterThan(0)
})

test('packs are joined though an object of one is damaged, which is told once', async () => {
  const lines: string[] = []
  await using place = await pushedThrice({ MAX_PACKS: 2 }, { log: lineLog('error', (line) => lines.push(line)) })
  const ids = (pack: string) => git(['show-index'], { cwd: place.bare, input: readFileSync(join(place.bare, 'objects/pack', pack.replace(/pack$/, 'idx'))) })
  const holds = await Promise.all(place.packs().map(async (pack) => (await ids(pack)).includes(place.commits[0] as Oid)))
  const bad = place.packs()[holds.indexOf(true)] as string
  damage(place, 'pack', 30, bad)
  await place.push('another three', '--amend')
  place.passDays(20)
  const joined: unknown[] = []
  for (const texts of [['four'], ['five', 'six', 'seven']]) {
    for (const text of texts) await place.push(text)
    for (let i = 0; i < 2; i++) await visitAll(place.context)
    // Dropping is tried again, in vain.
    place.passDays(2)
    joined.push([place.packs().length, place.packs().includes(bad)])
  }
  expect(joined).toEqual([
    [2, true],
    [2, true],
  ])
  expect(lines.filter((line) => line.includes('a pack is damaged'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('cannot remove unreachable objects'))).toHaveLength(1)
})

test('packs are joined though no commit-graph can be written, for a commit is damaged', async () => {
  const lines: string[] = []
  await using place = await pushedThrice({ MAX_PACKS: 2 }, { log: lineLog('error', (line) => lines.push(line)) })
  const { git: store } = place.context
  const run = store.run.bind(store)
  store.run = ((task: 'writeCommitGraph', ...rest: [number, never]) =>
    task === 'writeCommitGraph' ? Promise.reject(new GitError('corrupt', 'Cannot read it')) : run(task, ...rest)) as typeof store.run
  // So many pushes are a reason to write one.
  for (let i = 0; i < 20; i++) countPush(place.context, place.repo.id)
  const packs: number[] = []
  for (const text of ['four', 'five']) {
    await place.push(text)
    await place.push(`${text} again`)
    await visitAll(place.context)
    packs.push(place.packs().length)
  }
  expect([packs.every((count) => count <= 2), lines.length]).toEqual([true, 1])
  expect(lines[0]).toContain('cannot write the commit-graph or bitmaps')
})

test('a sync that fails while packs are joined, or while a graph is written before a walk, ends the service', async () => {
  const visits = {
    visitAll: ({ context }: Place) => visitAll(context),
    prepareWalks: ({ context, repo }: Place) => prepareWalks(context, repo, MiB),
  }
  for (const [name, visit] of Object.entries(visits)) {
    await using place = await pushedThrice({ MAX_PACKS: 2, UPKEEP_SECONDS: 86_400 })
    await place.push(randomBytes(2 * MiB))
    place.context.git.run = () => Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' }))
    await visit(place).catch(() => {})
    expect([name, place.context.disk.isLost]).toEqual([name, true])
  }
})

test('a visit that finds nothing to do writes nothing', async () => {
  await using place = await pushedThrice()
  await lookAfter(place.context, place.repo, true)
  const changes = () => place.context.db.find<{ n: number }>('SELECT total_changes() AS n')?.n
  const before = changes()
  expect(await lookAfter(place.context, place.repo)).toEqual({ joined: 'none', graphWritten: false })
  expect(changes()).toBe(before)
})

test('of two visits at once the second finds what the first has done', async () => {
  await using place = await pushedThrice({ MAX_PACKS: 2 })
  const outcomes = await Promise.all([lookAfter(place.context, place.repo), lookAfter(place.context, place.repo)])
  expect(outcomes.map(({ joined }) => joined)).toEqual(['small', 'none'])
})

test('a history that came in a very large pack has its commit-graph before it is walked, another need not', async () => {
  await using place = await pushedThrice({ UPKEEP_SECONDS: 86_400 })
  const graph = join(place.bare, 'objects', 'info', 'commit-graph')
  const prepare = () => prepareWalks(place.context, place.repo, MiB)
  await prepare()
  expect(existsSync(graph)).toBe(false)
  await place.push(randomBytes(2 * MiB))
  // Where nothing large moves any more.
  place.context.git.pool.hasten()
  await Promise.all([prepare(), prepare()])
  await git(['commit-graph', 'verify'], { cwd: place.bare })
  const written = statSync(graph).ino
  await prepare()
  expect(statSync(graph).ino).toBe(written)
})

test('a graph that is written before a walk is not written by the visit after the push as well', async () => {
  await using place = await pushedThrice({ UPKEEP_SECONDS: 86_400 })
  await place.push(randomBytes(2 * MiB))
  // Where nothing large moves any more.
  place.context.git.pool.hasten()
  const tasks: string[] = []
  const run = place.context.git.run.bind(place.context.git)
  place.context.git.run = ((task: 'writeCommitGraph', ...rest: [number, never]) => {
    tasks.push(task)
    return run(task, ...rest)
  }) as typeof run
  await Promise.all([prepareWalks(place.context, place.repo, MiB), lookAfter(place.context, place.repo)])
  expect(tasks.filter((task) => task === 'writeCommitGraph')).toHaveLength(1)
})

test('a branch that goes is reason for a visit, whoever deleted it', async () => {
  await using forge = testForge({ git: { UPKEEP_SECONDS: 600 } })
  const as = await forge.person('ada')
  startUpkeep(forge.context)
  const later = spyOn(forge.context.tasks, 'later')
  const isExpected = () => later.mock.calls.some(([, name]) => name === 'upkeep')
  await forge.asUser(as).post('/user/repos', { name: 'engine', auto_init: true })
  await forge.asUser(as).post('/repos/ada/engine/branches', { new_branch_name: 'topic' })
  expect(isExpected()).toBe(false)
  await forge.asUser(as).delete('/repos/ada/engine/branches/topic')
  expect(isExpected()).toBe(true)
})

test('packs are read from end to end now and then, and damage is told once, in the log and where the administration begins', async () => {
  const lines: string[] = []
  await using place = await pushedThrice({ UPKEEP_SECONDS: 600, CHECK_DAYS: 30 }, { log: lineLog('error', (line) => lines.push(line)) })
  await lookAfter(place.context, place.repo, true)
  const root = await place.forge.person('root', { isAdmin: true })
  const summary = async () => (await new TestBrowser(place.forge, root).get('/-/admin')).text
  const told = () => lines.filter((line) => line.includes('a pack is damaged'))
  await visitAll(place.context)
  damage(place, 'pack', 30)
  await visitAll(place.context)
  expect([told(), await summary()]).toEqual([[], expect.not.stringContaining('Damaged repositories')])
  place.passDays(31)
  for (let i = 0; i < 2; i++) await visitAll(place.context)
  const fault = `Cannot read ${place.packs()[0]}: its checksum does not match its content`
  expect(told()).toEqual([expect.stringContaining(fault)])
  expect(await summary()).toContain(`<li>ada/engine: ${fault}</li>`)
  place.context.db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', place.repo.id))
  expect(place.context.db.all('SELECT * FROM derived_pack_check')).toEqual([])
})

test('a large push gets bitmaps that git believes, once the disk has room; they go with their pack, and its successor gets its own', async () => {
  await using place = await pushedThrice()
  const bitmaps = () => readdirSync(join(place.bare, 'objects', 'pack')).filter((file) => file.endsWith('.bitmap'))
  await lookAfter(place.context, place.repo)
  expect(bitmaps()).toEqual([])
  const files = Array.from({ length: 10_100 }, (_, i) => `M 100644 inline d${i % 100}/f${i}\ndata <<E\n${i}\nE\n`).join('')
  const made = join(scratch, 'bitmaps-made')
  await git(['init', '-q', made])
  const stream = `commit refs/heads/large\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nx\n${files}\n`
  Bun.spawnSync(['git', 'fast-import', '--quiet'], { cwd: made, stdin: Buffer.from(stream) })
  await git(['push', '-q', place.url, 'refs/heads/large'], { cwd: made })
  const large = await git(['rev-parse', 'large'], { cwd: made })
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  const { run } = place.context.git
  place.context.git.run = (task, ...rest) => (task === 'writeBitmaps' ? Promise.reject(full) : run.call(place.context.git, task, ...rest)) as never
  expect(await lookAfter(place.context, place.repo).catch((error) => error)).toBe(full)
  place.context.git.run = run
  await lookAfter(place.context, place.repo)
  const [first] = bitmaps()
  expect(first).toBeDefined()
  await git(['rev-list', '--test-bitmap', large], { cwd: place.bare })
  await lookAfter(place.context, place.repo, true)
  expect(bitmaps().length).toBe(1)
  expect(bitmaps()[0]).not.toBe(first)
  await git(['rev-list', '--test-bitmap', large], { cwd: place.bare })
  await git(['clone', '-q', '--no-local', '--single-branch', '-b', 'large', place.url, join(scratch, 'bitmaps-clone')])
  expect((await git(['ls-tree', '-r', '--name-only', 'HEAD'], { cwd: join(scratch, 'bitmaps-clone') })).split('\n').length).toBe(10_100)
})
