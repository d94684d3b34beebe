import { afterAll, expect, spyOn, test } from 'bun:test'
import { oneStepBatches, testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import type { PullRequest } from './schema.ts'

const MANY = 60
const home = '/repos/ada/engine'

const forge = testForge({}, oneStepBatches)
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())

/** Half of them are on the branch, half are to be merged into it. */
function proposeMany(branch: string): void {
  const { db } = forge.context
  const { repo_id, oid } = db.find("SELECT repo_id, oid FROM ref WHERE name = 'refs/heads/main'") as { repo_id: number; oid: string }
  db.tx((tx) => {
    for (let number = 1; number <= MANY; number++) {
      const issue_id = tx.insert('issue', { repo_id, number, poster_id: 1, title: `${number}`, is_pull: 1, created_at: 1, updated_at: 1 })
      const [base_branch, head_branch] = number % 2 ? [branch, `side-${number}`] : [`old-${number}`, branch]
      tx.insert('pull', { issue_id, repo_id, base_branch, head_repo_id: repo_id, head_branch, head_oid: oid })
    }
    tx.run('UPDATE repository SET last_issue_number = ? WHERE id = ?', MANY, repo_id)
  })
}

test('very many pull requests follow a branch that is gone some at a time; what is opened on one of the same name stays', async () => {
  await repositoryWithPeople(forge, {})
  for (const name of ['topic', 'base']) await ada.post(`${home}/branches`, { new_branch_name: name, old_branch_name: 'main' })
  await ada.post(`${home}/contents/a`, { content: 'YQ==', branch: 'base' })
  proposeMany('topic')
  const { db, jobs } = forge.context
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  const written = () => db.find<{ n: number }>("SELECT count(*) AS n FROM comment WHERE type IN ('delete_branch', 'change_target_branch')")?.n ?? 0
  expect((await ada.delete(`${home}/branches/topic`)).status).toBe(204)
  expect(written()).toBeGreaterThan(0)
  expect(written()).toBeLessThan(MANY)
  await ada.post(`${home}/branches`, { new_branch_name: 'topic', old_branch_name: 'main' })
  await ada.post(`${home}/branches`, { new_branch_name: 'far', old_branch_name: 'base' })
  const opened = [
    await ada.post<PullRequest>(`${home}/pulls`, { title: 'new', head: 'base', base: 'topic' }),
    await ada.post<PullRequest>(`${home}/pulls`, { title: 'new', head: 'topic', base: 'far' }),
  ]
  expect(opened.map(({ status }) => status)).toEqual([201, 201])
  rest.mockRestore()
  resolve()
  await jobs.resume()
  expect([written(), db.all('SELECT * FROM job')]).toEqual([MANY, []])
  const bases = async (state: string) => (await ada.get<PullRequest[]>(`${home}/pulls?state=${state}&limit=50`)).body.map(({ base }) => base.ref)
  const [open, closed] = [await bases('open'), await bases('closed')]
  expect(
    Map.groupBy(open, (name) => name)
      .entries()
      .map(([name, all]) => [name, all.length])
      .toArray()
      .sort(),
  ).toEqual([
    ['far', 1],
    ['main', MANY / 2],
    ['topic', 1],
  ])
  expect([closed.length, closed.every((name) => name.startsWith('old-'))]).toEqual([MANY / 2, true])
})
