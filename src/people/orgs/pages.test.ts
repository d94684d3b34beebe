import { afterEach, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const PASSWORD = 'correct horse battery'
let now: number
let forge: TestForge
let ada: Person
let bob: Person
let hers: TestBrowser
let his: TestBrowser

interface Org {
  full_name: string
  description: string
  visibility: string
  repo_admin_change_team_access: boolean
}
const read = async (name: string) => (await forge.asUser(ada).get<Org>(`/orgs/${name}`)).body

beforeEach(async () => {
  now = 1_800_000_000
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
  bob = await forge.person('bob')
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
  await hers.post('/org/create', { username: 'acme' })
  const { body } = await forge.asUser(ada).post<{ id: number }>('/orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] })
  await forge.asUser(ada).put(`/teams/${body.id}/members/bob`)
})
afterEach(() => forge[Symbol.asyncDispose]())

test('an organization is made, shown as typed, and changed', async () => {
  const made = await hers.post('/org/create', { username: 'mill', full_name: ATTACK, visibility: 'limited', repo_admin_change_team_access: 'true' })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/mill'])
  expect(await read('mill')).toMatchObject({ full_name: ATTACK, visibility: 'limited', repo_admin_change_team_access: true })
  for (const path of ['/mill', '/org/mill/settings', '/org/mill/members', '/user/settings/organization']) {
    const { status, text } = await hers.get(path)
    expect([path, status, /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(text), text.match(/<h1[ >]/g)?.length]).toEqual([
      path,
      200,
      false,
      1,
    ])
  }
  await hers.post('/org/mill/settings', { full_name: 'The mill', description: 'Grinds', visibility: 'public' })
  expect(await read('mill')).toMatchObject({ full_name: 'The mill', description: 'Grinds', visibility: 'public', repo_admin_change_team_access: false })
})

test('what was typed survives a refusal', async () => {
  await hers.post('/org/create', { username: 'mill' })
  for (const [wrong, status] of [
    [{ username: 'acme' }, 422],
    [{ username: 'no name' }, 422],
    [{ username: 'x'.repeat(41) }, 422],
    [{ username: 'ok', website: 'javascript:alert(1)' }, 422],
    [{ username: 'ok', email: 'none' }, 422],
  ] as const) {
    const refused = await hers.post('/org/create', { full_name: 'Typed', visibility: 'private', ...wrong })
    expect([refused.status, refused.text.includes('value="Typed"'), refused.text.includes('value="private" selected')]).toEqual([status, true, true])
  }
  const refused = await hers.post('/org/mill/settings', { full_name: 'Typed', website: 'x'.repeat(300) })
  expect([refused.status, refused.text.includes('value="Typed"')]).toEqual([422, true])
})

test('members show and hide themselves and leave; owners do it for all, but the last one stays', async () => {
  const at = '/org/acme/members'
  const seenByAll = async () => (await new TestBrowser(forge).get(at)).text.includes('href="/bob"')
  expect([await seenByAll(), (await his.get(at)).text.includes('href="/bob"')]).toEqual([false, true])
  expect((await his.post(`${at}/publicize`, { name: 'bob' })).status).toBe(303)
  expect(await seenByAll()).toBe(true)
  await hers.post(`${at}/conceal`, { name: 'bob' })
  expect(await seenByAll()).toBe(false)
  expect((await his.post(`${at}/conceal`, { name: 'ada' })).status).toBe(403)
  expect((await his.post(`${at}/remove`, { name: 'ada' })).status).toBe(403)
  expect((await hers.post(`${at}/remove`, { name: 'ada' })).status).toBe(422)
  const left = await his.post(`${at}/remove`, { name: 'bob' })
  expect([left.status, left.headers.get('location')]).toEqual([303, '/user/settings/organization'])
  expect((await his.get('/user/settings/organization')).text).toContain('You are not a member of any organization')
  expect((await his.post(`${at}/publicize`, { name: 'bob' })).status).toBe(403)
})

test('another name leads to the new address, and from the old one', async () => {
  await hers.post('/org/create', { username: 'mill' })
  const renamed = await hers.post('/org/mill/settings/rename', { new_name: 'factory' })
  expect(renamed.headers.get('location')).toBe('/org/factory/settings')
  expect((await hers.get('/org/mill/settings')).headers.get('location')).toBe('/org/factory/settings')
  const refused = await hers.post('/org/factory/settings/rename', { new_name: 'acme' })
  expect([refused.status, refused.text.includes('value="acme"')]).toEqual([422, true])
})

test('it is deleted only by who types its name and, after a while, the password', async () => {
  await hers.post('/org/create', { username: 'factory' })
  now += 3600
  const at = '/org/factory/settings/delete'
  expect((await hers.post(at, { name: 'mill', password: PASSWORD })).status).toBe(422)
  expect((await hers.post(at, { name: 'factory' })).status).toBe(403)
  await forge.asUser(ada).post('/orgs/factory/repos', { name: 'engine' })
  expect((await hers.post(at, { name: 'factory', password: PASSWORD })).status).toBe(422)
  await forge.asUser(ada).delete('/repos/factory/engine')
  expect((await hers.post(at, { name: 'factory', password: PASSWORD })).status).toBe(303)
  expect((await hers.get('/factory')).status).toBe(404)
})

test('others and other sites change nothing, and who may make none is not asked to', async () => {
  for (const path of ['', '/rename', '/delete']) {
    const form = { name: 'acme', new_name: 'x', full_name: 'x' }
    expect((await his.post(`/org/acme/settings${path}`, form)).status).toBe(403)
    expect((await hers.post(`/org/acme/settings${path}`, form, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  }
  expect((await hers.post('/org/create', { username: 'x' }, undefined, { Origin: 'null' })).status).toBe(403)
  forge.context.db.tx((tx) => tx.run('UPDATE user SET allow_create_organization = 0 WHERE id = ?', bob.row.id))
  expect([(await his.get('/org/create')).status, (await his.post('/org/create', { username: 'his' })).status]).toEqual([403, 403])
  expect((await his.get('/user/settings/organization')).text).not.toContain('/org/create')
})
