import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Elysia } from 'elysia'
import type { ConfigInput } from '#config.ts'
import { type PageReply, TestBrowser } from '../browser.ts'
import { type TestForge, testForge } from '../harness.ts'
import { addressOf } from './page-addresses.ts'
import type { PageForm } from './page-fields.ts'
import { attributeOf, faultsOf, readPage } from './page-judge.ts'
import { makePageWorld, PASSWORD, type PageRoute, type PageWorld, pageRoutes } from './page-world.ts'
import { someOf } from './some-of.ts'
import { heldOn, makeWrittenWorld, type WrittenWorld } from './written-forms.ts'

/** Every form that there is: who may send it from where, where it leads, and what becomes of what was typed. */

setDefaultTimeout(120_000)

/** What the probe answers for a request that the gate let through. */
const PASSED = 299
/** Programs ask there, with credentials of their own. */
const forPrograms = /^\/login\/oauth\/(?:access_token|introspect|revoke|userinfo)$/

/** The gate's verdict on every form, as it is sent to a server of these settings: whoever passes gets `PASSED`, and nothing is done. */
async function makeProbe(overrides: ConfigInput = {}) {
  const forge = testForge(overrides)
  const ada = await forge.person('ada', { password: PASSWORD, isAdmin: true })
  const gate = new Elysia({ normalize: false, handler: { standardHostname: false } }).onBeforeHandle(
    { as: 'global' },
    () => new Response(null, { status: PASSED }),
  )
  for (const part of await forge.app.parts()) gate.use(part)
  const posts = (await pageRoutes(forge)).filter(({ method, path }) => method === 'POST' && !forPrograms.test(path))
  const cookie = new TestBrowser(forge, ada).headers.Cookie as string
  const send = async ({ path }: PageRoute, at: string, headers: Record<string, string>) => {
    const url = at + path.replace(/:\w+|\*/g, '1')
    const answer = await gate.handle(new Request(url, { method: 'POST', body: new URLSearchParams(), headers: { Accept: 'text/html', ...headers } }))
    return { status: answer.status, text: await answer.text() }
  }
  return { forge, ada, posts, cookie, send, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() }
}
type Probe = Awaited<ReturnType<typeof makeProbe>>

const REFUSED = 'sent by another site'

/** Forms that were let in, or refused, against what is to be. `npm test` asks of each form in one of the three settings. */
async function judged({ posts, send, cookie }: Probe, at: string, headers: Record<string, string>, isRefused: boolean, turn: number): Promise<string[]> {
  const wrong: string[] = []
  for (const route of someOf(posts, 3, turn)) {
    const { status, text } = await send(route, at, { Cookie: cookie, ...headers })
    if ((status === 403 && text.includes(REFUSED)) !== isRefused) wrong.push(`${route.line}: ${status}`)
  }
  return wrong
}

describe.each([
  [0, 'a machine on a LAN', {}, 'http://nas:3000', 'http://nas:3000'],
  [1, 'a proxy that gives us HTTPS', { server: { ROOT_URL: 'https://forge.example.org/' } }, 'http://127.0.0.1:3000', 'https://forge.example.org'],
  [2, 'a proxy that gives us a path', { server: { ROOT_URL: 'https://example.org/git/' } }, 'http://127.0.0.1:3000', 'https://example.org'],
] as const)('setting %i: behind %s', (turn, _, settings, at, own) => {
  let probe: Probe
  beforeAll(async () => {
    probe = await makeProbe(settings)
  })
  afterAll(() => probe[Symbol.asyncDispose]())

  test.each([
    ['that another site sent', { Origin: 'https://evil.example' }],
    ['that another site sent, as browsers say it', { 'Sec-Fetch-Site': 'cross-site', Origin: own }],
    ['that a sibling of ours sent', { 'Sec-Fetch-Site': 'same-site', Origin: own }],
    ['that another server on this machine sent', { Origin: `${new URL(own).protocol}//${new URL(own).hostname}:81` }],
    ['that a name which begins like ours sent', { Origin: `${own}.evil.example` }],
    ['of a sandboxed page', { Origin: 'null' }],
    ['that does not say where it comes from', {}],
  ])('every form %s is refused', async (_, headers) => {
    const { version } = probe.forge.context.db
    expect(await judged(probe, at, headers as Record<string, string>, true, turn)).toEqual([])
    expect(probe.forge.context.db.version).toBe(version)
    expect(probe.posts.length).toBeGreaterThan(150)
  })

  test.each([
    ['by a page of ours', { Origin: own }],
    ['by a page of ours, as browsers say it', { 'Sec-Fetch-Site': 'same-origin', Origin: own }],
  ])('every form sent %s is taken', async (_, headers) => {
    expect(await judged(probe, at, headers as Record<string, string>, false, turn)).toEqual([])
  })
})

describe('a session that is over', () => {
  test.each([
    [
      'that was ended',
      (forge: TestForge, cookie: string) => forge.context.authenticator.sessions.end(new Request('http://localhost/', { headers: { Cookie: cookie } })),
    ],
    [
      'whose password was changed',
      (forge: TestForge) => forge.context.db.tx((tx) => tx.run("UPDATE user SET password_hash = 'another' WHERE lower_name = 'ada'")),
    ],
    ['whose account may not sign in', (forge: TestForge) => forge.context.db.tx((tx) => tx.run("UPDATE user SET prohibit_login = 1 WHERE lower_name = 'ada'"))],
  ])('%s opens no form', async (_, end) => {
    await using probe = await makeProbe()
    const { forge, posts, cookie, send } = probe
    const passing = async () => {
      const answers = await Promise.all(
        posts.map(async (route) => [route, (await send(route, 'http://localhost', { Cookie: cookie, Origin: 'http://localhost' })).status] as const),
      )
      return answers.filter(([{ kind }, status]) => status === PASSED && kind !== 'anyone' && kind !== 'signingIn').map(([{ line }]) => line)
    }
    expect((await passing()).length).toBeGreaterThan(15)
    end(forge, cookie)
    expect(await passing()).toEqual([])
  })
})

const elsewhere = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/',
  'https:evil.example',
  '/\t/evil.example',
  '/%2f/../..//evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '\u0001//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
]

describe('an address to go on to', () => {
  let world: PageWorld
  beforeAll(async () => {
    world = await makePageWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const leavesUs = (location: string | null) => location !== null && URL.parse(location, 'http://localhost/user/login')?.origin !== 'http://localhost'

  test.each([...elsewhere.entries()])('address %i, %p, that leads elsewhere is not gone on to', async (turn, address) => {
    const query = `redirect_to=${encodeURIComponent(address)}`
    const asked = (await pageRoutes(world.forge)).filter(({ kind, method }) => method === 'GET' && (kind === 'signingIn' || kind === 'anyone'))
    for (const route of someOf(asked, 3, turn)) {
      for (const viewer of ['visitor', 'owner'] as const) {
        const at = addressOf(world, route, viewer)
        const { headers, text } = await world.browsers[viewer].get(`${at}${at.includes('?') ? '&' : '?'}${query}`)
        const links = headers.get('content-type')?.startsWith('text/html') ? readPage(text).elements.map((one) => attributeOf(one, 'href') ?? '') : []
        expect([route.line, leavesUs(headers.get('location')), links.filter((link) => leavesUs(link) && link.includes('evil'))]).toEqual([
          route.line,
          false,
          [],
        ])
      }
    }
    const fields = { user_name: 'owner', password: PASSWORD, redirect_to: address }
    const { status, headers } = await new TestBrowser(world.forge).post('/user/login', fields)
    expect([status, leavesUs(headers.get('location'))]).toEqual([303, false])
  })
})

/** The end of what is very long may be missing. */
function isKept(shown: string, sent: string): boolean {
  return shown === sent || (shown.length > 60_000 && sent.startsWith(shown))
}

describe('what was typed', () => {
  let world: WrittenWorld
  beforeAll(async () => {
    world = await makeWrittenWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** Fills a form in, all that is written with another text, of which one is too long. */
  function filled({ fields, written }: PageForm, tooLong: string, length: number): Record<string, string[]> {
    const texts = Object.fromEntries(written.map((name, i) => [name, [`typed&<"${i}>`]]))
    return { ...fields, ...texts, [tooLong]: [`long&<"> ${'x'.repeat(length)}`] }
  }

  /** What of it is no longer on the page. */
  function lost({ text, status }: PageReply, sent: Record<string, string[]>, { written }: PageForm): string[] {
    const there = heldOn(text)
    const missing = written.filter((name) => !there.some((value) => isKept(value.replace(/^\n/, ''), sent[name]?.[0] ?? '')))
    const faults = [...(text.includes('role="alert"') ? [] : ['it does not say why']), ...faultsOf(text)]
    return [...missing.map((name) => `${status}: ${name} is lost`), ...faults]
  }

  test.each([
    ['beyond what the field takes', 70_000, 50],
    ['beyond what the form takes', 300_000, 1],
  ])('stays in the form that is refused because a text is %s', async (_, length, most) => {
    const wrong: string[] = []
    let refused = 0
    for (const form of world.forms) {
      for (const name of form.written.slice(0, most)) {
        const sent = filled(form, name, length)
        const reply = await world.browsers.root.post(form.action, sent, undefined, { Referer: `http://localhost${form.page}` })
        if (reply.status < 400) continue
        refused++
        wrong.push(...lost(reply, sent, form).map((one) => `${form.action} (${name}): ${one}`))
      }
    }
    expect(wrong).toEqual([])
    expect(refused).toBeGreaterThan(30)
  })

  test('is shown to be taken along where the browser does not say which page it was typed on', async () => {
    const sent = { title: 'deploy', key: `long&<"> ${'x'.repeat(70_000)}`, password: 'hidden' }
    const { status, text } = await world.browsers.owner.post('/owner/engine/settings/keys', sent)
    expect([status, text.includes('long&amp;&lt;&quot;&gt; xxx'), text.includes('hidden<')]).toEqual([422, true, false])
    expect(faultsOf(text)).toEqual([])
  })
})
