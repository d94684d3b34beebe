import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const TARGET = 'https://ci.example.org/hook'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let root: Person
let hers: TestBrowser
let his: TestBrowser
let administers: TestBrowser

interface Hook {
  id: number
  name: string
  type: string
  active: boolean
  events: string[]
  branch_filter: string
  config: Record<string, string>
}

beforeAll(async () => {
  ada = await forge.person('ada')
  root = await forge.person('root1', { isAdmin: true })
  await asAda.post('/user/repos', { name: 'engine', auto_init: true })
  await asAda.post('/orgs', { username: 'acme' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
  administers = new TestBrowser(forge, root)
})
beforeEach(() => forge.context.db.tx((tx) => tx.run('DELETE FROM webhook')))
afterAll(() => forge[Symbol.asyncDispose]())

const form = { type: 'gitea', url: TARGET, content_type: 'json', events: ['push', 'create'], active: 'true' }
const places = () =>
  [
    ['/ada/engine/settings/hooks', '/repos/ada/engine/hooks', hers, ada],
    ['/org/acme/settings/hooks', '/orgs/acme/hooks', hers, ada],
    ['/user/settings/hooks', '/user/hooks', hers, ada],
    ['/-/admin/hooks', '/admin/hooks', administers, root],
  ] as const

test('in every place a hook is made, shown, changed, and deleted', async () => {
  for (const [address, api, browser, as] of places()) {
    const read = async () => (await forge.asUser(as).get<Hook[]>(`${api}?type=all`)).body
    expect((await browser.get(`${address}/new?type=gitea`)).text).toContain('New Gitea webhook')
    const more = { name: ATTACK, secret: 'psst', branch_filter: 'main' }
    const made = await browser.post(address, { ...form, ...more })
    expect([made.status, made.headers.get('location')]).toEqual([303, address])
    const [hook] = await read()
    expect(hook).toMatchObject({ name: ATTACK, type: 'gitea', active: true, events: ['create', 'push'], branch_filter: 'main', config: { url: TARGET } })
    for (const page of [await browser.get(address), await browser.get(`${address}/${hook?.id}`)]) {
      expect([page.status, page.text.includes('&lt;script&gt;'), /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror|psst/i.test(page.text)]).toEqual([
        200,
        true,
        false,
      ])
    }
    expect((await browser.post(`${address}/${hook?.id}`, { ...form, name: 'quiet', active: 'false', events: 'issues' })).status).toBe(303)
    expect(await read()).toMatchObject([{ name: 'quiet', active: false, branch_filter: 'main' }])
    await browser.post(`${address}/${hook?.id}/delete`)
    expect(await read()).toEqual([])
  }
})

test('what was typed survives a refusal, whatever was wrong with it', async () => {
  const bad: [string, string][] = [
    ['url', 'ftp://x/'],
    ['url', 'http://169.254.169.254/'],
    ['branch_filter', '['],
    ['content_type', 'xml'],
  ]
  for (const [field, wrong] of bad) {
    const refused = await hers.post('/ada/engine/settings/hooks', { ...form, name: 'Mine', secret: 'kept', [field]: wrong })
    expect([refused.status, refused.text.includes('value="Mine"'), refused.text.includes('value="kept"')]).toEqual([422, true, true])
    expect(refused.text).toContain('role="alert"')
  }
  expect((await asAda.get<Hook[]>('/repos/ada/engine/hooks')).body).toEqual([])
})

test('a channel is asked for where deliveries go to one, and kept', async () => {
  expect((await hers.get('/ada/engine/settings/hooks/new?type=slack')).text).toContain('name="channel"')
  await hers.post('/ada/engine/settings/hooks', { ...form, type: 'slack', channel: '#builds' })
  const [hook] = (await asAda.get<Hook[]>('/repos/ada/engine/hooks')).body
  expect(hook?.config.channel).toBe('#builds')
  const { text } = await hers.get(`/ada/engine/settings/hooks/${hook?.id}`)
  expect(text).toContain('value="#builds"')
  expect((await hers.post(`/ada/engine/settings/hooks/${hook?.id}`, { ...form, type: 'gitea', channel: '' })).status).toBe(422)
  await hers.post(`/ada/engine/settings/hooks/${hook?.id}/delete`)
})

test('a secret is kept until another is typed or it is dropped', async () => {
  const at = '/ada/engine/settings/hooks'
  await hers.post(at, { ...form, secret: 'first' })
  const [hook] = (await asAda.get<Hook[]>('/repos/ada/engine/hooks')).body
  const sealed = () => forge.context.db.find<{ secret: string }>('SELECT secret FROM webhook WHERE id = ?', hook?.id ?? 0)?.secret
  const first = sealed()
  await hers.post(`${at}/${hook?.id}`, { ...form, secret: '' })
  expect(sealed()).toBe(first as string)
  await hers.post(`${at}/${hook?.id}`, { ...form, secret: 'second' })
  expect(sealed()).not.toBe(first as string)
  await hers.post(`${at}/${hook?.id}`, { ...form, secret: '', drop_secret: 'true' })
  expect(sealed()).toBe('')
})

test('who saves a hook as it was does not answer for it; who switches it on does', async () => {
  const at = '/ada/engine/settings/hooks'
  const carl = await forge.person('carl')
  await asAda.put('/repos/ada/engine/collaborators/carl', { permission: 'admin' })
  await new TestBrowser(forge, carl).post(at, form)
  const [hook] = (await asAda.get<Hook[]>('/repos/ada/engine/hooks?limit=50')).body.slice(-1)
  const makerOf = () => forge.context.db.find<{ creator_id: number }>('SELECT creator_id FROM webhook WHERE id = ?', hook?.id ?? 0)?.creator_id
  await hers.post(`${at}/${hook?.id}`, { ...form, name: 'renamed' })
  expect(makerOf()).toBe(carl.row.id)
  await asAda.delete('/repos/ada/engine/collaborators/carl')
  expect((await hers.get(at)).text).toContain('>Inactive<')
  await hers.post(`${at}/${hook?.id}/test`).then(({ status }) => expect(status).toBe(422))
  await hers.post(`${at}/${hook?.id}`, form)
  expect(makerOf()).toBe(ada.row.id)
  expect((await hers.post(`${at}/${hook?.id}/test`)).status).toBe(303)
})

test('others see no hooks, nor do forms of other sites change any', async () => {
  for (const [address, , browser] of places()) {
    if (address !== '/user/settings/hooks') expect((await his.get(address)).status).toBe(403)
    const foreign = await browser.post(address, form, undefined, { Origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect((await new TestBrowser(forge).post(address, form)).status).not.toBe(200)
  }
  await hers.post('/ada/engine/settings/hooks', form)
  const [hook] = (await asAda.get<Hook[]>('/repos/ada/engine/hooks')).body
  expect(hook?.id).toBeNumber()
  expect((await hers.get(`/user/settings/hooks/${hook?.id}`)).status).toBe(404)
  expect((await hers.post(`/org/acme/settings/hooks/${hook?.id}/delete`)).status).toBe(404)
})
