import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, type Db } from './db.ts'

let directory: string
let db: Database
/** Another process' connection. */
let other: Database
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pf-'))
  db = new Database(join(directory, 'x.db'))
  db.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  other = new Database(join(directory, 'x.db'))
})
afterEach(() => {
  other.close()
  db.close()
  rmSync(directory, { recursive: true, force: true })
})

const write = (to: Database, text: string) => to.tx((tx) => void tx.run('INSERT OR REPLACE INTO note (id, text) VALUES (1, ?)', text))
const text = () => db.lookUp<{ text: string }>('SELECT text FROM note WHERE id = ?', 1)?.text
/** All reads of one turn of the event loop see one state. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('the version stays while nothing changes, and goes up with every change, whoever makes it', async () => {
  const seen = [db.version]
  await nextTurn()
  expect(db.version).toBe(seen[0] as number)
  write(db, 'ours')
  seen.push(db.version)
  await nextTurn()
  write(other, 'theirs')
  seen.push(db.version)
  await nextTurn()
  other.exec("UPDATE note SET text = 'by a script'")
  seen.push(db.version)
  expect(new Set(seen).size).toBe(4)
})

test('a row that was looked up is what the store holds, after every change', async () => {
  expect(text()).toBeUndefined()
  write(db, 'first')
  expect(text()).toBe('first')
  await nextTurn()
  write(other, 'second')
  expect(text()).toBe('second')
  await nextTurn()
  db.exec('DELETE FROM note')
  expect(text()).toBeUndefined()
})

test('what a transaction that fails has seen is forgotten with it', () => {
  write(db, 'stays')
  expect(text()).toBe('stays')
  const failing = () =>
    db.tx((tx) => {
      tx.run("UPDATE note SET text = 'never'")
      expect([db.version, text(), tx.lookUp<{ text: string }>('SELECT text FROM note WHERE id = ?', 1)?.text]).toEqual([undefined, 'never', 'never'])
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(text()).toBe('stays')
})

test('nobody who looks a row up can change it for the next one', () => {
  write(db, 'shared')
  const row = db.lookUp<{ text: string }>('SELECT text FROM note WHERE id = ?', 1) as { text: string }
  expect(() => {
    row.text = 'changed'
  }).toThrow(TypeError)
})

test('more rows than are kept, and longer names, are found all the same', () => {
  db.tx((tx) => {
    for (let id = 1; id <= 2500; id++) tx.insert('note', { id, text: id === 7 ? 'x'.repeat(1000) : `note ${id}` })
  })
  for (let round = 0; round < 2; round++) {
    for (let id = 1; id <= 2500; id += 3)
      expect(db.lookUp<{ id: number }>('SELECT id FROM note WHERE text = ?', id === 7 ? 'x'.repeat(1000) : `note ${id}`)?.id).toBe(id)
  }
})

test('the rows of several ids are in the order of the ids, as the store holds them, and asked for again only where they are not known', async () => {
  const texts = (ids: number[], from: Db = db) => from.lookUpAll<{ id: number; text: string }>('SELECT * FROM note WHERE id', ids).map((row) => row.text)
  db.tx((tx) => {
    for (let id = 1; id <= 4; id++) tx.insert('note', { id, text: `note ${id}` })
    expect(texts([3, 9, 1], tx)).toEqual(['note 3', 'note 1'])
  })
  expect(db.lookUp<{ text: string }>('SELECT * FROM note WHERE id = ?', 2)?.text).toBe('note 2')
  const asked = spyOn(db, 'all')
  expect(texts([4, 2, 9, 3])).toEqual(['note 4', 'note 2', 'note 3'])
  expect(texts([3, 4, 9])).toEqual(['note 3', 'note 4'])
  expect(asked.mock.calls.map(([, ids]) => ids)).toEqual(['[4,9,3]'])
  await nextTurn()
  other.exec("UPDATE note SET text = 'changed' WHERE id = 3")
  expect(texts([3, 4])).toEqual(['changed', 'note 4'])
  const many = Array.from({ length: 2500 }, (_, i) => i)
  expect([texts(many), texts(many)]).toEqual(Array(2).fill(['note 1', 'note 2', 'changed', 'note 4']))
})
