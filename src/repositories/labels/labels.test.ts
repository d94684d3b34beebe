import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Static } from 'elysia'
import { createOrg } from '#people/orgs/index.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import type { Label as LabelSchema, LabelTemplate } from './schema.ts'

type Label = Static<typeof LabelSchema>

const forge: TestForge = testForge()
const asAda = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const ada = await forge.person('ada')
for (const name of ['bob', 'carl', 'dora']) await forge.person(name)
await forge.person('root1', { isAdmin: true })
for (const [username, visibility] of [
  ['acme', 'public'],
  ['hidden', 'private'],
] as const)
  createOrg(context, ada.row, { username, visibility })
for (const name of ['engine', 'other']) await asAda.post('/user/repos', { name })
await asAda.post('/user/repos', { name: 'secret', private: true })
for (const repo of ['engine', 'secret']) {
  await asAda.put(`/repos/ada/${repo}/collaborators/bob`, { permission: 'write' })
  await asAda.put(`/repos/ada/${repo}/collaborators/carl`, { permission: 'read' })
}
const crew = await asAda.post<Label & { message?: string }>('/orgs/hidden/teams', { name: 'crew', permission: 'write' })
await asAda.put(`/teams/${crew.body.id}/members/bob`)

// Tests look at all labels of a place.
beforeEach(() => context.db.tx((tx) => tx.run('DELETE FROM label')))

const color = '00aabb'
const count = () => context.db.find<{ n: number }>('SELECT count(*) AS n FROM label')?.n

describe.each([
  ['/repos/ada/engine', '/repos/ada/other'],
  ['/orgs/acme', '/orgs/hidden'],
])('%s/labels', (path, elsewhere) => {
  test('a label is created, listed, read by id and by name, edited and deleted', async () => {
    const asked = { name: 'kind/bug', color: '#00AABB', description: 'It <b>bites</b>', exclusive: true }
    const made = await asAda.post<Label & { message?: string }>(`${path}/labels`, asked)
    const url = `${context.rootUrl}api/v1${path}/labels/${made.body.id}`
    expect([made.status, made.body]).toEqual([201, { ...asked, id: expect.any(Number), color, is_archived: false, url }])
    const address = `${path}/labels/${made.body.id}`
    for (const read of [address, `${path}/labels/kind%2Fbug`]) expect((await asAda.get<Label & { message?: string }>(read)).body).toEqual(made.body)
    const list = await asAda.get<unknown>(`${path}/labels`)
    expect([list.status, list.body, list.headers.get('x-total-count')]).toEqual([200, [made.body], '1'])
    const edited = await asAda.patch<Label & { message?: string }>(address, {
      name: ' area/bug ',
      color: 'f0c',
      description: '',
      exclusive: false,
      is_archived: true,
    })
    expect([edited.status, edited.body]).toEqual([
      200,
      { ...made.body, name: 'area/bug', color: 'ff00cc', description: '', exclusive: false, is_archived: true },
    ])
    expect((await asAda.patch<Label & { message?: string }>(address, {})).body).toEqual(edited.body)
    expect((await asAda.patch<Label & { message?: string }>(address, { is_archived: false })).body.is_archived).toBe(false)
    expect((await asAda.delete(address)).status).toBe(204)
    for (const method of ['GET', 'PATCH']) expect((await asAda.send(`${method} ${address}`, { body: method === 'PATCH' ? {} : undefined })).status).toBe(404)
    expect((await asAda.delete(address)).status).toBe(204)
  })

  test('a label is not found, edited or deleted through another holder', async () => {
    const { id } = (await asAda.post<Label & { message?: string }>(`${path}/labels`, { name: 'mine', color })).body
    for (const method of ['GET', 'PATCH'])
      expect((await asAda.send(`${method} ${elsewhere}/labels/${id}`, { body: method === 'PATCH' ? {} : undefined })).status).toBe(404)
    await asAda.delete(`${elsewhere}/labels/${id}`)
    expect((await asAda.get(`${path}/labels/${id}`)).status).toBe(200)
    await asAda.delete(`${path}/labels/${id}`)
    expect((await asAda.get(`${elsewhere}/labels/mine`)).status).toBe(404)
    expect((await asAda.delete(`${path}/labels/${id}`)).status).toBe(204)
  })

  test('names may repeat; lists go by name, page by page', async () => {
    const ids = []
    for (const name of ['b', 'c', 'a', 'b']) ids.push((await asAda.post<Label & { message?: string }>(`${path}/labels`, { name, color })).body.id)
    const names = async (query: string) => (await asAda.get<Label[]>(`${path}/labels?${query}`)).body.map(({ name }) => name).join('')
    expect([await names(''), await names('sort=reversealphabetically'), await names('sort=x'), await names('limit=2&page=2')]).toEqual([
      'abbc',
      'cbba',
      'abbc',
      'bc',
    ])
    const paged = await asAda.get<Label & { message?: string }>(`${path}/labels?limit=2`)
    expect([paged.headers.get('x-total-count'), paged.headers.get('link')]).toEqual(['4', expect.stringContaining('rel="next"')])
    expect((await asAda.get<Label & { message?: string }>(`${path}/labels/b`)).body.id).toBe(ids[0] as number)
    for (const id of ids) await asAda.delete(`${path}/labels/${id}`)
  })

  test('digits in a path are an id, never a name', async () => {
    const { id } = (await asAda.post<Label & { message?: string }>(`${path}/labels`, { name: '2026', color })).body
    expect((await asAda.get(`${path}/labels/2026`)).status).toBe(404)
    expect((await asAda.get(`${path}/labels/${'9'.repeat(40)}`)).status).toBe(404)
    await asAda.delete(`${path}/labels/${id}`)
  })

  test.each([
    [{ name: 'x' }, 'color'],
    [{ color }, 'name'],
    [{ name: '', color }, '1 to 50'],
    [{ name: ' \t ', color }, '1 to 50'],
    [{ name: 'a\nb', color }, 'line breaks'],
    [{ name: 'x'.repeat(51), color }, '50'],
    [{ name: 'x', color: 'red' }, '#00aabb'],
    [{ name: 'x', color: '' }, '#00aabb'],
    [{ name: 'x', color: '##0ab' }, '#00aabb'],
    [{ name: 'x', color: '#00aabbcc' }, '#00aabb'],
    [{ name: 'x', color, description: 'x'.repeat(201) }, 'description'],
    [{ name: 'x', color, exclusive: 'yes' }, 'exclusive'],
    [{ name: 5, color }, 'name'],
  ])('%j is 422 and nothing is made', async (body, hint) => {
    const before = count()
    const reply = await asAda.post<Label & { message?: string }>(`${path}/labels`, body)
    expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining(hint)])
    expect(count()).toBe(before)
  })
})

const everyone = ['nobody', 'dora', 'carl', 'bob', 'ada', 'root1'] as const
/** ID stands for a label of the place. bob may write in the repositories and is a member of the private organization, carl may read. */
const matrix: [line: string, body: unknown, statuses: number[]][] = [
  // nobody, stranger, reader, writer or member, owner, site administrator
  ['GET /repos/ada/engine/labels', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET /repos/ada/engine/labels/ID', undefined, [200, 200, 200, 200, 200, 200]],
  ['POST /repos/ada/engine/labels', { name: 'x', color }, [401, 403, 403, 201, 201, 201]],
  ['PATCH /repos/ada/engine/labels/ID', {}, [401, 403, 403, 200, 200, 200]],
  ['DELETE /repos/ada/engine/labels/ID', undefined, [401, 403, 403, 204, 204, 204]],
  ['GET /repos/ada/secret/labels', undefined, [404, 404, 200, 200, 200, 200]],
  ['GET /repos/ada/secret/labels/ID', undefined, [404, 404, 200, 200, 200, 200]],
  ['POST /repos/ada/secret/labels', { name: 'x', color }, [404, 404, 403, 201, 201, 201]],
  ['PATCH /repos/ada/secret/labels/ID', {}, [404, 404, 403, 200, 200, 200]],
  ['DELETE /repos/ada/secret/labels/ID', undefined, [404, 404, 403, 204, 204, 204]],
  ['GET /orgs/acme/labels', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET /orgs/acme/labels/ID', undefined, [200, 200, 200, 200, 200, 200]],
  ['POST /orgs/acme/labels', { name: 'x', color }, [401, 403, 403, 403, 201, 201]],
  ['GET /orgs/hidden/labels', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /orgs/hidden/labels/ID', undefined, [404, 404, 404, 200, 200, 200]],
  ['POST /orgs/hidden/labels', { name: 'x', color }, [404, 404, 404, 403, 201, 201]],
  ['PATCH /orgs/hidden/labels/ID', {}, [404, 404, 404, 403, 200, 200]],
  ['DELETE /orgs/hidden/labels/ID', undefined, [404, 404, 404, 403, 204, 204]],
  ['GET /repos/ada/missing/labels', undefined, [404, 404, 404, 404, 404, 404]],
  ['GET /orgs/ada/labels', undefined, [404, 404, 404, 404, 404, 404]],
]

test.each(matrix)('%s', async (line, body, statuses) => {
  const place = line.replace(/^\w+ |\/labels.*$/g, '')
  for (const [i, name] of everyone.entries()) {
    const made = line.includes('ID') ? await asAda.post<Label & { message?: string }>(`${place}/labels`, { name: 'target', color }) : undefined
    expect([name, (await forge.asUser(name === 'nobody' ? undefined : name).send(line.replace('ID', String(made?.body.id)), { body })).status]).toEqual([
      name,
      statuses[i] as number,
    ])
  }
})

test.each([
  ['/repos/ada/other/labels', ['read:repository', 'write:repository'], 403],
  ['/repos/ada/other/labels', ['read:issue'], 200],
  ['/repos/ada/secret/labels', ['read:issue', 'public-only'], 404],
  ['/orgs/acme/labels', ['read:issue'], 403],
  ['/orgs/acme/labels', ['read:organization'], 200],
  ['/orgs/hidden/labels', ['read:organization', 'public-only'], 404],
] as const)('GET %s with a token of %p is %i, and it cannot write', async (path, scopes, status) => {
  const token = forge.token('ada', ...scopes)
  expect((await forge.asUser(token).get(path)).status).toBe(status)
  expect((await forge.asUser(token).post(path, { name: 'x', color })).status).toBe(403)
})

test('the issues or the pulls unit opens the labels; with neither there are none', async () => {
  await asAda.post('/user/repos', { name: 'units' })
  const read = async () => (await forge.asUser('dora').get('/repos/ada/units/labels')).status
  const set = (body: object) => asAda.patch<Label & { message?: string }>('/repos/ada/units', body)
  await set({ has_issues: false })
  expect(await read()).toBe(200)
  await set({ has_issues: true, has_pull_requests: false })
  expect(await read()).toBe(200)
  await set({ has_issues: false })
  expect(await read()).toBe(404)
})

test('labels of an archived repository are changed as ever', async () => {
  await asAda.post('/user/repos', { name: 'old', issue_labels: 'Default' })
  await asAda.patch('/repos/ada/old', { archived: true })
  expect((await asAda.get<Label & { message?: string }>('/repos/ada/old/labels')).body).toHaveLength(7)
  expect((await asAda.post('/repos/ada/old/labels', { name: 'x', color })).status).toBe(201)
})

test('what was renamed is answered with its new address', async () => {
  await asAda.post('/user/repos', { name: 'before' })
  await asAda.patch('/repos/ada/before', { name: 'after' })
  const reply = await asAda.get<Label & { message?: string }>('/repos/ada/before/labels?limit=1')
  expect([reply.status, reply.headers.get('location')]).toEqual([301, '/api/v1/repos/ada/after/labels?limit=1'])
})

describe('issue_labels', () => {
  test('a repository starts with the labels of the template, and says so in its list', async () => {
    expect((await asAda.post('/user/repos', { name: 'advanced', issue_labels: 'Advanced' })).status).toBe(201)
    const listed = (await asAda.get<Label[]>('/repos/ada/advanced/labels')).body
    const template = (await forge.get<Static<typeof LabelTemplate>[]>('/label/templates/Advanced')).body
    const shown = listed.map(({ name, color, description, exclusive }) => ({ name, color, description, exclusive }))
    expect(shown).toEqual(template.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  })

  test('an organization and an administrator can ask for them too', async () => {
    await asAda.post('/orgs/acme/repos', { name: 'shared', issue_labels: 'Default' })
    await forge.asUser('root1').post('/admin/users/bob/repos', { name: 'given', issue_labels: 'Default' })
    for (const repo of ['acme/shared', 'bob/given']) expect((await asAda.get<Label & { message?: string }>(`/repos/${repo}/labels`)).body).toHaveLength(7)
  })

  test.each(['Nothing', 'constructor', 'default', 'Default,Advanced'])('%s is 422, tells what there is, and nothing is made', async (name) => {
    const before = count()
    const reply = await asAda.post<Label & { message?: string }>('/user/repos', { name: 'unmade', issue_labels: name, auto_init: true })
    expect([reply.status, reply.body.message]).toEqual([422, expect.stringMatching(/^\[IssueLabels\].*Use Default or Advanced\./)])
    expect([count(), (await asAda.get('/repos/ada/unmade')).status]).toEqual([before, 404])
  })

  test('a repository that cannot be made leaves no labels behind', async () => {
    const before = count()
    expect((await asAda.post('/user/repos', { name: 'engine', issue_labels: 'Default' })).status).toBe(409)
    expect(count()).toBe(before)
  })
})

test('labels go with what they belong to', async () => {
  const before = count() ?? 0
  await asAda.post('/user/repos', { name: 'brief', issue_labels: 'Default' })
  createOrg(context, ada.row, { username: 'short' })
  await asAda.post('/orgs/short/labels', { name: 'x', color })
  expect(count()).toBe(before + 8)
  expect((await asAda.delete('/repos/ada/brief')).status).toBe(204)
  expect(count()).toBe(before + 1)
  expect((await asAda.delete('/orgs/short')).status).toBe(204)
  expect(count()).toBe(before)
})
