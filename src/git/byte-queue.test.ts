import { describe, expect, test } from 'bun:test'
import { outcome } from '../../test/outcome.ts'
import { ByteQueue, Credit } from './byte-queue.ts'
import { randomFrom } from './history/random-history.fixture.ts'

/** Whether `promise` is still open once everything that can happen by itself has happened. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open')
  await new Promise((resolve) => setImmediate(resolve))
  return (await Promise.race([promise, Promise.resolve(open)])) === open
}

describe('a sender with credit', () => {
  test('is never further ahead of the reader than the window and one piece, and never waits for nothing', async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const random = randomFrom(seed)
      const window = 600_000 + Math.floor(random() * 1_000_000)
      const credit = new Credit(window)
      const queue = new ByteQueue(window, (count) => credit.give(count))
      const pieces = Array.from({ length: 60 }, () => Buffer.alloc(1 + Math.floor(random() * 300_000), seed))
      const most = Math.max(...pieces.map((piece) => piece.length))
      let sent = 0
      let taken = 0
      let furthest = 0
      const sending = (async () => {
        for (const piece of pieces) {
          await credit.take(piece.length)
          sent += piece.length
          furthest = Math.max(furthest, sent - taken)
          queue.push(piece)
        }
        queue.end()
      })()
      for await (const piece of queue) {
        taken += piece.length
        if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve))
      }
      await sending
      expect(taken).toBe(pieces.reduce((sum, { length }) => sum + length, 0))
      expect(furthest).toBeLessThan(window + 2 * most)
    }
  })

  test('may send one piece larger than the window, and waits with the next', async () => {
    const credit = new Credit(10)
    await credit.take(1000)
    const next = credit.take(1)
    expect(await isPending(next)).toBe(true)
    credit.give(1000)
    expect(await isPending(next)).toBe(false)
  })
})

describe('a queue of bytes', () => {
  test('gives what was pushed before it failed, and then the failure', async () => {
    const queue = new ByteQueue(1000, () => {})
    queue.push(Buffer.from('a'))
    queue.fail(new Error('broken'))
    const got: string[] = []
    const reading = (async () => {
      for await (const bytes of queue) got.push(Buffer.from(bytes).toString())
    })()
    expect(await outcome(reading)).toThrow('broken')
    expect(got).toEqual(['a'])
  })

  test('wakes a reader that waits, for bytes, an end or a failure', async () => {
    for (const happen of [
      (queue: ByteQueue) => queue.push(Buffer.from('x')),
      (queue: ByteQueue) => queue.end(),
      (queue: ByteQueue) => queue.fail(new Error('x')),
    ]) {
      const queue = new ByteQueue(1000, () => {})
      const next = queue[Symbol.asyncIterator]()
        .next()
        .catch(() => {})
      expect(await isPending(next)).toBe(true)
      happen(queue)
      expect(await isPending(next)).toBe(false)
    }
  })
})
