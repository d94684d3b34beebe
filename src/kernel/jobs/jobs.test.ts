import { expect, spyOn, test } from 'bun:test'
import { eventually } from '../../../test/eventually.ts'
import { type ManualClock, manualClock } from '../../../test/manual-clock.ts'
import { outcome } from '../../../test/outcome.ts'
import tables from '../database/7_jobs.sql' with { type: 'text' }
import { Database } from '../db.ts'
import { Busy } from '../errors.ts'
import { silentLog } from '../log.ts'
import { parsePage } from '../page.ts'
import { Tasks } from '../tasks.ts'
import { type AnyJobKind, defineJob, done, type JobKind } from './define-job.ts'
import { type JobOptions, Jobs } from './jobs.ts'

/** A room with three kinds of jobs: letters and notes are batch jobs with one letter per step; parcels are async jobs that the test ends. */
class Post extends AsyncDisposableStack {
  readonly clock: ManualClock = manualClock()
  readonly db = this.adopt(new Database(':memory:'), (db) => db.close())
  readonly sent: string[] = []
  readonly onTheWay: { to: string; arrive: () => void; lose: (error: Error) => void; signal: AbortSignal }[] = []
  isOpen = true
  #server = this.#start()

  constructor() {
    super()
    this.db.exec(tables)
    this.defer(() => this.stop())
  }

  get jobs(): Jobs<Post> {
    return this.#server.jobs
  }

  #start() {
    const { clock, db } = this
    const tasks = new Tasks(silentLog, clock)
    const later = spyOn(tasks, 'later').mockImplementation(() => {})
    const load = async (room: string) => (room === 'post' ? kinds : [])
    const jobs = new Jobs<Post>({ db, tasks, clock, log: silentLog, isBatchOver: () => true }, () => this, load)
    return { tasks, jobs, later }
  }

  async stop(): Promise<void> {
    this.#server.jobs.stop()
    await this.#server.tasks.stop()
  }

  async startAgain(): Promise<void> {
    await this.stop()
    this.#server = this.#start()
  }

  /** Seconds until the jobs wake up. */
  get nextLook(): number {
    return (this.#server.later.mock.lastCall?.[0] ?? Number.NaN) / 1000
  }

  /** Advances the clock to that time. */
  async wait(): Promise<void> {
    const [milliseconds = 0, , look] = this.#server.later.mock.lastCall ?? []
    this.clock.advance(milliseconds / 1000)
    await look?.()
    await this.jobs.resume()
  }

  write(kind: JobKind<Post, Args, number>, to: string, count = 1, options?: JobOptions<number>): void {
    this.db.tx((tx) => void this.jobs.enqueue(tx, kind, { to, count }, options))
  }

  async failures(): Promise<unknown[]> {
    const { jobs } = await this.jobs.list(this.db, 'test', parsePage({}, { defaultLimit: 50, maxLimit: 50 }))
    return jobs.map(({ title, attempts, lastError }) => [title, attempts, lastError])
  }
}

type Args = { to: string; count: number }

function send(name: string) {
  return (_tx: unknown, { to, count }: Args, sent: number | undefined, { context: post }: { context: Post }) => {
    if (!post.isOpen && to !== 'next door') throw new Error('The post office is closed')
    const now = (sent ?? 0) + 1
    post.sent.push(`${name} ${now} to ${to}`)
    return now === count ? done : now
  }
}

const letters = defineJob({ kind: 'post.letters', title: 'Send letters', step: send('letter') })
const notes = defineJob({ kind: 'post.notes', title: 'Send notes', order: 'newest first', step: send('note') })
const parcels = defineJob({
  kind: 'post.parcels',
  title: 'Send parcels',
  concurrency: 2,
  run: ({ to }: Args, _cursor: number | undefined, { context: post, signal }: { context: Post; signal: AbortSignal }) =>
    new Promise<typeof done>((resolve, reject) => {
      post.onTheWay.push({ to, arrive: () => resolve(done), lose: reject, signal })
      signal.addEventListener('abort', () => reject(signal.reason))
    }),
})
const kinds: AnyJobKind<Post>[] = [letters, notes, parcels]

test('the first batch runs before the code after the transaction; then kinds take turns', async () => {
  await using post = new Post()
  post.write(letters, 'ada', 3)
  expect(post.sent).toEqual(['letter 1 to ada'])
  post.write(letters, 'bob')
  post.write(notes, 'eve', 2)
  await post.jobs.resume()
  expect(post.sent.slice(1)).toEqual(['note 1 to eve', 'letter 2 to ada', 'note 2 to eve', 'letter 3 to ada', 'letter 1 to bob'])
  expect(post.db.all('SELECT * FROM job')).toEqual([])
})

test('with “newest first”, a new job does not wait for an older one', async () => {
  await using post = new Post()
  post.write(notes, 'ada', 3)
  await post.db.rest()
  post.write(notes, 'bob')
  await post.jobs.resume()
  expect(post.sent.indexOf('note 1 to bob')).toBeLessThan(post.sent.indexOf('note 3 to ada'))
})

test('a transaction that fails adds no job', async () => {
  await using post = new Post()
  const fail = (): never => {
    throw new Error('no')
  }
  expect(() => post.db.tx((tx) => [post.jobs.enqueue(tx, letters, { to: 'ada', count: 1 }), fail()])).toThrow('no')
  await post.jobs.resume()
  expect([post.sent, post.db.all('SELECT * FROM job')]).toEqual([[], []])
})

test('a failing job is listed with its error, does not block other jobs, and is retried with exponential back-off', async () => {
  await using post = new Post()
  post.isOpen = false
  post.write(letters, 'far away', 2)
  post.write(letters, 'next door')
  await post.jobs.resume()
  expect([post.sent, await post.failures()]).toEqual([['letter 1 to next door'], [['Send letters', 1, 'The post office is closed']]])
  const waits: number[] = []
  for (let i = 0; i < 10; i++) {
    waits.push(post.nextLook)
    await post.wait()
  }
  expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8])
  expect(Math.max(...waits)).toBeLessThanOrEqual(60)
  const [failed] = (await post.jobs.list(post.db, 'test', parsePage({}, { defaultLimit: 1, maxLimit: 1 }))).jobs
  expect(failed?.runAt).toBeLessThanOrEqual(post.clock.seconds() + 300)

  post.isOpen = true
  expect([await post.jobs.retry(failed?.id ?? 0), await post.jobs.retry(999)]).toEqual([true, false])
  await post.jobs.resume()
  expect([post.sent.slice(1), await post.failures()]).toEqual([['letter 1 to far away', 'letter 2 to far away'], []])
})

test('a job replaces the one with the same kind and key', async () => {
  await using post = new Post()
  post.write(letters, 'ada', 3, { key: 'ada' })
  post.write(letters, 'ada', 2, { key: 'ada' })
  post.write(letters, 'bob', 1, { key: 'bob' })
  await post.jobs.resume()
  expect(post.sent).toEqual(['letter 1 to ada', 'letter 1 to ada', 'letter 2 to ada', 'letter 1 to bob'])
})

test('a job does not start before its time', async () => {
  await using post = new Post()
  post.write(letters, 'ada', 1, { runAt: post.clock.seconds() + 30 })
  await post.jobs.resume()
  expect([post.sent, post.nextLook]).toEqual([[], 30])
  await post.wait()
  expect(post.sent).toEqual(['letter 1 to ada'])
})

test('the next start resumes a job at its cursor', async () => {
  await using post = new Post()
  post.write(letters, 'ada', 3)
  await post.startAgain()
  expect(post.sent).toEqual(['letter 1 to ada'])
  await post.jobs.start()
  await post.jobs.resume()
  expect(post.sent).toEqual(['letter 1 to ada', 'letter 2 to ada', 'letter 3 to ada'])
})

test('async jobs run up to their concurrency, and never two with the same key', async () => {
  await using post = new Post()
  for (const to of ['ada', 'ada', 'bob', 'eve']) post.write(parcels, to, 1, { key: to })
  const gone = () => post.onTheWay.map(({ to }) => to)
  await eventually(() => gone().length === 2)
  expect(gone()).toEqual(['ada', 'bob'])
  // The new job waits for the running one with the same key.
  post.write(parcels, 'bob', 1, { key: 'bob' })
  post.write(letters, 'meanwhile')
  post.onTheWay[0]?.arrive()
  await eventually(() => gone().length === 3)
  expect([gone()[2], post.sent]).toEqual(['eve', ['letter 1 to meanwhile']])
  post.onTheWay[1]?.arrive()
  await eventually(() => gone().length === 4)
  expect(gone()[3]).toBe('bob')
  for (const { arrive } of post.onTheWay) arrive()
  await post.jobs.resume()
  expect(post.db.all('SELECT * FROM job')).toEqual([])
})

test('an async job that fails is retried; one that the stopping server aborts has not failed', async () => {
  await using post = new Post()
  post.write(parcels, 'ada')
  await eventually(() => post.onTheWay.length === 1)
  post.onTheWay[0]?.lose(new Error('Lost'))
  await post.jobs.resume()
  expect(await post.failures()).toEqual([['Send parcels', 1, 'Lost']])
  post.clock.advance(1)
  const resumed = post.jobs.resume()
  await eventually(() => post.onTheWay.length === 2)
  await post.startAgain()
  await resumed
  expect([post.onTheWay[1]?.signal.aborted, await post.failures()]).toEqual([true, [['Send parcels', 1, 'Lost']]])
})

test('a job of an unknown kind stays and is listed', async () => {
  await using post = new Post()
  post.db.tx((tx) => tx.insert('job', { kind: 'bank.loans', args: '{}', created_at: 1 }))
  await post.jobs.start()
  expect(await post.failures()).toEqual([['bank.loans', 0, '']])
})

test('a job continues when another process has finished its write', async () => {
  await using post = new Post()
  post.write(letters, 'ada', 3)
  const provisional = spyOn(post.db, 'provisional').mockImplementationOnce(() => {
    throw new Busy({})
  })
  await post.jobs.resume()
  provisional.mockRestore()
  expect(post.sent).toEqual(['letter 1 to ada', 'letter 2 to ada', 'letter 3 to ada'])
})

test('waiting for a job ends when it is done, with its error, or when the server stops', async () => {
  await using post = new Post()
  post.write(parcels, 'ada', 1, { key: 'ada' })
  const arrived = post.jobs.finished(parcels, 'ada')
  await eventually(() => post.onTheWay.length === 1)
  post.onTheWay[0]?.arrive()
  await arrived
  post.write(parcels, 'bob', 1, { key: 'bob' })
  const lost = outcome(post.jobs.finished(parcels, 'bob'))
  await eventually(() => post.onTheWay.length === 2)
  post.onTheWay[1]?.lose(new Error('Lost'))
  expect(await lost).toThrow('Lost')
  post.write(parcels, 'eve', 1, { key: 'eve' })
  const before = outcome(post.jobs.finished(parcels, 'eve'))
  await post.stop()
  expect(await before).toThrow('The server is stopping')
  expect(await outcome(post.jobs.finished(parcels, 'eve'))).toThrow('The server is stopping')
})
