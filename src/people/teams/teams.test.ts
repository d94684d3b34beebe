import { afterAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { accessStore, type TeamRow, type UserRow } from '#access/index.ts'
import { NotFound } from '#kernel/errors.ts'
import { editOrg } from '#people/orgs/edit-org.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { editTeam } from './change-teams.ts'

let forge: TestForge
let ids: Record<'owners' | 'crew' | 'empty' | 'alien', number>
const who: Record<string, Person | undefined> = {}
/** Whether the forge is no longer as `fill` left it. */
let isUsed = true
beforeEach(() => (isUsed ? fill() : undefined))
afterAll(() => forge?.[Symbol.asyncDispose]())

/**
 * acme is ada's: bob is in `crew`, which reaches the private `tool`; mia is in `empty`, which reaches nothing; dora is nobody
 * there, carl collaborates on the public `open`. Of the organization `other`, dora's, there is the team `alien`.
 */
async function fill() {
  await forge?.[Symbol.asyncDispose]()
  forge = testForge()
  for (const name of ['ada', 'bob', 'mia', 'carl', 'dora']) who[name] = await forge.person(name)
  who.root = await forge.person('root1', { isAdmin: true })
  await ask('ada', 'POST /orgs', { username: 'acme' })
  await ask('dora', 'POST /orgs', { username: 'other' })
  await ask('ada', 'POST /orgs/acme/repos', { name: 'tool', private: true })
  await ask('ada', 'POST /orgs/acme/repos', { name: 'open' })
  await ask('dora', 'POST /orgs/other/repos', { name: 'theirs' })
  const make = async (name: string, org: string, body: object) => (await ask<{ id: number }>(name, `POST /orgs/${org}/teams`, body)).body.id
  const [{ id: owners }] = (await ask<[{ id: number }]>('ada', 'GET /orgs/acme/teams')).body
  ids = {
    owners,
    crew: await make('ada', 'acme', { name: 'crew', description: 'The crew', units_map: { 'repo.code': 'write', 'repo.issues': 'read' } }),
    empty: await make('ada', 'acme', { name: 'empty', permission: 'read' }),
    alien: await make('dora', 'other', { name: 'alien', permission: 'read' }),
  }
  await ask('ada', `PUT /teams/${ids.crew}/members/bob`)
  await ask('ada', `PUT /teams/${ids.empty}/members/mia`)
  await ask('ada', `PUT /teams/${ids.crew}/repos/acme/tool`)
  isUsed = false
}

/** `{crew}` in a line is the id of that team. */
async function ask<T = Record<string, unknown>>(name: string, line: string, body?: unknown) {
  const path = line.replace(/\{(\w+)\}/g, (_, team) => String(ids[team as keyof typeof ids]))
  const reply = await forge.asUser(who[name]).send<T>(path, { body })
  if (!line.startsWith('GET') && reply.status < 400) isUsed = true
  return reply
}

const everyone = ['nobody', 'dora', 'mia', 'bob', 'ada', 'root'] as const

const matrix: [line: string, body: unknown, statuses: number[]][] = [
  // nobody, stranger, member of another team, member, owner, site administrator
  ['GET /orgs/acme/teams', undefined, [401, 403, 200, 200, 200, 200]],
  ['GET /orgs/missing/teams', undefined, [404, 404, 404, 404, 404, 404]],
  ['POST /orgs/acme/teams', { name: 'new-one' }, [401, 403, 403, 403, 201, 201]],
  ['GET /orgs/acme/teams/search', undefined, [401, 403, 200, 200, 200, 200]],
  ['GET /user/teams', undefined, [401, 200, 200, 200, 200, 200]],
  ['GET /teams/{crew}', undefined, [401, 404, 403, 200, 200, 200]],
  ['GET /teams/999', undefined, [401, 404, 404, 404, 404, 404]],
  ['GET /teams/1e3', undefined, [401, 404, 404, 404, 404, 404]],
  ['PATCH /teams/{crew}', { description: 'x' }, [401, 404, 403, 403, 200, 200]],
  ['DELETE /teams/{crew}', undefined, [401, 404, 403, 403, 204, 204]],
  ['DELETE /teams/{owners}', undefined, [401, 404, 403, 403, 422, 422]],
  ['GET /teams/{crew}/members', undefined, [401, 404, 403, 200, 200, 200]],
  ['GET /teams/{crew}/members/bob', undefined, [401, 404, 403, 200, 200, 200]],
  ['GET /teams/{crew}/members/mia', undefined, [401, 404, 403, 404, 404, 404]],
  ['PUT /teams/{crew}/members/carl', undefined, [401, 404, 403, 403, 204, 204]],
  ['PUT /teams/{crew}/members/missing', undefined, [401, 404, 403, 403, 404, 404]],
  ['PUT /teams/{crew}/members/acme', undefined, [401, 404, 403, 403, 404, 404]],
  ['DELETE /teams/{crew}/members/bob', undefined, [401, 404, 403, 403, 204, 204]],
  ['DELETE /teams/{crew}/members/mia', undefined, [401, 404, 403, 403, 204, 204]],
  ['GET /teams/{crew}/repos', undefined, [401, 404, 403, 200, 200, 200]],
  ['GET /teams/{crew}/repos/acme/tool', undefined, [401, 404, 403, 200, 200, 200]],
  ['GET /teams/{crew}/repos/acme/open', undefined, [401, 404, 403, 404, 404, 404]],
  ['GET /teams/{crew}/repos/other/theirs', undefined, [401, 404, 403, 404, 404, 404]],
  ['PUT /teams/{crew}/repos/acme/open', undefined, [401, 404, 403, 403, 204, 204]],
  ['PUT /teams/{crew}/repos/other/theirs', undefined, [401, 404, 403, 404, 404, 404]],
  ['PUT /teams/{alien}/repos/acme/tool', undefined, [401, 404, 404, 404, 404, 404]],
  ['DELETE /teams/{crew}/repos/acme/tool', undefined, [401, 404, 403, 403, 204, 204]],
  ['DELETE /teams/{crew}/repos/acme/open', undefined, [401, 404, 403, 403, 204, 204]],
  ['GET /repos/acme/tool/teams', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /repos/acme/open/teams', undefined, [401, 403, 200, 200, 200, 200]],
  ['GET /repos/acme/tool/teams/crew', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /repos/acme/tool/teams/CREW', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /repos/acme/tool/teams/empty', undefined, [404, 404, 404, 404, 404, 404]],
  ['GET /repos/acme/tool/teams/alien', undefined, [404, 404, 404, 404, 404, 404]],
  ['PUT /repos/acme/open/teams/crew', undefined, [401, 403, 403, 403, 204, 204]],
  ['PUT /repos/acme/tool/teams/crew', undefined, [404, 404, 404, 403, 422, 422]],
  ['PUT /repos/acme/open/teams/alien', undefined, [401, 403, 403, 403, 404, 404]],
  ['DELETE /repos/acme/tool/teams/crew', undefined, [404, 404, 404, 403, 204, 204]],
  ['DELETE /repos/acme/open/teams/crew', undefined, [401, 403, 403, 403, 422, 422]],
  ['DELETE /repos/acme/open/teams/owners', undefined, [401, 403, 403, 403, 422, 422]],
]

test.each(matrix)('%s answers nobody, a stranger, another team, the team, an owner and the site administrator: %p → %p', async (line, body, statuses) => {
  const found = []
  for (const name of everyone) {
    if (isUsed) await fill()
    found.push((await ask(name, line, body)).status)
  }
  expect(found).toEqual(statuses)
})

test.each<[string, string[], number]>([
  ['GET /teams/{crew}', ['read:repository'], 403],
  ['GET /teams/{crew}', ['read:organization'], 200],
  ['DELETE /teams/{crew}', ['read:organization'], 403],
  ['GET /orgs/acme/teams', ['read:user'], 403],
  ['GET /user/teams', ['read:organization'], 403],
  ['PUT /repos/acme/open/teams/crew', ['read:repository'], 403],
])('%s with a token of %p: %p', async (line, scopes, status) => {
  const token = forge.token(who.ada as Person, ...scopes)
  expect((await forge.asUser(token).send(line.replace('{crew}', String(ids.crew)))).status).toBe(status)
})

const read = 'read'

test.each<[string, object, object]>([
  ['units_map', { units_map: { 'repo.code': 'write', 'repo.issues': read } }, { permission: read, units: ['repo.code', 'repo.issues'] }],
  ['units_map with none', { units_map: { 'repo.code': 'write', 'repo.issues': 'none' } }, { permission: 'write', units: ['repo.code'] }],
  ['a level for units', { permission: 'write', units: ['repo.issues', 'repo.code', 'repo.ext_wiki'] }, { permission: 'write' }],
  ['a level alone', { permission: 'write' }, { permission: 'write', units_map: expect.objectContaining({ 'repo.actions': 'write', 'repo.ext_wiki': read }) }],
  ['nothing, as Go clients put it', { permission: '', units: null, units_map: null }, { permission: read }],
  ['nothing', {}, { permission: read, units_map: expect.objectContaining({ 'repo.code': read }) }],
  [
    'admin in single units',
    { units_map: { 'repo.code': 'admin', 'repo.wiki': 'read' } },
    { permission: 'read', units_map: { 'repo.code': 'write', 'repo.wiki': 'read' } },
  ],
  [
    'admin in all units it names',
    { permission: 'none', units_map: { 'repo.code': 'admin' } },
    { permission: 'admin', units_map: expect.objectContaining({ 'repo.wiki': 'admin' }) },
  ],
  [
    'administrators',
    { permission: 'admin' },
    { permission: 'admin', units_map: expect.objectContaining({ 'repo.code': 'admin', 'repo.ext_issues': 'admin' }) },
  ],
  ['flags', { includes_all_repositories: true, can_create_org_repo: true }, { includes_all_repositories: true, can_create_org_repo: true }],
])('a team is made with %s', async (_, rights, expected) => {
  const { status, body } = await ask('ada', 'POST /orgs/acme/teams', { name: 'made', ...rights })
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ name: 'made', description: '', organization: expect.objectContaining({ name: 'acme' }), ...expected }),
  ])
  expect((await ask('ada', `GET /teams/${body.id}`)).body).toEqual(body)
})

test.each<[object, object]>([
  [{ permission: 'write' }, { permission: 'write', units_map: { 'repo.code': 'write', 'repo.issues': 'write' } }],
  [{ permission: 'admin' }, { permission: 'admin' }],
  [
    { name: 'band', permission: '', units: [] },
    { name: 'band', permission: read, units: ['repo.code', 'repo.issues'] },
  ],
  [{ units: ['repo.pulls'] }, { units: ['repo.pulls'], permission: read }],
  [{ units_map: { 'repo.pulls': 'write' } }, { units: ['repo.pulls'], permission: 'write' }],
  [{ name: 'Crew' }, { name: 'Crew', units: ['repo.code', 'repo.issues'] }],
  [
    { name: 'band', description: '' },
    { name: 'band', description: '' },
  ],
  [{ includes_all_repositories: true }, { includes_all_repositories: true, permission: read }],
])('an edit with %p changes no more than that', async (change, expected) => {
  const before = (await ask('ada', 'GET /teams/{crew}')).body
  const { body } = await ask('ada', 'PATCH /teams/{crew}', change)
  expect(body).toMatchObject(expected)
  if (!('permission' in change) && !('units' in change) && !('units_map' in change)) expect(body).toEqual({ ...before, ...expected })
})

test.each<[string, object]>([
  ['POST /orgs/acme/teams', {}],
  ['POST /orgs/acme/teams', { name: '' }],
  ['POST /orgs/acme/teams', { name: '..' }],
  ['POST /orgs/acme/teams', { name: 'a b' }],
  ['POST /orgs/acme/teams', { name: 'new' }],
  ['POST /orgs/acme/teams', { name: 'CREW' }],
  ['POST /orgs/acme/teams', { name: 'Owners' }],
  ['POST /orgs/acme/teams', { name: 'x', permission: 'owner' }],
  ['POST /orgs/acme/teams', { name: 'x', units: ['code'] }],
  ['POST /orgs/acme/teams', { name: 'x', units_map: { 'repo.code': 'owner' } }],
  ['POST /orgs/acme/teams', { name: 'x', units_map: { 'repo.secret': 'read' } }],
  ['POST /orgs/acme/teams', { name: 'x', units_map: { 'repo.code': 3 } }],
  ['PATCH /teams/{crew}', { name: 'empty' }],
  ['PATCH /teams/{crew}', { units_map: { 'repo.code': 'all' } }],
  ['PATCH /teams/{owners}', { name: 'bosses' }],
])('%s refuses %p and changes nothing', async (line, body) => {
  const rows = () => ['team', 'team_unit'].map((table) => forge.context.db.all(`SELECT * FROM ${table}`))
  const before = rows()
  expect((await ask('ada', line, body)).status).toBe(422)
  expect(rows()).toEqual(before)
})

test('the team of owners keeps its rights, whatever is asked', async () => {
  const { body } = await ask('ada', 'PATCH /teams/{owners}', { permission: 'read', includes_all_repositories: false, can_create_org_repo: false })
  expect(body).toMatchObject({ name: 'Owners', permission: 'owner', includes_all_repositories: true, can_create_org_repo: true })
})

test('a private repository is there for those whose teams reach it, unit by unit, and gone when they leave', async () => {
  const statuses = async () => Promise.all(['bob', 'mia', 'dora'].map(async (name) => (await ask(name, 'GET /repos/acme/tool')).status))
  expect(await statuses()).toEqual([200, 404, 404])
  expect((await ask('bob', 'GET /repos/acme/tool')).body.permissions).toEqual({ admin: false, push: true, pull: true })
  await ask('ada', 'PATCH /teams/{crew}', { units_map: { 'repo.issues': 'write' } })
  expect((await ask('bob', 'GET /repos/acme/tool')).body.permissions).toEqual({ admin: false, push: false, pull: false })
  expect((await ask('bob', 'GET /repos/acme/tool/branches')).status).toBe(404)
  await ask('ada', 'PATCH /teams/{crew}', { permission: 'admin' })
  expect((await ask('bob', 'GET /repos/acme/tool')).body.permissions).toEqual({ admin: true, push: true, pull: true })
  await ask('ada', 'DELETE /teams/{crew}/members/bob')
  expect(await statuses()).toEqual([404, 404, 404])
  expect((await ask('ada', 'GET /orgs/acme/members/bob')).status).toBe(404)
})

test('a team that includes all repositories reaches later ones too, and keeps what there is when it no longer does', async () => {
  await ask('ada', 'PATCH /teams/{empty}', { includes_all_repositories: true })
  await ask('ada', 'POST /orgs/acme/repos', { name: 'later', private: true })
  expect((await ask('mia', 'GET /repos/acme/later')).status).toBe(200)
  expect((await ask<unknown[]>('mia', 'GET /teams/{empty}/repos')).body.length).toBe(3)
  expect((await ask('ada', 'DELETE /teams/{empty}/repos/acme/later')).status).toBe(422)
  await ask('ada', 'PATCH /teams/{empty}', { includes_all_repositories: false })
  await ask('ada', 'POST /orgs/acme/repos', { name: 'latest', private: true })
  expect((await ask('mia', 'GET /repos/acme/latest')).status).toBe(404)
  expect((await ask('mia', 'GET /repos/acme/later')).status).toBe(200)
})

test('who deletes a team ends the memberships that hang on it alone', async () => {
  await ask('ada', 'PUT /teams/{empty}/members/bob')
  await ask('ada', 'DELETE /teams/{empty}')
  const members = (await ask<{ login: string }[]>('ada', 'GET /orgs/acme/members')).body
  expect(members.map(({ login }) => login)).toEqual(['ada', 'bob'])
})

test('a team that may create repositories gives its members what they make, through the API and by pushing', async () => {
  expect((await ask('bob', 'POST /orgs/acme/repos', { name: 'mine' })).status).toBe(403)
  expect(await advertise('bob', 'acme/pushed')).toBe(404)
  await ask('ada', 'PATCH /teams/{crew}', { can_create_org_repo: true })
  const made = await ask('bob', 'POST /orgs/acme/repos', { name: 'mine', private: true })
  expect([made.status, made.body.permissions]).toEqual([201, { admin: true, push: true, pull: true }])
  expect((await ask('bob', 'GET /users/bob/orgs/acme/permissions')).body.can_create_repository).toBeTrue()
  expect(await advertise('bob', 'acme/pushed')).toBe(200)
  expect(await advertise('mia', 'acme/pushed')).toBe(404)
  expect(await advertise('bob', 'other/pushed')).toBe(404)
})

/** The first request of a push. */
async function advertise(name: string, path: string): Promise<number> {
  const headers = { Authorization: `Basic ${btoa(`${name}:${who[name]?.token}`)}` }
  return (await forge.app.handle(new Request(`http://localhost/${path}.git/info/refs?service=git-receive-pack`, { headers }))).status
}

test('who administers a repository chooses its teams only where the organization allows it', async () => {
  await ask('ada', 'PATCH /teams/{crew}', { permission: 'admin' })
  expect((await ask('bob', 'PUT /repos/acme/tool/teams/empty')).status).toBe(403)
  await ask('ada', 'PATCH /orgs/acme', { repo_admin_change_team_access: true })
  expect((await ask('bob', 'PUT /repos/acme/tool/teams/empty')).status).toBe(204)
  expect((await ask('mia', 'GET /repos/acme/tool')).status).toBe(200)
})

test('the teams of a repository that a person owns are 405', async () => {
  await ask('bob', 'POST /user/repos', { name: 'own' })
  for (const line of ['GET /repos/bob/own/teams', 'GET /repos/bob/own/teams/crew', 'PUT /repos/bob/own/teams/crew', 'DELETE /repos/bob/own/teams/crew'])
    expect((await ask('bob', line)).status).toBe(405)
})

test('searches and lists hold the right teams', async () => {
  const names = async (name: string, line: string) => {
    const { body } = await ask<{ name: string }[] | { data: { name: string }[] }>(name, line)
    return (Array.isArray(body) ? body : body.data).map((team) => team.name)
  }
  expect(await names('ada', 'GET /orgs/acme/teams')).toEqual(['crew', 'empty', 'Owners'])
  expect(await names('bob', 'GET /orgs/acme/teams')).toEqual(['crew'])
  expect(await names('bob', 'GET /orgs/acme/teams/search')).toEqual(['crew'])
  expect(await names('ada', 'GET /orgs/acme/teams/search?q=EM')).toEqual(['empty'])
  expect(await names('ada', 'GET /orgs/acme/teams/search?q=the')).toEqual(['crew'])
  expect(await names('ada', 'GET /orgs/acme/teams/search?q=the&include_desc=false')).toEqual([])
  expect(await names('bob', 'GET /user/teams')).toEqual(['crew'])
  expect(await names('ada', 'GET /repos/acme/tool/teams')).toEqual(['crew', 'Owners'])
  expect(await names('bob', 'GET /repos/acme/tool/teams')).toEqual(['crew'])
  expect((await ask('bob', 'GET /user/repos')).body).toMatchObject([{ full_name: 'acme/tool' }])
  expect((await ask('bob', `GET /repos/search?team_id=${ids.crew}`)).body.data).toMatchObject([{ full_name: 'acme/tool' }])
  expect((await ask('dora', `GET /repos/search?team_id=${ids.crew}`)).body.data).toEqual([])
})

test('a repository that changes hands leaves the teams of its former owner', () => {
  isUsed = true
  const { db } = forge.context
  db.tx((tx) => tx.run("UPDATE repository SET owner_id = ? WHERE lower_name = 'tool'", (who.carl as Person).row.id))
  expect(db.all('SELECT * FROM team_repo')).toEqual([])
})

test('the restricted see of an organization what their teams reach, not what is public; members see what a private one shows them', async () => {
  who.limp = await forge.person('limp', { isRestricted: true })
  await ask('ada', 'PUT /teams/{empty}/members/limp')
  expect((await ask('limp', 'GET /repos/acme/open')).status).toBe(404)
  await ask('ada', 'PUT /teams/{empty}/repos/acme/open')
  expect((await ask('limp', 'GET /repos/acme/open')).status).toBe(200)
  await ask('ada', 'PATCH /orgs/acme', { visibility: 'private' })
  await ask('ada', 'POST /orgs/acme/repos', { name: 'shown' })
  const statuses = await Promise.all(['mia', 'limp', 'dora', 'nobody'].map(async (name) => (await ask(name, 'GET /repos/acme/shown')).status))
  expect(statuses).toEqual([200, 404, 404, 404])
})

test('a deleted account leaves its teams, and the organization with them', async () => {
  expect((await ask('root', 'DELETE /admin/users/bob')).status).toBe(204)
  expect((await ask<unknown[]>('ada', 'GET /teams/{crew}/members')).body).toEqual([])
  expect((await ask<{ login: string }[]>('ada', 'GET /orgs/acme/members')).body.map(({ login }) => login)).toEqual(['ada', 'mia'])
})

test('members of organizations and teams, who may be very many, are listed by name on a thread of their own', async () => {
  await ask('ada', 'PUT /teams/{crew}/members/carl')
  const aside = spyOn(forge.context.db, 'askAside')
  const names = async (line: string) => (await ask<{ login: string }[]>('ada', line)).body.map(({ login }) => login)
  expect(await names('GET /orgs/acme/members')).toEqual(['ada', 'bob', 'carl', 'mia'])
  expect(await names('GET /orgs/acme/members?limit=2&page=2')).toEqual(['carl', 'mia'])
  expect(await names('GET /teams/{crew}/members')).toEqual(['bob', 'carl'])
  expect(aside).toHaveBeenCalledTimes(3)
  aside.mockRestore()
})

test('a team or an organization that is deleted after who changes it was let in is not there', async () => {
  const { context } = forge
  const team = accessStore.findTeamById(context.db, ids.empty) as TeamRow
  expect((await ask('ada', 'DELETE /teams/{empty}')).status).toBe(204)
  expect(() => editTeam(context, team, { name: 'late' })).toThrow(NotFound)
  await ask('ada', 'POST /orgs', { username: 'brief' })
  const org = accessStore.findUserByName(context.db, 'brief') as UserRow
  expect((await ask('ada', 'DELETE /orgs/brief')).status).toBe(204)
  expect(() => editOrg(context, org, { full_name: 'Late' })).toThrow(NotFound)
})
