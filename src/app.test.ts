import { expect, jest, spyOn, test } from 'bun:test'
import { mainTurns } from '#kernel/turns.ts'
import { fakeTimers } from '../test/fake-timers.ts'
import { testForge } from '../test/harness.ts'

test('hosts of any length lead to the same routes', async () => {
  await using forge = testForge()
  for (const origin of ['http://localhost', 'http://pi', 'http://x', 'http://nas:3000', 'http://a.very.long.name.example.org:65535']) {
    const response = await forge.app.handle(new Request(`${origin}/api/v1/version`))
    expect([origin, response.status]).toEqual([origin, 200])
  }
})

test('a host that no address can have is refused, by pages as by the API', async () => {
  await using forge = testForge()
  for (const path of ['/', '/user/login', '/explore/repos', '/nobody', '/api/v1/version']) {
    for (const host of ['x:99999999', '[::1', '1.2.3.4.5', 'a:80:90', 'xn--a', '']) {
      const request = new Request('http://localhost/', { headers: { Accept: 'text/html' } })
      Object.defineProperty(request, 'url', { value: host === '' ? path : `http://${host}${path}` })
      expect([host, path, (await forge.app.handle(request)).status]).toEqual([host, path, 400])
    }
  }
})

test('an address that ended in a slash, with a path behind it, is answered to programs as what is meant', async () => {
  await using forge = testForge()
  const { token } = await forge.person('ada')
  const headers = { Authorization: `token ${token}` }
  const ask = async (line: string) => {
    const [method = '', path = ''] = line.split(' ')
    const body = method === 'POST' ? new URLSearchParams({ name: 'engine' }) : undefined
    return [line, (await forge.app.handle(new Request(`http://localhost${path}`, { method, headers, body }))).status]
  }
  for (const [line, status] of [
    ['GET //api/v1/version', 200],
    ['POST ///api/v1//user/repos', 201],
    ['GET /api/v1//repos/search?q=a', 200],
    ['GET //ada/engine.git/info/refs?service=git-upload-pack', 200],
    ['POST //api/v1/version', 405],
    ['GET ///evil.example/tool', 404],
    ['DELETE /api/v1/repos//engine/subscription', 404],
    ['DELETE /api/v1/repos/ada/engine//', 404],
    ['GET //a/b/c/d/e/f', 404],
  ] as const)
    expect(await ask(line)).toEqual([line, status])
})

test.each(['DELETE', 'PATCH'])('who asks to %s a branch `..` does it to no repository', async (method) => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  const headers = { Authorization: `token ${ada.token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'other' })
  const ask = (rest: string) => forge.app.handle(new Request(`http://localhost/api/v1/repos/ada/engine${rest}`, { method, headers, body }))
  for (const rest of ['/branches/..', '/branches/%2e%2E', '/contents/a/../..', '/.', '/']) {
    const { status, headers } = await ask(rest)
    expect([rest, status, headers.get('allow')]).toEqual([rest, 405, 'GET, HEAD'])
  }
  expect((await ask('')).ok).toBe(true)
})

test('a body that breaks off is the fault of who sent it', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const headers = { Authorization: `token ${ada.token}`, 'Content-Type': 'application/json' }
  const body = new ReadableStream({ pull: (c) => c.error(new Error('')) })
  const answer = await forge.app.handle(new Request('http://localhost/api/v1/user/repos', { method: 'POST', headers, body }))
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('it ends early')])
})

test('who sends too much without having said how much it will be is not listened to any longer', async () => {
  await using forge = testForge({ api: { DEFAULT_MAX_BODY_SIZE: 2000 } })
  const ada = await forge.person('ada')
  await using server = Bun.serve({ port: 0, fetch: forge.app.answer })
  const gone = Promise.withResolvers<void>()
  let answer = ''
  const socket = await Bun.connect({
    hostname: server.hostname as string,
    port: server.port as number,
    socket: { data: (_, bytes) => void (answer += bytes), close: () => gone.resolve(), error: () => gone.resolve() },
  })
  socket.write(`POST /api/v1/user/repos HTTP/1.1\r\nHost: localhost\r\nAuthorization: token ${ada.token}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  socket.write(`3e8\r\n${' '.repeat(1000)}\r\n`.repeat(3))
  await gone.promise
  expect(answer).toStartWith('HTTP/1.1 413 ')
})

test('a connection may be silent while its answer is made', async () => {
  await using forge = testForge()
  const given: [string, number][] = []
  forge.app.server = {
    pendingRequests: 0,
    requestIP: () => null,
    timeout: (request: Request, seconds: number) => void given.push([request.url, seconds]),
  } as never
  jest.useFakeTimers()
  try {
    const rest = Promise.withResolvers<void>()
    const body = new ReadableStream({ pull: (controller) => rest.promise.then(() => controller.close()) })
    const answer = forge.app.answer(new Request('http://localhost/api/v1/markdown/raw', { method: 'POST', body }))
    jest.advanceTimersByTime(25_000)
    rest.resolve()
    await answer
    jest.advanceTimersByTime(25_000)
  } finally {
    jest.useRealTimers()
  }
  expect(given).toEqual([
    ['http://localhost/api/v1/markdown/raw', 30],
    ['http://localhost/api/v1/markdown/raw', 30],
  ])
})

test('a body that is no JSON is 422 and one over the limit 413, for those who may call the route', async () => {
  await using forge = testForge({ api: { DEFAULT_MAX_BODY_SIZE: 2000 } })
  const ada = await forge.person('ada')
  const send = async (path: string, body: string, signed: boolean) => {
    const headers = { 'Content-Type': 'application/json', ...(signed ? { Authorization: `token ${ada.token}` } : {}) }
    return (await forge.app.handle(new Request(`http://localhost/api/v1${path}`, { method: path === '/user/repos' ? 'POST' : 'PATCH', headers, body }))).status
  }
  for (const path of ['/user/repos', '/user/settings']) {
    expect([path, await send(path, '{{', true)]).toEqual([path, 422])
    expect([path, await send(path, '['.repeat(1900), true)]).toEqual([path, 422])
    expect([path, await send(path, ' '.repeat(2001), true)]).toEqual([path, 413])
    expect([path, await send(path, ' '.repeat(2001), false)]).toEqual([path, 401])
  }
})

test('nothing of a body is read of those whom the gate refuses', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const narrow = forge.token('ada', 'read:user')
  for (const [authorization, status] of [
    [undefined, 401],
    [`token ${'0'.repeat(40)}`, 401],
    [`token ${narrow}`, 403],
    [`token ${ada.token}`, 422],
  ] as const) {
    let pulled = 0
    const body = new ReadableStream({ pull: (c) => (pulled++ === 0 ? c.enqueue(Buffer.from('{"')) : c.close()) }, { highWaterMark: 0 })
    const headers = { 'Content-Type': 'application/json', ...(authorization ? { Authorization: authorization } : {}) }
    const answer = await forge.app.handle(new Request('http://localhost/api/v1/user/repos', { method: 'POST', headers, body }))
    expect([authorization, answer.status, pulled > 0]).toEqual([authorization, status, status === 422])
  }
})

test('nothing of a visitor’s body is read where all may look and only people write', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  await forge.asUser(ada).post('/orgs', { username: 'crew' })
  const visitor = async (line: string) => {
    const [method, path] = line.split(' ') as [string, string]
    let isRead = false
    const body = new ReadableStream(
      {
        pull: (c) => {
          isRead = true
          c.enqueue(Buffer.from('{}'))
          c.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await forge.app.handle(new Request(`http://localhost/api/v1${path}`, { method, headers, body }))
    return [line, status, isRead]
  }
  const written = ['POST /repos/ada/engine/contents', 'PUT /repos/ada/engine/contents/a', 'POST /repos/ada/engine/diffpatch', 'POST /repos/ada/engine/issues']
  for (const line of [...written, 'POST /repos/ada/engine/pulls', 'POST /orgs/crew/repos', 'POST /repos/ada/engine/forks'])
    expect(await visitor(line)).toEqual([line, 401, false])
  for (const line of ['POST /repos/ada/engine/file-contents', 'POST /markdown']) expect(await visitor(line)).toEqual([line, 200, true])
})

test('only an operation that takes files takes large bodies, and none one of very many short names', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 1]))
  expect((await forge.asUser(ada).post('/user/repos', { name: 'engine', ...many })).status).toBe(422)
  expect((await forge.asUser(ada).post('/user/repos', { name: 'engine', extra: 'x'.repeat(300_000) })).status).toBe(413)
  expect((await forge.asUser(ada).post('/user/avatar', { image: 'A'.repeat(600_000) })).status).toBe(422)
})

test('a body that comes too slowly is 408, and its members are not waited for', async () => {
  await using forge = testForge({ server: { PROGRESS_SECONDS: 1 } })
  const ada = await forge.person('ada')
  using time = fakeTimers()
  const body = new ReadableStream({
    async pull(c) {
      await time.advance(100)
      c.enqueue(Buffer.from(' '))
    },
  })
  const headers = { 'Content-Type': 'application/json', Authorization: `token ${ada.token}` }
  const answer = await forge.app.handle(new Request('http://localhost/api/v1/user/repos', { method: 'POST', headers, body }))
  expect(answer.status).toBe(408)
})

test('forms are taken wherever JSON is, in the types that the operation wants', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const send = async (line: string, body: URLSearchParams | FormData) => {
    const [method, path] = line.split(' ')
    const response = await forge.app.handle(new Request(`http://localhost/api/v1${path}`, { method, body, headers: { Authorization: `token ${ada.token}` } }))
    return [response.status, response.status === 204 ? undefined : await response.json()]
  }
  const fields = { name: 'engine', private: 'true', description: 'a & b', auto_init: 'off', trust_model: 'default' }
  expect(await send('POST /user/repos', new URLSearchParams(fields))).toEqual([
    201,
    expect.objectContaining({ private: true, description: 'a & b', empty: true }),
  ])
  const form = new FormData()
  for (const [name, value] of Object.entries({ has_wiki: 'false', private: 'on' })) form.set(name, value)
  expect(await send('PATCH /repos/ada/engine', form)).toEqual([200, expect.objectContaining({ has_wiki: false, private: true })])
  const emails = new URLSearchParams([
    ['emails', 'a@example.org'],
    ['emails', 'b@example.org'],
  ])
  expect((await send('POST /user/emails', emails))[1]).toContainEqual(expect.objectContaining({ email: 'b@example.org' }))
  expect(await send('POST /user/repos', new URLSearchParams({ name: 'two', private: 'perhaps' }))).toEqual([
    422,
    expect.objectContaining({ message: expect.stringMatching(/^\[private\]/) }),
  ])
})

test.each([
  ['GET /api/healthz HTTP/1.0', 'HTTP/1.1 200'],
  ['OPTIONS / HTTP/1.0', 'HTTP/1.1 204'],
  ['GET /explore/repos?q=x HTTP/1.0', 'HTTP/1.1 200'],
  ['GET //elsewhere.example/api/healthz HTTP/1.0', 'HTTP/1.1 404'],
  ['GET /api/healthz HTTP/1.1', 'HTTP/1.1 400'],
])('%s without a Host header is answered with %s', async (line, status) => {
  await using forge = testForge()
  using server = Bun.serve({ port: 0, fetch: forge.app.answer })
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = await Bun.connect({ hostname: '127.0.0.1', port: server.port as number, socket: { data: (_, bytes) => resolve(bytes.toString()) } })
  socket.write(`${line}\r\n\r\n`)
  expect((await promise).slice(0, status.length)).toBe(status)
})

test('two Host headers, and what is no host, are refused', async () => {
  await using forge = testForge()
  using server = Bun.serve({ port: 0, fetch: forge.app.fetch })
  const ask = async (lines: string, path = '/api/v1/version') => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = await Bun.connect({ hostname: '127.0.0.1', port: server.port as number, socket: { data: (_, bytes) => resolve(bytes.toString()) } })
    socket.write(`GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)
    return (await promise).split('\r\n')[0]
  }
  expect(await ask('Host: forge\r\n')).toContain('200')
  for (const lines of ['Host: forge\r\nHost: other\r\n', 'Host: forge, other\r\n', 'Host: forge/../x\r\n', 'Host: a b\r\n'])
    expect(await ask(lines)).toContain('400')
  for (const host of ['', 'a"b', '<script>', 'é.example.org'])
    expect([host, await ask(`Host: ${host}\r\nAccept: text/html\r\n`, '/explore/repos')]).toEqual([host, expect.stringContaining('400')])
})

test('a disk that is full keeps nobody from reading, though reading is noted', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const { db } = forge.context
  db.exec('CREATE TABLE filler (text TEXT) STRICT')
  const { page_count: pages } = db.find<{ page_count: number }>('PRAGMA page_count') ?? { page_count: 0 }
  db.exec(`PRAGMA max_page_count = ${pages}`)
  expect(() => db.tx((tx) => tx.run('INSERT INTO filler VALUES (?)', 'x'.repeat(1_000_000)))).toThrow('full')
  db.exec("CREATE TRIGGER grow AFTER UPDATE ON access_token BEGIN INSERT INTO filler VALUES (printf('%1000000s', 'x')); END")
  expect((await forge.asUser(ada).get('/user')).status).toBe(200)
  expect(db.all('SELECT 1 FROM access_token WHERE last_used_at IS NOT NULL')).toEqual([])
  db.exec('PRAGMA max_page_count = 1000000')
  expect((await forge.asUser(ada).get('/user')).status).toBe(200)
  expect(db.all('SELECT 1 FROM access_token WHERE last_used_at IS NOT NULL')).toHaveLength(1)
})

test('a disk that answers with errors: nobody is told that nothing was stored once something was', async () => {
  await using forge = testForge()
  await forge.person('ada')
  await forge.asUser('ada').post('/user/repos', { name: 'engine', auto_init: true })
  const { git, db } = forge.context
  const fail = () => Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'open' }))
  const file = (method: string, name: string, body?: unknown) => forge.asUser('ada').send(`${method} /repos/ada/engine/contents/${name}`, { body })
  const write = (name: string) => file('POST', name, { content: btoa(name) })

  using making = spyOn(git, 'make').mockImplementationOnce(fail)
  expect(await write('before')).toMatchObject({ status: 503, body: { message: expect.stringContaining('no changes were saved') } })
  expect((await file('GET', 'before')).status).toBe(404)
  making.mockRestore()

  const { run } = git
  const { changes } = db
  using running = spyOn(git, 'run').mockImplementation((...asked) => (db.changes > changes ? fail() : run.apply(git, asked)) as never)
  expect(await write('after')).toMatchObject({ status: 503, body: { message: expect.stringContaining('may have been saved') } })
  running.mockRestore()
  expect((await file('GET', 'after')).status).toBe(200)
})

test('whoever else asks waits for few of the requests that one sends at once, from the same place and from another', async () => {
  await using forge = testForge()
  using isOver = spyOn(mainTurns, 'isOver').mockReturnValue(true)
  using address = spyOn(forge.context.clients, 'of').mockImplementation((request) => request.headers.get('x-place') ?? '')
  const answered: string[] = []
  const ask = async (name: string, place: string) => {
    const request = new Request('http://localhost/api/v1/version', { headers: { authorization: `token ${name}`, 'x-place': place } })
    await forge.app.answer(request)
    answered.push(name)
  }
  const crowd = Array.from({ length: 9 }, () => ask('many', '10.0.0.1'))
  await Promise.all([...crowd, ask('neighbour', '10.0.0.1'), ask('stranger', '10.0.0.2')])
  expect([isOver, address].map(({ mock }) => mock.calls.length)).toEqual([11, 11])
  expect([answered.indexOf('stranger') < 4, answered.indexOf('neighbour') < 6, answered.length]).toEqual([true, true, 11])
})

test('while another program writes, only what is let in and writes waits for it: fetches, rendered texts and who is refused do not', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  Object.defineProperty(forge.context.db, 'isContended', { value: true })
  using untilFree = spyOn(forge.context.db, 'untilFree').mockResolvedValue()
  const { token } = ada
  const waits = async (path: string, credentials: Record<string, string> = { Authorization: `token ${token}` }) => {
    const before = untilFree.mock.calls.length
    const headers = { 'Git-Protocol': 'version=2', ...credentials }
    await forge.app.handle(new Request(`http://localhost${path}`, { method: 'POST', body: '0014command=ls-refs\n0000', headers }))
    return [path, untilFree.mock.calls.length > before]
  }
  for (const path of [
    '/ada/engine.git/git-upload-pack',
    '/api/v1/markdown',
    '/api/v1/markdown/raw',
    '/api/v1/markup',
    '/api/v1/repos/ada/engine/file-contents',
  ])
    expect(await waits(path)).toEqual([path, false])
  for (const path of ['/ada/engine.git/git-receive-pack', '/api/v1/user/repos', '/api/v1/repos/ada/engine/issues']) {
    expect(await waits(path)).toEqual([path, true])
    expect(await waits(path, {})).toEqual([path, false])
  }
})
