import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

let forge: TestForge
const call = <T = Record<string, unknown>>(line: string, as = 'bob', body?: unknown) => forge.call<T>(line, { as, body })
const fork = '/repos/bob/engine'
const tip = async (repo: string, branch = 'main') => (await call<{ commit: { id: string } }>(`GET /repos/${repo}/branches/${branch}`)).body.commit?.id
const commitTo = (repo: string, as: string, path: string, branch = 'main', content = path) =>
  call(`POST /repos/${repo}/contents/${path}`, as, { branch, content: btoa(content), message: `Add ${path}` })
const merge = (body: object, as?: string) => call<{ merge_type?: string }>(`POST ${fork}/merge-upstream`, as, body)

beforeAll(async () => {
  forge = testForge()
  for (const name of ['ada', 'bob', 'carl']) await forge.person(name)
  const { id } = (await call<{ id: number }>('POST /user/repos', 'ada', { name: 'engine', default_branch: 'main' })).body
  fillRepo(forge, id, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    gitIn(directory, 'commit', '-q', '--allow-empty', '-m', 'first')
    gitIn(directory, 'branch', 'rel/1')
  })
  await call('POST /repos/ada/engine/forks', 'bob', {})
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a fork follows its upstream: by nothing, by moving, and once they have parted by a merge', async () => {
  expect((await merge({ branch: 'main' })).body).toEqual({ merge_type: 'up-to-date' })
  await commitTo('ada/engine', 'ada', 'a.txt')
  expect((await call(`GET ${fork}/sync_fork`)).body).toMatchObject({ allowed: true, commits_behind: 1, base_commit: await tip('ada/engine') })
  expect(await merge({ branch: 'main' })).toMatchObject({ status: 200, body: { merge_type: 'fast-forward' } })
  expect(await tip('bob/engine')).toBe(await tip('ada/engine'))
  await commitTo('ada/engine', 'ada', 'b.txt')
  await commitTo('bob/engine', 'bob', 'mine.txt')
  expect((await merge({ branch: 'main', ff_only: true })).status).toBe(400)
  expect((await call(`GET ${fork}/sync_fork`)).body).toMatchObject({ allowed: false, commits_behind: 1 })
  expect((await call(`POST ${fork}/sync_fork`)).status).toBe(400)
  expect(await merge({ branch: 'main' })).toMatchObject({ status: 200, body: { merge_type: 'merge' } })
  const { body } = await call<{ parents: unknown[]; commit: { message: string } }>(`GET ${fork}/git/commits/main`)
  expect([body.parents.length, body.commit.message.trim()]).toEqual([2, "Merge branch 'main' of http://localhost:3000/ada/engine into main"])
  for (const path of ['a.txt', 'b.txt', 'mine.txt']) expect((await call(`GET ${fork}/contents/${path}`)).status).toBe(200)
})

test('a branch with a slash is brought up, and one that only the fork has follows the default branch', async () => {
  await commitTo('ada/engine', 'ada', 'rel.txt', 'rel/1')
  expect((await call(`POST ${fork}/sync_fork/rel%2F1`)).status).toBe(204)
  expect((await call(`GET ${fork}/sync_fork/rel/1`)).body).toMatchObject({ allowed: false, commits_behind: 0 })
  expect(await tip('bob/engine', 'rel/1')).toBe(await tip('ada/engine', 'rel/1'))
  await call(`POST ${fork}/branches`, 'bob', { new_branch_name: 'own', old_ref_name: 'rel/1' })
  expect((await call(`GET ${fork}/sync_fork/own`)).status).toBe(404)
  expect((await merge({ branch: 'own' })).body).toEqual({ merge_type: 'merge' })
})

test('a conflict, a repository that is no fork, a missing branch, and who may not write are refused', async () => {
  await commitTo('ada/engine', 'ada', 'same.txt', 'main', 'theirs')
  await commitTo('bob/engine', 'bob', 'same.txt', 'main', 'ours')
  const before = await tip('bob/engine')
  expect((await merge({ branch: 'main' })).status).toBe(409)
  expect(await tip('bob/engine')).toBe(before)
  expect((await call('POST /repos/ada/engine/merge-upstream', 'ada', { branch: 'main' })).status).toBe(400)
  expect((await merge({ branch: 'absent' })).status).toBe(404)
  expect((await merge({ branch: 'main' }, 'carl')).status).toBe(403)
})

test('once the upstream is hidden from the fork’s owner, nothing of it comes any more', async () => {
  await commitTo('ada/engine', 'ada', 'secret.txt')
  await call('PATCH /repos/ada/engine', 'ada', { private: true })
  expect([(await merge({ branch: 'main' })).status, (await call(`GET ${fork}/sync_fork`)).status]).toEqual([404, 404])
})
