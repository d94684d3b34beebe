import { expect, test } from 'bun:test'
import { turns } from '../../test/eventually.ts'
import { outcome, rejection } from '../../test/outcome.ts'
import { FairQueue } from './fair-queue.ts'

/** Work that ends when it is told to, and what has ended so far. */
function workshop(most: number) {
  const queue = new FairQueue(most)
  const running: (() => void)[] = []
  const done: string[] = []
  const start = (name: string) =>
    queue.run(name, async () => {
      await new Promise<void>((resolve) => running.push(resolve))
      done.push(name)
    })
  const finishAll = async () => {
    for (let end = running.shift(); end; end = running.shift()) {
      end()
      await turns()
    }
  }
  return { start, running, done, finishAll }
}

test('no more run at once than allowed', async () => {
  const { start, running, done, finishAll } = workshop(2)
  for (const name of ['a', 'b', 'c']) void start(name)
  expect(running).toHaveLength(2)
  await finishAll()
  expect(done).toEqual(['a', 'b', 'c'])
})

test('names take turns, so that a crowd for one does not hold up another', async () => {
  const { start, done, finishAll } = workshop(1)
  for (const name of ['crowd', 'crowd', 'crowd', 'crowd', 'ada', 'bob']) void start(name)
  await finishAll()
  expect(done).toEqual(['crowd', 'crowd', 'ada', 'bob', 'crowd', 'crowd'])
})

test('twenty may wait for one name, two hundred in all; who comes then is told when to come back', async () => {
  const { start, done, finishAll } = workshop(1)
  const refusal = expect.objectContaining({ status: 429, headers: { 'Retry-After': '1' } })
  for (let i = 0; i < 21; i++) void start('crowd')
  expect(await rejection(start('crowd'))).toEqual(refusal)
  for (let i = 0; i < 180; i++) void start(`one ${i}`)
  expect(await rejection(start('ada'))).toEqual(refusal)
  await finishAll()
  expect(done).toHaveLength(201)
  void start('ada')
  await finishAll()
  expect(done.at(-1)).toBe('ada')
})

test('work that fails gives its place back', async () => {
  const queue = new FairQueue(1)
  const fails = queue.run('a', () => Promise.reject(new Error('no')))
  const after = queue.run('a', async () => 'done')
  expect(await outcome(fails)).toThrow('no')
  expect(await after).toBe('done')
})
