import { afterAll, expect, test } from 'bun:test'
import { outcome } from '../../test/outcome.ts'
import { JobThread } from './job-thread.ts'

/** Answers a number with its double, after as many milliseconds; a negative one fails, and zero never ends. It takes its time to start. */
const source = `await Bun.sleep(100)
self.onmessage = async ({ data }) => {
  while (data === 0);
  await Bun.sleep(Math.abs(data))
  self.postMessage(data < 0 ? { error: 'it is negative' } : { double: 2 * data })
}
self.postMessage('ready')`
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

test('a job that takes too long is given up, and the next one done in a new thread, whose start is not held against it', async () => {
  const [slow, next] = await Promise.allSettled([thread.run(0, { milliseconds: 50 }), thread.run(2, { milliseconds: 50 })])
  expect(slow).toMatchObject({ status: 'rejected', reason: { status: 422, message: 'Cannot double the number: it takes longer than 0.05 seconds' } })
  expect(next).toEqual({ status: 'fulfilled', value: { double: 4 } })
})

test('of too many at once in one line the last are refused, and in another none', async () => {
  const results = await Promise.allSettled([...Array.from({ length: 40 }, () => thread.run(1, { line: 'eve' })), thread.run(1, { line: 'ada' })])
  expect(results.map(({ status }) => status)).toEqual([...Array(32).fill('fulfilled'), ...Array(8).fill('rejected'), 'fulfilled'])
  expect(results[39]).toMatchObject({ reason: { status: 503, message: 'Cannot double the number now: too many others wait' } })
})

test('who brings little waits for one job of who brings much, and lines share the time, however many jobs that are', async () => {
  const order: string[] = []
  const run = (line: string, job: number) => thread.run(job, { line }).then(() => order.push(line))
  const much = Array.from({ length: 6 }, () => run('eve', 40))
  await Promise.all([...much, run('ada', 1), ...Array.from({ length: 4 }, () => run('bob', 10))])
  expect(order.slice(0, 2)).toEqual(['eve', 'ada'])
  expect(order.lastIndexOf('bob')).toBeLessThan(order.lastIndexOf('eve') - 2)
})

test('a job that nobody waits for any more is not begun', async () => {
  const gone = new AbortController()
  const first = thread.run(50, { signal: gone.signal })
  const results = Promise.allSettled(Array.from({ length: 20 }, () => thread.run(500, { signal: gone.signal })))
  gone.abort()
  expect(await outcome(thread.run(500, { signal: gone.signal }))).toThrow('nobody waits for it any more')
  expect(await first).toEqual({ double: 100 })
  expect((await results).map((result) => 'reason' in result && result.reason.status)).toEqual(Array(20).fill(499))
  const began = performance.now()
  await thread.run(1)
  expect(performance.now() - began).toBeLessThan(5000)
})
