import { afterAll, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const PASSWORD = 'correct horse battery'
let now: number
let forge: TestForge
let root: Person
let ada: Person
let hers: TestBrowser

interface User {
  login: string
  email: string
  full_name: string
  is_admin: boolean
  active: boolean
  restricted: boolean
  prohibit_login: boolean
  visibility: string
}
const read = async (name: string) => (await forge.asUser(root).get<User>(`/users/${name}`)).body
const idOf = (name: string) => forge.context.db.find<{ id: number }>('SELECT id FROM user WHERE lower_name = ?', name)?.id ?? 0

/** Whether a test changed what the others rely on. */
let isSpoilt = true
beforeEach(() => (isSpoilt ? fill() : undefined))
afterAll(() => forge[Symbol.asyncDispose]())

async function fill() {
  await forge?.[Symbol.asyncDispose]()
  now = 1_800_000_000
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
  ada = await forge.person('ada', { fullName: ATTACK })
  forge.repo(ada, 'engine', { private: true })
  await forge.asUser(ada).post('/orgs', { username: 'acme', full_name: ATTACK, visibility: 'private' })
  await forge.asUser(ada).post('/user/emails', { emails: ['second@example.org'] })
  hers = new TestBrowser(forge, root)
  isSpoilt = false
}

const pages = ['', '/users', '/users/new', '/emails', '/orgs', '/repos', '/names', '/monitor/cron', '/monitor/jobs', '/hooks']

test('every page is whole, runs nothing that people stored, and is for administrators alone', async () => {
  const his = new TestBrowser(forge, ada)
  for (const path of [...pages, `/users/${ada.row.id}/edit`]) {
    const { status, text } = await hers.get(`/-/admin${path}`)
    expect([path, status, /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror|\sstyle="/i.test(text), text.match(/<h1[ >]/g)?.length]).toEqual([
      path,
      200,
      false,
      1,
    ])
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect([path, (await his.get(`/-/admin${path}`)).status]).toEqual([path, 403])
    expect((await new TestBrowser(forge).get(`/-/admin${path}`)).headers.get('location')).toContain('/user/login')
  }
  expect((await his.get('/')).text).not.toContain('/-/admin')
})

test('forms of others and of other sites change nothing', async () => {
  const his = new TestBrowser(forge, ada)
  const before = JSON.stringify(forge.context.db.all('SELECT * FROM user'))
  const lines = [
    '/users/new',
    `/users/${ada.row.id}/edit`,
    `/users/${ada.row.id}/rename`,
    `/users/${ada.row.id}/place`,
    `/users/${ada.row.id}/factors`,
    `/users/${ada.row.id}/delete`,
    '/emails/confirm',
    '/emails/delete',
  ]
  for (const path of [...lines, '/names', '/names/release', '/monitor/cron', '/monitor/jobs']) {
    const form = { username: 'ada', email: 'second@example.org', name: 'ada', new_username: 'x', task: 'x', max_repo_creation: '1', source_id: '-1' }
    expect([path, (await his.post(`/-/admin${path}`, form)).status]).toEqual([path, 403])
    expect([path, (await hers.post(`/-/admin${path}`, form, undefined, { Origin: 'https://evil.example' })).status]).toEqual([path, 403])
    expect([path, (await hers.post(`/-/admin${path}`, form, undefined, { Origin: 'null' })).status]).toEqual([path, 403])
  }
  expect(JSON.stringify(forge.context.db.all('SELECT * FROM user'))).toBe(before)
})

test('an account is made, found, changed, renamed and deleted', async () => {
  const made = await hers.post('/-/admin/users/new', { username: 'eve', email: 'eve@example.org', password: PASSWORD, must_change_password: 'true' })
  const id = idOf('eve')
  expect([made.status, made.headers.get('location')]).toEqual([303, `/-/admin/users/${id}/edit`])
  expect((await hers.get('/-/admin/users?q=EVE')).text).toContain(`/-/admin/users/${id}/edit`)
  expect((await hers.get('/-/admin/users?is_admin=true')).text).not.toContain(`/-/admin/users/${id}/edit`)
  const form = { email: 'eve@example.org', full_name: 'Eve', visibility: 'limited', active: 'true', restricted: 'true', max_repo_creation: '5' }
  expect((await hers.post(`/-/admin/users/${id}/edit`, form)).status).toBe(303)
  expect(await read('eve')).toMatchObject({ full_name: 'Eve', visibility: 'limited', restricted: true, active: true, prohibit_login: false })
  expect(forge.context.db.find('SELECT max_repo_creation, must_change_password FROM user WHERE id = ?', id)).toEqual({
    max_repo_creation: 5,
    must_change_password: 0,
  })
  await hers.post(`/-/admin/users/${id}/rename`, { new_username: 'eva' })
  expect((await read('eva')).login).toBe('eva')
  expect((await hers.post(`/-/admin/users/${id}/delete`, { name: 'eve' })).status).toBe(422)
  expect((await hers.post(`/-/admin/users/${id}/delete`, { name: 'eva' })).status).toBe(303)
  expect((await hers.get(`/-/admin/users/${id}/edit`)).status).toBe(404)
})

test('what was typed survives a refusal', async () => {
  for (const [field, wrong, status] of [
    ['username', 'ada', 422],
    ['username', 'x'.repeat(41), 422],
    ['email', 'none', 422],
    ['password', 'short', 422],
  ] as const) {
    const form = { username: 'newcomer', email: 'new@example.org', full_name: 'Typed', restricted: 'true', [field]: wrong }
    const refused = await hers.post('/-/admin/users/new', form)
    expect([field, refused.status, refused.text.includes('value="Typed"'), refused.text.includes('name="restricted" value="true" checked')]).toEqual([
      field,
      status,
      true,
      true,
    ])
  }
  const refused = await hers.post(`/-/admin/users/${ada.row.id}/edit`, {
    email: 'ada@example.org',
    location: 'Typed',
    website: 'javascript:x',
    max_repo_creation: '-1',
  })
  expect([refused.status, refused.text.includes('value="Typed"')]).toEqual([422, true])
})

test('the last administrator stays one, and nobody deletes themselves', async () => {
  const at = `/-/admin/users/${root.row.id}`
  expect((await hers.post(`${at}/edit`, { email: 'root1@example.org', active: 'true', max_repo_creation: '-1' })).status).toBe(422)
  expect((await hers.post(`${at}/delete`, { name: 'root1', purge: 'true' })).status).toBe(422)
  expect((await hers.get(`${at}/edit`)).text).not.toContain(`${at}/delete`)
  expect((await read('root1')).is_admin).toBe(true)
})

test('what somebody owns keeps their account, unless it is to go too', async () => {
  const his = await forge.person('carl')
  forge.repo(his, 'thing')
  const at = `/-/admin/users/${his.row.id}/delete`
  expect((await hers.post(at, { name: 'carl' })).status).toBe(422)
  expect((await hers.post(at, { name: 'carl', purge: 'true' })).status).toBe(303)
  expect(idOf('carl')).toBe(0)
})

test('an account is let in elsewhere, or here again, and does without its second factors', async () => {
  isSpoilt = true
  const at = `/-/admin/users/${ada.row.id}`
  expect((await hers.get(`${at}/edit`)).text).not.toContain(`${at}/place`)
  const source = (await forge.asUser(root).post<{ id: number }>('/admin/auths', { type: 'pam', name: 'here', pam: { service_name: 'forge' } })).body
  expect((await hers.get(`${at}/edit`)).text).toContain('<option value="-1" selected>')
  const place = () => forge.context.db.find('SELECT login_source, login_name FROM user WHERE id = ?', ada.row.id)
  expect((await hers.post(`${at}/place`, { source_id: String(source.id), login_name: 'lovelace' })).status).toBe(303)
  expect(place()).toEqual({ login_source: source.id, login_name: 'lovelace' })
  const refused = await hers.post(`${at}/place`, { source_id: '99', login_name: 'Typed' })
  expect([refused.status, refused.text.includes('value="Typed"')]).toEqual([422, true])
  await hers.post(`${at}/place`, { source_id: '-1', login_name: '' })
  expect(place()).toEqual({ login_source: 0, login_name: '' })
  const codes = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM totp')?.n
  forge.context.db.tx((tx) => tx.run("INSERT INTO totp (user_id, secret, last_step, created_at) VALUES (?, '', 0, 0)", ada.row.id))
  expect((await hers.get(`${at}/edit`)).text).toContain('an authenticator app')
  expect((await hers.post(`${at}/factors`)).status).toBe(303)
  expect(codes()).toBe(0)
})

test('an administrator vouches for an address, and takes one away', async () => {
  isSpoilt = true
  expect((await hers.get('/-/admin/emails?q=second')).text).toContain('Unconfirmed')
  expect((await hers.post('/-/admin/emails/confirm', { username: 'ada', email: 'second@example.org' })).status).toBe(303)
  expect((await hers.get('/-/admin/emails?q=second')).text).not.toContain('Unconfirmed')
  expect((await hers.post('/-/admin/emails/delete', { username: 'ada', email: 'ada@example.org' })).status).toBe(422)
  expect((await hers.post('/-/admin/emails/delete', { username: 'acme', email: 'x@example.org' })).status).toBe(404)
  await hers.post('/-/admin/emails/delete', { username: 'ada', email: 'second@example.org' })
  expect((await hers.get('/-/admin/emails?q=second')).text).toContain('No email addresses found')
})

test('names are blocked and let go', async () => {
  expect((await hers.post('/-/admin/names', { name: 'Boss' })).status).toBe(303)
  expect((await hers.get('/-/admin/names?q=bos')).text).toContain('aria-label="Release: boss"')
  const refused = await hers.post('/-/admin/names', { name: 'ada' })
  expect([refused.status, refused.text.includes('value="ada"')]).toEqual([422, true])
  await hers.post('/-/admin/names/release', { name: 'boss' })
  expect((await hers.get('/-/admin/names?q=bos')).text).not.toContain('>boss')
})

test('hidden repositories and organizations are listed, each with its settings', async () => {
  expect((await hers.get('/-/admin/repos?q=engine')).text).toContain('href="/ada/engine/settings"')
  expect((await hers.get('/-/admin/orgs?q=ACM')).text).toContain('href="/org/acme/settings"')
  expect((await hers.get('/-/admin/orgs?q=nothing')).text).toContain('No organizations found')
})

test('a task is started out of turn', async () => {
  let runs = 0
  forge.context.tasks.every(3600, 'count_runs', () => void runs++)
  expect((await hers.get('/-/admin/monitor/cron')).text).toContain('aria-label="Run: count_runs"')
  expect((await hers.post('/-/admin/monitor/cron', { task: 'count_runs' })).status).toBe(303)
  expect(runs).toBe(1)
  expect((await hers.post('/-/admin/monitor/cron', { task: 'absent' })).status).toBe(404)
})

test('a while after signing in, what lets others in or cannot be taken back wants the password again', async () => {
  isSpoilt = true
  now += 3600
  const at = `/-/admin/users/${ada.row.id}`
  const edit = { email: 'ada@example.org', active: 'true', admin: 'true', max_repo_creation: '-1' }
  for (const [path, form] of [
    ['/-/admin/users/new', { username: 'gil', email: 'gil@example.org' }],
    [`${at}/edit`, edit],
    [`${at}/place`, { source_id: '-1' }],
    [`${at}/delete`, { name: 'ada', purge: 'true' }],
  ] as const) {
    const refused = await hers.post(path, form)
    expect([path, refused.status, refused.text.includes('name="own_password"')]).toEqual([path, 403, true])
    expect((await hers.post(path, { ...form, own_password: 'wrong' })).status).toBe(403)
  }
  expect([(await read('ada')).is_admin, idOf('gil')]).toEqual([false, 0])
  expect((await hers.post(`${at}/edit`, { ...edit, own_password: PASSWORD })).status).toBe(303)
  expect((await read('ada')).is_admin).toBe(true)
})
