import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { createApplication } from './change-applications.ts'
import { CALLBACK, makeApplication } from './client.fixture.ts'
import { dropDisabledClients, findClient } from './clients.ts'
import { TokenWorld } from './token-world.fixture.ts'

let world: TokenWorld
let maker: TestBrowser
beforeAll(async () => {
  world = await TokenWorld.make()
  maker = new TestBrowser(world.forge, await world.forge.person('grace'))
})
afterAll(() => world[Symbol.asyncDispose]())

const PATH = '/user/settings/applications/oauth2'
const idIn = (text: string) => /applications\/oauth2\/(\d+)/.exec(text)?.[1] ?? ''

test('an application is made in the browser, and its secret shown on that page alone', async () => {
  const made = await maker.post(PATH, { name: 'Made <here>', redirect_uris: `${CALLBACK}\r\nhttp://127.0.0.1/\r\n`, confidential_client: 'true' })
  const secret = /gto_\w+/.exec(made.text)?.[0] ?? 'none'
  expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const list = await maker.get(PATH)
  expect(list.text).toContain('Made &lt;here&gt;')
  const one = await maker.get(`${PATH}/${idIn(made.text)}`)
  expect(one.text).toContain(`${CALLBACK}\nhttp://127.0.0.1/`)
  for (const page of [list, one]) expect(page.text).not.toContain(secret)
})

test('what is wrong with one is said, and what was typed is still there', async () => {
  for (const path of [PATH, `${PATH}/${idIn((await maker.post(PATH, { name: 'x', redirect_uris: CALLBACK })).text)}`]) {
    const refused = await maker.post(path, { name: 'Typed name', redirect_uris: 'javascript:alert(1)' })
    expect([refused.status, refused.text.includes('role="alert"'), refused.text.includes('Typed name')]).toEqual([400, true, true])
  }
})

test('it is changed, gets another secret and is deleted', async () => {
  const made = await maker.post(PATH, { name: 'Before', redirect_uris: CALLBACK })
  const at = `${PATH}/${idIn(made.text)}`
  expect((await maker.post(at, { name: 'After', redirect_uris: 'https://other.example.org/', confidential_client: 'true' })).status).toBe(303)
  expect((await maker.get(at)).text).toContain('https://other.example.org/')
  const renewed = await maker.post(`${at}/regenerate_secret`)
  expect(/gto_\w+/.exec(renewed.text)?.[0]).not.toBe(/gto_\w+/.exec(made.text)?.[0] ?? '')
  expect((await maker.post(`${at}/delete`)).status).toBe(303)
  expect((await maker.get(at)).status).toBe(404)
})

test("others' applications are not there, and neither are their grants", async () => {
  const { id } = await makeApplication(world.forge, 'maker')
  await world.tokensFor()
  const grant = world.forge.context.db.find<{ id: number }>('SELECT id FROM oauth2_grant')?.id
  expect((await maker.get(`${PATH}/${id}`)).status).toBe(404)
  const posts = [`/${id}`, `/${id}/regenerate_secret`, `/${id}/delete`, `/${id}/revoke/${grant}`]
  for (const path of posts) expect((await maker.post(PATH + path, { name: 'x', redirect_uris: CALLBACK })).status).toBe(404)
})

test('who has let an application in sees what it may do, and takes it back, with all it holds', async () => {
  const bob = await world.forge.person('bob')
  const browser = new TestBrowser(world.forge, bob)
  const code = await world.codeFor(world.application, bob)
  const { access_token, refresh_token } = await world.tokensFor(world.application, bob)
  expect(await world.statusWith(access_token)).toBe(200)
  const page = (await browser.get(PATH)).text
  for (const part of ['Continuous integration', 'href="/maker"', 'read your account', 'last used']) expect(page).toContain(part)
  const action = /action="([^"]+\/revoke\/\d+)"/.exec(page)?.[1] ?? ''
  expect((await browser.post(action, {}, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await browser.post(action)).status).toBe(303)
  expect(await world.statusWith(access_token)).toBe(401)
  expect((await world.refresh(world.application, refresh_token)).status).toBe(400)
  expect((await world.exchange(world.application, code)).status).toBe(400)
  expect((await browser.get(PATH)).text).not.toContain('Continuous integration')
})

test('who has made an application is told to who may see them alone', async () => {
  const hidden = await world.forge.person('hidden-maker', { visibility: 'private' })
  const [bob, root] = [await world.forge.person('outsider'), await world.forge.person('root1', { isAdmin: true })]
  const made = await makeApplication(world.forge, hidden.name)
  for (const person of [bob, root]) {
    const browser = new TestBrowser(world.forge, person)
    const asked = await browser.get(`/login/oauth/authorize?${new URLSearchParams({ client_id: made.client_id, response_type: 'code' })}`)
    await world.codeFor(made, person)
    for (const { text } of [asked, await browser.get(PATH)]) {
      expect([text.includes(hidden.name), text.includes('created by a private account')]).toEqual([person === root, person === bob])
    }
  }
})

test("an organization's owners keep its applications, and nobody else", async () => {
  const [owner, member] = [await world.forge.person('org-owner'), await world.forge.person('org-member')]
  await world.forge.asUser(owner).post('/orgs', { username: 'acme' })
  const at = '/org/acme/settings/applications'
  const made = await new TestBrowser(world.forge, owner).post(at, { name: 'Of acme', redirect_uris: CALLBACK, confidential_client: 'true' })
  expect(made.text).toMatch(/gto_\w+/)
  const one = `${at}/${/settings\/applications\/(\d+)/.exec(made.text)?.[1]}`
  expect((await new TestBrowser(world.forge, owner).get(one)).text).toContain('Of acme')
  for (const person of [member, world.ada]) {
    const browser = new TestBrowser(world.forge, person)
    for (const { status } of [await browser.get(at), await browser.get(one), await browser.post(`${one}/delete`)]) expect(status).toBe(403)
  }
  const [, client_id = ''] = /<pre>([0-9a-f-]{36})<\/pre>/.exec(made.text) ?? []
  const asked = await new TestBrowser(world.forge, member).get(`/login/oauth/authorize?${new URLSearchParams({ client_id, response_type: 'code' })}`)
  expect(asked.text).toContain('href="/acme"')
  // It is not the owner's own, nor the site's.
  for (const elsewhere of [PATH, '/-/admin/applications']) {
    const root = new TestBrowser(world.forge, elsewhere === PATH ? owner : await world.forge.person('site-admin', { isAdmin: true }))
    expect((await root.get(one.replace(at, elsewhere))).status).toBe(404)
  }
  expect((await new TestBrowser(world.forge, owner).post(`${one}/delete`)).status).toBe(303)
})

test('administrators keep applications of the site; programs that every server knows are none of them', async () => {
  const at = '/-/admin/applications'
  const root = new TestBrowser(world.forge, await world.forge.person('root2', { isAdmin: true }))
  const tea = { client_id: 'd57cb8c4-630c-4168-8324-ec79935e18d4', redirect_uri: 'http://127.0.0.1:1', response_type: 'code' }
  await root.get(`/login/oauth/authorize?${new URLSearchParams(tea)}`)
  const made = await root.post(at, { name: 'Of the site', redirect_uris: CALLBACK })
  const [, client_id = ''] = /<pre>([0-9a-f-]{36})<\/pre>/.exec(made.text) ?? []
  expect((await root.get(at)).text).toContain('Of the site')
  expect((await root.get(at)).text).not.toContain('tea')
  const known = world.forge.context.db.find<{ id: number }>("SELECT id FROM oauth2_application WHERE name = 'tea'")?.id
  for (const path of [`${at}/${known}/delete`, `${at}/${known}/regenerate_secret`]) expect((await root.post(path)).status).toBe(404)
  expect((await new TestBrowser(world.forge, world.ada).get(at)).status).toBe(403)
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
  const asked = await new TestBrowser(world.forge, world.ada).get(
    `/login/oauth/authorize?${new URLSearchParams({ client_id, response_type: 'code', ...pkce })}`,
  )
  expect(asked.text).toContain('created by the site administrators')
})

test('programs that the settings no longer name are gone with the next start, and those of the site stay', async () => {
  const { context } = world.forge
  const site = createApplication(
    context,
    { id: null },
    { name: 'Kept', redirect_uris: [CALLBACK], confidential_client: true, skip_secondary_authorization: false },
  )
  const ids = ['d57cb8c4-630c-4168-8324-ec79935e18d4', 'a4792ccc-144e-407e-86c9-5e7d8d9c3269']
  for (const id of ids) expect(findClient(context, id)).toBeDefined()
  Object.assign(context.config.oauth2, { DEFAULT_APPLICATIONS: ['tea'] })
  dropDisabledClients(context)
  expect([...ids, site.row.client_id].map((id) => findClient(context, id)?.name)).toEqual(['tea', undefined, 'Kept'])
  Object.assign(context.config.oauth2, { DEFAULT_APPLICATIONS: ['tea', 'git-credential-oauth'] })
  expect(findClient(context, ids[1] ?? '')?.name).toBe('git-credential-oauth')
})

test('all that somebody has made and let in is there, page by page, each list by itself', async () => {
  const eve = await world.forge.person('eve')
  const browser = new TestBrowser(world.forge, eve)
  for (let i = 0; i < 60; i++) await makeApplication(world.forge, 'eve', { name: `made-${100 + i}` })
  const ids = world.forge.context.db.all<{ id: number }>('SELECT id FROM oauth2_application WHERE owner_id = ?', eve.row.id)
  world.forge.context.db.tx((tx) => {
    for (const { id } of ids) tx.insert('oauth2_grant', { application_id: id, user_id: eve.row.id, scope: '', created_at: 1 })
  })
  const parts = async (query: string) => {
    const [, grants = '', made = ''] = (await browser.get(PATH + query)).text.split(/<h2>(?:Authorized|Your OAuth2) applications<\/h2>/)
    return [grants, made].map((part) => new Set(part.match(/made-\d+/g)))
  }
  const [grants, made] = await parts('')
  expect([grants?.size, made?.size]).toEqual([50, 50])
  const [others, more] = await parts('?grants=2&page=2')
  expect([others?.size, more?.size, others?.union(grants ?? new Set()).size, more?.union(made ?? new Set()).size]).toEqual([10, 10, 60, 60])
  expect((await browser.get(`${PATH}?page=2`)).text).toContain(`href="${PATH}?page=2&amp;grants=2"`)
})
