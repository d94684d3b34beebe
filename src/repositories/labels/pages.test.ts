import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=a>'
const forge = testForge()
let ada: Person
let hers: TestBrowser
let his: TestBrowser
const places = [
  ['/ada/engine/labels', '/repos/ada/engine/labels'],
  ['/org/acme/settings/labels', '/orgs/acme/labels'],
] as const

interface Label {
  id: number
  name: string
  color: string
  is_archived: boolean
}

beforeAll(async () => {
  ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  await forge.asUser(ada).post('/orgs', { username: 'acme' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
})
beforeEach(() => forge.context.db.tx((tx) => tx.run('DELETE FROM label')))
afterAll(() => forge[Symbol.asyncDispose]())

test.each(places)('at %s labels are made, archived and deleted, one by one and as a set', async (at, api) => {
  const read = async () => (await forge.asUser(ada).get<Label[]>(api)).body
  expect((await hers.post(at, { name: ATTACK, color: '#ff0000' })).status).toBe(303)
  const [made] = await read()
  expect((await hers.get(at)).text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  await hers.post(`${at}/${made?.id}`, { name: 'old', color: '#00ff00', is_archived: 'true' })
  expect(await read()).toMatchObject([{ name: 'old', color: '00ff00', is_archived: true }])
  expect((await hers.get(at)).text).toContain('>Archived<')
  await hers.post(`${at}/${made?.id}`, { name: 'old', color: '#00ff00' })
  expect(await read()).toMatchObject([{ is_archived: false }])
  await hers.post(`${at}/${made?.id}/delete`)
  expect((await hers.post(`${at}/sets`, { template: 'Default' })).status).toBe(303)
  expect((await read()).map(({ name }) => name)).toContain('wontfix')
  expect((await hers.post(`${at}/sets`, { template: 'constructor' })).status).toBe(404)
})

test.each(places)('at %s what was typed survives a refusal, in the form that it was typed into', async (at, api) => {
  const refused = await hers.post(at, { name: '   ', color: '#123456', description: 'Kept' })
  expect([refused.status, refused.text.includes('value="Kept"'), refused.text.includes('value="#123456"')]).toEqual([422, true, true])
  const { body: label } = await forge.asUser(ada).post<Label>(api, { name: 'kind', color: '#00aabb' })
  const again = await hers.post(`${at}/${label.id}`, { name: 'x'.repeat(60), color: '#123456' })
  expect([again.status, again.text.includes('x'.repeat(60)), again.text.match(/role="alert"/g)?.length]).toEqual([422, true, 1])
})

test.each(places)('at %s others change nothing, nor do other sites', async (at) => {
  for (const path of [at, `${at}/sets`, `${at}/1`, `${at}/1/delete`]) {
    expect((await his.post(path, { name: 'x', color: '#fff', template: 'Default' })).status).toBe(403)
    expect((await hers.post(path, { name: 'x', color: '#fff', template: 'Default' }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  }
})

test('labels are searched, say on how many they are, show their scope, and begin with a set', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  const hers = new TestBrowser(forge, ada)
  expect((await hers.get('/ada/engine/labels')).text).toMatch(/<details open><summary>Load a label set.*Default: [^<]+ and \d+ more<\/option>/s)
  await hers.post('/ada/engine/labels/sets', { template: 'Default' })
  const { body } = await forge
    .asUser(ada)
    .post<{ id: number }>('/repos/ada/engine/labels', { name: 'kind/"odd" one', color: '#aabbcc', exclusive: true, description: 'Needle' })
  for (const closed of [true, false]) await forge.asUser(ada).post('/repos/ada/engine/issues', { title: 'Carries it', labels: [body.id], closed })
  const { text } = await hers.get('/ada/engine/labels?q=NEEDLE')
  expect(text.match(/class="label"/g)?.length).toBe(1)
  expect(text).toContain('<span class="scope">kind</span>/&quot;odd&quot; one')
  const [, address = ''] = /<a class="faint" href="([^"]*)">2 issues and pull requests</.exec(text) ?? []
  expect((await hers.get(address.replaceAll('&amp;', '&'))).text.match(/>Carries it</g)?.length).toBe(2)
  expect((await hers.get('/ada/engine/labels?q=<b>')).text).toContain('No labels match “&lt;b&gt;”')
})
