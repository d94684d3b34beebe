import { expect, test } from 'bun:test'
import { testForge } from './harness.ts'

/** They go by another column, or with what is only ever deleted as one statement. */
const goOtherwise = ['comment.repo_id', 'reserved_name.user_id', 'sign_on_attempt.source_id']

test('rows that go with another, or let go of it, are found by an index: without one nothing would clear them away a few at a time', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const references = db.all<{ table: string; column: string }>(
    `SELECT m.name AS "table", f."from" AS "column" FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f
     WHERE m.type = 'table' AND f.on_delete IN ('CASCADE', 'SET NULL') ORDER BY 1, 2`,
  )
  const isScanned = ({ table, column }: { table: string; column: string }) =>
    db.all<{ detail: string }>(`EXPLAIN QUERY PLAN SELECT 1 FROM "${table}" WHERE "${column}" = 1`).some(({ detail }) => detail.startsWith('SCAN'))
  expect(references.length).toBeGreaterThan(100)
  expect(references.filter(isScanned).map(({ table, column }) => `${table}.${column}`)).toEqual(goOtherwise)
})
