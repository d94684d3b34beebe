import { afterAll, expect, spyOn, test } from 'bun:test'
import { oneStepBatches, testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import type { PullRequest } from './schema.ts'

const MANY = 700
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

test('very many pull requests follow a branch to its new name some at a time, and are read as if they all had; pushes to it find all of them', async () => {
  await repositoryWithPeople(forge, {})
  await ada.post(`${home}/branches`, { new_branch_name: 'topic', old_branch_name: 'main' })
  proposeMany('topic')
  const { db, jobs } = forge.context
  const behind = () => db.all("SELECT 1 FROM pull WHERE 'topic' IN (base_branch, head_branch)").length
  const endsOf = async (number: number) => {
    const { base, head } = (await ada.get<PullRequest>(`${home}/pulls/${number}`)).body
    return `${base.ref} ${head.ref}`
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  expect((await ada.patch(`${home}/branches/topic`, { name: 'theme' })).status).toBe(204)
  expect([behind() > 0, behind() < MANY]).toEqual([true, true])
  const listed = (await ada.get<PullRequest[]>(`${home}/pulls?limit=50`)).body.map(({ base, head }) => `${base.ref} ${head.ref}`)
  expect(listed.filter((ends) => !/^(theme refs\/pull\/\d+\/head|old-\d+ theme)$/.test(ends))).toEqual([])
  expect([await endsOf(MANY - 1), await endsOf(MANY)]).toEqual([`theme refs/pull/${MANY - 1}/head`, `old-${MANY} theme`])
  await ada.post(`${home}/branches`, { new_branch_name: 'topic', old_branch_name: 'main' })
  await ada.post(`${home}/branches`, { new_branch_name: 'far', old_branch_name: 'main' })
  const pushed = await ada.post<{ commit: { sha: string } }>(`${home}/contents/a`, { content: 'YQ==', branch: 'theme' })
  expect(behind()).toBe(0)
  expect(db.all('SELECT 1 FROM pull WHERE head_oid = ?', pushed.body.commit.sha).length).toBe(MANY / 2)
  await ada.post(`${home}/contents/b`, { content: 'YQ==', branch: 'topic' })
  const made = await ada.post<PullRequest>(`${home}/pulls`, { title: 'new', head: 'topic', base: 'far' })
  expect([made.status, await endsOf(made.body.number)]).toEqual([201, 'far topic'])
  rest.mockRestore()
  resolve()
  await jobs.resume()
  expect(db.all('SELECT * FROM renaming_branch')).toEqual([])
})

test('what pull requests are read from has all of their columns', () => {
  const columnsOf = (table: string) => forge.context.db.all<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY name', table)
  expect(columnsOf('named_pull')).toEqual(columnsOf('pull'))
})
