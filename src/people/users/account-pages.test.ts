import { afterEach, beforeEach, expect, test } from 'bun:test'
import { categories } from '#access/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { ed25519Key } from '../../../test/ssh-keys.ts'

const ATTACK = '"><script>alert(1)</script>'
const PASSWORD = 'correct horse battery'
let now: number
let forge: TestForge
let ada: Person
let hers: TestBrowser

beforeEach(async () => {
  now = 1_800_000_000
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
  hers = new TestBrowser(forge, ada)
})
afterEach(() => forge[Symbol.asyncDispose]())

test('a profile is changed, shown as typed, and its website must be one', async () => {
  expect((await hers.post('/user/settings', { full_name: `Ada ${ATTACK}`, website: 'https://example.org', hide_email: 'true' })).status).toBe(303)
  const { text } = await hers.get('/user/settings')
  expect(text).toContain('value="Ada &quot;&gt;&lt;script&gt;')
  expect((await forge.asUser(ada).get<{ hide_email: boolean; hide_activity: boolean }>('/user/settings')).body).toMatchObject({
    hide_email: true,
    hide_activity: false,
  })
  const refused = await hers.post('/user/settings', { full_name: 'Typed', website: 'javascript:alert(1)' })
  expect([refused.status, refused.text.includes('value="Typed"')]).toEqual([422, true])
})

test('the page of tokens says of every scope what it opens', async () => {
  const { text } = await hers.get('/user/settings/applications')
  for (const category of categories) expect(text).toMatch(new RegExp(`${category}<span class="faint">[A-Z][^<]{10,}</span>`))
})

test('a token is made with what it may do, shown once, works, and is deleted', async () => {
  const made = await hers.post('/user/settings/applications', { name: 'ci', scopes: ['read:user', '', 'write:repository'] })
  const [, token = ''] = /<pre>([0-9a-f]{40})<\/pre>/.exec(made.text) ?? []
  expect(made.headers.get('cache-control')).toBe('no-store')
  expect((await forge.asUser(token).get('/user')).status).toBe(200)
  expect((await forge.asUser(token).patch('/user/settings', {})).status).toBe(403)
  const { text } = await hers.get('/user/settings/applications')
  expect([text.includes(token), text.includes(`…${token.slice(-8)}`)]).toEqual([false, true])
  const [, id = ''] = /applications\/(\d+)\/delete/.exec(text.slice(text.indexOf('>ci '))) ?? []
  expect((await hers.post(`/user/settings/applications/${id}/delete`)).status).toBe(303)
})

test('a token is made for the repositories that are named, and the page says for which', async () => {
  const person = await forge.person('limits', { password: PASSWORD })
  forge.repo(person, 'one', { private: true })
  const theirs = new TestBrowser(forge, person)
  const form = { name: 'narrow', scopes: ['read:repository'] }
  const unknown = await theirs.post('/user/settings/applications', { ...form, repositories: 'limits/one limits/none' })
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('Repository limits/none does not exist')])
  const odd = await theirs.post('/user/settings/applications', { ...form, repositories: 'one' })
  expect([odd.status, odd.text]).toEqual([400, expect.stringContaining('use the form owner/name')])
  const made = await theirs.post('/user/settings/applications', { ...form, repositories: ' limits/one,\r\nlimits/one' })
  const [, token = ''] = /<pre>([0-9a-f]{40})<\/pre>/.exec(made.text) ?? []
  expect(made.text).toContain('limited to limits/one')
  expect((await forge.asUser(token).get('/repos/limits/one')).status).toBe(200)
  forge.repo(person, 'two', { private: true })
  expect((await forge.asUser(token).get('/repos/limits/two')).status).toBe(404)
})

test('some time after signing in, what lets others in wants the password again', async () => {
  now += 3600
  const key = { title: 'laptop', key: ed25519Key(1) }
  const refused = await hers.post('/user/settings/keys', key)
  expect([refused.status, refused.text.includes(key.key), refused.text.includes('name="password"')]).toEqual([403, true, true])
  expect((await hers.post('/user/settings/applications', { name: 'x', scopes: 'all' })).status).toBe(403)
  expect((await hers.post('/user/settings/applications', { name: 'x', scopes: 'all', password: 'wrong' })).status).toBe(403)
  expect((await hers.post('/user/settings/keys', { ...key, password: PASSWORD })).status).toBe(303)
  const { text } = await hers.get('/user/settings/keys')
  expect(text).toContain('SHA256:')
  const [, id = ''] = /keys\/(\d+)\/delete/.exec(text) ?? []
  expect((await hers.post(`/user/settings/keys/${id}/delete`)).status).toBe(303)
  expect((await hers.get('/user/settings/keys')).text).not.toContain('SHA256:')
})

test('addresses are added and removed, the primary one is not', async () => {
  expect((await hers.post('/user/settings/emails', { email: 'ada@work.example' })).status).toBe(303)
  expect((await hers.get('/user/settings/emails')).text).toContain('Unconfirmed')
  expect((await hers.post('/user/settings/emails', { email: 'no address' })).status).toBe(422)
  expect((await hers.post('/user/settings/emails/delete', { email: 'ada@work.example' })).status).toBe(303)
  expect((await hers.get('/user/settings/emails')).text).not.toContain('ada@work.example')
})

test('visitors are asked to sign in, and other sites change nothing', async () => {
  for (const page of ['', '/emails', '/keys', '/applications']) {
    expect((await new TestBrowser(forge).get(`/user/settings${page}`)).headers.get('location')).toContain('/user/login')
    const foreign = await hers.post(`/user/settings${page}`, { name: 'x', email: 'x@example.org' }, undefined, { Origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
  }
})

test('pages are light or dark for who wants them so, and as the system has it for others', async () => {
  const page = async () => (await hers.get('/user/settings')).text
  expect(await page()).toContain('<html lang="en">')
  for (const [theme, attribute] of [
    ['gitea-dark', ' data-theme="dark"'],
    ['gitea-light', ' data-theme="light"'],
    ['gitea-auto', ''],
  ]) {
    expect((await hers.post('/user/settings', { theme: theme as string })).status).toBe(303)
    expect(await page()).toContain(`<html lang="en"${attribute}>`)
    expect(await page()).toContain(`<option value="${theme}" selected>`)
  }
})

test('of very many tokens and keys a page shows some, and leads to the others: each can be taken back', async () => {
  forge.context.db.tx((tx) => {
    for (let n = 0; n < 60; n++) {
      const more = { user_id: ada.row.id, created_at: now }
      tx.insert('access_token', { ...more, name: `many ${n}`, digest: `many ${n}`, last_eight: '12345678', scopes: 'all' })
      tx.insert('public_key', { ...more, title: `many ${n}`, fingerprint: `SHA256:many${n}`, content: 'ssh-ed25519 AAAA' })
    }
  })
  for (const path of ['/user/settings/applications', '/user/settings/keys']) {
    const pages = await Promise.all([path, `${path}?page=2`].map(async (at) => (await hers.get(at)).text))
    expect(pages[0]?.match(/<li class="bar">/g)?.length).toBe(50)
    expect(new Set(pages.join('').match(/many \d+/g)).size).toBe(60)
  }
})
