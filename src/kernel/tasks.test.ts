import { expect, jest, test } from 'bun:test'
import { silentLog } from './log.ts'
import { Tasks } from './tasks.ts'

/** Tasks on a clock that only the test moves; timers stand still with it. */
function stoppedJobs() {
  jest.useFakeTimers()
  let now = 1_700_000_000
  const tasks = new Tasks(silentLog, { seconds: () => now, millis: () => now * 1000 })
  const pass = (seconds: number) => {
    now += seconds
    jest.advanceTimersByTime(seconds * 1000)
  }
  return { tasks, pass, [Symbol.dispose]: () => void jest.useRealTimers() }
}

/** Lets everything that can run, run. */
const settle = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve()
}

test('a task tells when it ran, how often, and when it will again', async () => {
  using clock = stoppedJobs()
  const { tasks, pass } = clock
  tasks.every(600, 'tidy', () => {})
  const task = () => tasks.listTasks()[0]
  expect(task()).toMatchObject({ name: 'tidy', schedule: '@every 10m', next: 1_700_000_600, prev: null, runs: 0 })
  pass(600)
  await settle()
  expect(task()).toMatchObject({ next: 1_700_001_200, prev: 1_700_000_600, runs: 1 })
  pass(100)
  expect(tasks.runTask('tidy')).toBe(true)
  expect(task()).toMatchObject({ next: 1_700_001_200, prev: 1_700_000_700, runs: 2 })
})

test.each([
  [45, '@every 45s'],
  [90, '@every 90s'],
  [600, '@every 10m'],
  [86_400, '@every 24h'],
  [0, ''],
])('every %p seconds is %p', (seconds, schedule) => {
  using clock = stoppedJobs()
  clock.tasks.every(seconds, 'tidy', () => {})
  expect(clock.tasks.listTasks()[0]?.schedule).toBe(schedule)
})

test('tasks are told by name, and a name that no task has starts nothing', () => {
  using clock = stoppedJobs()
  for (const name of ['b', 'c', 'a']) clock.tasks.every(60, name, () => {})
  expect(clock.tasks.listTasks().map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(clock.tasks.runTask('d')).toBe(false)
})

test('a task under way is not started twice, neither by its turn nor by hand; a failed one is free again', async () => {
  using clock = stoppedJobs()
  const { tasks, pass } = clock
  let fail = (_: Error) => {}
  let starts = 0
  tasks.every(60, 'slow', () => {
    starts++
    return new Promise<void>((_, reject) => {
      fail = reject
    })
  })
  tasks.runTask('slow')
  expect(tasks.runTask('slow')).toBe(true)
  pass(60)
  expect([starts, tasks.listTasks()[0]?.runs]).toEqual([1, 1])
  fail(new Error('no luck'))
  await settle()
  pass(60)
  expect(starts).toBe(2)
})

test('a task of no interval runs by hand alone', () => {
  using clock = stoppedJobs()
  let starts = 0
  clock.tasks.every(0, 'rare', () => {
    starts++
  })
  clock.pass(100_000)
  expect([starts, clock.tasks.listTasks()[0]?.next]).toEqual([0, null])
  clock.tasks.runTask('rare')
  expect(starts).toBe(1)
})

test('stopping waits for what is under way and starts no more', async () => {
  const tasks = new Tasks(silentLog)
  let finish = () => {}
  const seen: string[] = []
  tasks.every(60, 'long', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    seen.push(`stopping: ${tasks.isStopping}`)
  })
  tasks.runTask('long')
  const stopped = tasks.stop().then(() => seen.push('stopped'))
  tasks.runTask('long')
  finish()
  await stopped
  expect(seen).toEqual(['stopping: true', 'stopped'])
  expect(tasks.listTasks()[0]?.runs).toBe(1)
})

test('whoever asks once more to stop waits for nothing that is under way', async () => {
  const tasks = new Tasks(silentLog)
  void tasks.start('endless', () => new Promise(() => {}))
  const stopped = tasks.stop()
  tasks.abandon()
  await stopped
})

test('what is given again under the same name runs in place of what was there, once a turn', async () => {
  using clock = stoppedJobs()
  const ran: string[] = []
  clock.tasks.every(60, 'tidy', () => void ran.push('first'))
  clock.tasks.every(60, 'tidy', () => void ran.push('second'))
  clock.pass(60)
  await settle()
  expect(ran).toEqual(['second'])
})

test('a burst of signals starts a task once it is over, and one that does not end starts it all the same', async () => {
  using clock = stoppedJobs()
  const { tasks, pass } = clock
  let starts = 0
  tasks.every(0, 'follow', () => void starts++)
  const signal = tasks.afterQuiet(500, 5000, 'follow')
  const burst = async (seconds: number) => {
    for (let i = 0; i < seconds * 10; i++) {
      signal()
      pass(0.1)
      await settle()
    }
  }
  await burst(3)
  expect(starts).toBe(0)
  pass(0.5)
  await settle()
  expect(starts).toBe(1)
  await burst(11)
  expect(starts).toBe(3)
  pass(1)
  await settle()
  expect(starts).toBe(4)
  pass(100)
  await settle()
  expect(starts).toBe(4)
})

test('a signal that is given while the task is under way starts it once more', async () => {
  using clock = stoppedJobs()
  const { tasks, pass } = clock
  let [starts, finish] = [0, () => {}]
  tasks.every(0, 'follow', () => {
    starts++
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  const signal = tasks.afterQuiet(500, 5000, 'follow')
  signal()
  pass(1)
  signal()
  pass(10)
  expect(starts).toBe(1)
  finish()
  await settle()
  pass(1)
  await settle()
  expect(starts).toBe(2)
})
