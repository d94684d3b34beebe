import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { carry } from './carried-error.ts'
import { FakePool, FakeWorker, outcome, place, settle } from './fake-worker.fixture.ts'

const threads = new FakePool()
const workers = FakeWorker.started
const at = (index: number) => threads.at(index)
const run = () => threads.run()
const stream = (onNotice?: (notice: never) => void) => threads.stream(onNotice)

describe('calls that nobody waits for', () => {
  const join = (isBrief?: boolean) => threads.pool.run('joinSmallPacks', place, { quarantine: '/q', leftOut: new Set() }, isBrief)

  test('that are brief, as their caller says, share a thread with a longer one rather than start another', async () => {
    void outcome(run())
    void outcome(join(true))
    await settle()
    expect(workers.map(({ calls }) => calls)).toEqual([[1, 2]])
    at(0).say({ kind: 'done', id: 2, output: undefined })
    void outcome(join())
    await settle()
    expect(workers.map(({ calls }) => calls)).toEqual([[1, 2], [3]])
  })

  test('that can wait come one at a time, whatever came of the one before', async () => {
    void outcome(join())
    void outcome(join())
    await settle()
    expect(workers.map(({ calls }) => calls)).toEqual([[1]])
    at(0).say({ kind: 'failed', id: 1, error: carry(new Error('no')) })
    await settle()
    expect(workers.map(({ calls }) => calls)).toEqual([[1, 2]])
  })

  test('that the next start does as well are left off when the server stops; others go on', async () => {
    const [joining, waiting] = [outcome(join()), outcome(join())]
    await settle()
    const reaching = run()
    threads.pool.hasten()
    expect([await joining, await waiting, await outcome(join())]).toEqual(Array(3).fill('failed: The server is stopping'))
    at(1).say({ kind: 'done', id: 2, output: 'reached' })
    expect((await reaching) as unknown).toBe('reached')
  })
})

describe('threads that have nothing to do', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  const finish = (worker: FakeWorker) => {
    for (const id of worker.calls) worker.say({ kind: 'done', id, output: undefined })
  }
  const background = () => void outcome(threads.pool.run('packRefs', place, {} as never))

  const streamMegabytes = (count: number) => {
    void outcome(stream().result)
    for (let i = 0; i < count; i++) at(0).say({ kind: 'bytes', id: 1, bytes: new Uint8Array(1024 * 1024) })
  }

  test.each<[string, () => void, number]>([
    ['that somebody waited for end after a minute', () => void outcome(run()), 60_000],
    ['that streamed end after a minute', () => streamMegabytes(1), 60_000],
    ['that streamed a large pack end before what waits for large packs begins', () => streamMegabytes(17), 8000],
    ['that worked in the background end after a quarter of a second', background, 250],
  ])('%s, not before', (_, start, idle) => {
    start()
    finish(at(0))
    jest.advanceTimersByTime(idle - 1)
    expect(at(0).isTerminated).toBe(false)
    jest.advanceTimersByTime(1)
    expect(at(0).isTerminated).toBe(true)
  })

  test('stay as long as any call is under way, and begin to count when the last has ended', () => {
    for (let i = 0; i < 2; i++) background()
    const [one, two] = at(0).calls as [number, number]
    at(0).say({ kind: 'done', id: one, output: undefined })
    jest.advanceTimersByTime(10_000)
    expect(at(0).isTerminated).toBe(false)
    at(0).say({ kind: 'done', id: two, output: undefined })
    jest.advanceTimersByTime(249)
    expect(at(0).isTerminated).toBe(false)
    jest.advanceTimersByTime(1)
    expect(at(0).isTerminated).toBe(true)
  })

  test('are not ended under a call that came in between', () => {
    background()
    finish(at(0))
    jest.advanceTimersByTime(200)
    background()
    jest.advanceTimersByTime(10_000)
    expect(at(0).isTerminated).toBe(false)
    expect(workers.length).toBe(1)
  })
})
