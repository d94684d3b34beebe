import { afterAll, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcome } from '../../../test/outcome.ts'
import { Database } from '../db.ts'
import { LongReads } from './long-reads.ts'
import { question } from './questions.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
const db = new Database(join(directory, 'store.db'))
const reads = new LongReads({ db })
db.handOverLongReads((queries, line) => reads.ask(queries, line))
afterAll(async () => {
  await reads[Symbol.asyncDispose]()
  db.close()
  rmSync(directory, { recursive: true, force: true })
})
db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL) STRICT')
const write = (name: string, text = '') => db.tx((tx) => tx.insert('note', { name, text }))
const ask = (name: string) =>
  db.askAside(
    { named: question<{ id: number }>('SELECT id FROM note WHERE name = ?', name), counted: question<{ n: number }>('SELECT count(*) AS n FROM note') },
    'ada',
  )

test('a long question of a large store is asked of a thread, that of a small one in place, with the same answer', async () => {
  const inPlace = spyOn(db, 'all')
  const id = write("it's ?")
  expect([await ask("it's ?"), inPlace.mock.calls.length]).toEqual([{ named: [{ id }], counted: [{ n: 1 }] }, 2])
  for (let i = 0; i < 20; i++) write('large', 'x'.repeat(1_000_000))
  inPlace.mockClear()
  expect([await ask("it's ?"), inPlace.mock.calls.length]).toEqual([{ named: [{ id }], counted: [{ n: 21 }] }, 0])
  inPlace.mockRestore()
})

test('the thread sees what was committed before it was asked, and nothing is asked of it within a transaction', async () => {
  for (let i = 0; i < 5; i++) {
    const id = write(`last ${i}`)
    expect((await ask(`last ${i}`)).named).toEqual([{ id }])
  }
  let refused: Promise<unknown> = Promise.resolve()
  db.tx(() => void (refused = ask('x')))
  expect(await outcome(refused)).toThrow('Cannot ask aside within a transaction')
})

test('what the store cannot answer is an error, and the next question is answered', async () => {
  expect(await outcome(db.askAside({ none: question('SELECT 1 FROM nowhere') }, 'ada'))).toThrow('no such table: nowhere')
  expect((await ask('large')).named.length).toBe(20)
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
