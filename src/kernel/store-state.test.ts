import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import storeState from './2_store_state.sql' with { type: 'text' }
import { Database } from './db.ts'
import { closeStore, hasLog, markClosed, markOpen, noticeCutShort } from './store-state.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let made = 0
function newStore(): string {
  const path = join(directory, `${made++}.db`)
  const db = new Database(path)
  db.exec(storeState)
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
  expect(noticeCutShort(next, hasLog(path), 1)).toBe(false)
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
