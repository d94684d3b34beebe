import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test'
import type { ConfigInput } from '#config.ts'
import { createOrg } from '#people/orgs/create-org.ts'
import { codeOf } from '#people/second-factors/one-time-code.fixture.ts'
import { putSource } from '#people/sources/sources.fixture.ts'
import { type OpenIdServer, startOpenIdServer } from '../../../test/openid-server.ts'
import { Browser } from './browser.fixture.ts'
import { byItself, CALLBACK, grace, type House, openHouse, openHouseOf } from './house.fixture.ts'

/** The time of the forge and of the provider, which stands still: codes of second factors hold for a while, and so do tokens. */
const NOW = 1_780_000_000

let op: OpenIdServer
beforeAll(async () => {
  setSystemTime(new Date(NOW * 1000))
  op = await startOpenIdServer(CALLBACK)
})
afterAll(async () => {
  setSystemTime()
  await op[Symbol.asyncDispose]()
})

const PASSWORD = 'correct horse battery'
const rowOf = ({ forge }: House, name: string) => forge.context.db.find<Record<string, unknown>>('SELECT * FROM user WHERE lower_name = ?', name)
const linking = (ACCOUNT_LINKING: 'disabled' | 'login' | 'auto'): ConfigInput => ({ oauth2_client: { ENABLE_AUTO_REGISTRATION: true, ACCOUNT_LINKING } })

test.each<[string, Record<string, unknown>, boolean]>([
  ['is there', { groups: ['devs', 'ops'] }, true],
  ['is the one', { groups: 'ops' }, true],
  ['is in a text with commas', { groups: 'devs, ops' }, true],
  ['is another', { groups: ['opsx'] }, false],
  ['is no text', { groups: { ops: true } }, false],
  ['is absent', {}, false],
])('a required claim that %s', async (_, claims, isLetIn) => {
  await using made = openHouseOf(op, byItself, { scopes: 'groups', required_claim_name: 'groups', required_claim_value: 'ops' })
  const { status, browser } = await made.signOn({ ...grace, ...claims })
  expect([status, await browser.user(), made.people()]).toEqual(isLetIn ? [303, 'grace', ['grace']] : [403, undefined, []])
})

test('groups make administrators and restrict people, and take both back', async () => {
  const rights = { scopes: 'groups', group_claim_name: 'groups', admin_group: 'root', restricted_group: 'guests' }
  await using made = openHouseOf(op, byItself, rights)
  await made.forge.person('ada', { isAdmin: true })
  const flags = async (groups: string[]) => {
    await made.signOn({ ...grace, groups })
    const { is_admin, is_restricted } = rowOf(made, 'grace') ?? {}
    return [is_admin, is_restricted]
  }
  expect(await flags(['root'])).toEqual([1, 0])
  expect(await flags(['guests'])).toEqual([0, 1])
  expect(await flags([])).toEqual([0, 0])
})

test('the last administrator stays one, whatever the source says', async () => {
  await using made = openHouseOf(op, byItself, { scopes: 'groups', group_claim_name: 'groups', admin_group: 'root' })
  await made.signOn({ ...grace, groups: ['root'] })
  await made.signOn({ ...grace, groups: [] })
  expect(rowOf(made, 'grace')).toMatchObject({ is_admin: 1 })
})

test('rights that no group stands for are left alone', async () => {
  await using made = openHouseOf(op, byItself, { scopes: 'groups', group_claim_name: 'groups' })
  await made.signOn(grace)
  made.forge.context.db.tx((tx) => tx.update('user', 1, { is_admin: 1 }))
  await made.signOn({ ...grace, groups: [] })
  expect(rowOf(made, 'grace')).toMatchObject({ is_admin: 1 })
})

test('groups lead into teams and out of them again', async () => {
  const map = JSON.stringify({ devs: { corp: ['Builders', 'nobody'] }, ops: { corp: ['Builders'], absent: ['Owners'] } })
  await using made = openHouseOf(op, byItself, { scopes: 'groups', group_claim_name: 'groups', group_team_map: map, group_team_map_removal: true })
  const { context } = made.forge
  const owner = await made.forge.person('ada')
  const org = createOrg(context, owner.row, { username: 'corp' } as Parameters<typeof createOrg>[2])
  await made.forge.asUser(owner).post('/orgs/corp/teams', { name: 'Builders', units: ['repo.code'], permission: 'read' })
  const isIn = async (groups: string[]) => {
    await made.signOn({ ...grace, groups })
    return (await made.forge.asUser(owner).get(`/orgs/${org.name}/members/grace`)).status === 204
  }
  expect([await isIn(['ops']), await isIn(['devs']), await isIn(['others']), await isIn(['devs', 'ops'])]).toEqual([true, true, false, true])
})

test('the full name is taken where there is none, or always when the source names its claim', async () => {
  await using made = openHouseOf(op)
  await made.signOn({ ...grace, name: '' })
  await made.signOn(grace)
  await made.signOn({ ...grace, name: 'Other' })
  expect(rowOf(made, 'grace')).toMatchObject({ full_name: 'Grace Hopper' })
  await using named = openHouseOf(op, byItself, { full_name_claim_name: 'full_name' })
  await named.signOn({ ...grace, full_name: 'First' })
  await named.signOn({ ...grace, full_name: 'Second' })
  expect(rowOf(named, 'grace')).toMatchObject({ full_name: 'Second' })
})

/** An account here has the newcomer's address, or name. */
const taken: [linking: 'disabled' | 'login' | 'auto', here: { name: string; email: string }, claims: Record<string, unknown>, end: number | string][] = [
  ['disabled', { name: 'ada', email: 'Grace@Corp.example' }, {}, 403],
  ['disabled', { name: 'GRACE', email: 'x@corp.example' }, {}, 403],
  ['login', { name: 'ada', email: 'Grace@Corp.example' }, {}, '/user/link_account'],
  ['login', { name: 'grace', email: 'x@corp.example' }, {}, '/user/link_account'],
  ['auto', { name: 'ada', email: 'Grace@Corp.example' }, {}, 'ada'],
  ['auto', { name: 'ada', email: 'grace@corp.example' }, { email_verified: false }, '/user/link_account'],
  ['auto', { name: 'ada', email: 'grace@corp.example' }, { email_verified: undefined }, '/user/link_account'],
  ['auto', { name: 'ada', email: 'grace@corp.example' }, { email_verified: 'yes' }, '/user/link_account'],
  ['auto', { name: 'grace', email: 'x@corp.example' }, {}, '/user/link_account'],
]

test.each(taken)('%s: who has %j here, and says %j there', async (mode, { name, email }, claims, end) => {
  await using made = openHouseOf(op, linking(mode))
  await made.forge.person(name, { email })
  const { status, location, browser } = await made.signOn({ ...grace, ...claims })
  const user = await browser.user()
  expect(user ?? (status === 303 ? location : status)).toBe(end)
  expect(made.people()).toEqual([name])
})

test('an address that is only claimed here is nobody’s to be linked by', async () => {
  await using made = openHouseOf(op, linking('auto'))
  const mallory = await made.forge.person('mallory')
  await made.forge.asUser(mallory).post('/user/emails', { emails: ['grace@corp.example'] })
  const { browser } = await made.signOn(grace)
  expect(await browser.user()).toBe('grace')
})

test.each([
  ['gracé', 'grace'],
  ['grace@other.example', 'grace'],
  ['grace​', 'grace'],
])('the look-alike %j of a name here is not its account', async (nickname) => {
  await using made = openHouseOf(op, linking('auto'))
  await made.forge.person('grace', { email: 'real@corp.example' })
  const { location, browser } = await made.signOn({ ...grace, sub: 'u9', nickname, email: 'other@corp.example' })
  expect([location, await browser.user(), made.people()]).toEqual(['/user/link_account', undefined, ['grace']])
})

test.each(['gr\u{0430}ce@corp.example', 'grace@\u{212A}orp.example', 'a@b\r\nBcc: c@d.example', 'x'.repeat(300)])(
  'the address %j is none: a newcomer is asked',
  async (email) => {
    await using made = openHouseOf(op, linking('auto'))
    await made.forge.person('grace')
    const { location } = await made.signOn({ ...grace, nickname: 'neu', email })
    expect([location, made.people()]).toEqual(['/user/link_account', ['grace']])
  },
)

test.each(['api', 'admin.keys', '', '...', 'con'])('who would be called %j is asked for a name', async (nickname) => {
  await using made = openHouseOf(op)
  expect([(await made.signOn({ ...grace, nickname, preferred_username: nickname })).location, made.people()]).toEqual(['/user/link_account', []])
})

test('an address that the source does not vouch for is not the account’s until it was confirmed', async () => {
  await using made = openHouseOf(op)
  await made.signOn({ ...grace, email_verified: false })
  const rows = made.forge.context.db.all('SELECT email, is_verified, is_primary FROM email_address ORDER BY id')
  expect(rows).toEqual([
    { email: expect.stringMatching(/^\w{20}@noreply\.localhost$/), is_verified: 1, is_primary: 1 },
    { email: 'grace@corp.example', is_verified: 0, is_primary: 0 },
  ])
})

test('an address that a newcomer types is not theirs until it was confirmed', async () => {
  await using made = openHouseOf(op, openHouse)
  const { browser } = await made.signOn(grace)
  await browser.post('/user/link_account_signup', { user_name: 'neu', email: 'president@corp.example' })
  expect(rowOf(made, 'neu')).toMatchObject({ email: expect.stringContaining('@noreply.') })
})

test('who has an address of a domain that cannot register gets no account unasked', async () => {
  await using made = openHouseOf(op, { ...byItself, service: { EMAIL_DOMAIN_BLOCKLIST: ['*.example'] } })
  const { location, browser } = await made.signOn(grace)
  expect([location, made.people()]).toEqual(['/user/link_account', []])
  expect((await browser.get('/user/link_account')).text).toContain('cannot be registered. Use a different address.')
})

test('where mail is to confirm addresses, the word of the source alone does not', async () => {
  await using made = openHouseOf(op, { oauth2_client: { ENABLE_AUTO_REGISTRATION: true, REGISTER_EMAIL_CONFIRM: true } })
  await made.signOn(grace)
  const claimed = made.forge.context.db.find("SELECT is_verified FROM email_address WHERE email = 'grace@corp.example'")
  expect(claimed).toEqual({ is_verified: 0 })
})

test('no mail goes to who signs in elsewhere', async () => {
  await using made = openHouseOf(op, { ...byItself, mailer: { ENABLED: true, PROTOCOL: 'dummy', FROM: 'forge@example.org' } })
  await made.signOn(grace)
  expect(made.forge.context.db.find('SELECT count(*) AS n FROM mail')).toEqual({ n: 0 })
})

test('an account that an administrator gave to the source is signed in to by its login name', async () => {
  await using made = openHouseOf(op, {})
  await made.forge.person('ada')
  made.forge.context.db.tx((tx) => tx.update('user', 1, { login_source: made.sourceId, login_name: 'u1' }))
  expect(await (await made.signOn(grace)).browser.user()).toBe('ada')
})

test('a source that is given another issuer does not hand over its accounts', async () => {
  await using made = openHouseOf(op)
  await made.signOn(grace)
  made.forge.context.db.tx((tx) => tx.run("UPDATE external_identity SET issuer = 'https://former.example'"))
  const { location, browser } = await made.signOn({ ...grace, email: 'other@corp.example', nickname: 'other' })
  expect([location, await browser.user()]).toEqual(['/user/link_account', undefined])
  expect((await browser.get('/user/link_account')).text).toContain('u1 of op already belongs to another account')
})

test('an identity that leads to an organization signs nobody in', async () => {
  await using made = openHouseOf(op)
  await made.signOn(grace)
  made.forge.context.db.tx((tx) => tx.run("UPDATE user SET kind = 'organization'"))
  const { browser, status } = await made.signOn(grace)
  expect([status < 500, await browser.user()]).toEqual([true, undefined])
})

test('who deletes an account takes its link along: the next of that name is somebody else', async () => {
  await using made = openHouseOf(op)
  const root = await made.forge.person('root1', { isAdmin: true })
  await made.signOn(grace)
  await made.forge.asUser(root).delete('/admin/users/grace?purge=true')
  expect(made.forge.context.db.all('SELECT * FROM external_identity')).toEqual([])
  expect((await made.signOn(grace)).location).toBe('/user/link_account')
})

/** Adds an app for one-time codes to the account that the browser is signed in to. */
async function enrol(browser: Browser): Promise<string> {
  const { text } = await browser.get('/user/settings/security/two_factor/enroll')
  const secret = /<dd><code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
  const offer = /name="offer" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const { status } = await browser.post('/user/settings/security/two_factor/enroll', { offer, passcode: codeOf(secret, NOW - 30) })
  expect(status).toBe(200)
  return secret
}

test('the second factor of an account is asked for, and there is no session before it', async () => {
  await using made = openHouseOf(op)
  const secret = await enrol((await made.signOn(grace)).browser)
  const { browser, location } = await made.signOn(grace, undefined, '/user/oauth2/op?redirect_to=/explore/repos')
  expect([location, await browser.user()]).toEqual(['/user/two_factor', undefined])
  const end = await browser.post('/user/two_factor', { passcode: codeOf(secret, NOW) })
  expect([end.location, await browser.user()]).toEqual(['/explore/repos', 'grace'])
})

test('a source may stand for the second factor, too', async () => {
  await using made = openHouseOf(op)
  await enrol((await made.signOn(grace)).browser)
  made.forge.context.db.tx((tx) => tx.update('login_source', made.sourceId, { skip_local_2fa: 1 }))
  const { browser, location } = await made.signOn(grace)
  expect([location, await browser.user()]).toEqual(['/', 'grace'])
})

test('that one source stands for it says nothing of another', async () => {
  await using made = openHouseOf(op)
  await enrol((await made.signOn(grace)).browser)
  const other = putSource(made.forge.context, 'smtp', {}, { name: 'mail' })
  made.forge.context.db.tx((tx) => {
    tx.update('login_source', other, { skip_local_2fa: 1 })
    tx.update('user', 1, { login_source: other, login_name: 'grace' })
  })
  expect((await made.signOn(grace)).location).toBe('/user/two_factor')
})

test('who is signed in is asked before anything is linked to their account', async () => {
  await using made = openHouseOf(op, linking('auto'))
  await made.forge.person('ada', { password: PASSWORD, email: grace.email })
  const browser = new Browser(made.forge)
  await browser.post('/user/login', { user_name: 'ada', password: PASSWORD })
  const { location } = await made.signOn(grace, browser, '/user/oauth2/op?redirect_to=/user/settings/account_links')
  expect(location).toBe('/user/link_account')
  expect(made.forge.context.db.all('SELECT * FROM external_identity')).toEqual([])
  expect((await browser.post('/user/link_account')).location).toBe('/user/settings/account_links')
  const { text } = await browser.get('/user/settings/account_links')
  expect([text.includes('ghopper'), text.includes('Unlink')]).toEqual([true, true])
  expect((await browser.post('/user/settings/account_links/1/delete')).status).toBe(303)
  expect(made.forge.context.db.all('SELECT * FROM external_identity')).toEqual([])
})

test('linking asks for the password again after a while', async () => {
  await using made = openHouseOf(op, {})
  await made.forge.person('ada', { password: PASSWORD })
  const browser = new Browser(made.forge)
  await browser.post('/user/login', { user_name: 'ada', password: PASSWORD })
  made.forge.context.db.tx((tx) => tx.run('UPDATE session SET created_at = created_at - 1000'))
  await made.signOn(grace, browser)
  expect((await browser.post('/user/link_account')).status).toBe(403)
  expect((await browser.post('/user/link_account', { password: 'wrong' })).status).toBe(403)
  expect((await browser.post('/user/link_account', { password: PASSWORD })).status).toBe(303)
})

test('who is linked to one account is not linked to a second', async () => {
  await using made = openHouseOf(op, {})
  const link = async (name: string) => {
    await made.forge.person(name, { password: PASSWORD })
    const { browser } = await made.signOn(grace)
    await browser.post('/user/login', { user_name: name, password: PASSWORD })
    return browser
  }
  const [one, two] = [await link('ada'), await link('bob')]
  expect((await one.post('/user/link_account')).status).toBe(303)
  expect((await two.post('/user/link_account')).status).toBe(409)
})

test('the last way in, and the source that an account comes from, stay linked', async () => {
  await using made = openHouseOf(op)
  const { browser } = await made.signOn(grace)
  const own = await browser.post('/user/settings/account_links/1/delete')
  expect([own.status, own.text.includes('your account was created from it')]).toEqual([409, true])
  made.forge.context.db.tx((tx) => tx.update('user', 1, { login_source: 0 }))
  const last = await browser.post('/user/settings/account_links/1/delete')
  expect([last.status, last.text.includes('it is your only way to sign in')]).toEqual([409, true])
  const bob = await made.forge.person('bob', { password: PASSWORD })
  const other = new Browser(made.forge)
  await other.post('/user/login', { user_name: bob.name, password: PASSWORD })
  expect((await other.post('/user/settings/account_links/1/delete')).status).toBe(404)
})

test('what another site said of people is not in the database in clear', async () => {
  await using made = openHouseOf(op, {})
  await made.signOn({ ...grace, name: 'A canary of a name' })
  expect(JSON.stringify(made.forge.context.db.all('SELECT * FROM sign_on_newcomer'))).not.toContain('canary')
})

test('who begins very often from one address loses what was begun first, and fills no table', async () => {
  await using made = openHouseOf(op)
  const first = new Browser(made.forge)
  op.person = grace
  const back = await op.visit((await first.get('/user/oauth2/op')).location)
  made.forge.context.db.tx((tx) => tx.run('UPDATE sign_on_attempt SET expires_at = expires_at - 1'))
  for (let n = 0; n < 200; n++) await new Browser(made.forge).get('/user/oauth2/op')
  expect(made.forge.context.db.find('SELECT count(*) AS n FROM sign_on_attempt')).toEqual({ n: 200 })
  expect((await first.get(back)).status).toBe(400)
})

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

test('SSH keys come and go with their claim; those that people added themselves stay', async () => {
  await using made = openHouseOf(op, byItself, { ssh_public_key_claim_name: 'ssh_keys' })
  const titles = () => made.forge.context.db.all<{ title: string }>('SELECT title FROM public_key ORDER BY id').map(({ title }) => title)
  await made.signOn({ ...grace, ssh_keys: [`${KEY} grace@navy`, 'no key at all', 7] })
  expect(titles()).toEqual([expect.stringMatching(/^op-/)])
  await made.signOn({ ...grace, ssh_keys: `${KEY}\n` })
  expect(titles()).toHaveLength(1)
  await made.signOn(grace)
  expect(titles()).toEqual([])
})
