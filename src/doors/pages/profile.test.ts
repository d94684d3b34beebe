import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let bob: Person

beforeAll(async () => {
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  await asAda.post('/user/repos', { name: 'engine', auto_init: true })
  await asAda.post('/user/repos', { name: 'secret', private: true })
  await asAda.post('/orgs', { username: 'acme' })
  await asAda.put('/orgs/acme/public_members/ada')
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a profile tells what somebody did and when, to each only what they see', async () => {
  const cleo = await forge.person('cleo')
  await forge.asUser(cleo).post('/user/repos', { name: 'engine', auto_init: true })
  await forge.asUser(cleo).post('/user/repos', { name: 'secret', private: true })
  await forge.asUser(cleo).post('/repos/cleo/engine/contents/a.txt', { content: btoa('a'), message: 'Add a' })
  const [hers, his] = [new TestBrowser(forge, cleo), new TestBrowser(forge, bob)]
  for (const [browser, count] of [
    [hers, 3],
    [his, 2],
  ] as const) {
    const { text } = await browser.get('/cleo?tab=activity')
    expect(text).toContain(`${count} contributions in the last year`)
    expect(text.includes('/cleo/secret"')).toBe(browser === hers)
    expect(text).toContain('>Add a</a>')
    expect(text).toContain('<th scope="row">')
  }
})

test('an organization shows what happens in it, and its public members', async () => {
  await asAda.post('/orgs/acme/repos', { name: 'works' })
  const visitor = new TestBrowser(forge)
  expect((await visitor.get('/acme?tab=activity')).text).toContain('<a href="/acme/works">acme/works</a>')
  expect((await visitor.get('/org/acme/members')).text).toContain('<a href="/ada">ada</a>')
})

test('organizations are found by a word in their names, those alone that one may see', async () => {
  await asAda.post('/orgs', { username: 'acme-inside', visibility: 'private' })
  const listed = async (browser: TestBrowser, q: string) => {
    const { text } = await browser.get(`/explore/organizations?q=${q}`)
    return ['acme', 'acme-inside'].filter((name) => text.includes(`<a href="/${name}">`))
  }
  expect(await listed(new TestBrowser(forge), 'ACM')).toEqual(['acme'])
  expect(await listed(new TestBrowser(forge, bob), '')).toEqual(['acme'])
  expect(await listed(new TestBrowser(forge, ada), 'acme')).toEqual(['acme', 'acme-inside'])
  expect(await listed(new TestBrowser(forge, ada), 'nowhere')).toEqual([])
})

test('people follow each other from their profiles', async () => {
  const his = new TestBrowser(forge, bob)
  expect((await his.get('/ada')).text).toContain('action="/ada/-/follow"')
  expect((await his.post('/ada/-/follow')).headers.get('location')).toBe('/ada')
  expect((await his.get('/ada')).text).toContain('action="/ada/-/unfollow"')
  expect((await his.get('/ada?tab=followers')).text).toContain('<a href="/bob">bob</a>')
  expect((await his.get('/bob?tab=following')).text).toContain('<a href="/ada">ada</a>')
  await his.post('/ada/-/unfollow')
  expect((await his.get('/ada?tab=followers')).text).toContain('No followers yet')
})

test('stars, watches and forks are one click on a repository, and are listed', async () => {
  const his = new TestBrowser(forge, bob)
  for (const [verb, undo, list] of [
    ['star', 'unstar', 'stars'],
    ['watch', 'unwatch', 'watchers'],
  ]) {
    expect((await his.post(`/ada/engine/action/${verb}`)).status).toBe(303)
    expect((await his.get('/ada/engine')).text).toContain(`action="/ada/engine/action/${undo}"`)
    expect((await his.get(`/ada/engine/${list}`)).text).toContain('<a href="/bob">bob</a>')
  }
  expect((await his.get('/bob?tab=stars')).text).toContain('/ada/engine')
  expect((await his.post('/ada/engine/action/unstar')).status).toBe(303)
  expect((await his.get('/ada/engine/stars')).text).toContain('No stars yet')
  expect((await his.post('/ada/secret/action/star')).status).toBe(404)
  expect((await new TestBrowser(forge).post('/ada/engine/action/star')).headers.get('location')).toContain('/user/login')
})

test('a fork is made in the page, once for each owner', async () => {
  const his = new TestBrowser(forge, bob)
  expect((await his.get('/ada/engine/fork')).text).toContain('<option value="bob">')
  expect((await his.post('/ada/engine/fork', { owner: 'bob', name: 'bad name' })).text).toContain('role="alert"')
  expect((await his.post('/ada/engine/fork', { owner: 'bob', name: 'motor' })).headers.get('location')).toBe('/bob/motor')
  expect((await his.get('/ada/engine/forks')).text).toContain('<a href="/bob/motor">bob/motor</a>')
  const { text } = await his.get('/ada/engine/fork')
  expect([text.includes('A fork already exists: <a href="/bob/motor">'), text.includes('<option value="bob">')]).toEqual([true, false])
  expect((await his.post('/ada/engine/fork', { owner: 'bob', name: 'again' })).status).toBe(409)
})

test('the home of a member shows what waits for them and what happened where they watch', async () => {
  const { body } = await forge.asUser(bob).post('/repos/ada/engine/issues', { title: 'It breaks', assignees: ['ada'] })
  await asAda.patch(`/repos/ada/engine/issues/${body.number}`, { assignees: ['ada'] })
  const { text } = await new TestBrowser(forge, ada).get('/')
  expect(text).toContain(`ada/engine#${body.number} assigned to you`)
  expect(text).toContain('opened issue')
  expect(text).toContain('unread notification')
  expect((await new TestBrowser(forge).get('/')).text).not.toContain('Needs your attention')
})

test('the home of a member to whom more is assigned than it shows leads to all of it', async () => {
  const hers = new TestBrowser(forge, await forge.person('busy'))
  const leads = async () => (await hers.get('/')).text.includes('href="/issues?type=assigned"')
  expect(await leads()).toBe(false)
  await asAda.put('/repos/ada/engine/collaborators/busy')
  for (let n = 1; n <= 11; n++) await asAda.post('/repos/ada/engine/issues', { title: `Case ${n}`, assignees: ['busy'] })
  expect(await leads()).toBe(true)
  expect((await hers.get('/issues?type=assigned')).text.match(/>Case \d+</g)).toHaveLength(11)
})

test('a member finds their own repositories by a word, and narrows what happened down to an organization', async () => {
  await asAda.post('/orgs', { username: 'works' })
  await asAda.post('/orgs/works/repos', { name: 'mill' })
  const hers = new TestBrowser(forge, ada)
  const listed = async (path: string) => {
    const { text } = await hers.get(path)
    return ['/ada/engine', '/works/mill'].map((address) => text.replaceAll(/<nav.*?<\/nav>/gs, '').includes(`href="${address}"`))
  }
  expect(await listed('/works')).toEqual([false, true])
  expect((await hers.get('/works?q=nothing')).text).toContain('No repository name or description matches your search.')
  expect((await hers.get('/?q=nothing')).text).toContain('No repository name matches your search.')
  expect((await hers.get('/?q=eng')).text).toContain('<a href="/ada/engine">ada/engine</a>')
  const { text } = await hers.get('/?org=works')
  const happened = text.slice(text.indexOf('<h2>Activity</h2>'), text.indexOf('Your repositories'))
  expect([happened.includes('<a href="/?org=works" aria-current="true">'), happened.includes('/works/mill'), happened.includes('/ada/engine')]).toEqual([
    true,
    true,
    false,
  ])
  expect((await hers.get('/?org=nobody')).text).toContain('<a href="/" aria-current="true">')
})

test('what happened is narrowed down by its kind, and no choice on the dashboard ends another', async () => {
  for (const username of ['kinds', 'others']) await asAda.post('/orgs', { username })
  await asAda.post('/orgs/kinds/repos', { name: 'mill', auto_init: true })
  await asAda.post('/repos/kinds/mill/contents/wheel.txt', { content: btoa('o'), message: 'Turn' })
  await asAda.post('/repos/kinds/mill/issues', { title: 'It creaks' })
  await asAda.post('/repos/kinds/mill/releases', { tag_name: 'v1', target_commitish: 'main', name: 'First light' })
  await asAda.post('/repos/kinds/mill/releases', { tag_name: 'v2', name: 'Secret plans', draft: true })
  const [hers, visitor] = [new TestBrowser(forge, ada), new TestBrowser(forge)]
  const told = (text: string) => [text.includes('>Turn</a>'), text.includes('It creaks'), text.includes('>First light</a>'), text.includes('Secret plans')]
  for (const [browser, address] of [
    [hers, '/?org=kinds'],
    [hers, '/kinds?tab=activity'],
    [visitor, '/kinds?tab=activity'],
  ] as const) {
    const shown = async (kind: string) => told((await browser.get(address + kind)).text)
    expect(await shown('')).toEqual([true, true, true, false])
    expect(await shown('&kind=pushes')).toEqual([true, false, false, false])
    expect(await shown('&kind=issues')).toEqual([false, true, false, false])
    expect(await shown('&kind=releases')).toEqual([false, false, true, false])
    expect(await shown('&kind=nonsense')).toEqual([true, true, true, false])
  }
  const { text } = await hers.get('/?org=kinds&kind=issues&q=mill')
  const links = [...text.matchAll(/<a href="\/\?([^"]*)"/g)].map(([, query = '']) => query.replaceAll('&amp;', '&'))
  for (const link of ['kind=issues&q=mill', 'org=kinds&q=mill', 'org=kinds&kind=releases&q=mill', 'org=others&kind=issues&q=mill'])
    expect(links).toContain(link)
  expect(text).toMatch(
    /<form class="search" method="get" action="\/"><input type="hidden" name="org" value="kinds"[^>]*><input type="hidden" name="kind" value="issues"/,
  )
})
