import { describe, expect, test } from 'bun:test'
import { Asker, onBehalfOf } from '#kernel/askers.ts'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { GitError, type GitErrorKind } from '../errors.ts'
import { carry } from './carried-error.ts'
import { FakePool, FakeWorker, outcome, place, settle } from './fake-worker.fixture.ts'
import { WINDOW_BYTES } from './messages.ts'
import { type StreamCall, WorkerPool } from './pool.ts'

const threads = new FakePool()
const workers = FakeWorker.started
const at = (index: number) => threads.at(index)
const run = () => threads.run()
const stream = (onNotice?: (notice: never) => void, sender?: string) => threads.stream(onNotice, sender)

async function readAll(source: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts).toString()
}

describe('whoever leaves', () => {
  const compare = (signal: AbortSignal) =>
    outcome(onBehalfOf(new Asker({ signal }), () => threads.pool.run('diffFiles', place, { from: undefined, to: undefined })))
  const aborted = () =>
    at(0)
      .of('abort')
      .map(({ id }) => id)

  test('ends what only reads, at once for whom it was asked, and keeps its thread busy until that has ended it', async () => {
    const asker = new AbortController()
    const left = compare(asker.signal)
    asker.abort()
    expect(await left).toBe('failed: The client disconnected.')
    expect(aborted()).toEqual([1])
    void outcome(run())
    expect(workers.map(({ calls }) => calls)).toEqual([[1], [2]])
    at(0).say({ kind: 'failed', id: 1, error: carry(new Error('aborted')) })
    void outcome(run())
    expect(at(0).calls).toEqual([1, 3])
  })

  test('before it was begun has it never begun', async () => {
    expect(await compare(AbortSignal.abort())).toBe('failed: The client disconnected.')
    expect(workers).toHaveLength(0)
  })

  test('ends nothing that writes, and nothing that is done', async () => {
    const asker = new AbortController()
    const written = outcome(
      onBehalfOf(new Asker(asker), () => threads.pool.run('makeObjects', place, { maker: 'nothing', input: { tips: [] }, quarantine: '/q' } as never)),
    )
    at(0).say({ kind: 'done', id: 1, output: 'written' })
    const read = compare(asker.signal)
    at(0).say({ kind: 'done', id: 2, output: 'read' })
    expect(await Promise.all([written, read])).toEqual(['written', 'read'])
    const last = outcome(onBehalfOf(new Asker(asker), () => threads.pool.run('packReachable', place, { tips: [], quarantine: '/q' })))
    asker.abort()
    at(0).say({ kind: 'done', id: 3, output: 'packed' })
    expect([await last, aborted()]).toEqual(['packed', []])
  })
})

describe('calls', () => {
  test('go to a new thread while all are busy and more are allowed, then to the least busy one', () => {
    for (let i = 0; i < 7; i++) void outcome(run())
    expect(workers.map(({ calls }) => calls.length)).toEqual([4, 3])
  })

  test('that may hold their thread for long leave one to others, whichever come first', async () => {
    const compare = () => void outcome(threads.pool.run('diffFiles', place, { from: undefined, to: undefined }))
    compare()
    compare()
    const few = [run(), run(), run()]
    threads.pool.stream('diffText', place, { from: undefined, to: undefined })
    compare()
    expect(workers.map(({ calls }) => calls)).toEqual([
      [1, 2, 6, 7],
      [3, 4, 5],
    ])
    for (const id of [3, 4, 5]) at(1).say({ kind: 'done', id, output: id })
    await Promise.all(few)
    compare()
    void outcome(threads.pool.run('listCommits', place, { range: { include: [] }, skip: 0, limit: 1, details: { files: false, stat: true } } as never))
    expect(at(0).calls.slice(-2)).toEqual([8, 9])
  })

  test('go to a thread that has nothing to do before another is started', async () => {
    const first = run()
    at(0).say({ kind: 'done', id: 1, output: 'one' })
    await first
    void outcome(run())
    expect(workers.map(({ calls }) => calls)).toEqual([[1, 2]])
  })

  test('end in any order, each with its own answer', async () => {
    const all = Array.from({ length: 6 }, () => run())
    for (const id of [6, 1, 5, 2, 4, 3]) for (const worker of workers) if (worker.calls.includes(id)) worker.say({ kind: 'done', id, output: id })
    expect((await Promise.all(all)) as unknown[]).toEqual([1, 2, 3, 4, 5, 6])
  })

  test.each<GitErrorKind>(['absent', 'corrupt', 'limit', 'missing', 'protocol', 'refused'])('fail as the task failed: %s', async (kind) => {
    const failing = run().catch((error: unknown) => error)
    at(0).say({ kind: 'failed', id: 1, error: carry(new GitError(kind, 'Cannot')) })
    const error = await failing
    expect([error instanceof GitError && error.kind, (error as Error).message]).toEqual([kind, 'Cannot'])
  })

  test('that ended are not ended again by what comes late', async () => {
    const call = stream()
    const reading = readAll(call.outgoing)
    at(0).say({ kind: 'bytes', id: 1, bytes: Buffer.from('whole') })
    at(0).say({ kind: 'done', id: 1, output: 'first' })
    at(0).say({ kind: 'bytes', id: 1, bytes: Buffer.from(' and more') })
    at(0).say({ kind: 'failed', id: 1, error: carry(new Error('late')) })
    at(0).say({ kind: 'done', id: 1, output: 'second' })
    expect([await call.result, await reading]).toEqual(['first', 'whole'])
  })

  test('of which nobody knows anything change nothing', async () => {
    const call = run()
    for (const kind of ['acquire', 'release'] as const) at(0).say({ kind, id: 99, bytes: 1 } as never)
    at(0).say({ kind: 'bytes', id: 99, bytes: new Uint8Array(3) })
    at(0).say({ kind: 'taken', id: 99, count: 3 })
    at(0).say({ kind: 'notice', id: 99, notice: {} })
    at(0).say({ kind: 'fork', id: 99, fork: 1, task: 'resolveShard', inputs: [1, 2] })
    at(0).say({ kind: 'done', id: 99, output: 'whose?' })
    expect(workers.map((worker) => worker.kinds())).toEqual([['run']])
    at(0).say({ kind: 'done', id: 1, output: 'mine' })
    expect((await call) as unknown).toBe('mine')
  })

  property('whatever the order of starts, answers, failures and deaths, end exactly once each, by the thread they were on', 40, async (random) => {
    FakeWorker.reset()
    const busy = new WorkerPool(3)
    const ended = new Map<number, unknown[]>()
    const expected = new Map<number, string>()
    let count = 0
    for (let step = 0; step < 60; step++) {
      const alive = workers.filter((worker) => !worker.isTerminated)
      const open = alive.flatMap((worker) => worker.calls.filter((id) => !expected.has(id)).map((id) => ({ worker, id })))
      if (open.length === 0 || random.chance(0.45)) {
        const number = ++count
        void outcome(busy.run('checkReach', place, { tips: [] })).then((value) => ended.set(number, [...(ended.get(number) ?? []), value]))
      } else await endOne(random, open, expected)
    }
    await busy.close()
    await settle()
    expect(ended.size).toBe(count)
    for (const [id, values] of ended) expect(values).toEqual([expected.get(id) ?? 'failed: The server is stopping'])
    expect(workers.every(({ isTerminated }) => isTerminated)).toBe(true)
  })
})

async function endOne(random: Random, open: { worker: FakeWorker; id: number }[], expected: Map<number, string>): Promise<void> {
  const { worker, id } = random.pick(open)
  if (random.chance(0.1)) {
    for (const other of open) if (other.worker === worker) expected.set(other.id, 'failed: A git worker failed: gone')
    worker.die('gone')
  } else if (random.chance(0.2)) {
    expected.set(id, `failed: ${id}`)
    worker.say({ kind: 'failed', id, error: carry(new Error(String(id))) })
  } else {
    expected.set(id, `done ${id}`)
    worker.say({ kind: 'done', id, output: `done ${id}` })
  }
  await settle()
}

describe('a thread that dies', () => {
  test('takes its own calls with it and no other, is ended for good, and is replaced by the next call', async () => {
    const [doomed, spared] = [run(), run()]
    at(0).die()
    expect(await outcome(doomed)).toBe('failed: A git worker failed: out of memory')
    expect(at(0).isTerminated).toBe(true)
    const next = run()
    expect(workers.length).toBe(3)
    at(1).say({ kind: 'done', id: 2, output: 'spared' })
    at(2).say({ kind: 'done', id: 3, output: 'new' })
    expect([await spared, await next] as unknown[]).toEqual(['spared', 'new'])
  })

  test('answers nobody with what it had sent before', async () => {
    const doomed = run()
    at(0).die()
    at(0).say({ kind: 'done', id: 1, output: 'late' })
    expect(await outcome(doomed)).toStartWith('failed: A git worker failed')
  })

  test('ends the reader of a stream after what it was sent, and lets its writer go', async () => {
    const call = stream()
    at(0).say({ kind: 'bytes', id: 1, bytes: Buffer.from('half') })
    const read: string[] = []
    const reading = (async () => {
      for await (const part of call.outgoing) read.push(Buffer.from(part).toString())
    })()
    await call.write(new Uint8Array(WINDOW_BYTES))
    const writing = call.write(new Uint8Array(1))
    at(0).die()
    expect(await outcome(reading)).toStartWith('failed: A git worker failed')
    expect(read).toEqual(['half'])
    await writing
  })

  test('twice is as once', async () => {
    const doomed = run()
    at(0).die('first')
    at(0).die('second')
    expect(await outcome(doomed)).toBe('failed: A git worker failed: first')
    void outcome(run())
    expect(workers.length).toBe(2)
  })
})

describe('the lock for work that needs much memory', () => {
  const granted = () => workers.flatMap((worker) => worker.of('granted').map(({ id }) => id))

  test('is given to one call of all threads at a time, in the order of asking', () => {
    for (let i = 0; i < 4; i++) void outcome(stream().result)
    for (const id of [3, 2, 1, 4]) at((id - 1) % 2).say({ kind: 'acquire', id, bytes: Number.POSITIVE_INFINITY })
    expect(granted()).toEqual([3])
    at(0).say({ kind: 'release', id: 3 })
    expect(granted().sort()).toEqual([2, 3])
    at(1).say({ kind: 'release', id: 2 })
    expect(granted().sort()).toEqual([1, 2, 3])
  })

  test.each<[string, (call: StreamCall<unknown>) => void]>([
    ['ends', () => at(0).say({ kind: 'done', id: 1, output: undefined })],
    ['fails', () => at(0).say({ kind: 'failed', id: 1, error: carry(new Error('no')) })],
    ['dies with its thread', () => at(0).die()],
    ['gives it back', () => at(0).say({ kind: 'release', id: 1 })],
  ])('passes on when its holder %s', (_, end) => {
    const holder = stream()
    void outcome(stream().result)
    at(0).say({ kind: 'acquire', id: 1, bytes: Number.POSITIVE_INFINITY })
    at(1).say({ kind: 'acquire', id: 2, bytes: Number.POSITIVE_INFINITY })
    expect(granted()).toEqual([1])
    end(holder)
    expect(at(1).of('granted').length).toBe(1)
  })

  test('is passed on by who hears that others wait, and comes back', () => {
    for (const sender of ['eve', 'bob']) void outcome(stream(undefined, sender).result)
    at(0).say({ kind: 'acquire', id: 1, bytes: Number.POSITIVE_INFINITY })
    expect(at(0).of('awaited')).toEqual([])
    at(1).say({ kind: 'acquire', id: 2, bytes: Number.POSITIVE_INFINITY })
    expect(at(0).of('awaited')).toMatchObject([{ id: 1 }])
    at(0).say({ kind: 'pass', id: 1 })
    expect(granted()).toEqual([1, 2])
    at(1).say({ kind: 'release', id: 2 })
    expect(at(0).of('granted').length).toBe(2)
  })

  test('is never given to a call that died while it waited', () => {
    for (let i = 0; i < 3; i++) void outcome(stream().result)
    at(1).say({ kind: 'acquire', id: 2, bytes: Number.POSITIVE_INFINITY })
    at(0).say({ kind: 'acquire', id: 1, bytes: Number.POSITIVE_INFINITY })
    at(0).say({ kind: 'acquire', id: 3, bytes: Number.POSITIVE_INFINITY })
    at(0).die()
    at(1).say({ kind: 'release', id: 2 })
    expect(granted()).toEqual([2])
    void outcome(stream().result)
    workers.at(-1)?.say({ kind: 'acquire', id: 4, bytes: Number.POSITIVE_INFINITY })
    expect(granted().sort()).toEqual([2, 4])
  })
})

describe('work that a call forks off', () => {
  const fork = (inputs: unknown[]) => at(0).say({ kind: 'fork', id: 1, fork: 7, task: 'resolveShard', inputs })

  test('is spread over the threads, and its answers come back in the order of what was asked', async () => {
    void outcome(stream().result)
    fork(['a', 'b', 'c'])
    const shards = workers.flatMap((worker) => worker.of('shard').map((shard) => ({ worker, shard })))
    expect(shards.map(({ shard }) => shard.input).sort()).toEqual(['a', 'b', 'c'])
    expect(at(1).of('shard').length).toBeGreaterThan(0)
    for (const { worker, shard } of shards.reverse()) worker.say({ kind: 'done', id: shard.id, output: `${shard.input}!` })
    await settle()
    expect(at(0).of('forked')).toEqual([{ kind: 'forked', id: 1, fork: 7, outputs: ['a!', 'b!', 'c!'] }])
  })

  test('that is none is answered at once', async () => {
    void outcome(stream().result)
    fork([])
    await settle()
    expect(at(0).of('forked')).toEqual([{ kind: 'forked', id: 1, fork: 7, outputs: [] }])
  })

  test('fails as a whole when a part of it fails, with that part’s error', async () => {
    void outcome(stream().result)
    fork(['a', 'b'])
    const { id } = at(1).of('shard')[0] as { id: number }
    at(1).say({ kind: 'failed', id, error: carry(new GitError('corrupt', 'Cannot read')) })
    await settle()
    expect(at(0).of('forked')[0]).toMatchObject({ id: 1, fork: 7, error: { gitKind: 'corrupt', message: 'Cannot read' } })
    expect(at(0).of('forked').length).toBe(1)
  })

  test('fails when the thread that does a part of it dies, and the call that forked hears of it', async () => {
    const parent = stream()
    fork(['a', 'b'])
    at(1).die()
    await settle()
    expect(at(0).of('forked')[0]?.error?.message).toStartWith('A git worker failed')
    at(0).say({ kind: 'failed', id: 1, error: carry(new Error('a shard was lost')) })
    expect(await outcome(parent.result)).toBe('failed: a shard was lost')
  })

  test('has nobody to tell when the call that forked has died', async () => {
    const parent = stream()
    fork(['a', 'b'])
    const shards = at(1).of('shard')
    at(0).die()
    expect(await outcome(parent.result)).toStartWith('failed: A git worker failed')
    for (const { id } of shards) at(1).say({ kind: 'done', id, output: 1 })
    await settle()
    expect(at(1).of('forked')).toEqual([])
  })
})

test('a pool that closes ends its threads, and every call with a reason', async () => {
  const outcomes = [outcome(run()), outcome(stream().result)]
  await threads.pool.close()
  expect(await Promise.all(outcomes)).toEqual(Array(2).fill('failed: The server is stopping'))
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true])
})

test('a repository that is forgotten is forgotten by every thread', () => {
  for (let i = 0; i < 2; i++) void outcome(run())
  threads.pool.forget('/nowhere')
  expect(workers.map((worker) => worker.of('forget').map(({ path }) => path))).toEqual([['/nowhere'], ['/nowhere']])
})

test('what threads answer all at once is taken up in turns: whoever asks meanwhile does not wait for all that it leads to', async () => {
  let [turn, isOver] = [0, false]
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const work = async () => {
    await run()
    return turn
  }
  const works = Array.from({ length: 10 }, work)
  for (const thread of workers) for (const id of thread.calls) thread.say({ kind: 'done', id, output: {} })
  const wentOn = await Promise.all(works)
  isOver = true
  expect(new Set(wentOn).size).toBeGreaterThanOrEqual(9)
})
