import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { ConfigInput } from '#config.ts'
import { turns } from '../../../test/eventually.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import type { LdapConfig } from './config.ts'
import { hasSlapd, type Slapd, startSlapd, suffix } from './ldap/slapd.fixture.ts'
import { putSource } from './sources.fixture.ts'

/** Programs beside the tests take their time on a busy machine. */
setDefaultTimeout(30_000)

describe.skipIf(!hasSlapd)('with slapd,', () => {
  let slapd: Slapd
  let forge: TestForge
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJHYoEb5h1Qpz8KcRmA1Sg2B4bGPLd4xyk0ixXHVbeQb'
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  beforeAll(async () => {
    slapd = await startSlapd()
    await slapd.person('grace', { givenName: 'Grace', sn: 'Hopper', sshPublicKey: [key, 'no key'], jpegPhoto: png, employeeType: 'boss' })
    await slapd.person('eve', { mail: 'root1@example.org' })
    await slapd.person('api')
    await slapd.person('mallory', { description: 'grace' })
    await slapd.group('devs', 'grace')
  })
  afterAll(() => slapd?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await open()
  })
  afterAll(() => forge?.[Symbol.asyncDispose]())

  async function open(settings: ConfigInput = {}) {
    await forge?.[Symbol.asyncDispose]()
    forge = testForge(settings)
    await forge.person('root1', { isAdmin: true, password: 'correct horse' })
  }
  const put = (more: Partial<LdapConfig> = {}, name = 'corp') => putSource(forge.context, 'ldap', { ...slapd.config, ...more }, { name })
  const basic = (name: string, password: string) => ({ Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` })
  const enter = (name: string, password = `${name} password`) => forge.get('/user', { headers: basic(name, password) })
  const count = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM user')?.n

  test('who comes first gets an account, with a picture and keys, and no mail; who comes again has it', async () => {
    const id = put({ avatar_attribute: 'jpegPhoto', public_ssh_key_attribute: 'sshPublicKey' })
    const first = await enter('grace')
    expect([first.status, first.body]).toMatchObject([
      200,
      { login: 'grace', full_name: 'Grace Hopper', email: 'grace@corp.example', source_id: id, login_name: 'grace' },
    ])
    expect(first.body.avatar_url).toContain('.png')
    const keys = await forge.get<{ key: string; id: number }[]>('/user/keys', { headers: basic('grace', 'grace password') })
    expect(keys.body).toMatchObject([{ key, title: expect.stringContaining('corp-') }])
    const refused = await forge.delete(`/user/keys/${keys.body[0]?.id}`, undefined, { headers: basic('grace', 'grace password') })
    expect([refused.status, refused.body.message]).toEqual([403, 'SSH Key is externally managed for this user'])
    expect((await enter('GRACE', 'grace password')).body.id).toBe(first.body.id)
    expect(forge.context.db.find('SELECT count(*) AS n FROM mail')).toEqual({ n: 0 })
  })

  test('who signs in elsewhere from now on has the keys as their own', async () => {
    put({ public_ssh_key_attribute: 'sshPublicKey' })
    await enter('grace')
    const [held] = forge.context.db.all<{ id: number; source_id: number }>('SELECT id, source_id FROM public_key')
    expect(held?.source_id).toBe(1)
    await forge.asUser('root1').patch('/admin/users/grace', { source_id: -1, password: 'correct horse' })
    expect((await forge.delete(`/user/keys/${held?.id}`, undefined, { headers: basic('grace', 'correct horse') })).status).toBe(204)
  })

  test('by their address too, once they have an account', async () => {
    put()
    expect((await enter('grace@corp.example', 'grace password')).status).toBe(401)
    await enter('grace')
    expect((await enter('grace@corp.example', 'grace password')).body.login).toBe('grace')
  })

  test('a wrong password, an empty one and an unknown name answer the same, and make no account', async () => {
    put()
    const answers = [await enter('grace', 'wrong'), await enter('grace', ''), await enter('missing'), await enter('root1', 'wrong')]
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`))).toHaveLength(1)
    expect([answers[0]?.status, count()]).toEqual([401, 1])
  })

  test('an account here is not taken over, by its name or by its address, and its own password still lets in', async () => {
    put()
    await slapd.person('root1', { mail: 'other@corp.example' })
    expect((await enter('root1')).status).toBe(401)
    const eve = await enter('eve')
    expect([eve.status, eve.body.message]).toEqual([403, expect.stringContaining('the email address root1@example.org is already used')])
    expect((await enter('api')).status).toBe(403)
    expect([(await enter('root1', 'correct horse')).status, count()]).toEqual([200, 1])
  })

  test("an account of one source does not sign in through another one, under the same name and with that one's password", async () => {
    const search = `ou=others,${suffix}`
    await slapd.as.add(search, { objectClass: 'organizationalUnit', ou: 'others' })
    await slapd.as.add(`uid=grace,${search}`, {
      objectClass: 'inetOrgPerson',
      uid: 'grace',
      cn: 'grace',
      sn: 'grace',
      mail: 'g@other.example',
      userPassword: 'another password',
    })
    put()
    put({ user_search_base: search }, 'other')
    expect((await enter('grace')).status).toBe(200)
    expect((await enter('grace', 'another password')).status).toBe(401)
    await slapd.as.modifyDN(`uid=grace,ou=people,${suffix}`, 'uid=gone')
    expect((await enter('grace', 'another password')).status).toBe(401)
    await slapd.as.modifyDN(`uid=gone,ou=people,${suffix}`, 'uid=grace')
    expect(count()).toBe(2)
  })

  test('sources are asked in their order, and one that cannot be asked holds nobody up', async () => {
    putSource(forge.context, 'ldap', { ...slapd.config, port: 1 }, { name: 'down' })
    putSource(forge.context, 'ldap', { ...slapd.config, user_filter: '(&(uid=%s)(cn=nobody))' }, { name: 'empty' })
    const id = put()
    expect((await enter('grace')).body.source_id).toBe(id)
  })

  test('two first sign-ins at once come to one account', async () => {
    put({ avatar_attribute: 'jpegPhoto', public_ssh_key_attribute: 'sshPublicKey' })
    const answers = await Promise.all(['grace', 'Grace', 'GRACE', 'gRACE'].map((name) => enter(name, 'grace password')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([new Set(answers.map(({ body }) => body.id)).size, count()]).toEqual([1, 2])
  })

  test('a source that is put out of use lets nobody in from then on, and neither does one that is deleted meanwhile', async () => {
    const id = put()
    expect((await enter('grace')).status).toBe(200)
    await forge.asUser('root1').patch(`/admin/auths/${id}`, { is_active: false })
    expect((await enter('grace')).status).toBe(401)
    await forge.asUser('root1').patch(`/admin/auths/${id}`, { is_active: true })
    expect((await enter('grace')).status).toBe(200)
    const doomed = putSource(forge.context, 'ldap', { ...slapd.config, user_filter: '(uid=%s)' }, { name: 'doomed' })
    forge.context.db.tx((tx) => tx.update('login_source', id, { is_active: 0 }))
    const asked = enter('mallory')
    await turns()
    expect((await forge.asUser('root1').delete(`/admin/auths/${doomed}`)).status).toBe(204)
    expect([401, 403]).toContain((await asked).status)
    expect(count()).toBe(2)
  })

  test('whoever an administrator barred stays out, and what the directory says waits until they may come in', async () => {
    put({ admin_filter: '(employeeType=boss)' })
    await enter('grace')
    for (const change of [{ active: false }, { active: true, prohibit_login: true }]) {
      await forge.asUser('root1').patch('/admin/users/grace', { ...change, admin: false })
      expect((await enter('grace')).status).toBe(403)
      expect(forge.context.db.find("SELECT is_admin FROM user WHERE name = 'grace'")).toEqual({ is_admin: 0 })
    }
    await forge.asUser('root1').patch('/admin/users/grace', { active: true, prohibit_login: false })
    forge.context.db.tx((tx) => tx.run('UPDATE login_source SET updated_at = updated_at + 1'))
    expect((await enter('grace')).body.is_admin).toBe(true)
  })

  test('whom a filter finds by another name than the account has is somebody else', async () => {
    put({ user_filter: '(|(uid=%s)(description=%s))' })
    await enter('mallory')
    await forge.asUser('root1').post('/admin/users', { username: 'grace', email: 'g@example.org', source_id: 1, login_name: 'grace' })
    await slapd.as.modifyDN(`uid=grace,ou=people,${suffix}`, 'uid=gone')
    expect((await enter('grace', 'mallory password')).status).toBe(401)
    await slapd.as.modifyDN(`uid=gone,ou=people,${suffix}`, 'uid=grace')
  })

  test('groups lead into teams', async () => {
    await forge.asUser('root1').post('/orgs', { username: 'acme' })
    await forge.asUser('root1').post('/orgs/acme/teams', { name: 'dev', permission: 'read', units: ['repo.code'] })
    put({
      enable_groups: true,
      group_search_base_dn: `ou=groups,${suffix}`,
      group_member_attribute: 'member',
      group_filter: '(objectClass=groupOfNames)',
      group_team_map: JSON.stringify({ [`CN=devs, ou=groups, ${suffix.toUpperCase()}`]: { acme: ['dev'] } }),
    })
    const headers = basic('grace', 'grace password')
    expect((await forge.get<{ name: string }[]>('/user/teams', { headers })).body.map(({ name }) => name)).toEqual(['dev'])
  })

  test('their password cannot be changed here', async () => {
    put()
    const reply = await forge.post('/user/password', { password: 'another password' }, { headers: basic('grace', 'grace password') })
    expect([reply.status, reply.body.message]).toEqual([403, expect.stringContaining('signs in through an external authentication source')])
  })

  test('guesses are throttled as for accounts here', async () => {
    await open({ security: { SIGN_IN_FAILURES: 3 } })
    put()
    for (let i = 0; i < 3; i++) expect((await enter('grace', `guess ${i}`)).status).toBe(401)
    expect((await enter('grace', 'guess 4')).status).toBe(429)
  })

  test('a source is tried out without making an account', async () => {
    const id = put()
    const attempt = async (body: object) => (await forge.asUser('root1').post(`/admin/auths/${id}/test`, body)).body
    expect(await attempt({})).toEqual({ ok: true, message: 'Connected to the server and found user_search_base.' })
    expect(await attempt({ username: 'grace', password: 'grace password' })).toMatchObject({
      ok: true,
      user: { login_name: 'grace', full_name: 'Grace Hopper' },
    })
    expect(await attempt({ username: 'grace', password: 'wrong' })).toMatchObject({ ok: false })
    await forge.asUser('root1').patch(`/admin/auths/${id}`, { ldap: { port: 1 } })
    expect(await attempt({})).toMatchObject({ ok: false, message: expect.stringContaining('Cannot connect to') })
    expect(count()).toBe(1)
  })
})
