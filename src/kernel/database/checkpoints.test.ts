import { Database as Sqlite } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../db.ts'
import { DiskWatch } from '../disk-trouble.ts'
import type { Log } from '../log.ts'
import { Tasks } from '../tasks.ts'
import storeState from './2_store_state.sql' with { type: 'text' }
import storeFile from './5_store_file.sql' with { type: 'text' }
import completeCopies from './6_complete_copies.sql' with { type: 'text' }
import { Checkpoints } from './checkpoints.ts'
import { hasLog, markOpen, noticeCopy } from './store-state.ts'

let directory: string
let db: Database
let errors: unknown[]
let log: Log
let disk: DiskWatch
let tasks: Tasks
let checkpoints: Checkpoints
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pf-checkpoints-'))
  db = new Database(join(directory, 'store.db'))
  for (const sql of [storeState, storeFile, completeCopies]) db.exec(sql)
  db.exec('CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT) STRICT')
  errors = []
  log = { error: (_message: string, error: unknown) => errors.push(error) } as unknown as Log
  disk = new DiskWatch()
  tasks = new Tasks(log, undefined, disk)
  checkpoints = new Checkpoints({ db, disk, tasks, log })
})
afterEach(async () => {
  await tasks.stop()
  checkpoints[Symbol.dispose]()
  db.close()
  rmSync(directory, { recursive: true, force: true })
})

const write = (pages: number) =>
  db.tx((tx) => {
    for (let i = 0; i < pages; i++) tx.insert('page', { text: 'x'.repeat(4000) })
  })
function inLog(): number {
  using sqlite = new Sqlite(db.path)
  const { log, checkpointed } = sqlite.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)').get() ?? { log: 0, checkpointed: 0 }
  return log - checkpointed
}

test('a long log is written into the database by a thread, and what is committed meanwhile stays in it', async () => {
  let begun = 0
  db.handOverCheckpoints(() => {
    begun++
    return checkpoints.begin()
  })
  write(100)
  expect(begun).toBe(0)
  write(2000)
  expect([begun, inLog() >= 2000]).toEqual([1, true])
  write(10)
  await tasks.stop()
  expect([inLog() < 100, db.find<{ n: number }>('SELECT count(*) AS n FROM page')?.n, errors]).toEqual([true, 2110, []])
})

test('a copy of the database file without the log is noticed after a checkpoint, too, and a complete one is accepted', async () => {
  markOpen(db)
  db.handOverCheckpoints(() => checkpoints.begin())
  write(2000)
  await checkpoints.begin()
  write(1)
  const [cut, vacuumed, replayed] = ['cut', 'vacuumed', 'replayed'].map((name) => join(directory, `${name}.db`)) as [string, string, string]
  for (const copy of [cut, replayed]) cpSync(db.path, copy)
  db.exec(`VACUUM INTO '${vacuumed}'`)
  // As Litestream restores: the database file, and the log written into it.
  cpSync(`${db.path}-wal`, `${replayed}-wal`)
  const restoring = new Sqlite(replayed)
  restoring.run('PRAGMA wal_checkpoint(TRUNCATE)')
  restoring.close(true)
  const noticed = [cut, vacuumed, replayed].map((path) => {
    const hadLog = hasLog(path)
    const copy = new Database(path)
    const found = [hadLog, noticeCopy(copy, hadLog, 1), copy.find<{ n: number }>('SELECT count(*) AS n FROM page')?.n]
    copy.close()
    return found
  })
  expect(noticed).toEqual([
    [false, 'cut short', 2000],
    [false, 'restored', 2001],
    [false, 'restored', 2001],
  ])
})

test('who writes much waits for the thread once the log is long, so that no commit has to write it', async () => {
  db.handOverCheckpoints(() => checkpoints.begin())
  for (let slices = 0; slices < 200; slices++) {
    db.provisional((tx) => {
      for (let i = 0; i < 100; i++) tx.insert('page', { text: 'x'.repeat(4000) })
    })
    await db.rest()
  }
  // Unwaited for, all 20,000 pages would have gone into one log.
  expect(statSync(`${db.path}-wal`).size).toBeLessThan(10_000 * 4120)
  expect([db.find<{ n: number }>('SELECT count(*) AS n FROM page')?.n, errors]).toEqual([20_000, []])
})

test('what the log has grown to while somebody read is given back to the disk when they are done', async () => {
  db.handOverCheckpoints(() => checkpoints.begin())
  const size = () => statSync(`${db.path}-wal`).size
  const most = 16_384 * 4096
  {
    using reader = new Sqlite(db.path)
    reader.run('BEGIN')
    reader.query('SELECT count(*) FROM page').get()
    for (let slices = 0; slices < 9; slices++) write(2000)
    expect(size()).toBeGreaterThan(most)
    reader.run('ROLLBACK')
  }
  await checkpoints.begin()
  write(1)
  expect(size()).toBeLessThanOrEqual(most)
})

test('one that fails is told of, and the next one is begun all the same', async () => {
  const nowhere = new Checkpoints({ db: { path: join(directory, 'nowhere', 'store.db'), tx: db.tx.bind(db) }, disk, tasks, log })
  for (const count of [1, 2]) {
    await Promise.all([nowhere.begin(), nowhere.begin()])
    expect(errors.length).toBe(count)
  }
  expect(errors.map((error) => (error as { code: string }).code)).toEqual(['SQLITE_CANTOPEN', 'SQLITE_CANTOPEN'])
  nowhere[Symbol.dispose]()
})
