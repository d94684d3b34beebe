import { Database as Sqlite } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { turns } from '../../test/eventually.ts'
import { fakeTimers } from '../../test/fake-timers.ts'
import { Database } from './db.ts'
import { Busy } from './errors.ts'
import { silentLog } from './log.ts'
import { Tasks } from './tasks.ts'

let directory: string
let db: Database
/** Another process' connection. */
let other: Sqlite
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pf-'))
  db = new Database(join(directory, 'x.db'), { busyTimeout: 20 })
  db.exec('CREATE TABLE t (n INTEGER) STRICT')
  other = new Sqlite(join(directory, 'x.db'))
})
afterEach(() => {
  other.close()
  db.close()
  rmSync(directory, { recursive: true, force: true })
})

const insert = () => db.tx((tx) => tx.insert('t', { n: 1 }))
const count = () => db.find<{ n: number }>('SELECT count(*) AS n FROM t')?.n

test('while another process writes, reading goes on and writing is refused soon, as something that passes', () => {
  other.run('BEGIN IMMEDIATE')
  expect(insert).toThrow(Busy)
  // How long SQLite waits for the other process, in milliseconds.
  expect(db.find('PRAGMA busy_timeout')).toEqual({ timeout: 20 })
  expect([count(), db.isContended]).toEqual([0, true])
  other.run('ROLLBACK')
  insert()
  expect([count(), db.isContended]).toEqual([1, false])
})

test('whoever waits for the other process lets everybody else go on', async () => {
  other.run('BEGIN IMMEDIATE')
  expect(insert).toThrow(Busy)
  const waiting = db.untilFree(10_000).then(insert)
  await turns(50)
  expect(count()).toBe(0)
  other.run('ROLLBACK')
  await waiting
  expect(count()).toBe(1)
})

test('background work that meets another process begins again when that is done', async () => {
  const tasks = new Tasks(silentLog)
  using time = fakeTimers()
  other.run('BEGIN IMMEDIATE')
  let tries = 0
  const work = tasks.start('insert', () => {
    tries++
    insert()
  })
  await time.advance(300)
  expect([tries, count()]).toEqual([2, 0])
  other.run('ROLLBACK')
  await time.advance(300)
  await work
  expect(count()).toBe(1)
})
