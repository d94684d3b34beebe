import { expect, test } from 'bun:test'
import { migrate } from '#kernel/database/migrate.ts'
import { Database } from '#kernel/db.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { slices } from '#slices.ts'
import { countRows, formerStore, shapeOf } from './former-store.ts'

const migrations = migrationsOf(slices)

function newStore(): Database {
  const db = new Database(':memory:')
  migrate(db, migrations)
  return db
}

test('a store of version 0.1.0 opens with everything in it', async () => {
  const db = await formerStore()
  const before = countRows(db)
  migrate(db, migrations)
  expect(countRows(db)).toMatchObject(before)
  expect(before).toMatchObject({ user: 3, repository: 3, star: 1, topic: 1, collaboration: 1, webhook: 1, label: 1 })
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
})

test('it then has the shape of a new one', async () => {
  const db = await formerStore()
  migrate(db, migrations)
  expect(shapeOf(db)).toEqual(shapeOf(newStore()))
  expect(db.all('SELECT name FROM migration ORDER BY name')).toEqual(newStore().all('SELECT name FROM migration ORDER BY name'))
})

test('counts in it go on from where they were', async () => {
  const db = await formerStore()
  migrate(db, migrations)
  db.tx((tx) => tx.insert('star', { user_id: 1, repo_id: 1, created_at: 1 }))
  expect(db.find('SELECT star_count, watch_count FROM repository WHERE id = 1')).toEqual({ star_count: 2, watch_count: 2 })
})

test('one that version 0.1.0 never finished making is refused', async () => {
  const db = await formerStore()
  db.tx((tx) => tx.run("DELETE FROM migration WHERE name = '0026_email_claims'"))
  expect(() => migrate(db, migrations)).toThrow(/0026_email_claims/)
})

test('a store of a newer version is refused', () => {
  const db = newStore()
  db.tx((tx) => tx.run("INSERT INTO migration (name, applied_at) VALUES ('stars/99_more', 1)"))
  expect(() => migrate(db, migrations)).toThrow(/newer version .*stars\/99_more/)
})
