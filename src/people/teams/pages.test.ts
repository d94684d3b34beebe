import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const AT = '/org/acme/teams'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser

interface Team {
  id: number
  name: string
  description: string
  permission: string
  visibility: string
  units_map: Record<string, string>
  includes_all_repositories: boolean
  can_create_org_repo: boolean
}
const read = async (name: string) => (await asAda.get<Team[]>('/orgs/acme/teams')).body.find((team) => team.name === name)

beforeAll(async () => {
  ada = await forge.person('ada')
  await asAda.post('/orgs', { username: 'acme' })
  await asAda.post('/orgs/acme/repos', { name: 'engine' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a team is made, may do what was chosen, all, or less again', async () => {
  const made = await hers.post(AT, {
    name: 'crew',
    description: ATTACK,
    visibility: 'limited',
    rights: 'units',
    unit_code: 'write',
    unit_issues: 'read',
    unit_wiki: 'none',
  })
  expect([made.status, made.headers.get('location')]).toEqual([303, `${AT}/crew`])
  expect(await read('crew')).toMatchObject({ permission: 'read', visibility: 'limited', units_map: { 'repo.code': 'write', 'repo.issues': 'read' } })
  for (const path of [AT, `${AT}/new`, `${AT}/crew`, `${AT}/crew/edit`, `${AT}/crew/repositories`]) {
    const { status, text } = await hers.get(path)
    expect([path, status, /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(text), text.match(/<h1[ >]/g)?.length]).toEqual([
      path,
      200,
      false,
      1,
    ])
  }
  await hers.post(`${AT}/crew/edit`, { name: 'crew', rights: 'admin', includes_all_repositories: 'true', can_create_org_repo: 'true' })
  expect(await read('crew')).toMatchObject({ permission: 'admin', description: '', includes_all_repositories: true, can_create_org_repo: true })
  await hers.post(`${AT}/crew/edit`, { name: 'hands', rights: 'units', unit_code: 'read' })
  expect(await read('hands')).toMatchObject({ permission: 'read', units_map: { 'repo.code': 'read' }, includes_all_repositories: false })
  await asAda.patch(`/teams/${(await read('hands'))?.id}`, { name: 'hands', units_map: { 'repo.code': 'write', 'repo.packages': 'write' } })
  await hers.post(`${AT}/hands/edit`, { name: 'hands', rights: 'units', unit_code: 'read' })
  expect((await read('hands'))?.units_map).toEqual({ 'repo.code': 'read', 'repo.packages': 'write' })
  const { text } = await hers.get(`${AT}/hands/edit`)
  expect([text.includes('<option value="read" selected>Read</option>'), text.includes('unit_packages')]).toEqual([true, false])
  await hers.post(`${AT}/hands/delete`)
  expect(await read('hands')).toBeUndefined()
})

test('what was typed survives a refusal', async () => {
  for (const name of ['Owners', 'new', 'a b', 'x'.repeat(300)]) {
    const refused = await hers.post(AT, { name, description: 'Typed', rights: 'units', unit_code: 'write' })
    expect([refused.status, refused.text.includes('value="Typed"'), refused.text.includes('<option value="write" selected>')]).toEqual([422, true, true])
  }
  const refused = await hers.post(`${AT}/Owners/delete`)
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([422, true])
})

test('of the owners only the description is changed', async () => {
  expect((await hers.get(`${AT}/Owners/edit`)).text).not.toContain('name="rights"')
  await hers.post(`${AT}/Owners/edit`, { name: 'Chiefs', description: 'They own it', rights: 'units' })
  expect(await read('Owners')).toMatchObject({ description: 'They own it', permission: 'owner' })
})

test('people join by their name, leave by themselves, and the last owner stays', async () => {
  await hers.post(AT, { name: 'crew', rights: 'units', unit_code: 'read' })
  const unknown = await hers.post(`${AT}/crew/members`, { name: `nobody ${ATTACK}` })
  expect([
    unknown.status,
    unknown.text.includes('value="nobody &quot;&gt;'),
    /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(unknown.text),
  ]).toEqual([404, true, false])
  expect((await hers.post(`${AT}/crew/members`, { name: ' bob ' })).status).toBe(303)
  expect((await his.get(`${AT}/crew`)).text).toContain('aria-label="Leave: bob"')
  expect([(await his.get(`${AT}/Owners`)).status, (await his.post(`${AT}/crew/members`, { name: 'bob' })).status]).toEqual([404, 403])
  expect((await his.post(`${AT}/crew/members/remove`, { name: 'ada' })).status).toBe(403)
  expect((await his.post(`${AT}/crew/members/remove`, { name: 'bob' })).headers.get('location')).toBe('/user/settings/organization')
  expect((await his.get(`${AT}/crew`)).status).toBe(403)
  expect((await hers.post(`${AT}/Owners/members/remove`, { name: 'ada' })).status).toBe(422)
})

test('a team reaches a repository, and no more', async () => {
  const at = `${AT}/crew/repositories`
  expect((await hers.post(at, { name: 'engine' })).status).toBe(303)
  expect((await hers.get(at)).text).toContain('href="/acme/engine"')
  await hers.post(`${at}/remove`, { name: 'engine' })
  expect((await hers.get(at)).text).not.toContain('href="/acme/engine"')
  const unknown = await hers.post(at, { name: 'absent' })
  expect([unknown.status, unknown.text.includes('value="absent"')]).toEqual([404, true])
  expect((await hers.get(`${AT}/Owners/repositories`)).text).toContain('This team has access to all repositories')
})

test('others and other sites change nothing', async () => {
  const lines = [AT, `${AT}/crew/edit`, `${AT}/crew/delete`, `${AT}/crew/members`, `${AT}/crew/members/remove`, `${AT}/crew/repositories`]
  for (const path of lines) {
    const form = { name: 'bob', rights: 'admin' }
    expect((await his.post(path, form)).status).toBe(403)
    expect((await hers.post(path, form, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  }
})
