import { describe, expect, test } from 'bun:test'
import { GitError } from '../errors.ts'
import { carry } from './carried-error.ts'
import { FakePool, outcome, settle } from './fake-worker.fixture.ts'
import { owned, WINDOW_BYTES } from './messages.ts'
import type { StreamCall } from './pool.ts'

const threads = new FakePool()
const at = (index: number) => threads.at(index)
const stream = (onNotice?: (notice: never) => void) => threads.stream(onNotice)

describe('bytes to a task', () => {
  test('are no more than the window ahead of it; what it takes makes room', async () => {
    const call = stream()
    void outcome(call.result)
    await call.write(new Uint8Array(WINDOW_BYTES - 1))
    await call.write(new Uint8Array(100))
    let isThrough = false
    const waiting = call.write(Buffer.from('x')).then(() => {
      isThrough = true
    })
    await settle()
    expect(isThrough).toBe(false)
    at(0).say({ kind: 'taken', id: 1, count: 98 })
    await settle()
    expect(isThrough).toBe(false)
    at(0).say({ kind: 'taken', id: 1, count: 2 })
    await waiting
    expect(
      at(0)
        .of('bytes')
        .map(({ bytes }) => bytes.length),
    ).toEqual([WINDOW_BYTES - 1, 100, 1])
  })

  test.each<[string, (call: StreamCall<unknown>) => void]>([
    ['has heard enough and ends', () => at(0).say({ kind: 'done', id: 1, output: undefined })],
    ['fails', () => at(0).say({ kind: 'failed', id: 1, error: carry(new Error('no')) })],
    ['is aborted', (call) => call.abort()],
    ['dies', () => at(0).die()],
  ])('keep nobody waiting when it %s', async (_, end) => {
    const call = stream()
    void outcome(call.result)
    await call.write(new Uint8Array(WINDOW_BYTES))
    const waiting = Promise.all([call.write(new Uint8Array(1)), call.write(new Uint8Array(1))])
    end(call)
    await waiting
    await call.write(new Uint8Array(10))
  })

  test('arrive in order, then the end', async () => {
    const call = stream()
    void outcome(call.result)
    for (const text of ['a', 'bc', '', 'def']) await call.write(Buffer.from(text))
    call.end()
    expect(at(0).kinds()).toEqual(['stream', 'bytes', 'bytes', 'bytes', 'bytes', 'end'])
    expect(
      Buffer.concat(
        at(0)
          .of('bytes')
          .map(({ bytes }) => bytes),
      ).toString(),
    ).toBe('abcdef')
  })

  test.each([
    ['a large buffer of its own goes over', new Uint8Array(65_536).fill(7), true],
    ['a small one is copied', new Uint8Array(65_535).fill(7), false],
    ['a part of a larger one is copied', new Uint8Array(200_000).fill(7).subarray(10, 100_000), false],
    ['shared memory is copied', new Uint8Array(new SharedArrayBuffer(70_000)).fill(7), false],
  ])('%s', async (_, bytes, isMoved) => {
    const { length } = bytes
    const call = stream()
    void outcome(call.result)
    await call.write(bytes)
    const [message] = at(0).of('bytes')
    expect([message?.bytes.length, message?.bytes.every((byte) => byte === 7), bytes.length]).toEqual([length, true, isMoved ? 0 : length])
  })

  test('that are handed over are never a view of something larger', () => {
    for (const bytes of [Buffer.from('pooled'), new Uint8Array(1), new Uint8Array(100_000).subarray(5)]) {
      expect(owned(bytes).buffer.byteLength).toBe(bytes.length)
    }
  })
})

describe('bytes from a task', () => {
  test('are acknowledged once they have been read, not as they come', async () => {
    const call = stream()
    void outcome(call.result)
    for (let i = 0; i < 4; i++) at(0).say({ kind: 'bytes', id: 1, bytes: new Uint8Array(100_000) })
    expect(at(0).of('taken')).toEqual([])
    const reader = call.outgoing[Symbol.asyncIterator]()
    await reader.next()
    expect(at(0).of('taken')).toEqual([])
    await reader.next()
    expect(at(0).of('taken')).toEqual([])
    await reader.next()
    expect(at(0).of('taken')).toEqual([{ kind: 'taken', id: 1, count: 200_000 }])
  })

  test('are all given before a failure that came behind them', async () => {
    const call = stream()
    at(0).say({ kind: 'bytes', id: 1, bytes: Buffer.from('first ') })
    at(0).say({ kind: 'bytes', id: 1, bytes: Buffer.from('second') })
    at(0).say({ kind: 'failed', id: 1, error: carry(new GitError('limit', 'Cannot go on')) })
    const read: string[] = []
    const reading = (async () => {
      for await (const part of call.outgoing) read.push(Buffer.from(part).toString())
    })()
    expect(await outcome(reading)).toBe('failed: Cannot go on')
    expect([read.join(''), await outcome(call.result)]).toEqual(['first second', 'failed: Cannot go on'])
  })

  test('may be accompanied by notices, each once and only to their call', () => {
    const heard: unknown[][] = [[], []]
    for (const notices of heard) void outcome(stream((notice) => notices.push(notice)).result)
    at(0).say({ kind: 'notice', id: 1, notice: 'one' })
    at(1).say({ kind: 'notice', id: 2, notice: 'two' })
    at(0).say({ kind: 'done', id: 1, output: undefined })
    at(0).say({ kind: 'notice', id: 1, notice: 'late' })
    expect(heard).toEqual([['one'], ['two']])
  })
})
