import { afterEach, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { defaults } from './config.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const PASSWORD = 'correct horse battery'
const AT = '/-/admin/auths'
let now: number
let forge: TestForge
let root: Person
let hers: TestBrowser

interface Source {
  id: number
  name: string
  type: string
  is_active: boolean
  is_sync_enabled: boolean
  skip_local_2fa: boolean
  [kind: string]: unknown
}
const read = async () => (await forge.asUser(root).get<Source[]>('/admin/auths')).body

beforeEach(async () => {
  now = 1_800_000_000
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
  hers = new TestBrowser(forge, root)
})
afterEach(() => forge[Symbol.asyncDispose]())

/** Each kind with what it cannot do without. */
const kinds: [kind: keyof typeof defaults, form: Record<string, string>][] = [
  [
    'ldap',
    {
      host: 'ldap.example.org',
      user_search_base: 'dc=example',
      user_filter: '(uid=%s)',
      email_attribute: 'mail',
      port: '1389',
      page_size: '9',
      timeout_seconds: '5',
      security_protocol: 'starttls',
    },
  ],
  ['smtp', { host: 'mail.example.org', auth_type: 'LOGIN', security_protocol: 'smtps', port: '465', timeout_seconds: '5' }],
  ['pam', { service_name: 'forge', email_domain: 'example.org', timeout_seconds: '5' }],
  ['oauth2', { provider: 'github', client_id: 'us', client_secret: 'canary', scopes: 'a, b' }],
]

test.each(kinds)('a source of %s is made as filled in, shown, changed, and deleted', async (kind, form) => {
  expect((await hers.get(`${AT}/new?type=${kind}`)).status).toBe(200)
  const made = await hers.post(AT, { type: kind, name: `a ${kind} ${ATTACK}`, is_active: 'true', skip_local_2fa: 'true', ...form })
  expect(made.status).toBe(303)
  const [source] = await read()
  const { client_secret: _, ...shown } = form
  const numbers = Object.fromEntries(Object.entries(shown).map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]))
  expect(source).toMatchObject({ type: kind, is_active: true, skip_local_2fa: true, [kind]: numbers })
  for (const path of [AT, `${AT}/${source?.id}`]) {
    const { text } = await hers.get(path)
    expect([/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(text), text.includes('canary'), text.match(/<h1[ >]/g)?.length]).toEqual([
      false,
      false,
      1,
    ])
  }
  const { text } = await hers.get(`${AT}/${source?.id}`)
  for (const [name, value] of Object.entries(shown)) expect([name, text.includes(`value="${value}"`)]).toEqual([name, true])
  expect((await hers.post(`${AT}/${source?.id}`, { type: kind, name: 'plain', ...form, client_secret: '' })).status).toBe(303)
  expect(await read()).toMatchObject([{ name: 'plain', is_active: false, skip_local_2fa: false }])
  const sealed = forge.context.db.find<{ config: string }>('SELECT config FROM login_source')?.config ?? ''
  expect(forge.context.secrets.open(sealed, 'login source').includes('canary')).toBe(kind === 'oauth2')
  expect((await hers.post(`${AT}/${source?.id}/delete`)).status).toBe(303)
  expect(await read()).toEqual([])
})

test('what was typed survives a refusal, and each field of a kind has an input', async () => {
  for (const kind of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const refused = await hers.post(AT, { type: kind, name: '', host: 'typed.example', service_name: 'typed.example', client_id: 'typed.example' })
    expect([kind, refused.status, refused.text.includes('value="typed.example"')]).toEqual([kind, 422, true])
    for (const name of Object.keys(defaults[kind])) expect([name, refused.text.includes(`name="${name}"`)]).toEqual([name, true])
  }
})

test('asking a source says what came of it', async () => {
  await hers.post(AT, { type: 'pam', name: 'here', service_name: 'forge', timeout_seconds: '5', is_active: 'true' })
  const [source] = await read()
  const { status, text } = await hers.post(`${AT}/${source?.id}/test`, {})
  expect([status, text.includes('Test failed. This source can be tested only with a sign-in')]).toEqual([200, true])
  await hers.post(`${AT}/${source?.id}/delete`)
})

test('others and other sites change nothing, and after a while the password is asked for', async () => {
  const his = new TestBrowser(forge, await forge.person('ada'))
  for (const path of [AT, `${AT}/new`, `${AT}/1`]) expect((await his.get(path)).status).toBe(403)
  const form = { type: 'pam', name: 'here', service_name: 'forge', timeout_seconds: '5' }
  for (const path of [AT, `${AT}/1`, `${AT}/1/delete`, `${AT}/1/test`]) {
    expect((await his.post(path, form)).status).toBe(403)
    expect((await hers.post(path, form, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  }
  now += 3600
  const refused = await hers.post(AT, form)
  expect([refused.status, refused.text.includes('name="password"'), (await read()).length]).toEqual([403, true, 0])
  expect((await hers.post(AT, { ...form, password: PASSWORD })).status).toBe(303)
})
