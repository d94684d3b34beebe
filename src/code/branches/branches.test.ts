import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { Branch } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const ada = forge.asUser('ada')
const create = (body: unknown, repo = 'it') => ada.post<Branch>(`/repos/ada/${repo}/branches`, body)
const remove = (name: string, repo = 'it') => ada.delete(`/repos/ada/${repo}/branches/${name}`)
const tipOf = (name: string) => gitIn(forge.context.git.pathOf(1), 'rev-parse', name).trim()

beforeAll(async () => {
  await forge.person('ada')
  for (const name of ['it', 'empty', 'mirror']) await ada.post('/user/repos', { name })
  for (const id of [1, 3]) fillRepo(forge, id, makeHistory)
  forge.context.db.tx((tx) => tx.update('repository', 3, { is_mirror: 1 }))
})
afterAll(() => forge[Symbol.asyncDispose]())

function makeHistory(directory: string): void {
  gitIn(directory, 'commit', '-qm', 'first', '--allow-empty')
  gitIn(directory, 'tag', '-a', 'v1', '-m', 'v1')
  gitIn(directory, 'commit', '-qm', 'second', '--allow-empty')
  for (const name of ['a/b', 'a/c', 'zebra', 'ünï']) gitIn(directory, 'branch', name)
}

test('branches of one commit are listed by name, in pages, and found by a part of it', async () => {
  const names = async (query: string) => (await forge.get<Branch[]>(`/repos/ada/it/branches${query}`)).body.map((branch) => branch.name)
  expect(await names('')).toEqual(['a/b', 'a/c', 'main', 'zebra', 'ünï'])
  expect(await names('?limit=2&page=2')).toEqual(['main', 'zebra'])
  expect(await names('?q=A')).toEqual(['a/b', 'a/c', 'main', 'zebra'])
  expect((await forge.get('/repos/ada/it/branches?limit=2&page=2')).headers.get('x-total-count')).toBe('5')
  expect((await forge.get('/repos/ada/it/branches?q=zeb')).headers.get('x-total-count')).toBe('1')
})

test('the branch with the newest commit is listed first, whichever way it came there', async () => {
  await ada.post('/user/repos', { name: 'ordered' })
  const commit = (branch: string, date: string, from?: string) =>
    ada.post(`/repos/ada/ordered/contents/${branch}.txt`, {
      content: '',
      ...(from ? { branch: from, new_branch: branch } : { branch }),
      dates: { author: '2001-01-01T00:00:00Z', committer: date },
    })
  const names = async (query = '') => (await forge.get<Branch[]>(`/repos/ada/ordered/branches${query}`)).body.map(({ name }) => name)
  await commit('main', '2020-01-01T00:00:00Z')
  await commit('newest', '2022-01-01T00:00:00Z', 'main')
  await commit('middle', '2021-01-01T00:00:00Z', 'main')
  await create({ new_branch_name: 'also-middle', old_branch_name: 'middle' }, 'ordered')
  expect(await names()).toEqual(['newest', 'also-middle', 'middle', 'main'])
  expect([await names('?limit=2&page=2'), await names('?q=middle')]).toEqual([
    ['middle', 'main'],
    ['also-middle', 'middle'],
  ])
  const { commit: first } = (await forge.get<Branch>('/repos/ada/ordered/branches/main')).body
  await ada.patch('/repos/ada/ordered/branches/newest', { name: 'z-newest' })
  await ada.put('/repos/ada/ordered/branches/also-middle', { new_commit_id: first.id, force: true })
  expect(await names()).toEqual(['z-newest', 'middle', 'also-middle', 'main'])
})

test.each(['a/b', 'a%2Fb', 'a%2fb', '%C3%BCn%C3%AF'])('the branch at …/branches/%s is found', async (name) => {
  const { status, body } = await forge.get<Branch>(`/repos/ada/it/branches/${name}`)
  expect([status, body.name, body.commit.id, body.commit.message]).toEqual([200, decodeURIComponent(name), tipOf('main'), 'second\n'])
})

test('a branch tells whether the viewer may push to it', async () => {
  const canPush = async (as?: string) => (await forge.asUser(as).get('/repos/ada/it/branches/main')).body.user_can_push
  expect([await canPush(), await canPush('ada')]).toEqual([false, true])
})

describe('POST', () => {
  test.each([
    ['from-default', {}, 'main'],
    ['from/branch', { old_branch_name: 'a/b' }, 'a/b'],
    ['from-ref', { old_ref_name: 'refs/heads/main' }, 'main'],
    ['from-tag', { old_ref_name: 'v1' }, 'v1^{commit}'],
  ])('%s starts at %j', async (name, from, tip) => {
    const { status, body } = await create({ new_branch_name: name, ...from })
    expect([status, body.name, body.commit.id]).toEqual([201, name, tipOf(tip)])
    expect((await forge.get(`/repos/ada/it/branches/${name}`)).status).toBe(200)
    expect((await remove(name)).status).toBe(204)
  })

  test('is recorded in the reflog and told to who listens', async () => {
    await create({ new_branch_name: 'told' })
    const { db, events } = forge.context
    expect(db.find('SELECT name, message, actor_id FROM reflog ORDER BY id DESC')).toEqual({
      name: 'refs/heads/told',
      message: 'branch: created through the API',
      actor_id: 1,
    })
    expect(events.after(0, 1000).at(-1)?.event).toMatchObject({ type: 'push', repoId: 1, changes: [{ name: 'refs/heads/told', after: tipOf('main') }] })
    await remove('told')
  })

  test.each([
    [{ new_branch_name: 'main' }, 409],
    [{ new_branch_name: 'v1' }, 409],
    [{ new_branch_name: 'a' }, 409],
    [{ new_branch_name: 'main/x' }, 409],
    [{ new_branch_name: 'x', old_ref_name: 'absent' }, 404],
    [{ new_branch_name: 'x', old_ref_name: '--exec=id' }, 404],
    [{ new_branch_name: 'x', old_branch_name: 'absent' }, 404],
    [{ new_branch_name: 'x', old_branch_name: 'v1' }, 404],
    [{}, 422],
    ...['', '-x', '--exec=id', 'a..b', 'a b', 'x.lock', '.x', 'x/', '/x', 'HEAD', 'a~1', 'a\u0007', 'x'.repeat(101), '../../config'].map(
      (name): [object, number] => [{ new_branch_name: name }, 422],
    ),
  ])('%j is %i', async (body, status) => {
    const before = (await forge.get<Branch>('/repos/ada/it/branches?limit=50')).body
    expect((await create(body)).status).toBe(status)
    expect((await forge.get<Branch>('/repos/ada/it/branches?limit=50')).body).toEqual(before)
  })

  test('of twenty at once for one name, one wins', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ new_branch_name: 'race' })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(409)])
    await remove('race')
  })
})

test.each([
  ['it', 'main', 403],
  ['it', 'absent', 404],
  ['it', '--all', 404],
  ['it', 'v1', 404],
  ['it', '..%2Ftags%2Fv1', 404],
  ['it', '%ff', 404],
  ['empty', 'main', 404],
  ['mirror', 'zebra', 403],
])('DELETE of %s %s is %i', async (repo, name, status) => {
  expect((await remove(name, repo)).status).toBe(status)
})

test('empty repositories and mirrors take no branches', async () => {
  expect((await create({ new_branch_name: 'x' }, 'empty')).status).toBe(404)
  expect((await create({ new_branch_name: 'x' }, 'mirror')).status).toBe(403)
})

describe('PATCH', () => {
  const rename = (from: string, name: string, as = 'ada', repo = 'it') => forge.asUser(as).patch(`/repos/ada/${repo}/branches/${from}`, { name })
  const raw = (line: string) => forge.get<string>(`/repos/ada/it/${line}`)

  test('gives a branch another name, and readers of files are led to it', async () => {
    await create({ new_branch_name: 'before/x' })
    expect([
      (await rename('before%2Fx', 'before')).status,
      (await forge.get('/repos/ada/it/branches/before/x')).status,
      (await forge.get('/repos/ada/it/branches/before')).status,
    ]).toEqual([204, 404, 200])
    expect((await rename('before', 'after')).status).toBe(204)
    for (const ref of ['before/x', 'before', 'after']) expect((await raw(`git/commits/${encodeURIComponent(ref)}`)).status).toBe(200)
    expect(forge.context.events.after(0, 1000).at(-1)?.event).toMatchObject({
      type: 'push',
      changes: [{ name: 'refs/heads/before' }, { name: 'refs/heads/after', forced: false }],
    })
    await remove('after')
    expect((await raw('git/commits/before')).status).toBe(404)
  })

  test('of the default branch is for administrators, and the repository follows', async () => {
    await forge.person('wes')
    await ada.put('/repos/ada/it/collaborators/wes', { permission: 'write' })
    expect((await rename('main', 'trunk', 'wes')).status).toBe(403)
    expect((await rename('main', 'trunk')).status).toBe(204)
    expect((await ada.get('/repos/ada/it')).body).toMatchObject({ default_branch: 'trunk' })
    expect((await raw('git/commits/main')).status).toBe(200)
    expect((await rename('trunk', 'main')).status).toBe(204)
    expect((await raw('git/commits/trunk')).status).toBe(200)
  })

  test.each([
    ['it', 'zebra', 'zebra', 422],
    ['it', 'zebra', 'main', 422],
    ['it', 'zebra', 'a', 409],
    ['it', 'zebra', '-x', 422],
    ['it', 'zebra', 'HEAD', 422],
    ['it', 'absent', 'x', 404],
    ['empty', 'main', 'x', 404],
    ['mirror', 'zebra', 'x', 403],
  ])('in %s of %s to %s is %i', async (repo, from, to, status) => {
    expect((await rename(from, to, 'ada', repo)).status).toBe(status)
    expect((await forge.get('/repos/ada/it/branches/zebra')).status).toBe(200)
  })

  test('of ten at once to different names, one wins', async () => {
    await create({ new_branch_name: 'many' })
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => rename('many', `many-${i}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)])
  })
})

describe('PUT', () => {
  const move = (name: string, body: unknown, repo = 'it') => ada.put(`/repos/ada/${repo}/branches/${name}`, body)

  test('moves a branch forward, and back only by force', async () => {
    const second = (await forge.get<Branch>('/repos/ada/it/branches/main')).body.commit.id
    const first = (await forge.get<{ commit: { sha: string } }>('/repos/ada/it/tags/v1')).body.commit.sha
    await create({ new_branch_name: 'moving/x', old_ref_name: first })
    expect((await move('moving/x', { new_commit_id: second, old_commit_id: first })).status).toBe(204)
    expect((await move('moving/x', { new_commit_id: second })).status).toBe(204)
    expect(await move('moving/x', { new_commit_id: first })).toMatchObject({
      status: 422,
      body: { message: 'Force push moving/x need a confirm force parameter' },
    })
    expect((await move('moving/x', { new_commit_id: first, old_commit_id: first, force: true })).status).toBe(422)
    expect((await move('moving/x', { new_commit_id: first, force: true })).status).toBe(204)
    expect((await forge.get<Branch>('/repos/ada/it/branches/moving/x')).body.commit.id).toBe(first)
    expect(forge.context.events.after(0, 1000).at(-1)?.event).toMatchObject({ changes: [{ name: 'refs/heads/moving/x', after: first, forced: true }] })
    await remove('moving/x')
  })

  test.each([
    ['it', 'absent', 'main', 404],
    ['it', 'zebra', 'f'.repeat(40), 404],
    ['empty', 'main', 'main', 404],
    ['mirror', 'zebra', 'main', 403],
  ])('in %s of %s to %s is %i', async (repo, name, commit, status) => {
    expect((await move(name, { new_commit_id: commit }, repo)).status).toBe(status)
  })
})
