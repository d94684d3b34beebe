import { expect, spyOn, test } from 'bun:test'
import { Backlog } from './backlog.ts'
import { Database } from './db.ts'
import { silentLog } from './log.ts'
import { Tasks } from './tasks.ts'

/** Letters to be sent, two in a transaction. */
class Post extends AsyncDisposableStack {
  readonly db = this.adopt(new Database(':memory:'), (db) => db.close())
  readonly tasks = this.adopt(new Tasks(silentLog), (tasks) => tasks.stop())
  readonly sent: number[][] = []
  readonly later = spyOn(this.tasks, 'later').mockImplementation(() => {})
  isOpen = true
  readonly onEmpty: (() => void)[] = []
  readonly backlog = new Backlog(this, 'send letters', (tx) => {
    if (!this.isOpen) throw new Error('The post office is closed')
    const some = tx.all<{ id: number }>('SELECT id FROM letter ORDER BY id LIMIT 2').map(({ id }) => id)
    for (const id of some) tx.run('DELETE FROM letter WHERE id = ?', id)
    this.sent.push(some)
    const isLeft = tx.find('SELECT 1 FROM letter') !== undefined
    if (!isLeft) this.onEmpty.pop()?.()
    return isLeft
  })

  constructor() {
    super()
    this.db.exec('CREATE TABLE letter (id INTEGER PRIMARY KEY)')
  }

  /** What is to be done later is done now. */
  async comeAgain(): Promise<void> {
    const [, , work] = this.later.mock.lastCall ?? []
    await work?.()
  }

  write(...ids: number[]): void {
    this.db.tx((tx) => {
      for (const id of ids) tx.insert('letter', { id })
      this.backlog.begin(tx)
    })
  }
}

test('the first slice is done before its caller goes on, and what is written meanwhile belongs to the same run', async () => {
  await using post = new Post()
  post.write(1, 2, 3)
  expect(post.sent).toEqual([[1, 2]])
  post.write(4, 5)
  expect(post.sent).toEqual([[1, 2]])
  await post.backlog.run()
  expect(post.sent).toEqual([[1, 2], [3, 4], [5]])
})

test('what comes at the very end of a run is not left lying', async () => {
  await using post = new Post()
  post.write(1, 2, 3)
  post.onEmpty.push(() => queueMicrotask(() => post.write(4)))
  await post.backlog.run()
  expect(post.sent.flat()).toEqual([1, 2, 3, 4])
})

test('a transaction that fails begins nothing', async () => {
  await using post = new Post()
  expect(() =>
    post.db.tx((tx) => {
      post.backlog.begin(tx)
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(post.sent).toEqual([])
})

test('what fails is whole afterwards, and is tried again a little later, each time after twice as long', async () => {
  await using post = new Post()
  post.isOpen = false
  post.write(1)
  for (let i = 0; i < 10; i++) {
    await post.backlog.run()
    // Who writes meanwhile is answered, and has it tried, without further appointments.
    post.write(10 + i)
    await post.backlog.run()
    expect(post.later).toHaveBeenCalledTimes(i + 1)
    await post.comeAgain()
  }
  const delays = post.later.mock.calls.map(([milliseconds]) => milliseconds)
  expect([delays.slice(0, 3), Math.max(...delays)]).toEqual([[1000, 2000, 4000], 300_000])
  post.isOpen = true
  await post.comeAgain()
  expect([post.sent.flat().length, post.db.all('SELECT * FROM letter')]).toEqual([11, []])
})

test('it ends where the server stops, and another run goes on with the rest', async () => {
  await using post = new Post()
  post.write(1, 2, 3, 4, 5)
  await post.tasks.stop()
  expect(post.sent).toEqual([[1, 2]])
  await using next = new Post()
  next.db.tx((tx) => void tx.insert('letter', { id: 3 }))
  await next.backlog.run()
  expect([next.sent, next.later.mock.calls]).toEqual([[[3]], []])
})
