import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import type { Branch } from './schema.ts'

let forge: TestForge
const get = <T = Branch>(line: string) => forge.call<T>(`GET /repos/ada/it/branches${line}`)
const create = (body: unknown, repo = 'it') => forge.call<Branch>(`POST /repos/ada/${repo}/branches`, { as: 'ada', body })
const remove = (name: string, repo = 'it') => forge.call(`DELETE /repos/ada/${repo}/branches/${name}`, { as: 'ada' })
const tipOf = (name: string) => gitIn(forge.context.git.pathOf(1), 'rev-parse', name).trim()

beforeAll(async () => {
  forge = testForge()
  await forge.person('ada')
  for (const name of ['it', 'empty', 'mirror']) await forge.call('POST /user/repos', { as: 'ada', body: { name } })
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

test('branches are listed by name, in pages, and found by a part of it', async () => {
  const names = async (query: string) => (await get<Branch[]>(query)).body.map((branch) => branch.name)
  expect(await names('')).toEqual(['a/b', 'a/c', 'main', 'zebra', 'ünï'])
  expect(await names('?limit=2&page=2')).toEqual(['main', 'zebra'])
  expect(await names('?q=A')).toEqual(['a/b', 'a/c', 'main', 'zebra'])
  expect((await get('?limit=2&page=2')).headers.get('x-total-count')).toBe('5')
  expect((await get('?q=zeb')).headers.get('x-total-count')).toBe('1')
})

test.each(['a/b', 'a%2Fb', 'a%2fb', '%C3%BCn%C3%AF'])('the branch at …/branches/%s is found', async (name) => {
  const { status, body } = await get(`/${name}`)
  expect([status, body.name, body.commit.id, body.commit.message]).toEqual([200, decodeURIComponent(name), tipOf('main'), 'second\n'])
})

test('a branch tells whether the viewer may push to it', async () => {
  const canPush = async (as?: string) => (await forge.call('GET /repos/ada/it/branches/main', { as })).body.user_can_push
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
    expect((await get(`/${name}`)).status).toBe(200)
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
    const before = (await get('?limit=50')).body
    expect((await create(body)).status).toBe(status)
    expect((await get('?limit=50')).body).toEqual(before)
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
