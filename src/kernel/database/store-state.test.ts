import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../db.ts'
import storeState from './2_store_state.sql' with { type: 'text' }
import storeFile from './5_store_file.sql' with { type: 'text' }
import completeCopies from './6_complete_copies.sql' with { type: 'text' }
import { closeStore, hasLog, markClosed, markOpen, noticeCopy } from './store-state.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let made = 0
function newStore(): string {
  const path = join(directory, `${made++}.db`)
  const db = new Database(path)
  for (const sql of [storeState, storeFile, completeCopies]) db.exec(sql)
  closeStore(db)
  return path
}

test('whoever closes a store last that a dead server had open leaves its log, and it is taken for no copy', () => {
  const path = newStore()
  const server = new Database(path)
  markOpen(server)
  // As a process that dies leaves it: nobody says that it is closed.
  closeStore(server)
  expect(hasLog(path)).toBe(true)
  const next = new Database(path)
  expect(noticeCopy(next, hasLog(path), 1)).toBeUndefined()
  closeStore(next)
})

test('a store that is closed as it should be leaves no log', () => {
  const path = newStore()
  const server = new Database(path)
  markOpen(server)
  markClosed(server)
  closeStore(server)
  expect(hasLog(path)).toBe(false)
})

test('a copy of a store that a server has open is noticed once, with its log or without', () => {
  const path = newStore()
  const server = new Database(path)
  markOpen(server)
  server.exec('CREATE TABLE later (id INTEGER)')
  const copies = ['with', 'without'].map((name) => `${path}-${name}`)
  for (const copy of copies) cpSync(path, copy)
  cpSync(`${path}-wal`, `${path}-with-wal`)
  const notice = (copy: string) => {
    const hadLog = hasLog(copy)
    const db = new Database(copy)
    const noticed = noticeCopy(db, hadLog, 1)
    closeStore(db)
    return noticed
  }
  expect([copies.map(notice), copies.map(notice)]).toEqual([
    ['copied', 'cut short'],
    [undefined, undefined],
  ])
  closeStore(server)
})
