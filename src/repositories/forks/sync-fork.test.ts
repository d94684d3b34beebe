import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
const bob = forge.asUser('bob')
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
for (const name of ['ada', 'bob', 'carl']) await forge.person(name)
const tip = async (repo: string, branch = 'main') => (await bob.get<{ commit: { id: string } }>(`/repos/${repo}/branches/${branch}`)).body.commit?.id
const commitTo = (repo: string, as: string, path: string, branch = 'main', content = path) =>
  forge.asUser(as).post(`/repos/${repo}/contents/${path}`, { branch, content: btoa(content), message: `Add ${path}` })

/** Creates a repository of ada's that has the branches `main` and `rel/1`, and bob's fork of it. */
async function makeFork(name: string) {
  await ada.post('/user/repos', { name, default_branch: 'main', auto_init: true })
  await ada.post(`/repos/ada/${name}/branches`, { new_branch_name: 'rel/1' })
  await bob.post(`/repos/ada/${name}/forks`, {})
  const fork = `/repos/bob/${name}`
  return {
    upstream: `ada/${name}`,
    own: `bob/${name}`,
    fork,
    merge: (body: object, as?: string) => forge.asUser(as ?? 'bob').post<{ merge_type?: string }>(`${fork}/merge-upstream`, body),
  }
}

test('a fork follows its upstream: by nothing, by moving, and once they have parted by a merge', async () => {
  const { upstream, own, fork, merge } = await makeFork('follows')
  expect((await merge({ branch: 'main' })).body).toEqual({ merge_type: 'up-to-date' })
  await commitTo(upstream, 'ada', 'a.txt')
  expect((await bob.get(`${fork}/sync_fork`)).body).toMatchObject({ allowed: true, commits_behind: 1, base_commit: await tip(upstream) })
  expect(await merge({ branch: 'main' })).toMatchObject({ status: 200, body: { merge_type: 'fast-forward' } })
  expect(await tip(own)).toBe(await tip(upstream))
  await commitTo(upstream, 'ada', 'b.txt')
  await commitTo(own, 'bob', 'mine.txt')
  expect((await merge({ branch: 'main', ff_only: true })).status).toBe(400)
  expect((await bob.get(`${fork}/sync_fork`)).body).toMatchObject({ allowed: false, commits_behind: 1 })
  expect((await bob.post(`${fork}/sync_fork`)).status).toBe(400)
  expect(await merge({ branch: 'main' })).toMatchObject({ status: 200, body: { merge_type: 'merge' } })
  const { body } = await bob.get<{ parents: unknown[]; commit: { message: string } }>(`${fork}/git/commits/main`)
  expect([body.parents.length, body.commit.message.trim()]).toEqual([2, "Merge branch 'main' of http://localhost:3000/ada/follows into main"])
  for (const path of ['a.txt', 'b.txt', 'mine.txt']) expect((await bob.get(`${fork}/contents/${path}`)).status).toBe(200)
})

test('a branch with a slash is brought up, and one that only the fork has follows the default branch', async () => {
  const { upstream, own, fork, merge } = await makeFork('slash')
  await commitTo(upstream, 'ada', 'a.txt')
  await commitTo(upstream, 'ada', 'rel.txt', 'rel/1')
  expect((await bob.post(`${fork}/sync_fork/rel%2F1`)).status).toBe(204)
  expect((await bob.get(`${fork}/sync_fork/rel/1`)).body).toMatchObject({ allowed: false, commits_behind: 0 })
  expect(await tip(own, 'rel/1')).toBe(await tip(upstream, 'rel/1'))
  await bob.post(`${fork}/branches`, { new_branch_name: 'own', old_ref_name: 'rel/1' })
  expect((await bob.get(`${fork}/sync_fork/own`)).status).toBe(404)
  expect((await merge({ branch: 'own' })).body).toEqual({ merge_type: 'merge' })
})

test('a conflict, a repository that is no fork, a missing branch, and who may not write are refused', async () => {
  const { upstream, own, merge } = await makeFork('refused')
  await commitTo(upstream, 'ada', 'same.txt', 'main', 'theirs')
  await commitTo(own, 'bob', 'same.txt', 'main', 'ours')
  const before = await tip(own)
  expect((await merge({ branch: 'main' })).status).toBe(409)
  expect(await tip(own)).toBe(before)
  expect((await ada.post(`/repos/${upstream}/merge-upstream`, { branch: 'main' })).status).toBe(400)
  expect((await merge({ branch: 'absent' })).status).toBe(404)
  expect((await merge({ branch: 'main' }, 'carl')).status).toBe(403)
})

test('once the upstream is hidden from the fork’s owner, nothing of it comes any more', async () => {
  const { upstream, fork, merge } = await makeFork('hidden')
  await commitTo(upstream, 'ada', 'secret.txt')
  await ada.patch(`/repos/${upstream}`, { private: true })
  expect([(await merge({ branch: 'main' })).status, (await bob.get(`${fork}/sync_fork`)).status]).toEqual([404, 404])
})
