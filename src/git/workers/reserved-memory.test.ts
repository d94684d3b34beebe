import { expect, jest, test } from 'bun:test'
import { Asker, onBehalfOf } from '#kernel/askers.ts'
import { FakePool, outcome, place, settle } from './fake-worker.fixture.ts'
import { MemoryTurns } from './memory-turns.ts'
import { type MemoryHolder, ReadingLine } from './reading-line.ts'

const threads = new FakePool()
const commit = '1'.repeat(40) as never

/** A blame that a request waits for. */
function blame(signal = new AbortController().signal): Promise<unknown> {
  return outcome(onBehalfOf(new Asker({ signal }), () => threads.pool.run('blame', place, { commit, path: 'a' })))
}

const callsOf = () => [0, 1].flatMap((at) => threads.at(at)?.calls ?? [])

test('three blames reserve all memory: a fourth waits until one is done, and small tasks do not', async () => {
  const blames = Array.from({ length: 4 }, () => blame())
  await settle()
  expect(callsOf()).toHaveLength(3)
  void outcome(threads.run())
  await settle()
  expect(callsOf()).toHaveLength(4)
  threads.at(0).say({ kind: 'done', id: threads.at(0).calls[0] as number, output: 'first' })
  await settle()
  expect([callsOf().length, await Promise.race(blames)]).toEqual([5, 'first'])
})

test('a log of a path reserves memory, and another log does not', async () => {
  for (let i = 0; i < 3; i++) void blame()
  const list = (path?: string) => void outcome(threads.pool.run('countCommits', place, { range: { include: [commit], path } } as never))
  list('a')
  list()
  await settle()
  expect(callsOf()).toHaveLength(4)
})

test('a blame whose client leaves while it waits never begins, and keeps memory from nobody', async () => {
  for (let i = 0; i < 3; i++) void blame()
  const client = new AbortController()
  const waiting = blame(client.signal)
  void blame()
  client.abort()
  expect(await waiting).toContain('The client disconnected')
  threads.at(0).say({ kind: 'done', id: threads.at(0).calls[0] as number, output: 0 })
  await settle()
  expect(callsOf()).toHaveLength(4)
})

test('a blame that waits too long answers 503 with Retry-After', async () => {
  for (let i = 0; i < 3; i++) void blame()
  jest.useFakeTimers()
  const waiting = onBehalfOf(new Asker({ signal: new AbortController().signal }), () => threads.pool.run('blame', place, { commit, path: 'a' }))
  jest.advanceTimersByTime(20_000)
  jest.useRealTimers()
  expect(await waiting.catch((error) => error)).toMatchObject({ status: 503, headers: { 'Retry-After': '10' } })
})

test('a push that takes all the memory it can get leaves enough for a blame', async () => {
  void outcome(threads.stream().result)
  threads.at(0).say({ kind: 'acquire', id: threads.at(0).calls[0] as number, bytes: Number.POSITIVE_INFINITY })
  void blame()
  void blame()
  await settle()
  expect([callsOf().length, threads.at(0).of('granted').length]).toEqual([2, 1])
})

test('a push does not wait for all readers that came before it', () => {
  const granted: string[] = []
  const memory = new MemoryTurns<MemoryHolder>(3, (holder) => holder.onGranted?.())
  const line = new ReadingLine(memory)
  const holder = (name: string): MemoryHolder => ({ onGranted: () => granted.push(name) })
  const read = (from: string) => {
    const one: MemoryHolder = {}
    void line.enter(one, 1, [from]).granted.then(() => granted.push(from))
    return one
  }
  const [first] = ['a1', 'a2', 'a3', 'a4'].map(() => read('a'))
  memory.acquire(holder('push'), 1, 'ada')
  read('b')
  memory.release(first as MemoryHolder)
  expect(granted).toEqual(['push'])
})

test('what was reserved is given back where no thread can be started', async () => {
  const Fake = globalThis.Worker
  globalThis.Worker = class {
    constructor() {
      throw new Error('too many open files')
    }
  } as unknown as typeof Worker
  const late = () => threads.pool.stream('archive', place, { oid: commit, options: { format: 'zip', prefix: '' } } as never)
  for (let i = 0; i < 4; i++) expect(await blame()).toBe('failed: too many open files')
  for (let i = 0; i < 10; i++) expect(late).toThrow('too many open files')
  globalThis.Worker = Fake
  void blame()
  await settle()
  expect(callsOf()).toHaveLength(1)
})
