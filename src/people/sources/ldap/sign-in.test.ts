import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type ConfigInput, makeConfig } from '#config.ts'
import { outcome } from '../../../../test/outcome.ts'
import { certificate } from '../certificate.fixture.ts'
import { defaults, type LdapConfig } from '../config.ts'
import { signInByLdap } from './sign-in.ts'
import { hasSlapd, type Slapd, startSlapd, suffix } from './slapd.fixture.ts'

/** Programs beside the tests take their time on a busy machine. */
setDefaultTimeout(30_000)

describe.skipIf(!hasSlapd)('with slapd,', () => {
  let slapd: Slapd
  const people = `ou=people,${suffix}`
  const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10])
  beforeAll(async () => {
    slapd = await startSlapd()
    await slapd.person('ada', { givenName: 'Ada', sn: 'Lovelace', jpegPhoto: picture, sshPublicKey: ['ssh-ed25519 AAAA one', 'two'], employeeType: 'boss' })
    await slapd.person('bob', { description: 'guest' })
    await slapd.person('a*')
    await slapd.person('paul(ops)')
    await slapd.person('åsa', { mail: 'asa@corp.example' })
    await slapd.person('nobody', { userPassword: [] })
    await slapd.group('devs', 'ada', 'paul(ops)')
    await slapd.group('ops', 'bob')
  })
  afterAll(() => slapd?.[Symbol.asyncDispose]())

  const ask = (name: string, password: string, more: Partial<LdapConfig> = {}, settings: ConfigInput = {}) =>
    signInByLdap(makeConfig('/data', settings), { ...defaults.ldap, ...slapd.config, ...more }, name, password, AbortSignal.timeout(15_000))
  const simple: Partial<LdapConfig> = { user_dn: `uid=%s,${people}`, user_search_base: '', bind_dn: '', bind_password: '' }

  test('a right password brings what the directory tells of the person', async () => {
    const more = { public_ssh_key_attribute: 'sshpublickey', avatar_attribute: 'JPEGPhoto' }
    const found = { loginName: 'ada', name: 'ada', email: 'ada@corp.example', fullName: 'Ada Lovelace', keys: ['ssh-ed25519 AAAA one', 'two'], avatar: picture }
    expect(await ask('ada', 'ada password', more)).toMatchObject(found)
    expect(await ask('ADA', 'ada password', more)).toMatchObject(found)
    expect(await ask('ada', 'ada password', { ...more, ...simple })).toMatchObject(found)
  })

  test('without an attribute for names, people are called as they typed', async () => {
    expect(await ask('ADA', 'ada password', { username_attribute: '' })).toMatchObject({ loginName: 'ADA', name: 'ADA' })
  })

  test.each([
    ['ada', 'bob password'],
    ['ada', ''],
    ['nobody', 'x'],
    ['missing', 'missing password'],
    ['', 'x'],
    ['*', 'ada password'],
    ['ad*', 'ada password'],
    ['ada)(uid=*', 'ada password'],
    ['*)(|(uid=ada', 'ada password'],
    ['ada\\00', 'ada password'],
    ['ada\0', 'ada password'],
    [`ada,${people}`, 'ada password'],
    ['ada+sn=x', 'ada password'],
    ['ada#', 'ada password'],
  ])('%j with the password %j is nobody', async (name, password) => {
    for (const more of [{}, simple, { user_filter: '(|(uid=%s)(mail=%s))' }]) expect(await ask(name, password, more)).toBeUndefined()
  })

  test('a name that would be a filter is only a name', async () => {
    expect(await ask('a*', 'a* password')).toMatchObject({ loginName: 'a*' })
    expect(await ask('paul(ops)', 'paul(ops) password')).toMatchObject({ loginName: 'paul(ops)' })
    expect(await ask('åsa', 'åsa password')).toMatchObject({ loginName: 'åsa' })
  })

  test('%[1]s, as Gitea has it, is the name in filters and in the DN', async () => {
    const user_filter = '(|(uid=%[1]s)(mail=%[1]s))'
    for (const more of [{ user_filter }, { ...simple, user_filter, user_dn: `uid=%[1]s,${people}` }]) {
      expect(await ask('ada', 'ada password', more)).toMatchObject({ loginName: 'ada' })
      expect(await ask('ad*', 'ada password', more)).toBeUndefined()
    }
    expect(await ask('ada@corp.example', 'ada password', { user_filter })).toMatchObject({ loginName: 'ada' })
  })

  test('a filter that finds two people lets neither in', async () => {
    expect(await ask('ada', 'ada password', { user_filter: '(|(uid=%s)(uid=bob))' })).toBeUndefined()
  })

  test('whom the filter leaves out is not let in, with the DN made from the name either', async () => {
    const filter = { user_filter: '(&(uid=%s)(!(description=guest)))' }
    for (const more of [filter, { ...simple, ...filter }]) {
      expect(await ask('bob', 'bob password', more)).toBeUndefined()
      expect(await ask('ada', 'ada password', more)).toBeDefined()
    }
  })

  test('administrators and restricted people are told by filters; one that is empty says nothing', async () => {
    const rights = async (name: string, more: Partial<LdapConfig>) => {
      const found = await ask(name, `${name} password`, more)
      return [found?.isAdmin, found?.isRestricted]
    }
    const admin_filter = '(employeeType=boss)'
    expect(await rights('ada', {})).toEqual([undefined, undefined])
    expect(await rights('ada', { admin_filter, restricted_filter: '*' })).toEqual([true, false])
    expect(await rights('bob', { admin_filter, restricted_filter: '*' })).toEqual([false, true])
    expect(await rights('bob', { restricted_filter: '(description=guest)' })).toEqual([undefined, true])
    expect(await rights('ada', { ...simple, restricted_filter: '(description=guest)' })).toEqual([undefined, false])
  })

  const groups: Partial<LdapConfig> = {
    enable_groups: true,
    group_search_base_dn: `ou=groups,${suffix}`,
    group_member_attribute: 'member',
    group_user_attribute: 'DN',
    group_filter: '(objectClass=groupOfNames)',
  }

  test('the group filter keeps out who is in none of the groups that it leaves; what stands for a person in it is no filter', async () => {
    const devs = `cn=devs,ou=groups,${suffix}`
    expect((await ask('ada', 'ada password', groups))?.groups).toEqual([devs])
    expect((await ask('paul(ops)', 'paul(ops) password', groups))?.groups).toEqual([devs])
    expect(await ask('ada', 'ada password', { ...groups, group_filter: '(cn=ops)' })).toBeUndefined()
    expect(await ask('a*', 'a* password', groups)).toBeUndefined()
    expect(await ask('a*', 'a* password', { ...groups, group_user_attribute: 'uid', group_member_attribute: 'cn' })).toBeUndefined()
  })

  test('without a group filter groups are not looked up, and nobody is kept out', async () => {
    const more = { ...groups, group_filter: '', group_search_base_dn: 'o=nowhere' }
    for (const name of ['ada', 'a*']) expect(await ask(name, `${name} password`, more)).toMatchObject({ loginName: name, groups: undefined })
    expect((await ask('ada', 'ada password', { ...groups, enable_groups: false }))?.groups).toBeUndefined()
  })

  test('attributes can be read as the one who searches', async () => {
    expect(await ask('ada', 'ada password', { attributes_in_bind: true })).toMatchObject({ email: 'ada@corp.example' })
    expect(await ask('ada', 'wrong', { attributes_in_bind: true })).toBeUndefined()
  })

  const secure: [string, Partial<LdapConfig>, string | undefined][] = [
    ['TLS', { security_protocol: 'ldaps', tls_ca: certificate }, undefined],
    ['TLS by name', { security_protocol: 'ldaps', tls_ca: certificate, host: 'localhost' }, undefined],
    ['TLS with a certificate of nobody known', { security_protocol: 'ldaps' }, 'self signed certificate'],
    ['TLS with whatever certificate', { security_protocol: 'ldaps', skip_tls_verify: true }, undefined],
    ["TLS with another host's certificate", { security_protocol: 'ldaps', tls_ca: certificate, host: '127.0.0.2' }, 'does not match'],
    ['StartTLS', { security_protocol: 'starttls', tls_ca: certificate }, undefined],
    ['StartTLS with a certificate of nobody known', { security_protocol: 'starttls' }, 'self signed certificate'],
    ['StartTLS with whatever certificate', { security_protocol: 'starttls', skip_tls_verify: true }, undefined],
  ]
  test.each(secure)('by %s', async (_, more, problem) => {
    const port = more.security_protocol === 'ldaps' ? slapd.securePort : slapd.port
    const asked = ask('ada', 'ada password', { ...more, port })
    if (problem === undefined) expect(await asked).toBeDefined()
    else expect(await outcome(asked)).toThrow(problem)
  })

  test('a searcher who is not let in, and a server that is to stay offline, are told apart from wrong passwords', async () => {
    expect(await outcome(ask('ada', 'ada password', { bind_password: 'wrong' }))).toThrow(`the server rejected the bind as cn=searcher,${suffix}`)
    expect(await outcome(ask('ada', 'ada password', {}, { network: { OFFLINE: true } }))).toThrow('(network.OFFLINE)')
    expect(await outcome(ask('ada', 'ada password', { port: 1 }))).toThrow('Cannot connect to "127.0.0.1" port 1')
    expect(await outcome(ask('ada', 'ada password', { host: '169.254.169.254' }))).toThrow('has no IP address that the server is allowed to connect to')
  })
})
