import { afterAll, beforeEach, expect, test } from 'bun:test'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { leaveOrgs } from './index.ts'

let forge: TestForge
const who: Record<string, Person | undefined> = {}
/** Whether the forge is no longer as `fill` left it. */
let isUsed = true
beforeEach(() => (isUsed ? fill() : undefined))
afterAll(() => forge?.[Symbol.asyncDispose]())

/** `acme` is public, `inner` limited, `hidden` private: ada owns them, bob is in a team of each, dora is nobody there. */
async function fill() {
  await forge?.[Symbol.asyncDispose]()
  forge = testForge()
  for (const name of ['ada', 'bob', 'dora']) who[name] = await forge.person(name)
  who.limp = await forge.person('limp', { isRestricted: true })
  who.root = await forge.person('root1', { isAdmin: true })
  for (const [username, visibility] of Object.entries({ acme: 'public', hidden: 'private', inner: 'limited' })) {
    await ask('ada', 'POST /orgs', { username, visibility, email: 'org@example.org' })
    const team = await ask<{ id: number }>('ada', `POST /orgs/${username}/teams`, { name: 'crew', permission: 'write' })
    await ask('ada', `PUT /teams/${team.body.id}/members/bob`)
  }
  isUsed = false
}

async function ask<T = Record<string, unknown>>(name: string, line: string, body?: unknown) {
  const reply = await forge.asUser(who[name]).send<T>(line, { body })
  if (!line.startsWith('GET') && reply.status < 400) isUsed = true
  return reply
}

const everyone = ['nobody', 'dora', 'limp', 'bob', 'ada', 'root'] as const

const matrix: [line: string, body: unknown, statuses: number[]][] = [
  // nobody, stranger, restricted, member, owner, site administrator
  ['GET /orgs/acme', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET /orgs/inner', undefined, [404, 200, 404, 200, 200, 200]],
  ['GET /orgs/hidden', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /orgs/missing', undefined, [404, 404, 404, 404, 404, 404]],
  ['GET /users/acme', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET /users/inner', undefined, [404, 200, 404, 200, 200, 200]],
  ['GET /users/hidden', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /users/hidden/repos', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /users/acme/orgs', undefined, [404, 404, 404, 404, 404, 404]],
  ['GET /users/acme/tokens', undefined, [404, 404, 404, 404, 404, 404]],
  ['DELETE /orgs/acme/repos', undefined, [401, 403, 403, 403, 204, 204]],
  ['DELETE /orgs/hidden/repos', undefined, [404, 404, 404, 403, 204, 204]],
  ['GET /orgs/ada', undefined, [404, 404, 404, 404, 404, 404]],
  ['PATCH /orgs/acme', { description: 'x' }, [401, 403, 403, 403, 200, 200]],
  ['PATCH /orgs/hidden', { description: 'x' }, [404, 404, 404, 403, 200, 200]],
  ['POST /orgs/acme/rename', { new_name: 'acme' }, [401, 403, 403, 403, 204, 204]],
  ['POST /orgs', { username: 'fresh' }, [401, 201, 201, 201, 201, 201]],
  ['DELETE /orgs/acme', undefined, [401, 403, 403, 403, 204, 204]],
  ['DELETE /orgs/hidden', undefined, [404, 404, 404, 403, 204, 204]],
  ['GET /orgs/acme/repos', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET /orgs/hidden/repos', undefined, [404, 404, 404, 200, 200, 200]],
  ['POST /orgs/acme/repos', { name: 'new' }, [401, 403, 403, 403, 201, 201]],
  ['POST /org/acme/repos', { name: 'new' }, [401, 403, 403, 403, 201, 201]],
  ['POST /orgs/hidden/repos', { name: 'new' }, [404, 404, 404, 403, 201, 201]],
  ['GET /orgs/acme/members', undefined, [401, 200, 200, 200, 200, 200]],
  ['GET /orgs/hidden/members', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /orgs/acme/members/bob', undefined, [401, 303, 303, 204, 204, 204]],
  ['GET /orgs/acme/members/dora', undefined, [401, 404, 303, 404, 404, 404]],
  ['GET /orgs/hidden/members/bob', undefined, [404, 404, 404, 204, 204, 204]],
  ['DELETE /orgs/acme/members/bob', undefined, [401, 403, 403, 403, 204, 204]],
  ['DELETE /orgs/acme/members/dora', undefined, [401, 403, 403, 403, 204, 204]],
  ['GET /orgs/acme/public_members', undefined, [200, 200, 200, 200, 200, 200]],
  ['GET /orgs/hidden/public_members', undefined, [404, 404, 404, 200, 200, 200]],
  ['GET /orgs/acme/public_members/bob', undefined, [404, 404, 404, 404, 404, 404]],
  ['PUT /orgs/acme/public_members/bob', undefined, [401, 403, 403, 204, 204, 204]],
  ['PUT /orgs/acme/public_members/ada', undefined, [401, 403, 403, 403, 204, 204]],
  ['PUT /orgs/acme/public_members/dora', undefined, [401, 403, 403, 403, 404, 404]],
  ['DELETE /orgs/acme/public_members/bob', undefined, [401, 403, 403, 204, 204, 204]],
  ['GET /user/orgs', undefined, [401, 200, 200, 200, 200, 200]],
  ['GET /users/bob/orgs', undefined, [401, 200, 200, 200, 200, 200]],
  ['GET /users/bob/orgs/acme/permissions', undefined, [401, 403, 403, 200, 200, 200]],
  ['GET /users/bob/orgs/hidden/permissions', undefined, [401, 404, 404, 200, 200, 200]],
  ['GET /users/bob/orgs/missing/permissions', undefined, [401, 404, 404, 404, 404, 404]],
]

test.each(matrix)('%s answers nobody, a stranger, the restricted, a member, an owner and the site administrator: %p → %p', async (line, body, statuses) => {
  const found = []
  for (const name of everyone) {
    if (isUsed) await fill()
    found.push((await ask(name, line, body)).status)
  }
  expect(found).toEqual(statuses)
})

test.each<[string, string[], number]>([
  ['GET /orgs', ['read:user'], 200],
  ['GET /orgs', ['read:organization'], 200],
  ['POST /orgs', ['read:organization'], 403],
  ['GET /orgs/acme', ['read:repository'], 403],
  ['PATCH /orgs/acme', ['read:organization'], 403],
  ['GET /user/orgs', ['read:user'], 403],
  ['GET /user/orgs', ['read:user', 'read:organization'], 200],
  ['GET /users/bob/orgs', ['read:user'], 403],
  ['GET /orgs/hidden', ['all', 'public-only'], 404],
  ['GET /orgs/hidden/repos', ['all', 'public-only'], 404],
])('%s with a token of %p: %p', async (line, scopes, status) => {
  expect((await forge.asUser(forge.token(who.ada as Person, ...scopes)).send(line)).status).toBe(status)
})

test('a token for public things lists no other organizations', async () => {
  const token = forge.token(who.ada as Person, 'all', 'public-only')
  for (const line of ['GET /orgs', 'GET /user/orgs', 'GET /users/ada/orgs'])
    expect((await forge.asUser(token).send<{ name: string }[]>(line)).body.map(({ name }) => name)).toEqual(['acme'])
})

test.each<[string, unknown]>([
  ['POST /orgs', {}],
  ['POST /orgs', { username: '' }],
  ['POST /orgs', { username: '../..' }],
  ['POST /orgs', { username: 'con' }],
  ['POST /orgs', { username: 'admin\0' }],
  ['POST /orgs', { username: 'ADA' }],
  ['POST /orgs', { username: 'acme' }],
  ['POST /orgs', { username: 'fresh', visibility: 'secret' }],
  ['POST /orgs', { username: 'fresh', email: 'none' }],
  ['POST /orgs', { username: 'fresh', website: 'javascript:alert(1)' }],
  ['PATCH /orgs/acme', { visibility: 'secret' }],
  ['PATCH /orgs/acme', { email: 'none' }],
  ['PATCH /orgs/acme', { website: 'ftp://x' }],
  ['PATCH /orgs/acme', { full_name: 'x'.repeat(101) }],
  ['POST /orgs/acme/rename', {}],
  ['POST /orgs/acme/rename', { new_name: 'bob' }],
  ['POST /orgs/acme/rename', { new_name: 'a/b' }],
  ['POST /orgs/acme/repos', { name: '..' }],
])('%s refuses %p and changes nothing', async (line, body) => {
  const before = forge.context.db.all('SELECT * FROM user')
  expect((await ask('ada', line, body)).status).toBe(422)
  expect(forge.context.db.all('SELECT * FROM user')).toEqual(before)
})

test('an edit changes what it names and answers with the record', async () => {
  const change = { full_name: 'Acme Ltd', email: '', description: 'd', website: 'https://acme.example', location: 'Köln', repo_admin_change_team_access: true }
  const { body } = await ask('ada', 'PATCH /orgs/acme', change)
  expect(body).toMatchObject({ ...change, name: 'acme', username: 'acme', visibility: 'public' })
  expect((await ask('bob', 'GET /orgs/acme')).body).toEqual(body)
  expect((await ask('ada', 'PATCH /orgs/acme', { visibility: '' })).body.visibility).toBe('public')
  await ask('ada', 'PATCH /orgs/acme', { visibility: 'private' })
  expect((await ask('dora', 'GET /orgs/acme')).status).toBe(404)
})

test('visitors do not see the address', async () => {
  expect((await ask('nobody', 'GET /orgs/acme')).body.email).toBe('')
  expect((await ask('dora', 'GET /orgs/acme')).body.email).toBe('org@example.org')
  expect((await ask<{ email: string }[]>('nobody', 'GET /orgs')).body.map(({ email }) => email)).toEqual([''])
})

test('who may not create organizations is told so', async () => {
  isUsed = true
  forge.context.db.tx((tx) => tx.update('user', (who.dora as Person).row.id, { allow_create_organization: 0 }))
  expect((await ask('dora', 'POST /orgs', { username: 'fresh' })).status).toBe(403)
})

test('after a rename the old name leads to the new one, for those who may see it', async () => {
  expect((await ask('ada', 'POST /orgs/hidden/rename', { new_name: 'secret' })).status).toBe(204)
  const moved = await ask('bob', 'GET /orgs/hidden/repos?page=1')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/api/v1/orgs/secret/repos?page=1'])
  expect((await ask('ada', 'POST /org/hidden/repos', { name: 'new' })).headers.get('location')).toBe('/api/v1/org/secret/repos')
  expect((await ask('dora', 'GET /orgs/hidden')).status).toBe(404)
  expect((await ask('dora', 'POST /orgs', { username: 'hidden' })).status).toBe(422)
})

test('an organization with repositories stays; without, it goes with its teams and its name stays reserved', async () => {
  await ask('ada', 'POST /orgs/acme/repos', { name: 'tool' })
  expect((await ask('ada', 'DELETE /orgs/acme')).status).toBe(422)
  expect((await ask('ada', 'DELETE /repos/acme/tool')).status).toBe(204)
  expect((await ask('ada', 'DELETE /orgs/acme')).status).toBe(204)
  expect((await ask('ada', 'GET /orgs/acme')).status).toBe(404)
  expect((await ask('ada', 'POST /orgs', { username: 'acme' })).status).toBe(422)
  const left = forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM team WHERE org_id NOT IN (SELECT id FROM organization)')
  expect(left?.n).toBe(0)
})

test('the last owner can neither be removed from the organization nor from its team of owners', async () => {
  const owners = (await ask<{ id: number; name: string }[]>('ada', 'GET /orgs/acme/teams')).body.find(({ name }) => name === 'Owners')
  expect((await ask('ada', 'DELETE /orgs/acme/members/ada')).status).toBe(422)
  expect((await ask('ada', `DELETE /teams/${owners?.id}/members/ada`)).status).toBe(422)
  expect((await ask('ada', `PUT /teams/${owners?.id}/members/bob`)).status).toBe(204)
  expect((await ask('bob', 'DELETE /orgs/acme/members/ada')).status).toBe(204)
  expect((await ask('bob', 'DELETE /orgs/acme/members/bob')).status).toBe(422)
  expect((await ask('ada', 'PATCH /orgs/acme', { description: 'mine' })).status).toBe(403)
})

test('others see the public memberships alone; the redirect leads to the right question', async () => {
  const names = async (name: string, line: string) => (await ask<{ login: string }[]>(name, line)).body.map(({ login }) => login)
  await ask('bob', 'PUT /orgs/acme/public_members/bob')
  expect(await names('dora', 'GET /orgs/acme/members')).toEqual(['bob'])
  expect(await names('bob', 'GET /orgs/acme/members')).toEqual(['ada', 'bob'])
  expect(await names('nobody', 'GET /orgs/acme/public_members')).toEqual(['bob'])
  const redirect = await ask('dora', 'GET /orgs/acme/members/bob')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([303, '/api/v1/orgs/acme/public_members/bob'])
  expect((await ask('dora', 'GET /orgs/acme/public_members/bob')).status).toBe(204)
  expect((await ask('dora', 'GET /orgs/acme/public_members/ada')).status).toBe(404)
  await ask('bob', 'DELETE /orgs/acme/public_members/bob')
  expect(await names('dora', 'GET /orgs/acme/members')).toEqual([])
})

test('a token for public things lists neither hidden members nor counts them', async () => {
  await ask('ada', 'PATCH /orgs/acme', { visibility: 'public' })
  const [owners] = (await ask<{ id: number }[]>('ada', 'GET /orgs/acme/teams')).body.slice(-1) as [{ id: number }]
  const shade = await forge.person('shade', { visibility: 'private' })
  await ask('root', `PUT /teams/${owners.id}/members/shade`)
  for (const line of ['GET /orgs/acme/members', `GET /teams/${owners.id}/members`]) {
    const names = async (as: Person | string) => {
      const { body, headers } = await forge.asUser(as).send<{ login: string }[]>(line)
      return [body.map(({ login }) => login).includes('shade'), Number(headers.get('x-total-count')) - body.length]
    }
    for (const as of [who.ada as Person, shade, who.root as Person]) {
      expect([line, await names(as)]).toEqual([line, [true, 0]])
      expect([line, await names(forge.token(as, 'all', 'public-only'))]).toEqual([line, [false, 0]])
    }
  }
})

test("a person's organizations are told to those who may know", async () => {
  const orgsOf = async (name: string, line = 'GET /users/bob/orgs') => (await ask<{ name: string }[]>(name, line)).body.map((org) => org.name)
  expect(await orgsOf('bob', 'GET /user/orgs')).toEqual(['acme', 'hidden', 'inner'])
  expect(await orgsOf('bob')).toEqual(['acme', 'hidden', 'inner'])
  expect(await orgsOf('ada')).toEqual(['acme', 'hidden', 'inner'])
  expect(await orgsOf('root')).toEqual(['acme', 'hidden', 'inner'])
  expect(await orgsOf('dora')).toEqual([])
  await ask('bob', 'PUT /orgs/acme/public_members/bob')
  await ask('bob', 'PUT /orgs/hidden/public_members/bob')
  expect(await orgsOf('dora')).toEqual(['acme'])
})

test('permissions in an organization follow from teams', async () => {
  const of = async (name: string) => (await ask('root', `GET /users/${name}/orgs/acme/permissions`)).body
  expect(await of('ada')).toEqual({ is_owner: true, is_admin: true, can_write: true, can_read: true, can_create_repository: true })
  expect(await of('bob')).toEqual({ is_owner: false, is_admin: false, can_write: true, can_read: true, can_create_repository: false })
  expect(await of('dora')).toEqual({ is_owner: false, is_admin: false, can_write: false, can_read: false, can_create_repository: false })
})

test('lists are paged, with totals', async () => {
  const reply = await ask<unknown[]>('ada', 'GET /orgs?limit=2')
  expect([reply.body.length, reply.headers.get('x-total-count')]).toEqual([2, '3'])
  expect(reply.headers.get('link')).toContain('page=2')
})

test('who leaves an organization with very many teams, or all organizations, is not looked for in each team that is left', async () => {
  isUsed = true
  const { db } = forge.context
  const person = who.bob as Person
  const crowd = () =>
    db.tx((tx) => {
      const { id: org_id } = tx.find<{ id: number }>("SELECT id FROM user WHERE name = 'acme'") as { id: number }
      const before = tx.find<{ n: number }>('SELECT count(*) AS n FROM team')?.n ?? 0
      for (let n = before; n < before + 30; n++) {
        const team_id = tx.insert('team', { org_id, name: `t${n}`, lower_name: `t${n}`, permission: 'read' })
        tx.insert('team_membership', { team_id, org_id, user_id: person.row.id })
      }
    })
  db.exec('CREATE TABLE looked (n INTEGER); CREATE TRIGGER looks AFTER UPDATE ON org_membership BEGIN INSERT INTO looked VALUES (1); END')
  const left = () =>
    db.find('SELECT (SELECT count(*) FROM org_membership WHERE user_id = ?1) + (SELECT count(*) FROM team_membership WHERE user_id = ?1) AS n', person.row.id)
  crowd()
  db.exec('DELETE FROM looked')
  expect((await ask('ada', 'DELETE /orgs/acme/members/bob')).status).toBe(204)
  expect([(await ask('ada', 'GET /orgs/acme/members/bob')).status, db.all('SELECT * FROM looked').length]).toEqual([404, 0])
  crowd()
  db.exec('DELETE FROM looked')
  db.tx((tx) => leaveOrgs(tx, person.row.id))
  expect([left(), db.all('SELECT * FROM looked').length]).toEqual([{ n: 0 }, 0])
})
