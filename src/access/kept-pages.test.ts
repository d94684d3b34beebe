import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { type App, build } from '#app.ts'
import type { Context } from '#context.ts'
import { Services } from '#kernel/services.ts'
import { eventually, turns } from '../../test/eventually.ts'
import { type Person, type TestForge, testForge } from '../../test/harness.ts'
import { KeptPages } from './kept-pages.ts'

let now = Date.parse('2026-06-01T12:00:00Z')
let forge: TestForge
let ada: Person
const cookies: Record<string, string> & Record<'ada' | 'bob', string> = { ada: '', bob: '' }
beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => Math.floor(now / 1000), millis: () => now } })
  ada = await forge.person('ada')
  for (const person of [ada, await forge.person('bob')]) {
    cookies[person.name] = forge.context.authenticator.sessions.begin(person.row, new Request('http://localhost/')).split(';')[0] as string
  }
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true, readme: 'Default' })
  // What the page tells of history it has only once threads have started.
  await eventually(async () => (await ask(FILE)).headers.get('etag'))
})
afterAll(() => forge[Symbol.asyncDispose]())

const FILE = '/ada/engine/src/branch/main/README.md'

function ask(path: string, headers: Record<string, string> = {}, { app = forge.app, host = 'localhost' } = {}): Promise<Response> {
  return app.handle(new Request(`http://${host}${path}`, { headers: { Accept: 'text/html', ...headers } }))
}

const textOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).text()
const write = () => forge.asUser(ada).post('/repos/ada/engine/labels', { name: crypto.randomUUID(), color: '#aabbcc' })

/** How often the page of a file was made while `work` ran. */
async function madeDuring(work: () => Promise<unknown>): Promise<number> {
  const run = spyOn(forge.context.git, 'run')
  try {
    await work()
    return run.mock.calls.filter(([name]) => name === 'openPath').length
  } finally {
    run.mockRestore()
  }
}

test('a page is made once for all who ask for it, at once and later, until something changes', async () => {
  await write()
  const all: string[] = []
  const many = async () => void all.push(...(await Promise.all(Array.from({ length: 20 }, () => textOf(FILE)))))
  expect(await madeDuring(many)).toBe(1)
  expect(await madeDuring(many)).toBe(0)
  expect(new Set(all).size).toBe(1)
  expect(all[0]).toContain('README.md')
  await write()
  expect(await madeDuring(many)).toBe(1)
})

test('everybody gets their own page', async () => {
  for (const _ of [1, 2]) {
    const [visitor, asAda, asBob] = await Promise.all(
      [ask(FILE), ask(FILE, { Cookie: cookies.ada }), ask(FILE, { Cookie: cookies.bob })].map(async (one) => (await one).text()),
    )
    expect(visitor).toContain('Sign in</a>')
    expect(asAda).toContain('/ada/engine/settings"')
    expect(asBob).toContain('href="/bob"')
    expect(asBob).not.toContain('/ada/engine/settings"')
  }
})

test('the page of somebody who is signed out, or shows a token, is nobody else’s', async () => {
  await textOf(FILE, { Cookie: cookies.bob })
  expect(await textOf(FILE, { Cookie: `${cookies.bob}0` })).not.toContain('href="/bob"')
  expect((await ask(FILE, { Cookie: cookies.bob, Authorization: `token ${ada.token}` })).status).toBe(200)
  expect(await textOf(FILE, { Authorization: `token ${ada.token}`, Accept: 'text/plain' })).toContain('engine')
})

test('what is hidden is hidden at once, and shown again at once', async () => {
  await forge.asUser(ada).post('/user/repos', { name: 'soon', auto_init: true })
  for (const isPrivate of [false, true, false, true]) {
    await forge.asUser(ada).patch('/repos/ada/soon', { private: isPrivate })
    for (const _ of [1, 2]) {
      expect((await ask('/ada/soon')).status).toBe(isPrivate ? 404 : 200)
      expect((await ask('/ada/soon', { Cookie: cookies.bob })).status).toBe(isPrivate ? 404 : 200)
      expect((await ask('/ada/soon', { Cookie: cookies.ada })).status).toBe(200)
    }
  }
})

test('a page during whose making something was written is shown once', async () => {
  await write()
  const original = forge.context.git.run.bind(forge.context.git)
  const run = spyOn(forge.context.git, 'run').mockImplementation((async (...call: Parameters<typeof original>) => {
    await write()
    return original(...call)
  }) as never)
  await textOf(FILE)
  run.mockRestore()
  expect(await madeDuring(() => textOf(FILE))).toBe(1)
})

test('a page is not kept whose viewer changed while it was found out who that is', async () => {
  const { authenticator, db } = forge.context
  const find = authenticator.pageViewerOf.bind(authenticator)
  const spy = spyOn(authenticator, 'pageViewerOf').mockImplementation(async (...asked) => {
    const viewer = await find(...asked)
    db.tx((tx) => tx.run("UPDATE user SET full_name = 'Bob' WHERE lower_name = 'bob'"))
    return viewer
  })
  const first = await ask(FILE, { Cookie: cookies.bob })
  spy.mockRestore()
  expect(first.headers.get('etag')).toBeNull()
  expect(await madeDuring(() => textOf(FILE, { Cookie: cookies.bob }))).toBe(1)
})

test('a page that lacks something for want of time is shown for a moment, and to nobody later', async () => {
  await write()
  const original = forge.context.git.run.bind(forge.context.git)
  const run = spyOn(forge.context.git, 'run').mockImplementation(((...call: Parameters<typeof original>) => {
    forge.context.services.get(KeptPages).leaveOut()
    return original(...call)
  }) as never)
  const answers = await Promise.all([ask(FILE), ask(FILE)])
  const made = run.mock.calls.filter(([name]) => name === 'openPath').length
  run.mockRestore()
  expect(made).toBe(1)
  expect(answers.map((one) => [one.status, one.headers.get('etag')])).toEqual(Array(2).fill([200, null]))
  expect(await madeDuring(() => textOf(FILE))).toBe(0)
  now += 2000
  expect(await madeDuring(() => textOf(FILE))).toBe(1)
})

test('a page is sent as the browser takes it', async () => {
  const plain = await textOf(FILE)
  const packed = async (accepted: string) => {
    const answer = await ask(FILE, { 'Accept-Encoding': accepted })
    expect(answer.headers.get('vary')).toContain('Accept-Encoding')
    return { encoding: answer.headers.get('content-encoding'), bytes: await answer.bytes() }
  }
  for (const _ of [1, 2]) {
    const [gzip, zstd] = [await packed('gzip'), await packed('gzip, zstd')]
    expect([gzip.encoding, zstd.encoding]).toEqual(['gzip', 'zstd'])
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain)
    expect(new TextDecoder().decode(Bun.zstdDecompressSync(zstd.bytes))).toBe(plain)
    expect((await packed('br')).encoding).toBeNull()
  }
})

test('a page at another address of the same server is another page', async () => {
  await textOf('/explore/repos?q=one')
  expect(await textOf('/explore/repos?q=two')).toContain('value="two"')
  const hosts = ['nas', 'forge.example:3000']
  for (const host of [...hosts, ...hosts]) expect(await textOf('/ada/engine', {}, { host })).toContain(`http://${host}/ada/engine.git`)
  expect(await textOf(FILE, { Accept: 'text/plain' })).not.toContain('<html')
  expect(await textOf(FILE)).toContain('<html')
})

test('one who asks gets an answer though the one who asked first got none', async () => {
  await write()
  const original = forge.context.git.run.bind(forge.context.git)
  let calls = 0
  const run = spyOn(forge.context.git, 'run').mockImplementation((async (...call: Parameters<typeof original>) => {
    if (calls++ > 0) return original(...call)
    await turns(3)
    throw new Error('broken')
  }) as never)
  const answers = await Promise.all([ask(FILE), ask(FILE), ask(FILE)])
  run.mockRestore()
  expect(answers.map(({ status }) => status)).toEqual([500, 200, 200])
})

test('where there is no memory for pages each is made anew', async () => {
  const { config } = forge.context
  const other: Context = { ...forge.context, config: { ...config, server: { ...config.server, PAGE_CACHE_SIZE: 0 } }, services: new Services(() => other) }
  const app: App = build(other)
  const later = async () => {
    for (const _ of [1, 2]) await textOf(FILE, {}, { app })
  }
  expect(await madeDuring(later)).toBe(2)
})
