import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../../test/eventually.ts'
import { git, makeHistory, temporaryDirectory } from '../../../test/git-fixture.ts'
import { honestPack } from '../../../test/hostile-packs.ts'
import { idOf, makeCommit, makeTree, PackBuilder } from '../../../test/pack-builder.ts'
import { GitError, type GitErrorKind } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { publishPacks } from '../packs/write/publish.ts'
import { encodePkt } from '../protocol/pkt-line.ts'
import { DiskStore, initBareRepository } from '../store/disk.ts'
import { carry, revive } from './carried-error.ts'
import { type StreamCall, WorkerPool } from './pool.ts'
import { encodeRefs } from './ref-list.ts'
import { GitService } from './service.ts'
import type { ReceiveOutput } from './stream-tasks.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const origin = join(root.path, 'origin.git')
makeHistory(origin, { commits: 60, files: 10 })
const [main, half] = ['main', 'v1^{commit}'].map((name) => git(['rev-parse', name], { cwd: origin }).toString().trim()) as [Oid, Oid]
const place = { path: origin, limits: defaultLimits }

/** The threads that pools start, so that a test can break one. */
const threads: Worker[] = []
const RealWorker = globalThis.Worker

class WatchedWorker extends RealWorker {
  constructor(url: string) {
    super(url)
    threads.push(this)
  }
}

type Push = StreamCall<ReceiveOutput>

let pool: WorkerPool

beforeEach(() => {
  threads.length = 0
  globalThis.Worker = WatchedWorker as typeof Worker
  pool = new WorkerPool(2)
})

afterEach(async () => {
  globalThis.Worker = RealWorker
  await pool.close()
})

/** Makes a thread throw outside of any call, as an error of ours would, or an end of memory. */
const breakThread = (thread: Worker | undefined) => thread?.postMessage(null)
const reach = () => pool.run('checkReach', place, { tips: [main] })
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  )

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

describe('threads', () => {
  test('are started as calls come, no more than allowed, and an idle one is used again', async () => {
    for (let i = 0; i < 3; i++) await reach()
    expect(threads.length).toBe(1)
    const outcomes = await Promise.all(Array.from({ length: 12 }, reach))
    expect(new Set(outcomes.map(({ objects }) => objects)).size).toBe(1)
    expect(threads.length).toBe(2)
  })

  test('one is enough for a push and what follows the one before it', async () => {
    const survey = () => pool.run('surveyCommit', place, { commit: main })
    await Promise.all([reach(), survey()])
    await Promise.all([survey(), survey(), reach()])
    expect(threads.length).toBe(1)
    await Promise.all([reach(), reach()])
    expect(threads.length).toBe(2)
  })

  test('one that did only what nobody waits for soon ends; one that somebody waited for stays for the next call', async () => {
    const survey = () => pool.run('surveyCommit', place, { commit: main })
    const surveyed = survey()
    await eventually(() => threads[0])
    const ended = new Promise((resolve) => threads[0]?.addEventListener('close', resolve))
    await surveyed
    await ended
    await reach()
    await survey()
    // The thread of another pool is idle later than this one, and has ended: this one would have ended before it.
    await using other = { pool: new WorkerPool(1), [Symbol.asyncDispose]: () => other.pool.close() }
    await other.pool.run('surveyCommit', place, { commit: main })
    await new Promise((resolve) => threads[2]?.addEventListener('close', resolve))
    await reach()
    expect(threads.length).toBe(3)
  })

  test('one that dies fails its own calls, at once and by name, and nobody else’s; the next call gets a new one', async () => {
    const [doomed, spared] = ['doomed', 'spared'].map((name) => pool.stream('receive', place, { quarantine: join(root.path, name), tips: [], moved: [] })) as [
      Push,
      Push,
    ]
    breakThread(threads[0])
    expect(await messageOf(doomed.result)).toStartWith('A git worker failed')
    expect(await messageOf(bytesOf(doomed.outgoing))).toStartWith('A git worker failed')
    await spared.write(honestPack())
    spared.end()
    expect((await spared.result).pack.objects).toBe(7)
    expect((await reach()).fault).toBeUndefined()
    expect(threads.length).toBeLessThanOrEqual(3)
  })

  test('one that dies lets go of those who are sending to it', async () => {
    const quarantine = join(root.path, 'quarantine-of-the-dead')
    const call = pool.stream('receive', place, { quarantine, tips: [], moved: [] })
    await call.write(Buffer.from('PACK'))
    // More than is let under way, which the task has no end of.
    const head = new PackBuilder()
    head.add('blob', '', { size: 400_000_000, zlib: new Uint8Array() })
    await call.write(head.build().subarray(4, -20))
    const sending = (async () => {
      for (let i = 0; i < 200; i++) await call.write(new Uint8Array(100_000))
    })()
    breakThread(threads[0])
    expect(await messageOf(call.result)).not.toBe('done')
    await sending
  })

  test('a pool that closes fails what is under way, and says why', async () => {
    const under = reach()
    const call = pool.stream('archive', place, { oid: main, options: { format: 'tar' } })
    await pool.close()
    expect([await messageOf(under), await messageOf(call.result), await messageOf(bytesOf(call.outgoing))]).toEqual(Array(3).fill('The server is stopping'))
  })
})

describe('a call', () => {
  test('that is aborted ends, whatever it was doing, and its thread goes on', async () => {
    const quarantine = join(root.path, 'aborted')
    const reasons: [GitError | undefined, string][] = [
      [undefined, 'The client disconnected'],
      [new GitError('limit', 'It takes too long'), 'It takes too long'],
    ]
    for (const [why, message] of reasons) {
      const call = pool.stream('receive', place, { quarantine, tips: [], moved: [] })
      await call.write(honestPack().subarray(0, 100))
      call.abort(why)
      expect(await messageOf(call.result)).toContain(message)
      expect(existsSync(quarantine)).toBe(false)
    }
    expect((await reach()).fault).toBeUndefined()
    expect(threads.length).toBe(1)
  })

  test('whose answer nobody reads holds no more than its window, and others go on beside it', async () => {
    const call = pool.stream('upload', place, {
      version: 2,
      chunks: [encodeRefs([{ name: 'refs/heads/main', oid: main }])],
      head: 'refs/heads/main',
      exact: false,
      agent: 'x/1',
    })
    await call.write(Buffer.concat([encodePkt('command=fetch'), Buffer.from('0001'), encodePkt(`want ${main}`), encodePkt('done'), Buffer.from('0000')]))
    call.end()
    for (let i = 0; i < 5; i++) expect((await reach()).fault).toBeUndefined()
    const answer = await bytesOf(call.outgoing)
    expect(answer.includes('PACK')).toBe(true)
    await call.result
  })

  test('with a task or a repository that is not there fails as the task does, not as the thread', async () => {
    expect(await messageOf(pool.run('checkReach', { ...place, path: join(root.path, 'none.git') }, { tips: [main] }))).toBe('done')
    expect(await messageOf(pool.run('nothing' as never, place, {} as never))).not.toBe('done')
    expect((await reach()).fault).toBeUndefined()
    expect(threads.length).toBe(1)
  })
})

describe('an error on its way between threads', () => {
  test.each<GitErrorKind>(['absent', 'corrupt', 'missing', 'limit', 'protocol', 'refused'])('stays of kind %s', (kind) => {
    const revived = revive(structuredClone(carry(new GitError(kind, 'Cannot do it'))))
    expect([revived instanceof GitError, (revived as GitError).kind, revived.message]).toEqual([true, kind, 'Cannot do it'])
  })

  test('of the file system keeps its code, by which a full disk is told from a fault of ours', () => {
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' })
    expect(revive(structuredClone(carry(full)))).toMatchObject({ message: 'ENOSPC: no space left', code: 'ENOSPC', syscall: 'write', stack: full.stack })
  })

  test.each([
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [{ toString: (): string => 'odd' }, 'odd'],
  ])('that is no error at all (%p) is told as text', (thrown, text) => {
    expect(revive(structuredClone(carry(thrown))).message).toBe(text)
  })
})

describe('a push in a worker', () => {
  const repository = join(root.path, 'pushed.git')
  initBareRepository(repository, 'main', SHA1)
  let pushes = 0

  async function push(
    pack: Uint8Array,
    input: Partial<{ tips: Oid[]; moved: { name: string; old: Oid; new: Oid }[] }>,
    path = repository,
    limits = defaultLimits,
  ) {
    const quarantine = join(path, 'objects', `tmp_${++pushes}`)
    const call = pool.stream('receive', { path, limits }, { quarantine, tips: [], moved: [], ...input })
    await call.write(pack)
    call.end()
    return { quarantine, outcome: await call.result.catch((error: Error) => error) }
  }

  test('tells which refs only move forward, judged with what it brings', async () => {
    const packOf = (range: string) => git(['pack-objects', '--revs', '--stdout', '-q'], { cwd: origin, stdin: range })
    const first = await push(packOf(half), { tips: [half] })
    if (first.outcome instanceof Error) throw first.outcome
    publishPacks([first.outcome.pack.packPath], join(repository, 'objects/pack'))
    const other = git(['commit-tree', '-m', 'apart', `${half}^{tree}`], {
      cwd: origin,
      env: { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' },
    })
      .toString()
      .trim() as Oid
    const moved = [
      { name: 'forward', old: half, new: main },
      { name: 'same', old: half, new: half },
      { name: 'apart', old: half, new: other },
      { name: 'unknown', old: '1'.repeat(40) as Oid, new: main },
    ]
    const { outcome } = await push(packOf(`${main}\n${other}\n^${half}\n`), { tips: [main, other], moved })
    if (outcome instanceof Error) throw outcome
    expect(outcome.fastForward).toEqual(['forward', 'same'])
  })

  test('over a limit, damaged, or of what is not all there, leaves nothing behind', async () => {
    const blob = new PackBuilder()
    blob.add('blob', 'x'.repeat(1000))
    const open = new PackBuilder()
    open.add('commit', makeCommit(idOf('tree', makeTree([['100644', 'a', '1'.repeat(40)]]))))
    const rows: [Uint8Array, Partial<typeof defaultLimits>, GitErrorKind][] = [
      [blob.build().subarray(0, -1), {}, 'corrupt'],
      [open.build(), {}, 'missing'],
      [new Uint8Array(), {}, 'corrupt'],
      [blob.build(), { maxObjectBytes: 999 }, 'limit'],
      [blob.build(), { maxPackBytes: 30 }, 'limit'],
    ]
    for (const [pack, limits, kind] of rows) {
      // A thread that has a repository open keeps the limits which it was opened with.
      const path = join(root.path, `limited-${++pushes}.git`)
      initBareRepository(path, 'main', SHA1)
      const { outcome, quarantine } = await push(pack, {}, path, { ...defaultLimits, ...limits })
      expect([outcome instanceof GitError && outcome.kind, existsSync(quarantine)]).toEqual([kind, false])
    }
  })

  test('that finds its directory taken fails, and leaves that alone', async () => {
    const taken = join(repository, 'objects', `tmp_${pushes + 1}`)
    mkdirSync(taken)
    await Bun.write(join(taken, 'keep'), 'x')
    expect((await push(honestPack(), {})).outcome).toBeInstanceOf(Error)
    expect(readdirSync(taken)).toEqual(['keep'])
  })
})

describe('repositories by id', () => {
  const directory = join(root.path, 'repositories')
  mkdirSync(directory)
  const service = new GitService({ directory, limits: defaultLimits, workers: 1 })
  afterAll(() => service.close())
  const blob = (id: number, text: string) => DiskStore.open(service.pathOf(id)).write('blob', Buffer.from(text))

  test('are made, read, removed and made again, in every thread', async () => {
    service.create(1, 'main', SHA1)
    const old = blob(1, 'old')
    expect((await service.run('checkReach', 1, { tips: [old] })).objects).toBe(1)
    await service.remove(1)
    expect(existsSync(service.pathOf(1))).toBe(false)
    service.create(1, 'main', SHA1)
    expect([service.storeOf(1).has(old), (await service.run('checkReach', 1, { tips: [old] })).objects]).toEqual([false, 0])
    service.clear(1)
    service.clear(1)
    expect(existsSync(service.pathOf(1))).toBe(false)
  })

  test('that hold something are set aside, and listed; empty ones are simply gone', async () => {
    service.create(2, 'main', SHA1)
    expect([service.setAside(2, 1000), existsSync(service.pathOf(2))]).toEqual([undefined, false])
    service.create(3, 'main', SHA1)
    const kept = blob(3, 'kept')
    const aside = service.setAside(3, 1000) as string
    expect([await service.listAside(), existsSync(service.pathOf(3))]).toEqual([[{ id: 3, path: aside }], false])
    expect([service.putBack(3, aside, SHA1.zero, 1001), service.putBack(3, aside, kept, 1001)]).toEqual([false, true])
    expect(service.storeOf(3).has(kept)).toBe(true)
    expect(service.setAside(4, 1000)).toBeUndefined()
  })

  test('are open no more than so many at a time, and read on when they come again', () => {
    service.create(5, 'main', SHA1)
    const oid = blob(5, 'five')
    for (let id = 100; id < 300; id++) service.storeOf(id)
    const again = service.storeOf(5)
    expect(again.has(oid)).toBe(true)
    expect(service.storeOf(5)).toBe(again)
  })

  test('two are never made in one place', () => {
    service.create(6, 'main', SHA1)
    const oid = blob(6, 'six')
    expect(() => service.create(6, 'main', SHA1)).toThrow('it already exists')
    expect(service.storeOf(6).has(oid)).toBe(true)
  })
})
