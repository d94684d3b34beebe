import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../db.ts'
import noStatistics from './4_no_statistics.sql' with { type: 'text' }

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const MEMBERS = 'SELECT count(*) FROM member JOIN person ON person.id = member.person_id WHERE org_id = 1'

/** With two people in it, and members of many organizations. */
function smallStore(): Database {
  const db = new Database(join(directory, 'store.db'))
  db.exec(`CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE member (org_id INTEGER NOT NULL, person_id INTEGER NOT NULL, PRIMARY KEY (org_id, person_id)) STRICT;
    INSERT INTO person (name) VALUES ('ada'), ('bob');
    INSERT INTO member WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i / 20, i FROM n`)
  return db
}

const planOf = (db: Database) => db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${MEMBERS}`).map(({ detail }) => detail)

test('no query is planned for the sizes that a store had when it was small: not in one that an earlier version has counted', () => {
  const db = smallStore()
  db.exec('ANALYZE')
  expect(planOf(db)).toContainEqual(expect.stringMatching(/^SCAN person/))
  db.tx(() => db.exec(noStatistics))
  expect(planOf(db)).not.toContainEqual(expect.stringMatching(/^SCAN/))
  db.close()
  const again = new Database(db.path)
  expect(planOf(again)).not.toContainEqual(expect.stringMatching(/^SCAN/))
  expect(again.all('SELECT * FROM sqlite_stat1')).toEqual([])
  again.close()
})
