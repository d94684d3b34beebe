import { afterAll, expect, test } from 'bun:test'
import { JobThread } from './job-thread.ts'

/** Answers a number with its double, after as many milliseconds; a negative one fails, and zero never ends. */
const source = `self.onmessage = async ({ data }) => {
  while (data === 0);
  await Bun.sleep(Math.abs(data))
  self.postMessage(data < 0 ? { error: 'it is negative' } : { double: 2 * data })
}`
const url = URL.createObjectURL(new Blob([source], { type: 'application/javascript' }))
const thread = new JobThread<number, { double: number }>('double the number', () => new Worker(url))
afterAll(() => thread.stop())

test('jobs are answered each with its own', async () => {
  expect(await Promise.all([30, 1, 20].map((job) => thread.run(job)))).toEqual([{ double: 60 }, { double: 2 }, { double: 40 }])
})

test('a job that fails concerns itself alone', async () => {
  const [failed, next] = await Promise.allSettled([thread.run(-1), thread.run(2)])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'Cannot double the number: it is negative' } })
  expect(next).toEqual({ status: 'fulfilled', value: { double: 4 } })
})

test('a job that takes too long is given up, and the next one done in a new thread', async () => {
  const [slow, next] = await Promise.allSettled([thread.run(0, 50), thread.run(2)])
  expect(slow).toMatchObject({ status: 'rejected', reason: { status: 422, message: 'Cannot double the number: it takes longer than 0.05 seconds' } })
  expect(next).toEqual({ status: 'fulfilled', value: { double: 4 } })
})

test('of too many at once the last are refused', async () => {
  const results = await Promise.allSettled(Array.from({ length: 70 }, () => thread.run(1)))
  expect(results.map(({ status }) => status)).toEqual([...Array(64).fill('fulfilled'), ...Array(6).fill('rejected')])
  expect(results[69]).toMatchObject({ reason: { status: 503, message: 'Cannot double the number now: too many others wait' } })
})
