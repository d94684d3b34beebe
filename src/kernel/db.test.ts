import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { turns } from '../../test/eventually.ts'
import { failCommits } from '../../test/lost-commit.ts'
import { Database, type Tx } from './db.ts'

function notes(): Database {
  const db = new Database(':memory:')
  db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER) STRICT')
  return db
}

test('values arrive as they are, whatever the statement hides from the planner', () => {
  const db = notes()
  db.tx((tx) => {
    tx.insert('note', { name: '+1', size: null })
    tx.run('INSERT INTO note (name, size) VALUES (?2, ?1)', 7, "what? it's 'quoted'?")
  })
  expect(
    db.all("SELECT name || ' ?' AS name, size, typeof(size) AS type FROM note WHERE name = ? OR size = ? ORDER BY id LIMIT ? OFFSET ?", '+1', 7, 5, 0),
  ).toEqual([
    { name: '+1 ?', size: null, type: 'null' },
    { name: "what? it's 'quoted'? ?", size: 7, type: 'integer' },
  ])
  expect(db.find("SELECT 'it''s ?' AS text, ? AS value", 'x')).toEqual({ text: "it's ?", value: 'x' })
})

test('what is asked together is found as if each were asked alone, in its order and with its own parameters', () => {
  const db = notes()
  const names = ['a "b"', "it's ?1", 'nul \0 and ☃', '']
  db.tx((tx) => names.forEach((name, i) => void tx.insert('note', { name, size: i === 2 ? null : i })))
  const questions = {
    all: { sql: "SELECT *, '?' AS mark FROM note ORDER BY id DESC LIMIT ?", values: [3] },
    twice: { sql: 'SELECT id FROM note WHERE id = ?2 OR name = ?1 OR id = ?2', values: [names[0] as string, 3] },
    none: { sql: 'SELECT id FROM note WHERE id IN (SELECT value FROM json_each(?)) AND id > ?', values: ['[1]', 1] },
    counted: { sql: 'WITH RECURSIVE n AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM n WHERE id < ?) SELECT id FROM n ORDER BY -id', values: [3] },
  }
  const each = Object.fromEntries(Object.entries(questions).map(([name, { sql, values }]) => [name, db.all(sql, ...values)]))
  expect(db.askTogether(questions)).toEqual(each as never)
  expect(db.tx((tx) => tx.askTogether({ one: { sql: 'SELECT name FROM note WHERE id = ?', values: [1] } }))).toEqual({ one: [{ name: 'a "b"' }] as never })
})

test('a transaction that throws leaves nothing behind, and runs no effect', () => {
  const db = notes()
  const effects: string[] = []
  const failing = () =>
    db.tx((tx) => {
      tx.onCommit(() => effects.push('ran'))
      tx.insert('note', { name: 'a' })
      db.tx((inner) => inner.insert('note', { name: 'b' }))
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect([db.all('SELECT * FROM note'), effects]).toEqual([[], []])
})

test('what was made for a transaction is taken back with it, and stays with one that the disk may have', () => {
  const db = notes()
  const takenBack: string[] = []
  const make = (name: string, after: () => void = () => {}) =>
    db.tx((tx) => {
      db.tx((inner) => inner.onRollback(() => void takenBack.push(name)))
      tx.insert('note', { name })
      after()
    })
  make('done')
  const fail = () => {
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' })
  }
  expect(() => make('failed before the commit', fail)).toThrow('EIO')
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_FSYNC'] as const) {
    using _ = failCommits(code)
    expect(() => make(code)).toThrow(code)
  }
  expect(takenBack).toEqual(['failed before the commit', 'SQLITE_FULL'])
})

test('more statements than are kept work all the same', () => {
  const db = notes()
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 1200; i++) expect(db.find<Record<string, number>>(`SELECT ? AS c${i}`, i)).toEqual({ [`c${i}`]: i })
  }
})

test('an effect that throws keeps neither the others nor whoever made the change from theirs', () => {
  const db = new Database(':memory:')
  const failed: unknown[] = []
  db.listener = { effectFailed: (error) => void failed.push(error), writeFailed: () => {}, beforeWrite: () => {} }
  const ran: string[] = []
  const answer = db.tx((tx) => {
    tx.run('CREATE TABLE note (text TEXT) STRICT')
    tx.onCommit(() => {
      throw new Error('no')
    })
    tx.onCommit(() => void ran.push('second'))
    return 'done'
  })
  expect([answer, ran, failed.length]).toEqual(['done', ['second'], 1])
})

test('a commit waits for the disk, but for that of a provisional change, which is whole or absent all the same', () => {
  const db = notes()
  // The answer is made when the statement is: each asks in its own words.
  const waits = (tx: Tx, words: string) => Object.values(tx.find<Record<string, number>>(`PRAGMA ${words}`) ?? {})[0] === 2
  const seen = [
    db.tx((tx) => waits(tx, 'synchronous')),
    db.provisional((tx) => waits(tx, 'main.synchronous')),
    db.tx((tx) => waits(tx, 'Synchronous')),
    db.tx(() => db.provisional((tx) => waits(tx, 'SYNCHRONOUS'))),
  ]
  expect(seen).toEqual([true, false, true, true])
  const failing = () =>
    db.provisional((tx) => {
      tx.insert('note', { name: 'a' })
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(db.all('SELECT * FROM note')).toEqual([])
})

test('what is to be durable cannot be part of what is provisional', () => {
  const db = notes()
  expect(() => db.provisional(() => db.tx((tx) => tx.insert('note', { name: 'a' })))).toThrow('durable')
  expect(db.all('SELECT * FROM note')).toEqual([])
})

test('who reads a damaged table is told so, and nobody else', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const path = join(directory, 'db')
  const whole = new Database(path)
  whole.exec('CREATE TABLE lost (id INTEGER PRIMARY KEY); CREATE TABLE kept (id INTEGER PRIMARY KEY)')
  whole.tx((tx) => ['lost', 'kept'].map((table) => tx.insert(table, { id: 1 })))
  const { page } = whole.find<{ page: number }>("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'lost'") ?? { page: 0 }
  const { size } = whole.find<{ size: number }>('SELECT page_size AS size FROM pragma_page_size') ?? { size: 0 }
  whole.close()
  writeFileSync(path, readFileSync(path).fill(0xaa, (page - 1) * size, page * size))
  const db = new Database(path)
  const read = (table: string) => db.all(`SELECT id FROM ${table}`)
  const strays: unknown[] = []
  const note = (error: unknown) => void strays.push(error)
  process.on('uncaughtException', note)
  for (let id = 2; id < 4; id++) {
    expect(() => read('lost')).toThrow('malformed')
    db.tx((tx) => tx.insert('kept', { id }))
    expect(() => read('lost')).toThrow('malformed')
    await turns(3)
  }
  process.off('uncaughtException', note)
  expect([strays, read('kept')]).toEqual([[], [{ id: 1 }, { id: 2 }, { id: 3 }]])
  db.close()
  rmSync(directory, { recursive: true })
})
