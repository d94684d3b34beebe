import { afterAll, afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcome } from '../../../test/outcome.ts'
import { Database } from '../db.ts'
import { LongReads } from './long-reads.ts'
import { question } from './questions.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
let db: Database
let reads: LongReads
let stores = 0
beforeEach(() => {
  db = new Database(join(directory, `store${stores++}.db`))
  db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL) STRICT')
  reads = new LongReads({ db })
  db.handOverLongReads((queries, line) => reads.ask(queries, line))
})
afterEach(async () => {
  await reads[Symbol.asyncDispose]()
  db.close()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const write = (name: string, text = '') => db.tx((tx) => tx.insert('note', { name, text }))
/** As much as a store has that is read aside. */
const writeMuch = () => db.provisional((tx) => tx.insert('note', { name: 'large', text: 'x'.repeat(20_000_000) }))
const ask = (name: string) =>
  db.askAside(
    { named: question<{ id: number }>('SELECT id FROM note WHERE name = ?', name), counted: question<{ n: number }>('SELECT count(*) AS n FROM note') },
    'ada',
  )

test('a long question of a large store is asked of a thread, that of a small one in place, with the same answer', async () => {
  using inPlace = spyOn(db, 'all')
  const id = write("it's ?")
  expect([await ask("it's ?"), inPlace.mock.calls.length]).toEqual([{ named: [{ id }], counted: [{ n: 1 }] }, 2])
  writeMuch()
  inPlace.mockClear()
  expect([await ask("it's ?"), inPlace.mock.calls.length]).toEqual([{ named: [{ id }], counted: [{ n: 2 }] }, 0])
})

test('the thread sees what was committed before it was asked, and nothing is asked of it within a transaction', async () => {
  writeMuch()
  for (let i = 0; i < 5; i++) {
    const id = write(`last ${i}`)
    expect((await ask(`last ${i}`)).named).toEqual([{ id }])
  }
  let refused: Promise<unknown> = Promise.resolve()
  db.tx(() => void (refused = ask('x')))
  expect(await outcome(refused)).toThrow('Cannot start a long read within a transaction')
})

test('what the store cannot answer is an error, and the next question is answered', async () => {
  writeMuch()
  expect(await outcome(db.askAside({ none: question('SELECT 1 FROM nowhere') }, 'ada'))).toThrow('no such table: nowhere')
  expect((await ask('large')).named.length).toBe(1)
})

test('when all is over, the store is one file', async () => {
  const path = join(directory, 'other.db')
  const other = new Database(path)
  other.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  const thread = new LongReads({ db: other })
  const id = other.tx((tx) => tx.insert('note', { text: 'kept' }))
  expect(await thread.ask([question('SELECT * FROM note')], 'ada')).toEqual([[{ id, text: 'kept' }]])
  await thread[Symbol.asyncDispose]()
  other.close()
  expect(readdirSync(directory).filter((name) => name.startsWith('other'))).toEqual(['other.db'])
})
