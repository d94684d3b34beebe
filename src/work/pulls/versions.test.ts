import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'

const base = '/repos/ada/engine'

test('the newest heads that forced pushes leave behind are kept, and those that were reviewed', async () => {
  await using forge = testForge({ 'repository.pull-request': { KEPT_VERSIONS: 2 } })
  const ada = forge.asUser('ada')
  await repositoryWithPeople(forge, { bob: 'write' })
  const heads: string[] = []
  for (let i = 0; i < 6; i++) {
    const body = { branch: 'main', new_branch: `head-${i}`, content: btoa(String(i)), message: `Head ${i}` }
    heads.push((await ada.post<{ commit: { sha: string } }>(`${base}/contents/a.txt`, body)).body.commit.sha)
  }
  expect((await ada.post(`${base}/pulls`, { title: 'One', head: 'head-0', base: 'main' })).status).toBe(201)
  const force = async (at: number) => {
    const moved = { new_commit_id: heads[at], force: true }
    expect((await ada.put(`${base}/branches/head-0`, moved)).status).toBe(204)
  }
  const kept = async () => {
    const { body } = await ada.get<{ ref: string }[]>(`${base}/git/refs/pull/1/versions`)
    return new Set(body.map(({ ref }) => heads.indexOf(ref.slice('refs/pull/1/versions/'.length))))
  }
  await forge.asUser('bob').post(`${base}/pulls/1/reviews`, { event: 'APPROVED' })
  for (const at of [1, 2, 3, 4]) await force(at)
  expect(await kept()).toEqual(new Set([0, 2, 3]))
  // What is left behind once more is the newest again.
  for (const at of [2, 5]) await force(at)
  expect(await kept()).toEqual(new Set([0, 4, 2]))
})
