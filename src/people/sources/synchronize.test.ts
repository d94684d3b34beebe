import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { ConfigInput } from '#config.ts'
import { eventually } from '../../../test/eventually.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import type { LdapConfig } from './config.ts'
import { hasSlapd, type Slapd, startSlapd, suffix } from './ldap/slapd.fixture.ts'
import { putSource } from './sources.fixture.ts'
import { synchronize } from './synchronize.ts'

/** Programs beside the tests take their time on a busy machine. */
setDefaultTimeout(30_000)

describe.skipIf(!hasSlapd)('with slapd,', () => {
  let slapd: Slapd
  let forge: TestForge
  const logged: string[] = []
  const people = ['ada', 'bob', 'cleo', 'dora']
  const dnOf = (uid: string) => `uid=${uid},ou=people,${suffix}`
  beforeAll(async () => {
    slapd = await startSlapd()
    await slapd.group('devs', 'ada', 'bob')
  })
  afterAll(() => slapd?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const uid of people) await slapd.person(uid, { givenName: uid, sn: 'Person' })
    await open()
  })
  afterEach(async () => {
    await forge[Symbol.asyncDispose]()
    const { searchEntries } = await slapd.as.search(`ou=people,${suffix}`, { scope: 'one', attributes: ['1.1'] })
    for (const { dn } of searchEntries) await slapd.as.del(dn)
  })

  async function open(settings: ConfigInput = {}) {
    const note = (message: string) => void logged.push(message)
    const log = { debug: note, info: note, warn: note, error: note }
    logged.length = 0
    forge = testForge(settings, { log: log as never })
    await forge.person('root1', { isAdmin: true })
  }
  const put = (more: Partial<LdapConfig> = {}) => putSource(forge.context, 'ldap', { ...slapd.config, ...more }, { sync: true })
  const run = () => synchronize(forge.context)
  const set = (id: number, more: Partial<LdapConfig>) => forge.asUser('root1').patch(`/admin/auths/${id}`, { ldap: more })
  const accounts = () =>
    forge.context.db.all<{ name: string }>('SELECT name FROM user WHERE login_source <> 0 AND is_active = 1 ORDER BY name').map(({ name }) => name)
  const row = (name: string) => forge.context.db.find<Record<string, unknown>>('SELECT * FROM user WHERE name = ?', name)

  test.each([0, 1, 2, 500])('in pages of %d, everybody gets an account and keeps it', async (page_size) => {
    const id = put({ page_size })
    await run()
    expect(accounts()).toEqual(people)
    expect(row('ada')).toMatchObject({ login_source: id, login_name: 'ada', full_name: 'ada Person', email: 'ada@corp.example', password_hash: '' })
    await run()
    expect(accounts()).toEqual(people)
  })

  test('who is gone becomes inactive, with all they have, and active when they are back', async () => {
    put()
    await run()
    await slapd.as.del(dnOf('bob'))
    await run()
    expect([accounts(), row('bob')?.is_active]).toEqual([['ada', 'cleo', 'dora'], 0])
    await slapd.person('bob')
    await run()
    expect(accounts()).toEqual(people)
  })

  test('whom an administrator made inactive stays so, whatever the directory says and whenever they said it', async () => {
    put()
    await run()
    const deactivate = (name: string) => forge.asUser('root1').patch(`/admin/users/${name}`, { active: false })
    await deactivate('ada')
    await slapd.as.del(dnOf('bob'))
    await run()
    await deactivate('bob')
    await slapd.person('bob')
    await run()
    expect(accounts()).toEqual(['cleo', 'dora'])
  })

  test('everybody is found where the filter has the name as %[1]s', async () => {
    put({ user_filter: '(&(objectClass=inetOrgPerson)(|(uid=%[1]s)(mail=%[1]s)))' })
    await run()
    expect(accounts()).toEqual(people)
  })

  const failures: [string, Partial<LdapConfig>][] = [
    ['is not reached', { port: 1 }],
    ['does not let the searcher in', { bind_password: 'wrong' }],
    ['is searched where nothing is', { user_search_base: `ou=nowhere,${suffix}` }],
    ['finds nobody', { user_filter: '(&(uid=%s)(cn=nobody))' }],
    ['shows a part of the people', { bind_dn: `cn=limited,${suffix}`, bind_password: 'limited password', page_size: 0 }],
    ['shows some pages of them', { bind_dn: `cn=limited,${suffix}`, bind_password: 'limited password', page_size: 1 }],
  ]
  test.each(failures)('a directory that %s makes nobody inactive', async (_, more) => {
    const id = put()
    await run()
    await set(id, more)
    await run()
    expect([accounts(), logged.length]).toEqual([people, 1])
  })

  test('all of them become inactive where the source is set up so', async () => {
    const id = put()
    await run()
    await set(id, { user_filter: '(&(uid=%s)(cn=nobody))', allow_deactivate_all: true })
    await run()
    expect(accounts()).toEqual([])
  })

  test('the last administrator stays active, and stays one', async () => {
    const id = put({ admin_filter: '(uid=ada)' })
    await run()
    expect(row('ada')?.is_admin).toBe(1)
    await set(id, { admin_filter: '(uid=nobody)' })
    forge.context.db.tx((tx) => tx.run("UPDATE user SET is_admin = 0 WHERE name = 'root1'"))
    await run()
    expect(row('ada')).toMatchObject({ is_admin: 1, is_active: 1 })
    await slapd.as.del(dnOf('ada'))
    await run()
    expect(row('ada')).toMatchObject({ is_admin: 1, is_active: 1 })
  })

  test('names, addresses and rights follow the directory, but no address of somebody else', async () => {
    put({ restricted_filter: '(description=guest)' })
    await run()
    for (const uid of ['ada', 'bob']) await slapd.as.del(dnOf(uid))
    await slapd.person('ada', { givenName: 'Augusta', sn: 'King', mail: 'king@corp.example', description: 'guest' })
    await slapd.person('bob', { mail: 'root1@example.org' })
    await run()
    expect(row('ada')).toMatchObject({ full_name: 'Augusta King', email: 'king@corp.example', is_restricted: 1 })
    expect(row('bob')).toMatchObject({ email: 'bob@corp.example' })
    expect(row('root1')).toMatchObject({ email: 'root1@example.org' })
  })

  test('where existing accounts are not to be brought up to date, only who comes and goes counts', async () => {
    await forge[Symbol.asyncDispose]()
    await open({ 'cron.sync_external_users': { UPDATE_EXISTING: false } })
    put()
    await run()
    await slapd.as.del(dnOf('ada'))
    await slapd.as.del(dnOf('bob'))
    await slapd.person('ada', { givenName: 'Augusta' })
    await run()
    expect([accounts(), row('ada')?.full_name]).toEqual([['ada', 'cleo', 'dora'], 'ada Person'])
  })

  test('without an attribute for names people are known by their address, and none is made', async () => {
    const id = put({ username_attribute: '' })
    await forge.asUser('root1').post('/admin/users', { username: 'augusta', email: 'ADA@corp.example', source_id: id, login_name: 'ada' })
    await forge.asUser('root1').post('/admin/users', { username: 'gone', email: 'gone@corp.example', source_id: id })
    await run()
    expect([accounts(), row('augusta')?.full_name, row('gone')?.is_active]).toEqual([['augusta'], 'ada Person', 0])
  })

  test('the group filter holds here too: who is in no group gets no account, and loses it', async () => {
    const id = put()
    await run()
    await set(id, {
      enable_groups: true,
      group_search_base_dn: `ou=groups,${suffix}`,
      group_member_attribute: 'member',
      group_filter: '(cn=devs)',
    })
    await run()
    expect(accounts()).toEqual(['ada', 'bob'])
    await set(id, { group_filter: '' })
    await run()
    expect(accounts()).toEqual(people)
  })

  test('somebody who signs in meanwhile has one account, which stays active', async () => {
    put({ page_size: 1 })
    const headers = { Authorization: `Basic ${btoa('dora:dora password')}` }
    const [, ...answers] = await Promise.all([run(), forge.get('/user', { headers }), forge.get('/user', { headers })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(accounts()).toEqual(people)
  })

  test('keys, pictures and an account here of the same name', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJHYoEb5h1Qpz8KcRmA1Sg2B4bGPLd4xyk0ixXHVbeQb'
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await forge.person('bob')
    await slapd.as.del(dnOf('ada'))
    await slapd.person('ada', { sshPublicKey: [key], jpegPhoto: Buffer.from(png, 'base64') })
    put({ public_ssh_key_attribute: 'sshPublicKey', avatar_attribute: 'jpegPhoto' })
    await run()
    expect(accounts()).toEqual(['ada', 'cleo', 'dora'])
    const keys = () => forge.context.db.all<{ content: string }>('SELECT content FROM public_key').map(({ content }) => content)
    const avatar = row('ada')?.avatar
    expect([keys(), avatar]).toEqual([[key], expect.stringMatching(/\.png$/)])
    await run()
    expect(row('ada')?.avatar).toBe(avatar)
    await slapd.as.del(dnOf('ada'))
    await slapd.person('ada')
    await run()
    expect(keys()).toEqual([])
  })

  test('administrators start it, and it is listed with when it runs', async () => {
    const { startSync } = await import('./start-sync.ts')
    put()
    await startSync(forge.context)
    expect((await forge.asUser('root1').get<{ name: string; schedule: string }[]>('/admin/cron')).body).toContainEqual(
      expect.objectContaining({ name: 'sync_external_users', schedule: '@every 24h' }),
    )
    expect((await forge.asUser('root1').post('/admin/cron/sync_external_users')).status).toBe(204)
    await eventually(() => accounts().length >= 4)
    expect(accounts()).toEqual(people)
  })
})
