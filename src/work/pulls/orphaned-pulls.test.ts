import { expect, spyOn, test } from 'bun:test'
import { oneStepBatches, testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import type { PullRequest } from './schema.ts'

const MANY = 60

test('very many pull requests from a fork that is deleted are closed some at a time, and each can be read meanwhile', async () => {
  await using forge = testForge({}, oneStepBatches)
  await repositoryWithPeople(forge, { bob: 'none' })
  const { db, jobs } = forge.context
  expect((await forge.asUser('bob').post('/repos/ada/engine/forks', {})).status).toBe(202)
  const [home, fork] = ['ada', 'bob'].map(
    (name) => db.find<{ id: number }>('SELECT r.id FROM repository AS r JOIN user ON user.id = owner_id WHERE user.name = ?', name)?.id,
  )
  const { oid } = db.find("SELECT oid FROM ref WHERE name = 'refs/heads/main'") as { oid: string }
  db.tx((tx) => {
    for (let number = 1; number <= MANY; number++) {
      const issue_id = tx.insert('issue', { repo_id: home as number, number, poster_id: 1, title: `${number}`, is_pull: 1, created_at: 1, updated_at: 1 })
      const head = { head_repo_id: fork as number, head_branch: `side-${number}`, head_oid: oid }
      tx.insert('pull', { issue_id, repo_id: home as number, base_branch: 'main', ...head })
    }
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  const open = () => db.find<{ n: number }>('SELECT count(*) AS n FROM issue WHERE is_closed = 0')?.n ?? 0
  expect((await forge.asUser('bob').delete('/repos/bob/engine')).status).toBe(204)
  expect(open()).toBeLessThan(MANY)
  expect(open()).toBeGreaterThan(0)
  for (const number of [1, MANY]) expect((await forge.asUser('ada').get<PullRequest>(`/repos/ada/engine/pulls/${number}`)).status).toBe(200)
  rest.mockRestore()
  resolve()
  await jobs.resume()
  expect([open(), db.all('SELECT * FROM orphaned_pull')]).toEqual([0, []])
  const told = "SELECT count(*) AS n, count(DISTINCT issue_id) AS issues, count(DISTINCT old_text) AS branches FROM comment WHERE type = 'delete_branch'"
  expect(db.find(told)).toEqual({ n: MANY, issues: MANY, branches: MANY })
  expect(db.find('SELECT open_pull_count, closed_pull_count FROM repository')).toEqual({ open_pull_count: 0, closed_pull_count: MANY })
})
