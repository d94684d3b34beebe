import { afterAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'

/** acme is ada's: bob is in `crew`, mia in `other`, carl only works on the private `tool`, which all teams reach; dora is nobody there. */
const forge = testForge()
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
const who: Record<string, Person | undefined> = {}
for (const name of ['ada', 'bob', 'mia', 'carl', 'dora']) who[name] = await forge.person(name)
who.root = await forge.person('root1', { isAdmin: true })
who.shy = await forge.person('shy', { isRestricted: true })

await ada.post('/orgs', { username: 'acme' })
await ada.post('/orgs/acme/repos', { name: 'tool', private: true })
const makeTeam = async (name: string) => {
  const body = { name, permission: 'read', includes_all_repositories: true }
  return (await ada.post<{ id: number; visibility: string }>('/orgs/acme/teams', body)).body
}
const crew = await makeTeam('crew')
const other = await makeTeam('other')
await ada.put(`/teams/${crew.id}/members/bob`)
await ada.put(`/teams/${other.id}/members/mia`)
await ada.put('/repos/acme/tool/collaborators/carl', { permission: 'write' })
const show = async (visibility: string, ofOrg = 'public') => {
  await ada.patch('/orgs/acme', { visibility: ofOrg })
  await ada.patch(`/teams/${crew.id}`, { visibility })
}

const everyone = ['nobody', 'dora', 'shy', 'carl', 'mia', 'bob', 'ada', 'root']

test('a team is private unless it is said otherwise, and stays so when an edit says nothing', async () => {
  expect(crew.visibility).toBe('private')
  const made = await ada.post('/orgs/acme/teams', { name: 'open', permission: 'read', visibility: 'public' })
  expect([made.status, made.body.visibility]).toEqual([201, 'public'])
  for (const body of [{ description: 'x' }, { visibility: '' }]) expect((await ada.patch(`/teams/${made.body.id}`, body)).body.visibility).toBe('public')
  expect((await ada.patch(`/teams/${made.body.id}`, { visibility: 'limited' })).body.visibility).toBe('limited')
  for (const visibility of ['secret', 2]) {
    const refused = await ada.patch(`/teams/${made.body.id}`, { visibility })
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('[visibility]')])
  }
  expect((await ada.delete(`/teams/${made.body.id}`)).status).toBe(204)
})

test("the owners' team stays private", async () => {
  const owners = (await ada.get<{ id: number; name: string }[]>('/orgs/acme/teams')).body.find(({ name }) => name === 'Owners')
  expect((await ada.patch(`/teams/${owners?.id}`, { visibility: 'public' })).body.visibility).toBe('private')
})

// For nobody, a stranger, a restricted stranger, a collaborator, a member of another team, a member, an owner, the site administrator.
test.each<[string, string, number[]]>([
  ['private', '/teams/{crew}', [401, 404, 404, 404, 403, 200, 200, 200]],
  ['private', '/teams/{crew}/members', [401, 404, 404, 404, 403, 200, 200, 200]],
  ['private', '/teams/{crew}/repos', [401, 404, 404, 404, 403, 200, 200, 200]],
  ['private', '/repos/acme/tool/teams/crew', [404, 404, 404, 404, 404, 200, 200, 200]],
  ['limited', '/teams/{crew}', [401, 404, 404, 404, 200, 200, 200, 200]],
  ['limited', '/teams/{crew}/members', [401, 404, 404, 404, 200, 200, 200, 200]],
  ['limited', '/teams/{crew}/members/bob', [401, 404, 404, 404, 200, 200, 200, 200]],
  ['limited', '/teams/{crew}/repos', [401, 404, 404, 404, 200, 200, 200, 200]],
  ['limited', '/repos/acme/tool/teams/crew', [404, 404, 404, 404, 200, 200, 200, 200]],
  ['public', '/teams/{crew}', [401, 200, 200, 200, 200, 200, 200, 200]],
  ['public', '/teams/{crew}/members', [401, 403, 403, 403, 200, 200, 200, 200]],
  ['public', '/teams/{crew}/members/bob', [401, 403, 403, 403, 200, 200, 200, 200]],
  ['public', '/teams/{crew}/repos', [401, 200, 200, 200, 200, 200, 200, 200]],
  ['public', '/repos/acme/tool/teams/crew', [404, 404, 404, 200, 200, 200, 200, 200]],
])('a %s team: GET %s', async (visibility, path, statuses) => {
  await show(visibility)
  const found = []
  for (const name of everyone) found.push((await forge.asUser(who[name]).get(path.replace('{crew}', String(crew.id)))).status)
  expect(found).toEqual(statuses)
})

test.each<[string, Record<string, string[]>]>([
  ['private', { mia: ['other'], bob: ['crew'], ada: ['crew', 'other', 'Owners'], root: ['crew', 'other', 'Owners'] }],
  ['limited', { mia: ['crew', 'other'], bob: ['crew'] }],
  ['public', { mia: ['crew', 'other'], bob: ['crew'] }],
])('lists hold a %s team for those who know of it, and count it for no others', async (visibility, expected) => {
  await show(visibility)
  for (const [name, teams] of Object.entries(expected)) {
    for (const line of ['GET /orgs/acme/teams', 'GET /orgs/acme/teams/search', 'GET /repos/acme/tool/teams']) {
      const { body, headers } = await forge.asUser(who[name]).send<{ name: string }[] & { data?: { name: string }[] }>(line)
      expect([line, (body.data ?? body).map((team) => team.name), headers.get('x-total-count')]).toEqual([line, teams, String(teams.length)])
    }
  }
})

test('who works on a repository from outside is told of its public teams alone', async () => {
  await show('public')
  const { body } = await forge.asUser('carl').get<{ name: string }[]>('/repos/acme/tool/teams')
  expect(body.map(({ name }) => name)).toEqual(['crew'])
})

test('a public team of a hidden organization is hidden with it, and shows no private repository', async () => {
  await show('public')
  expect((await forge.asUser('dora').get<unknown[]>(`/teams/${crew.id}/repos`)).body).toEqual([])
  await show('public', 'private')
  const seen = []
  for (const name of everyone) seen.push((await forge.asUser(who[name]).get(`/teams/${crew.id}`)).status)
  expect(seen).toEqual([401, 404, 404, 404, 200, 200, 200, 200])
})

test('to know of a team changes nothing about who may change it', async () => {
  await show('public')
  for (const [name, status] of [
    ['dora', 404],
    ['mia', 403],
  ] as const) {
    expect((await forge.asUser(who[name]).patch(`/teams/${crew.id}`, { description: 'x' })).status).toBe(status)
    expect((await forge.asUser(who[name]).put(`/teams/${crew.id}/repos/acme/tool`)).status).toBe(status)
    expect((await forge.asUser(who[name]).put(`/teams/${crew.id}/members/${name}`)).status).toBe(status)
  }
})
