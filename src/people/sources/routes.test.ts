import { afterAll, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { certificate } from './certificate.fixture.ts'
import type { SourceRow } from './store.ts'

let forge: TestForge
let root: Person
beforeEach(async () => {
  await forge?.[Symbol.asyncDispose]()
  forge = testForge()
  root = await forge.person('root1', { isAdmin: true })
})
afterAll(() => forge?.[Symbol.asyncDispose]())

const directory = {
  host: 'ldap.example.org',
  user_search_base: 'ou=people,dc=example,dc=org',
  user_filter: '(uid=%s)',
  email_attribute: 'mail',
  bind_dn: 'cn=reader',
  bind_password: 'canary in the mine',
}
const corp = { type: 'ldap', name: 'Corp', ldap: directory }
type Source = { id: number } & Record<string, unknown>
const add = (body: unknown) => forge.asUser(root).post<Source>('/admin/auths', body)
const edit = (id: number, body: unknown) => forge.asUser(root).patch<Source>(`/admin/auths/${id}`, body)
const rows = () => forge.context.db.all<SourceRow>('SELECT * FROM login_source')

test('a source is made, listed, read, changed and deleted', async () => {
  const made = await add(corp)
  expect([made.status, made.body]).toMatchObject([201, { type: 'ldap', name: 'Corp', is_active: true, is_sync_enabled: false, users_count: 0 }])
  expect(made.body.ldap).toMatchObject({ host: 'ldap.example.org', security_protocol: 'ldaps', page_size: 500 })
  const path = `/admin/auths/${made.body.id}`
  expect((await forge.asUser(root).get(path)).body).toEqual(made.body)
  const changed = await edit(made.body.id, { name: 'Company', is_sync_enabled: true, skip_local_2fa: true, ldap: { port: 3890, user_filter: '(uid=%[1]s)' } })
  const ldap = { host: 'ldap.example.org', port: 3890, user_filter: '(uid=%[1]s)' }
  expect(changed.body).toMatchObject({ name: 'Company', is_sync_enabled: true, skip_local_2fa: true, ldap })
  const listed = await forge.asUser(root).get<Source[]>('/admin/auths?limit=1')
  expect([listed.headers.get('x-total-count'), listed.body]).toEqual(['1', [changed.body]])
  expect((await forge.asUser(root).delete(path)).status).toBe(204)
  expect((await forge.asUser(root).get(path)).status).toBe(404)
})

test('secrets are encrypted in the store, never given back, and stay when others are changed', async () => {
  const { body } = await add(corp)
  await add({ type: 'oauth2', name: 'hub', oauth2: { provider: 'github', client_id: 'x', client_secret: 'canary in the mine' } })
  const answers = [body, (await edit(body.id, { ldap: { port: 1 } })).body, (await forge.asUser(root).get('/admin/auths')).body]
  expect(JSON.stringify(answers)).not.toContain('canary')
  expect(Buffer.from(forge.context.db.serialize()).includes('canary')).toBe(false)
  const sealed = rows()[0]?.config ?? ''
  expect(JSON.parse(forge.context.secrets.open(sealed, 'login source'))).toMatchObject({ bind_password: 'canary in the mine', port: 1 })
})

test('settings whose key is lost are not shown, and can be given anew', async () => {
  const { body } = await add(corp)
  rmSync(join(forge.context.config.dataPath, 'secret.key'))
  forge.context.secrets = new (Object.getPrototypeOf(forge.context.secrets).constructor)(forge.context.config.dataPath)
  const { ldap: _, ...rest } = body
  expect((await forge.asUser(root).get(`/admin/auths/${body.id}`)).body).toEqual(rest)
  expect((await forge.asUser(root).post(`/admin/auths/${body.id}/test`, {})).status).toBe(422)
  expect((await edit(body.id, { ldap: directory })).body).toMatchObject({ ldap: { host: 'ldap.example.org' } })
})

test.each<[unknown, string]>([
  [{ ...corp, ldap: { ...directory, host: '' } }, '[ldap.host]'],
  [{ ...corp, ldap: { ...directory, host: 'a b' } }, '[ldap.host]'],
  [{ ...corp, ldap: { ...directory, user_search_base: '' } }, '[ldap.user_search_base]'],
  [{ ...corp, ldap: { ...directory, user_filter: '(uid=ada)' } }, '[ldap.user_filter]'],
  [{ ...corp, ldap: { ...directory, user_filter: '(uid=%s' } }, '[ldap.user_filter]'],
  [{ ...corp, ldap: { ...directory, admin_filter: 'x)(' } }, '[ldap.admin_filter]'],
  [{ ...corp, ldap: { ...directory, email_attribute: '' } }, '[ldap.email_attribute]'],
  [{ ...corp, ldap: { ...directory, username_attribute: 'uid=*)(x' } }, '[ldap.username_attribute]'],
  [{ ...corp, ldap: { ...directory, user_dn: 'uid=ada' } }, '[ldap.user_dn]'],
  [{ ...corp, ldap: { ...directory, tls_ca: 'x' } }, '[ldap.tls_ca]'],
  [{ ...corp, ldap: { ...directory, group_team_map: '[]' } }, '[GroupTeamMap]'],
  [{ ...corp, ldap: { ...directory, enable_groups: true, group_filter: '(cn=x)' } }, '[ldap.group_search_base_dn]'],
  [{ ...corp, smtp: { host: 'x' } }, '[smtp]: invalid authentication type. expected: ldap, actual: smtp'],
  [{ ...corp, name: ' ' }, '[name]'],
  [{ type: 'smtp', name: 'm', smtp: {} }, '[smtp.host]'],
  [{ type: 'smtp', name: 'm', smtp: { host: 'm', helo_hostname: 'a\r\nRCPT' } }, '[smtp.helo_hostname]'],
  [{ type: 'smtp', name: 'm', is_sync_enabled: true, smtp: { host: 'm' } }, '[is_sync_enabled]'],
  [{ type: 'pam', name: 'p' }, '[pam.service_name]'],
  [{ type: 'pam', name: 'p', pam: { service_name: '../shadow' } }, '[pam.service_name]'],
  [{ type: 'oauth2', name: 'o', oauth2: { client_id: 'x', discovery_url: 'ftp://x' } }, '[oauth2.discovery_url]'],
  [{ type: 'saml', name: 's' }, ''],
])('%j is refused', async (body, message) => {
  const reply = await add(body)
  expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining(message)])
  expect(rows()).toEqual([])
})

test('names are used once, in any case', async () => {
  const { body } = await add(corp)
  const other = await add({ type: 'pam', name: 'other', pam: { service_name: 'login' } })
  for (const reply of [await add({ ...corp, name: 'CORP' }), await edit(other.body.id, { name: ' corp' })]) {
    expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining('login source already exists')])
  }
  expect((await edit(body.id, { name: 'corp' })).body.name).toBe('corp')
})

test('a source of another kind is not edited', async () => {
  const { body } = await add(corp)
  const reply = await edit(body.id, { pam: { service_name: 'login' } })
  expect([reply.status, reply.body.message]).toEqual([422, '[pam]: invalid authentication type. expected: ldap, actual: pam'])
})

test('a certificate of an authority is taken', async () => {
  expect((await add({ ...corp, ldap: { ...directory, tls_ca: certificate } })).status).toBe(201)
})

test('while accounts sign in there a source stays', async () => {
  const { body } = await add(corp)
  const made = await forge.asUser(root).post('/admin/users', { username: 'ada', email: 'ada@example.org', source_id: body.id, password: 'x' })
  expect([made.status, made.body]).toMatchObject([201, { login: 'ada', source_id: body.id, login_name: 'ada' }])
  const refused = await forge.asUser(root).delete(`/admin/auths/${body.id}`)
  expect([refused.status, refused.body.message]).toEqual([409, 'Cannot delete the authentication source: 1 account uses it'])
  expect((await forge.asUser(root).get<Source>(`/admin/auths/${body.id}`)).body.users_count).toBe(1)
  await forge.asUser(root).delete('/admin/users/ada')
  expect((await forge.asUser(root).delete(`/admin/auths/${body.id}`)).status).toBe(204)
})

test('an account is given to a source, called something else there, and taken back', async () => {
  const { body } = await add(corp)
  const ada = await forge.person('ada', { password: 'correct horse' })
  const patch = async (change: object) => (await forge.asUser(root).patch('/admin/users/ada', { source_id: 0, login_name: '', ...change })).body
  expect(await patch({ source_id: body.id })).toMatchObject({ source_id: body.id, login_name: 'ada' })
  expect(await patch({ login_name: 'alove' })).toMatchObject({ source_id: body.id, login_name: 'alove' })
  expect(await patch({ full_name: 'Ada' })).toMatchObject({ source_id: body.id, login_name: 'alove', full_name: 'Ada' })
  expect((await forge.asUser(root).get<unknown[]>(`/admin/users?source_id=${body.id}`)).body).toHaveLength(1)
  expect(await patch({ password: 'another horse' })).toMatchObject({ message: expect.stringContaining('[password]') })
  const own = await forge.post('/user/password', { password: 'another horse' }, { headers: { Authorization: `Basic ${btoa('ada:correct horse')}` } })
  expect(own.status).toBe(401)
  expect((await forge.asUser(ada).get('/user')).status).toBe(200)
  expect(await patch({ source_id: -1, password: 'another horse' })).toMatchObject({ source_id: 0 })
  expect((await forge.get('/user', { headers: { Authorization: `Basic ${btoa('ada:another horse')}` } })).status).toBe(200)
})

test('two accounts are not called the same at one source, and a source must be there', async () => {
  const { body } = await add(corp)
  const create = (username: string, more: object) =>
    forge.asUser(root).post('/admin/users', { username, email: `${username}@example.org`, source_id: body.id, ...more })
  expect((await create('ada', { login_name: 'alove' })).status).toBe(201)
  const twice = await create('bob', { login_name: 'alove' })
  expect([twice.status, twice.body.message]).toEqual([422, `login name is in use already [source: ${body.id}, name: alove]`])
  expect((await create('bob', { source_id: 99 })).body.message).toBe('login source does not exist [id: 99]')
  expect((await create('carl', {})).status).toBe(201)
  const taken = await forge.asUser(root).patch('/admin/users/carl', { source_id: body.id, login_name: 'alove' })
  expect(taken.status).toBe(422)
})

test('what anybody but a site administrator asks is refused', async () => {
  const { body } = await add(corp)
  const ada = await forge.person('ada')
  for (const line of [
    'GET /admin/auths',
    'POST /admin/auths',
    `GET /admin/auths/${body.id}`,
    `DELETE /admin/auths/${body.id}`,
    `POST /admin/auths/${body.id}/test`,
  ]) {
    const send = line.startsWith('POST') ? corp : undefined
    expect([(await forge.send(line, { body: send })).status, (await forge.asUser(ada).send(line, { body: send })).status]).toEqual([401, 403])
  }
})

test('an OpenID provider is asked what it says of itself, to see whether it can be', async () => {
  const answers: Record<string, unknown> = {}
  using site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(answers) })
  const issuer = `http://127.0.0.1:${site.port}`
  Object.assign(answers, { issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/k` })
  const { body } = await add({ type: 'oauth2', name: 'op', oauth2: { client_id: 'x', discovery_url: issuer } })
  const probe = async () => (await forge.asUser(root).post(`/admin/auths/${body.id}/test`, {})).body
  expect(await probe()).toEqual({ ok: true, message: `Connected to ${issuer}.` })
  answers.issuer = 'https://other.example'
  expect(await probe()).toMatchObject({ ok: false, message: expect.stringContaining('belongs to another issuer') })
})

test.each([
  [{ provider: 'openidConnect' }, '[oauth2.discovery_url]'],
  [{ provider: 'gitea', use_custom_urls: true, auth_url: 'https://x.example/a' }, '[oauth2.token_url]'],
  [{ provider: 'github', admin_group: 'root' }, '[oauth2.group_claim_name]'],
  [{ provider: 'github', required_claim_value: 'x' }, '[oauth2.required_claim_name]'],
  [{ provider: 'github', icon_url: 'https://x.example/i.png' }, '[oauth2.icon_url]'],
  [{ provider: 'github', tls_ca: 'x' }, '[oauth2.tls_ca]'],
  [{ provider: 'openidConnect', discovery_url: 'https://a:b@x.example' }, '[oauth2.discovery_url]'],
  [{ provider: 'openidConnect', discovery_url: 'https://x.example/{other}' }, '[oauth2.discovery_url]'],
])('%j is refused, with the member that is wrong', async (oauth2, message) => {
  const { status, body } = await add({ type: 'oauth2', name: 'o', oauth2: { client_id: 'x', ...oauth2 } })
  expect([status, String(body.message).startsWith(message)]).toEqual([422, true])
})
