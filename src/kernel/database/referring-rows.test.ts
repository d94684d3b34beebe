import { expect, test } from 'bun:test'
import { Database } from '../db.ts'
import { ReferringRows } from './referring-rows.ts'

/** A shelf of books with notes; a book may name another, lent ones whom they are lent to. */
function library(): Database {
  const db = new Database(':memory:')
  db.exec(`CREATE TABLE shelf (id INTEGER PRIMARY KEY);
    CREATE TABLE person (id INTEGER PRIMARY KEY);
    CREATE TABLE book (id INTEGER PRIMARY KEY, shelf_id INTEGER REFERENCES shelf (id) ON DELETE CASCADE,
      lent_to INTEGER REFERENCES person (id) ON DELETE SET NULL, sequel_of INTEGER REFERENCES book (id) ON DELETE CASCADE);
    CREATE TABLE note (book_id INTEGER REFERENCES book (id) ON DELETE CASCADE, page INTEGER, PRIMARY KEY (book_id, page)) WITHOUT ROWID;
    CREATE INDEX book_shelf ON book (shelf_id);
    CREATE INDEX book_lent ON book (lent_to) WHERE lent_to IS NOT NULL;
    CREATE INDEX book_sequel ON book (sequel_of, id);
    INSERT INTO shelf VALUES (1), (2);
    INSERT INTO person VALUES (1);`)
  db.tx((tx) => {
    for (let id = 1; id <= 60; id++) {
      tx.insert('book', { id, shelf_id: id <= 50 ? 1 : 2, lent_to: 1, sequel_of: id % 10 === 0 ? id - 1 : null })
      for (let page = 0; page < 3; page++) tx.run('INSERT INTO note VALUES (?, ?)', id, page)
    }
    // Two that lead back to one another.
    tx.update('book', 7, { sequel_of: 8 })
    tx.update('book', 8, { sequel_of: 7 })
  })
  return db
}

const count = (db: Database, table: string) => db.find<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n

function clearAll(db: Database, table: string, id: number, budget: number): number {
  const rows = new ReferringRows({ db })
  let slices = 1
  while (db.tx((tx) => rows.clear(tx, table, id, budget)) === 0) slices++
  return slices
}

test('a row that is deleted by itself leaves those that refer to it, and they are cleared a few at a time', () => {
  using stop = new DisposableStack()
  const db = stop.adopt(library(), (one) => one.close())
  db.txLeavingRows((tx) => tx.run('DELETE FROM shelf WHERE id = 1'))
  expect([count(db, 'shelf'), count(db, 'book'), count(db, 'note')]).toEqual([1, 60, 180])
  expect(clearAll(db, 'shelf', 1, 7)).toBeGreaterThan(20)
  expect([count(db, 'book'), count(db, 'note'), db.all('PRAGMA foreign_key_check')]).toEqual([10, 30, []])
})

test('what only names the row is emptied, and stays', () => {
  using stop = new DisposableStack()
  const db = stop.adopt(library(), (one) => one.close())
  expect(clearAll(db, 'person', 1, 25)).toBe(3)
  expect([count(db, 'book'), db.all('SELECT 1 FROM book WHERE lent_to IS NOT NULL')]).toEqual([60, []])
})

test('the next transaction takes along what refers to its rows again', () => {
  using stop = new DisposableStack()
  const db = stop.adopt(library(), (one) => one.close())
  expect(() => db.txLeavingRows(() => fail())).toThrow('not this time')
  db.txLeavingRows((tx) => tx.run('DELETE FROM shelf WHERE id = 1'))
  db.tx((tx) => tx.run('DELETE FROM shelf WHERE id = 2'))
  expect([count(db, 'book'), db.all('SELECT 1 FROM book WHERE shelf_id = 2')]).toEqual([50, []])
  expect(() => db.tx((tx) => tx.insert('book', { id: 100, shelf_id: 9 }))).toThrow('FOREIGN KEY')
})

function fail(): never {
  throw new Error('not this time')
}
