import { afterAll, expect, test } from 'bun:test'
import { fakeTimers } from '../../test/fake-timers.ts'
import { outcome } from '../../test/outcome.ts'
import { JobThread } from './job-thread.ts'
import { TimedWorker } from './timed-worker.fixture.ts'

/** Answers a number with its double; a negative one fails, and zero never ends. */
const source = `self.onmessage = ({ data }) => {
  while (data === 0);
  self.postMessage(data < 0 ? { error: 'it is negative' } : { double: 2 * data })
}
self.postMessage('ready')`
const url = URL.createObjectURL(new Blob([source], { type: 'application/javascript' }))
const thread = new JobThread<number, { double: number }>('double the number', () => new Worker(url))
afterAll(() => thread.stop())

function timedThread() {
  const workers: TimedWorker[] = []
  const timed = new JobThread<number, { double: number }>('double the number', () => {
    const worker = new TimedWorker()
    workers.push(worker)
    return worker as unknown as Worker
  })
  return { timed, workers }
}

test('jobs are answered each with its own', async () => {
  expect(await Promise.all([30, 1, 20].map((job) => thread.run(job)))).toEqual([{ double: 60 }, { double: 2 }, { double: 40 }])
})

test('a job that fails concerns itself alone', async () => {
  const [failed, next] = await Promise.allSettled([thread.run(-1), thread.run(2)])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'Cannot double the number: it is negative' } })
  expect(next).toEqual({ status: 'fulfilled', value: { double: 4 } })
})

test('a job that takes too long is given up, and the next one done in a new thread', async () => {
  const [slow, next] = await Promise.allSettled([thread.run(0, { milliseconds: 50 }), thread.run(2)])
  expect(slow).toMatchObject({ status: 'rejected', reason: { status: 422, message: 'Cannot double the number: it takes longer than 0.05 seconds' } })
  expect(next).toEqual({ status: 'fulfilled', value: { double: 4 } })
})

test('the start of a thread is not held against a job', async () => {
  using time = fakeTimers()
  const { timed, workers } = timedThread()
  const results = Promise.allSettled([timed.run(60, { milliseconds: 50 }), timed.run(40, { milliseconds: 50 })])
  await time.advance(300)
  expect(await results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: { double: 80 } }])
  expect(workers.map(({ jobs }) => jobs)).toEqual([[60], [40]])
})

test('of too many at once in one line the last are refused, and in another none', async () => {
  const results = await Promise.allSettled([...Array.from({ length: 40 }, () => thread.run(1, { line: 'eve' })), thread.run(1, { line: 'ada' })])
  expect(results.map(({ status }) => status)).toEqual([...Array(32).fill('fulfilled'), ...Array(8).fill('rejected'), 'fulfilled'])
  expect(results[39]).toMatchObject({ reason: { status: 503, message: 'Cannot double the number: the server is busy. Try again later' } })
})

test('who brings little waits for one job of who brings much, and lines share the time, however many jobs that are', async () => {
  using time = fakeTimers()
  const { timed } = timedThread()
  const order: string[] = []
  const run = (line: string, job: number) => timed.run(job, { line }).then(() => order.push(line))
  const much = Array.from({ length: 6 }, () => run('eve', 40))
  const all = Promise.all([...much, run('ada', 1), ...Array.from({ length: 4 }, () => run('bob', 10))])
  await time.advance(500)
  await all
  expect(order.slice(0, 2)).toEqual(['eve', 'ada'])
  expect(order.lastIndexOf('bob')).toBeLessThan(order.lastIndexOf('eve') - 2)
})

test('a job that nobody waits for any more is not begun', async () => {
  using time = fakeTimers()
  const { timed, workers } = timedThread()
  const gone = new AbortController()
  const first = timed.run(50, { signal: gone.signal })
  const results = Promise.allSettled(Array.from({ length: 20 }, () => timed.run(500, { signal: gone.signal })))
  await time.advance(120)
  gone.abort()
  expect(await outcome(timed.run(500, { signal: gone.signal }))).toThrow('the client disconnected')
  await time.advance(100)
  expect(await first).toEqual({ double: 100 })
  expect((await results).map((result) => 'reason' in result && result.reason.status)).toEqual(Array(20).fill(499))
  const last = timed.run(1)
  await time.advance(10)
  expect(await last).toEqual({ double: 2 })
  expect(workers.map(({ jobs }) => jobs)).toEqual([[50, 1]])
})
