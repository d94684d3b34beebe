import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'

/** A proxy gives us HTTPS and a path of its own, which it takes away before it asks; and a machine on a LAN, where there is neither. */

const PASSWORD = 'correct horse battery'
const ORIGIN = 'https://forge.example.org'
const BASE = '/git'
let forge: TestForge
let ada: Person

beforeAll(async () => {
  forge = testForge({ server: { ROOT_URL: `${ORIGIN}${BASE}/` } })
  ada = await forge.person('ada', { password: PASSWORD })
  await forge.person('bob')
  const at = '/repos/ada/engine'
  const call = async (line: string, body: unknown) => expect((await forge.asUser(ada).send(line, { body })).status).toBeLessThan(300)
  await call('POST /user/repos', { name: 'engine', auto_init: true, readme: 'Default' })
  await call('POST /user/repos', { name: 'old' })
  await call('PATCH /repos/ada/old', { name: 'new' })
  await call('POST /orgs', { username: 'acme' })
  const readme = '![picture](a.png) #1 @bob'
  await call(`POST ${at}/contents/doc/guide.md`, { content: btoa(`[up](../README.md) ${readme}`), message: 'Add a guide', branch: 'main' })
  await call(`POST ${at}/contents/a.txt`, { content: btoa('a\n'), message: 'Add a', branch: 'main', new_branch: 'topic' })
  await call(`POST ${at}/issues`, { title: 'It breaks', body: readme })
  await call(`POST ${at}/issues/1/comments`, { body: 'see #1, @ada' })
  await call(`POST ${at}/pulls`, { title: 'Take it', head: 'topic', base: 'main' })
  await call(`POST ${at}/releases`, { tag_name: 'v1', body: readme })
  await call(`POST ${at}/wiki/new`, { title: 'Home', content_base64: btoa(readme) })
  await call(`POST ${at}/labels`, { name: 'bug', color: '#ff0000' })
  await call(`POST ${at}/milestones`, { title: '1.0' })
})
afterAll(() => forge[Symbol.asyncDispose]())

/** As the proxy does; an address outside of its path is not ours. */
async function ask(address: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  const { pathname, search } = new URL(address, ORIGIN)
  if (pathname !== BASE && !pathname.startsWith(`${BASE}/`)) throw new Error(`${address} is not below ${BASE}`)
  const headers = { Accept: 'text/html', Host: 'forge.example.org', ...init.headers }
  return forge.app.handle(new Request(`http://forge.example.org${pathname.slice(BASE.length) || '/'}${search}`, { ...init, headers }))
}

async function signIn(): Promise<string> {
  const body = new URLSearchParams({ user_name: 'ada', password: PASSWORD, redirect_to: '/ada/engine' })
  const answer = await ask(`${BASE}/user/login`, { method: 'POST', body, headers: { Origin: ORIGIN } })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${BASE}/ada/engine`])
  return answer.headers.get('set-cookie') ?? ''
}

test('a session begun behind the proxy is for HTTPS alone', async () => {
  const cookie = await signIn()
  expect(cookie).toMatch(/^__Host-[^;]+;.*Secure/i)
  expect(cookie).toMatch(/HttpOnly/i)
})

test('every link, form, picture and redirect stays below the path', async () => {
  const cookie = (await signIn()).split(';')[0] as string
  const seen = new Map([[`${BASE}/`, 'the root']])
  const outside: string[] = []
  const dead: string[] = []
  const add = (address: string, from: string) => {
    const url = URL.parse(address, `${ORIGIN}${from}`)
    if (url === null || url.origin !== ORIGIN || address.startsWith('#')) return
    if (url.pathname !== BASE && !url.pathname.startsWith(`${BASE}/`)) outside.push(`${address} on ${from}`)
    else if (!seen.has(url.pathname + url.search) && seen.size < 250) seen.set(url.pathname + url.search, from)
  }
  for (const [address, from] of seen) {
    const answer = await ask(address, { headers: { Cookie: cookie } })
    if (answer.status >= 400 && !/a\.png$/.test(address)) dead.push(`${answer.status} ${address} on ${from}`)
    const location = answer.headers.get('location')
    if (location !== null) add(location, address)
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue
    const text = await answer.text()
    for (const [, attribute = '', raw = ''] of text.matchAll(/\s(href|src|action|formaction)="([^"]*)"/g)) {
      const value = raw.replaceAll('&amp;', '&')
      if (attribute === 'href' || attribute === 'src') add(value, address)
      else if (value !== '' && !new URL(value, ORIGIN + address).pathname.startsWith(`${BASE}/`)) outside.push(`form to ${value} on ${address}`)
    }
  }
  expect([outside, dead]).toEqual([[], []])
  expect(seen.size).toBeGreaterThan(100)
}, 120_000)

test('forms lead back below the path, and so do old names and who must sign in', async () => {
  const cookie = (await signIn()).split(';')[0] as string
  const post = (path: string, fields: Record<string, string>) => {
    const body = path.endsWith('/comments') ? new FormData() : new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return ask(BASE + path, { method: 'POST', body, headers: { Cookie: cookie, Origin: ORIGIN } })
  }
  const forms: [string, Record<string, string>][] = [
    ['/repo/create', { owner: 'ada', name: 'made', description: '' }],
    ['/ada/engine/action/star', {}],
    ['/ada/engine/issues/1/comments', { body: 'more' }],
    ['/bob/-/follow', {}],
    ['/notifications', {}],
  ]
  for (const [path, body] of forms) {
    const { status, headers } = await post(path, body)
    expect([path, status, headers.get('location')?.startsWith(`${BASE}/`)]).toEqual([path, 303, true])
  }
  for (const path of ['/ada/old', '/api/v1/repos/ada/old', '/notifications', '/ada/engine/settings', '/ada/old.rss', '/ada/engine.git', '/ada/old.git']) {
    expect((await ask(BASE + path)).headers.get('location')).toStartWith(`${BASE}/`)
  }
})

test('addresses for programs name the server as people reach it', async () => {
  for (const path of ['/ada/engine.rss', '/ada/engine/releases.atom', '/opensearch.xml', '/ada/engine?go-get=1']) {
    const text = await (await ask(BASE + path)).text()
    expect([path, text.includes('forge.example.org/git/')]).toEqual([path, true])
    expect(text).not.toMatch(/forge\.example\.org\/(?!git)/)
  }
  expect(await (await ask(`${BASE}/robots.txt`)).text()).toContain('Disallow: /git/api/')
})

test('a name of the LAN over plain HTTP works whole: its own origin is believed, and links name it', async () => {
  await using lan = testForge()
  await lan.person('ada', { password: PASSWORD })
  const at = (path: string, init: RequestInit = {}) =>
    lan.app.handle(new Request(`http://nas:3000${path}`, { ...init, headers: { Accept: 'text/html', ...init.headers } }))
  const body = () => new URLSearchParams({ user_name: 'ada', password: PASSWORD })
  const signed = await at('/user/login', { method: 'POST', body: body(), headers: { Origin: 'http://nas:3000' } })
  const cookie = signed.headers.get('set-cookie') ?? ''
  expect([signed.status, /secure|__Host-/i.test(cookie)]).toEqual([303, false])
  const headers = { Cookie: cookie.split(';')[0] as string, Origin: 'http://nas:3000' }
  const made = await at('/repo/create', { method: 'POST', body: new URLSearchParams({ owner: 'ada', name: 'engine', description: '' }), headers })
  expect(made.headers.get('location')).toBe('/ada/engine')
  expect(await (await at('/ada/engine', { headers })).text()).toContain('http://ada@nas:3000/ada/engine.git')
  expect((await at('/user/logout', { method: 'POST', headers: { ...headers, Origin: 'http://other:3000' } })).status).toBe(403)
})
