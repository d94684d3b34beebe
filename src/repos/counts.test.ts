import { expect, test } from 'bun:test'
import { Database, migrate } from '../kernel/db.ts'
import { migrations } from '../migrations.ts'

test('a store from before the counts were kept has them once it is opened', () => {
  const db = new Database(':memory:')
  const index = migrations.findIndex(({ name }) => name === '0023_repo_counts')
  migrate(db, migrations.slice(0, index))
  db.tx((tx) => {
    for (const name of ['ada', 'bob'])
      tx.insert('user', { kind: 'person', name, lower_name: name, email: `${name}@example.org`, password_hash: '', created_at: 1, updated_at: 1 })
    for (const name of ['one', 'two']) tx.insert('repository', { owner_id: 1, name, lower_name: name, default_branch: 'main', created_at: 1, updated_at: 1 })
    for (const user_id of [1, 2]) tx.insert('star', { user_id, repo_id: 1, created_at: 1 })
    for (const name of ['refs/heads/a', 'refs/heads/b/c', 'refs/tags/a', 'refs/heads0']) tx.insert('ref', { repo_id: 1, name, oid: 'f'.repeat(40) })
  })
  migrate(db, migrations)
  expect(db.all('SELECT star_count, watch_count, branch_count FROM repository ORDER BY id')).toEqual([
    { star_count: 2, watch_count: 0, branch_count: 2 },
    { star_count: 0, watch_count: 0, branch_count: 0 },
  ])
})
