import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { UserRecord } from '#people/users/index.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'

const PASSWORD = 'correct horse'
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJHYoEb5h1Qpz8KcRmA1Sg2B4bGPLd4xyk0ixXHVbeQb desk'
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { db } = forge.context
const root = await forge.person('root1', { isAdmin: true })
const asRoot = forge.asUser(root)
const ada = await forge.person('ada', { password: PASSWORD })
const bob = await forge.person('bob')
const people = () => db.all<{ name: string }>('SELECT name FROM user ORDER BY id').map((row) => row.name)
const basic = (name: string, password: string) => ({ Authorization: `Basic ${btoa(`${name}:${password}`)}` })

const routes: [line: string, body: unknown, scopes: string][] = [
  ['GET /admin/users', undefined, 'read:user'],
  ['POST /admin/users', { username: 'eve', email: 'eve@example.org', password: PASSWORD }, 'read:admin'],
  ['PATCH /admin/users/bob', { source_id: 0, login_name: '', admin: true }, 'read:admin'],
  ['DELETE /admin/users/bob', undefined, 'write:user'],
  ['POST /admin/users/bob/keys', { title: 'desk', key: KEY }, 'write:user'],
  ['DELETE /admin/users/bob/keys/1', undefined, 'write:user'],
  ['POST /admin/users/bob/orgs', { username: 'acme' }, 'write:organization'],
  ['POST /admin/users/bob/repos', { name: 'thing' }, 'write:repository'],
  ['GET /admin/orgs', undefined, 'read:organization'],
  ['GET /admin/emails', undefined, 'read:user'],
  ['GET /admin/emails/search?q=ada', undefined, 'read:user'],
  ['GET /admin/users/ada/emails', undefined, 'read:user'],
  ['DELETE /admin/users/ada/emails', { emails: ['ada@example.org'] }, 'read:admin'],
  ['GET /admin/users/ada/tokens', undefined, 'read:user'],
  ['POST /admin/users/ada/tokens', { name: 'more', scopes: ['read:user'] }, 'read:admin'],
  ['DELETE /admin/users/ada/tokens/1', undefined, 'read:admin'],
  ['GET /admin/cron', undefined, 'read:user'],
  ['GET /admin/jobs', undefined, 'read:user'],
  ['POST /admin/jobs/1/retry', undefined, 'read:admin'],
  ['POST /admin/cron/git_gc_repos', undefined, 'read:admin'],
]

test.each(routes)('%s is for administrators alone, with a token for it, and changes nothing for others', async (line, body, scopes) => {
  const rows = () => ['user', 'repository', 'organization', 'public_key'].map((table) => db.all(`SELECT * FROM ${table}`))
  const then = rows()
  const replies = []
  for (const as of [undefined, ada, bob, forge.token(root, scopes)]) {
    const reply = await forge.asUser(as).send(line, { body })
    replies.push([reply.status, reply.body.message])
  }
  const forbidden = [403, 'Must be a site administrator.']
  expect(replies).toEqual([
    [401, 'token is required'],
    forbidden,
    forbidden,
    [403, expect.stringContaining('token does not have at least one of required scope(s)')],
  ])
  expect(rows()).toEqual(then)
})

test('a person is created as told, and must change the password unless told otherwise', async () => {
  const body = {
    username: 'Eve',
    email: 'Eve@example.org',
    password: PASSWORD,
    full_name: 'Eve E',
    restricted: true,
    visibility: 'limited',
    created_at: '2020-02-03T04:05:06Z',
    login_name: 'eve.e',
  }
  const made = await asRoot.post<UserRecord>('/admin/users', body)
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    login: 'Eve',
    email: 'Eve@example.org',
    full_name: 'Eve E',
    restricted: true,
    visibility: 'limited',
    created: '2020-02-03T04:05:06Z',
    login_name: 'eve.e',
    active: true,
    is_admin: false,
  })
  expect((await forge.get('/user', { headers: basic('eve', PASSWORD) })).status).toBe(403)
  const free = await asRoot.post('/admin/users', { username: 'fay', email: 'fay@example.org', password: PASSWORD, must_change_password: false })
  expect(free.status).toBe(201)
  expect((await forge.get('/user', { headers: basic('fay', PASSWORD) })).status).toBe(200)
  expect(JSON.stringify(db.find("SELECT * FROM user WHERE name = 'fay'"))).toContain('$argon2id$')
})

test('a person may be created without a password, and then none is theirs', async () => {
  expect((await asRoot.post('/admin/users', { username: 'gil', email: 'gil@example.org' })).status).toBe(201)
  expect((await forge.get('/user', { headers: basic('gil', '') })).status).toBe(401)
})

const person = (change: Record<string, unknown>) => ({ username: 'new', email: 'new@example.org', password: PASSWORD, ...change })
const badPeople: [name: string, body: unknown, status: number, message: string][] = [
  ['a taken name', person({ username: 'ADA' }), 422, 'user already exists [name: ADA]'],
  ['a taken address', person({ username: 'neu', email: 'ADA@example.org' }), 422, 'e-mail already in use [email: ADA@example.org]'],
  ['a reserved name', person({ username: 'assets' }), 422, 'name is reserved [name: assets]'],
  ['a path', person({ username: '../x' }), 422, 'name is invalid [../x]'],
  ['a Windows device', person({ username: 'nul' }), 422, 'name is reserved [name: nul]'],
  ['a name of 41 letters', person({ username: 'x'.repeat(41) }), 422, '[username]: Expected string length less or equal to 40'],
  ['a bad address', person({ username: 'neu', email: 'neu' }), 422, 'e-mail invalid [email: neu]'],
  ['addresses in a list', person({ username: 'neu', email: ['ada@example.org', 'x@example.org'] }), 422, '[email]: Expected string'],
  ['a short password', person({ username: 'neu', password: '1234567' }), 422, 'password must be at least 8 characters'],
  ['a password of two kilobytes', person({ username: 'neu', password: 'x'.repeat(2000) }), 422, '[password]: Expected string length less or equal to 1024'],
  ['an unknown visibility', person({ username: 'neu', visibility: 'secret' }), 422, '[visibility]: '],
  ['a date that is none', person({ username: 'neu', created_at: 'yesterday' }), 422, '[created_at]: '],
  ['an unknown source', person({ username: 'neu', source_id: 7 }), 422, 'login source does not exist [id: 7]'],
  ['a flag that is a text', person({ username: 'neu', restricted: 'yes' }), 422, '[restricted]: Expected boolean'],
  ['no body', undefined, 422, '['],
  ['a list', [], 422, '['],
]

test.each(badPeople)('%s creates nobody', async (_, body, status, message) => {
  const before = people()
  const reply = await asRoot.post('/admin/users', body)
  expect(reply.status).toBe(status)
  expect(reply.body.message).toStartWith(message)
  expect(people()).toEqual(before)
})

test('two requests for one name at once make one account', async () => {
  const replies = await Promise.all([1, 2, 3].map((n) => asRoot.post('/admin/users', person({ username: 'twin', email: `twin${n}@example.org` }))))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422])
})

const edit = (change: Record<string, unknown>) => ({ source_id: 0, login_name: '', ...change })
const row = (name: string) => db.find<Record<string, unknown>>('SELECT * FROM user WHERE lower_name = ?', name)

test('an edit changes what it names and leaves the rest', async () => {
  const before = row('bob')
  const { status, body } = await asRoot.patch<UserRecord>(
    '/admin/users/bob',
    edit({ full_name: 'Bob B', max_repo_creation: 3, visibility: '', restricted: true }),
  )
  expect([status, body.full_name, body.restricted, body.visibility]).toEqual([200, 'Bob B', true, 'public'])
  expect(row('bob')).toEqual({ ...before, full_name: 'Bob B', max_repo_creation: 3, is_restricted: 1, updated_at: expect.any(Number) })
  await asRoot.patch('/admin/users/bob', edit({ visibility: 'private' }))
  await asRoot.patch('/admin/users/bob', edit({ restricted: false }))
  expect(row('bob')).toMatchObject({ visibility: 'private', is_restricted: 0, full_name: 'Bob B' })
})

test('every member of EditUserOption takes effect, but those that stand for what does not exist here', async () => {
  const change = {
    source_id: 0,
    login_name: 'gil.g',
    email: 'gil@example.net',
    full_name: 'Gil G',
    must_change_password: true,
    website: 'https://gil.example',
    location: 'Here',
    description: 'Says nothing',
    pronouns: 'they/them',
    hide_email: true,
    active: false,
    admin: true,
    allow_git_hook: true,
    allow_import_local: true,
    max_repo_creation: 7,
    prohibit_login: true,
    allow_create_organization: false,
    restricted: true,
    visibility: 'limited',
  }
  await forge.person('gilbert')
  const { status, body } = await asRoot.patch('/admin/users/gilbert', change)
  const shown = { login_name: 'gil.g', email: 'gil@example.net', full_name: 'Gil G', website: 'https://gil.example', location: 'Here', pronouns: 'they/them' }
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      ...shown,
      active: false,
      is_admin: true,
      prohibit_login: true,
      restricted: true,
      visibility: 'limited',
      description: 'Says nothing',
    }),
  ])
  expect(row('gilbert')).toMatchObject({ must_change_password: 1, hide_email: 1, max_repo_creation: 7, allow_create_organization: 0 })
  await asRoot.patch('/admin/users/gilbert', { admin: false })
  expect(row('gilbert')).toMatchObject({ is_admin: 0, login_name: 'gil.g', pronouns: 'they/them' })
  expect((await asRoot.delete('/admin/users/gilbert')).status).toBe(204)
})

test('an account that is switched off is out at its next request, and back when it is on', async () => {
  for (const [change, status] of [
    [{ active: false }, 403],
    [{ active: true }, 200],
    [{ prohibit_login: true }, 403],
    [{ prohibit_login: false }, 200],
  ] as const) {
    await asRoot.patch('/admin/users/ada', edit(change))
    expect((await forge.asUser(ada).get('/user')).status).toBe(status)
    expect((await forge.get('/user', { headers: basic('ada', PASSWORD) })).status).toBe(status)
  }
})

test('a new address becomes the primary one, signs in, and the old one stays theirs', async () => {
  expect((await asRoot.patch('/admin/users/ada', edit({ email: 'lovelace@example.org' }))).body.email).toBe('lovelace@example.org')
  for (const name of ['lovelace@example.org', 'ada@example.org']) expect((await forge.get('/user', { headers: basic(name, PASSWORD) })).status).toBe(200)
  expect((await asRoot.post('/admin/users', person({ username: 'neu', email: 'ada@example.org' }))).status).toBe(422)
})

const badEdits: [name: string, of: string, body: unknown, status: number, message: string][] = [
  ['the address of another', 'bob', edit({ email: 'ada@example.org' }), 422, 'e-mail already in use [email: ada@example.org]'],
  ['a bad address', 'bob', edit({ email: 'x' }), 422, 'e-mail invalid [email: x]'],
  ['a short password', 'bob', edit({ password: 'short' }), 422, 'password must be at least 8 characters'],
  ['the last administrator', 'root1', edit({ admin: false }), 422, 'can not delete the last admin user'],
  ['nobody', 'nobody', edit({}), 404, 'user redirect does not exist [name: nobody]'],
  ['a source that is none', 'bob', edit({ source_id: 'x' }), 422, '[source_id]'],
  ['an unknown source', 'bob', edit({ source_id: 7 }), 422, 'login source does not exist [id: 7]'],
  ['long pronouns', 'bob', edit({ pronouns: 'x'.repeat(51) }), 422, '[pronouns]'],
  ['a script as website', 'bob', edit({ website: 'javascript:alert(1)' }), 422, '[Website]'],
  ['a limit below none', 'bob', edit({ max_repo_creation: -2 }), 422, '[max_repo_creation]'],
]

test.each(badEdits)('an edit with %s changes nothing', async (_, name, body, status, message) => {
  const before = row(name)
  const reply = await asRoot.patch(`/admin/users/${name}`, body)
  expect(reply.status).toBe(status)
  expect(reply.body.message).toStartWith(message)
  expect(row(name)).toEqual(before)
})

test('a key is kept for its owner, once', async () => {
  const made = await asRoot.post('/admin/users/bob/keys', { title: 'desk', key: `${KEY}\n`, read_only: true })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    title: 'desk',
    key: KEY,
    key_type: 'user',
    read_only: true,
    url: `http://localhost:3000/api/v1/user/keys/${made.body.id}`,
    user: { login: 'bob' },
  })
  expect(made.body.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
  const again = async (name: string, body: unknown) => (await asRoot.post(`/admin/users/${name}/keys`, body)).body.message
  expect(await again('ada', { title: 'other', key: KEY })).toBe('Key content has been used as non-deploy key')
  expect(await again('bob', { title: 'desk', key: KEY.replace('yk0ixXH', 'yk0ixXI') })).toBe('Key title has been used')
  expect(await again('bob', { title: 'x', key: 'ssh-ed25519 AAAA' })).toStartWith('Invalid key content: ')
  expect(await again('bob', { title: 'x', key: 'x'.repeat(20_000) })).toStartWith('[key]: ')
  expect((await asRoot.delete(`/admin/users/ada/keys/${made.body.id}`)).status).toBe(404)
  expect((await asRoot.delete(`/admin/users/bob/keys/${made.body.id}`)).status).toBe(204)
  for (const id of [made.body.id, 'x', '-1', '99999999999999999999']) expect((await asRoot.delete(`/admin/users/bob/keys/${id}`)).status).toBe(404)
})

test('an organization is created for its owner, in the one namespace of accounts', async () => {
  const body = { username: 'Acme', full_name: 'Acme Ltd', email: 'acme@example.org', visibility: 'limited', repo_admin_change_team_access: true }
  const made = await asRoot.post('/admin/users/ada/orgs', body)
  expect(made.status).toBe(201)
  expect(made.body).toEqual({ ...body, id: expect.any(Number), name: 'Acme', avatar_url: expect.any(String), description: '', website: '', location: '' })
  expect(db.all('SELECT user_id, is_owner FROM org_member WHERE org_id = ?', made.body.id as number)).toEqual([{ user_id: ada.row.id, is_owner: 1 }])
  const refused = async (line: string, more: unknown) => (await asRoot.send(line, { body: more })).body.message
  expect(await refused('POST /admin/users/ada/orgs', { username: 'acme' })).toBe('user already exists [name: acme]')
  expect(await refused('POST /admin/users/ada/orgs', { username: 'bob' })).toBe('user already exists [name: bob]')
  expect(await refused('POST /admin/users/ada/orgs', { username: '..' })).toStartWith('name is invalid')
  expect(await refused('POST /admin/users', person({ username: 'acme', email: 'other@example.org' }))).toBe('user already exists [name: acme]')
  expect(await refused('POST /admin/users/acme/orgs', { username: 'sub' })).toBe('Acme is an organization not a user')
  expect(await refused('PATCH /admin/users/acme', edit({ admin: true }))).toBe('Acme is an organization not a user')
  expect(await refused('DELETE /admin/users/acme', undefined)).toBe('Acme is an organization not a user')
})

test('a repository is created for a person or an organization', async () => {
  await asRoot.post('/admin/users/ada/orgs', { username: 'Mill' })
  const mine = await asRoot.post('/admin/users/ada/repos', { name: 'engine', private: true })
  expect([mine.status, mine.body.full_name]).toEqual([201, 'ada/engine'])
  const ours = await asRoot.post('/admin/users/mill/repos', { name: 'engine' })
  expect([ours.status, ours.body.full_name]).toEqual([201, 'Mill/engine'])
  expect((await forge.asUser(ada).get('/repos/mill/engine')).body.permissions).toEqual({ admin: true, push: true, pull: true })
  expect((await asRoot.post('/admin/users/ada/repos', { name: 'engine' })).status).toBe(409)
  expect((await asRoot.post('/admin/users/nobody/repos', { name: 'engine' })).status).toBe(404)
})

describe('people are found and sorted', () => {
  let own: TestForge
  beforeAll(async () => {
    own = testForge()
    await own.person('root1', { isAdmin: true })
    await own.person('ada', { email: 'lovelace@example.org' })
    await own.person('bob')
    const eve = { full_name: 'Eve E', restricted: true, visibility: 'limited', created_at: '2020-02-03T04:05:06Z', login_name: 'eve.e' }
    for (const [username, more] of Object.entries({ Eve: eve, fay: {}, gil: {}, twin: {} }))
      await own.asUser('root1').post('/admin/users', { username, email: `${username}@example.org`, ...more })
  })
  afterAll(() => own[Symbol.asyncDispose]())

  const lists: [query: string, names: string[]][] = [
    ['', ['ada', 'bob', 'Eve', 'fay', 'gil', 'root1', 'twin']],
    ['sort=id&order=desc&limit=2', ['twin', 'gil']],
    ['sort=created&limit=1', ['Eve']],
    ['sort=lastlogin&limit=1', ['ada']],
    ['sort=name&order=desc&limit=1', ['twin']],
    ['sort=oldest&limit=1', ['Eve']],
    ['sort=reversealphabetically&limit=2', ['twin', 'root1']],
    ['q=EVE', ['Eve']],
    ['q=lovelace', ['ada']],
    ['visibility=limited', ['Eve']],
    ['visibility=secret&limit=1', ['ada']],
    ['is_admin=true', ['root1']],
    ['is_admin=false&limit=1', ['ada']],
    ['is_restricted=true', ['Eve']],
    ['is_active=false', []],
    ['is_prohibit_login=true', []],
    ['is_2fa_enabled=true', []],
    ['is_2fa_enabled=false&limit=1', ['ada']],
    ['login_name=eve.e', ['Eve']],
    ['source_id=7', []],
    ['source_id=0&limit=1', ['ada']],
    ['page=4&limit=2', ['twin']],
  ]

  test.each(lists)('GET /admin/users?%s', async (query, names) => {
    const { status, body, headers } = await own.asUser('root1').get<UserRecord[]>(`/admin/users?${query}`)
    expect([status, body.map((user) => user.login)]).toEqual([200, names])
    expect(Number(headers.get('x-total-count'))).toBeGreaterThanOrEqual(names.length)
  })
})
