import { afterAll, describe, expect, test } from 'bun:test'
import { outcome } from '../../../test/outcome.ts'
import { type HostList, parseHostList } from './address-policy.ts'
import { GuardedClient, type Lookup, type OutboundRequest } from './guarded-client.ts'

/** What the servers below were asked for. */
const asked: { host: string | null; path: string; authorization: string | null }[] = []

function serve(answer: (request: Request) => Response | Promise<Response>) {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { headers, url } = request
      asked.push({ host: headers.get('host'), path: new URL(url).pathname, authorization: headers.get('authorization') })
      return answer(request)
    },
  })
}

const canary = serve(() => new Response('secrets of the cloud'))
const server = serve((request) => {
  const path = new URL(request.url).pathname
  if (path === '/metadata') return Response.redirect('http://169.254.169.254/latest/meta-data/')
  if (path === '/loopback') return Response.redirect(`http://localhost:${canary.port}/`)
  if (path === '/elsewhere') return Response.redirect(`http://other.example:${server.port}/plain`)
  if (path === '/round') return Response.redirect('/round')
  if (path === '/file') return new Response(null, { status: 302, headers: { Location: 'file:///etc/passwd' } })
  if (path === '/large') return new Response('x'.repeat(2000))
  if (path === '/endless') return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }))
  if (path === '/packed') return new Response(Bun.gzipSync(new Uint8Array(500_000)), { headers: { 'Content-Encoding': 'gzip' } })
  if (path === '/silent') return new Promise(() => {})
  if (path === '/stalled') return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) }))
  return new Response('plain')
})
afterAll(() => Promise.all([server.stop(true), canary.stop(true)]))

const anything = parseHostList(['*'])
const names: Record<string, string[]> = {
  'op.example': ['127.0.0.1'],
  'other.example': ['127.0.0.1'],
  'mixed.example': ['169.254.169.254', '127.0.0.1'],
  'second.example': ['127.0.0.2', '127.0.0.1'],
  'inside.example': ['10.0.0.1'],
}

function ask(path: string, more: Partial<OutboundRequest> & { list?: HostList; offline?: boolean; lookup?: Lookup } = {}) {
  const { list = anything, offline = false, lookup = async (host: string) => names[host] ?? [], ...request } = more
  const client = new GuardedClient({ network: { OFFLINE: offline } }, lookup)
  const address = path.startsWith('/') ? `http://op.example:${server.port}${path}` : path.replace(':PORT', `:${server.port}`)
  return client.request(address, { policy: () => list, seconds: 5, maxBytes: 1000, ...request })
}

test('a name is asked by its name, at the address that was judged', async () => {
  asked.length = 0
  const { status, bytes } = await ask('/plain')
  expect([status, new TextDecoder().decode(bytes), asked[0]?.host]).toEqual([200, 'plain', `op.example:${server.port}`])
})

test('what a name leads to a moment later is not asked', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  await ask('/plain', { lookup: async () => answers.shift() ?? [] })
  expect(answers).toEqual([['169.254.169.254']])
})

test('of several addresses only those that may be reached are, one after the other', async () => {
  expect((await ask('http://mixed.example:PORT/')).status).toBe(200)
  expect((await ask('http://second.example:PORT/')).status).toBe(200)
})

test.each<[string, string, string]>([
  ['an address of the cloud', 'http://169.254.169.254/', 'The server is not allowed to connect'],
  ['the same in other words', 'http://0xa9fea9fe/', 'The server is not allowed to connect'],
  ['a name that leads inside', 'http://inside.example/', '(10.0.0.1)'],
  ['this machine', 'http://localhost:1/', 'The server is not allowed to connect'],
  ['a name of nothing', 'http://nowhere.example/', '(no address)'],
  ['a file', 'file:///etc/passwd', 'starts with http:// or https://'],
  ['credentials', 'http://ada:pw@op.example/', 'must not contain credentials'],
])('%s is not asked', async (_, url, message) => {
  expect(await outcome(ask(url, { list: parseHostList(['external']) }))).toThrow(message)
})

test.each<[string, string]>([
  ['/metadata', 'The server is not allowed to connect'],
  ['/loopback', 'The server is not allowed to connect'],
  ['/file', 'starts with http:// or https://'],
])('the redirect %s is not followed', async (path, message) => {
  asked.length = 0
  const list = parseHostList(['op.example'])
  expect(await outcome(ask(path, { list, redirects: 3 }))).toThrow(message)
  expect(asked.map((one) => one.path)).toEqual([path])
})

test('a redirect is the answer where none is to be followed, and after the last of them', async () => {
  expect((await ask('/elsewhere')).status).toBe(302)
  expect((await ask('/round', { redirects: 3 })).status).toBe(302)
})

test('credentials do not go along to another host', async () => {
  asked.length = 0
  await ask('/elsewhere', { redirects: 1, headers: { Authorization: 'Bearer secret' } })
  expect(asked.map(({ path, authorization }) => [path, authorization])).toEqual([
    ['/elsewhere', 'Bearer secret'],
    ['/plain', null],
  ])
})

test.each(['/large', '/endless'])('no more is read of %s than is allowed', async (path) => {
  expect(await outcome(ask(path))).toThrow('larger than 1000 bytes')
})

test('nothing is unpacked', async () => {
  const { bytes } = await ask('/packed')
  expect(bytes.length).toBeLessThan(1000)
})

test('who does not answer in time is not waited for', async () => {
  expect(await outcome(ask('/silent', { seconds: 0.1 }))).toThrow('did not respond within 0.1 seconds')
  expect(await outcome(ask('/plain', { seconds: 0.1, lookup: () => new Promise(() => {}) }))).toThrow('timed out')
})

test('nobody at all is asked while the server is to stay offline', async () => {
  asked.length = 0
  expect(await outcome(ask('/plain', { offline: true }))).toThrow('network.OFFLINE')
  expect(asked).toEqual([])
})

describe('a stream', () => {
  async function read(path: string, { offline = false, maxBytes = 100_000 } = {}): Promise<number> {
    const client = new GuardedClient({ network: { OFFLINE: offline } }, async (host) => names[host] ?? [])
    const request = { policy: () => anything, pace: { seconds: 0.2, bytes: 1000 }, maxBytes, redirects: 1, headers: { Authorization: 'secret' } }
    const { body } = await client.stream(`http://op.example:${server.port}${path}`, request)
    let length = 0
    for await (const bytes of body) length += bytes.length
    return length
  }

  test('is read to its end, also after a redirect, which the credentials do not follow to another host', async () => {
    asked.length = 0
    expect([await read('/plain'), await read('/elsewhere')]).toEqual([5, 5])
    expect(asked.map(({ authorization }) => authorization)).toEqual(['secret', 'secret', null])
  })

  test('ends when the other server stops sending, does not respond, or sends too much', async () => {
    expect(await outcome(read('/stalled'))).toThrow('sends too slowly')
    expect(await outcome(read('/silent'))).toThrow('did not respond within')
    expect(await outcome(read('/endless'))).toThrow('sends more than 100000 bytes')
  })

  test('is not opened to a forbidden address, or while the server is offline', async () => {
    expect(await outcome(read('/metadata'))).toThrow('not allowed to connect')
    expect(await outcome(read('/plain', { offline: true }))).toThrow('network.OFFLINE')
  })
})
