import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeConfig } from '#config.ts'
import { openContext } from '#context.ts'
import { migrate } from '#kernel/database/migrate.ts'
import { Database, type Tx } from '#kernel/db.ts'
import { silentLog } from '#kernel/log.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { slices } from '#slices.ts'
import { formerMigrations } from './former-deletions.ts'

const migrations = migrationsOf(slices)

/** As the version before jobs left it: each room has what it had before its `jobs.sql`. */
function storeBeforeJobs(): Database {
  const changed = new Set<string | undefined>()
  const db = new Database(':memory:')
  migrate(
    db,
    formerMigrations().filter(({ name }) => {
      const [room, file = ''] = name.split('/')
      if (/_jobs$/.test(file)) changed.add(room)
      return !changed.has(room)
    }),
  )
  return db
}

/** Work that a stop has interrupted, of every kind that there was. */
function leaveUnfinished(tx: Tx): void {
  const at = { created_at: 1, updated_at: 1 }
  const person = (name: string) => tx.insert('user', { name, lower_name: name, kind: 'person', email: `${name}@example.org`, password_hash: '', ...at })
  const [ada, bob, dan, eve] = [person('ada'), person('bob'), person('dan'), person('eve')]
  const repo = (owner_id: number, name: string, more = {}) =>
    tx.insert('repository', { owner_id, name, lower_name: name, default_branch: 'main', ...at, ...more })
  const [engine, gear, wheel, doomed] = [repo(ada, 'engine', { is_private: 1 }), repo(ada, 'gear'), repo(ada, 'wheel'), repo(eve, 'doomed')]
  const issue = (number: number, more = {}) => tx.insert('issue', { repo_id: gear, number, poster_id: bob, title: 'Gear', ...at, ...more })
  const moved = issue(1)
  const say = (issue_id: number, repo_id: number) => tx.insert('comment', { issue_id, repo_id, type: 'comment', poster_id: bob, body: 'Turns', ...at })
  say(moved, engine)
  tx.insert('moved_issue', { issue_id: moved, from_repo_id: engine })
  say(999, gear)
  tx.insert('gone_row', { table_name: 'issue', row_id: 999 })
  tx.insert('star', { user_id: bob, repo_id: engine, created_at: 1 })
  tx.insert('narrowed_repository', { id: engine, looked_to: 0 })
  tx.insert('star', { user_id: dan, repo_id: gear, created_at: 1 })
  tx.insert('parting', { user_id: dan, owner_id: ada })
  // Begun after the parting, it is to stay.
  tx.insert('star', { user_id: dan, repo_id: wheel, created_at: 1 })
  tx.insert('watch', { user_id: bob, repo_id: engine, mode: 'normal', created_at: 1 })
  tx.insert('leaver', { user_id: bob, owner_id: ada, looked_to: 0 })
  const time = tx.insert('tracked_time', { issue_id: moved, user_id: bob, seconds: 60, created_at: 1 })
  tx.insert('time_reset', { issue_id: moved, user_id: bob, last_time_id: time })
  const foreign = tx.insert('label', { org_id: eve, name: 'theirs', color: 'ff0000', ...at })
  tx.run('DROP TRIGGER issue_label_of_other')
  tx.insert('issue_label', { issue_id: moved, label_id: foreign, repo_id: gear })
  tx.run('INSERT OR REPLACE INTO handed_over_repository (id, looked_to) VALUES (?, 0)', gear)
  const pull = (number: number, more: object) => {
    const issue_id = issue(number, { is_pull: 1 })
    const ends = { head_repo_id: gear, head_branch: `side-${number}`, base_branch: 'main', head_oid: '0'.repeat(40), ...more }
    tx.insert('pull', { issue_id, repo_id: gear, ...ends })
    return issue_id
  }
  pull(2, { head_branch: 'gone' })
  const ended = { repo_id: gear, branch: 'gone', target: 'gone', actor_id: ada, ended_at: 1, last_issue_id: 1000 }
  tx.insert('ended_branch', ended)
  pull(3, { head_branch: 'old' })
  tx.insert('renaming_branch', { repo_id: gear, from_name: 'old', to_name: 'new', last_issue_id: 1000 })
  tx.insert('orphaned_pull', { issue_id: pull(4, {}), actor_id: ada, orphaned_at: 1 })
  tx.insert('hiding_repository', { id: engine, looked_to: 0 })
  repo(bob, 'fork', { fork_of: engine })
  tx.insert('collaboration', { repo_id: engine, user_id: ada, level: 'write' })
  tx.insert('ended_collaboration', { owner_id: ada, repo_id: engine })
  const review = tx.insert('review', { issue_id: moved, reviewer_id: bob, state: 'COMMENT', ...at })
  tx.insert('sent_review', { review_id: review, entry_id: 1, looked_to: 0, mentioned: '[]' })
  tx.insert('purge', { owner_id: eve, actor_id: ada, last_repo_id: doomed, takes_account: 1 })
  tx.insert('purge', { owner_id: bob, actor_id: ada, last_repo_id: 0, takes_account: 0 })
}

test('what a stop of the version before has interrupted goes on after the upgrade', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  using _ = { [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
  const former = storeBeforeJobs()
  former.exec('PRAGMA foreign_keys = OFF')
  former.tx(leaveUnfinished)
  migrate(former, migrations)
  const kinds = former.all<{ kind: string }>('SELECT kind FROM job ORDER BY kind').map(({ kind }) => kind)
  expect(kinds).toEqual([
    'admin.deleteAccount',
    'blocks.removeInterests',
    'collaborators.removeEnded',
    'issues.moveComments',
    'issues.removeForeignLabels',
    'kernel.clearReferences',
    'leaving.removeWatches',
    'pulls.closeOrphaned',
    'pulls.followDeletedBranch',
    'pulls.followRenamedBranch',
    'repos.deleteAll',
    'repos.hideForks',
    'repos.removeOutsiders',
    'reviews.announce',
    'times.deleteReset',
  ])

  const { promise: failed, resolve: fail } = Promise.withResolvers<unknown>()
  const log = { ...silentLog, error: (_message: string, error?: unknown) => fail(error) }
  await using context = openContext(makeConfig(directory), former, slices, { log })
  await context.jobs.resume()
  expect(await Promise.race([failed, 'nothing failed'])).toBe('nothing failed')
  const { db } = context
  expect(db.all('SELECT kind FROM job')).toEqual([])
  expect(db.all('SELECT name FROM user ORDER BY id')).toEqual([{ name: 'ada' }, { name: 'bob' }, { name: 'dan' }])
  expect(db.all('SELECT name, is_private FROM repository ORDER BY name')).toEqual([
    { name: 'engine', is_private: 1 },
    { name: 'fork', is_private: 1 },
    { name: 'gear', is_private: 0 },
    { name: 'wheel', is_private: 0 },
  ])
  expect(db.all("SELECT issue_id, repo_id FROM comment WHERE type = 'comment'")).toEqual([{ issue_id: 1, repo_id: 2 }])
  expect(db.all('SELECT user.name AS person, repository.name FROM star JOIN user ON user.id = user_id JOIN repository ON repository.id = repo_id')).toEqual([
    { person: 'dan', name: 'wheel' },
  ])
  for (const table of ['watch', 'tracked_time', 'issue_label', 'collaboration', 'orphaned_pull', 'renaming_branch'])
    expect([table, db.all(`SELECT * FROM ${table}`)]).toEqual([table, []])
  expect(db.all('SELECT number, is_closed, head_branch FROM issue JOIN pull ON issue_id = id ORDER BY number')).toEqual([
    { number: 2, is_closed: 1, head_branch: 'gone' },
    { number: 3, is_closed: 0, head_branch: 'new' },
    { number: 4, is_closed: 1, head_branch: 'side-4' },
  ])
})
