import { afterAll, expect, spyOn, test } from 'bun:test'
import type { UserRow } from '#access/index.ts'
import { turns } from '../../../test/eventually.ts'
import { tryGit } from '../../../test/git.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

const PASSWORD = 'correct horse'
const basic = (name: string, secret: string) => ({ Authorization: `Basic ${btoa(`${name}:${secret}`)}` })

/** A forge in which `ada` has a code generator, `kim` a security key alone, and `bob` neither. The right code is 123456, once. */
async function enrolled(security: Record<string, unknown> = {}): Promise<TestForge> {
  const forge = testForge({ security })
  for (const name of ['ada', 'kim', 'bob']) await forge.person(name, { password: PASSWORD })
  const used = new Set<string>()
  forge.context.authenticator.plugs.secondFactors = {
    isEnrolled: ({ name }) => name !== 'bob',
    hasSecurityKeysOnly: ({ name }) => name === 'kim',
    verifyCode: ({ name }, code) => code === '123456' && !used.has(name) && used.add(name) !== undefined,
  }
  return forge
}

const forge = await enrolled()
afterAll(() => forge[Symbol.asyncDispose]())
const ask = async (headers: Record<string, string>, from = forge) => {
  const { status, body } = await from.get<{ message?: string }>('/user', { headers })
  return [status, status === 200 ? '' : body.message]
}

test('a password alone does not do where there is a second factor, and the answer says what to send', async () => {
  expect(await ask(basic('bob', PASSWORD))).toEqual([200, ''])
  expect(await ask(basic('ada', PASSWORD))).toEqual([401, expect.stringContaining('X-Gitea-OTP')])
  expect(await ask(basic('ada@example.org', PASSWORD))).toEqual([401, expect.stringContaining('X-Gitea-OTP')])
  expect(await ask({ ...basic('ada', 'wrong horse'), 'X-Gitea-OTP': '123456' })).toEqual([401, 'invalid username, password or token'])
})

test.each(['X-Gitea-OTP', 'X-Forgejo-OTP'])('a code in %s lets in once', async (header) => {
  await using own = await enrolled()
  const headers = { ...basic('ada', PASSWORD), [header]: '123456' }
  expect(await ask({ ...headers, [header]: '654321' }, own)).toEqual([401, expect.stringContaining('already used')])
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(headers, own)))
  const statuses = answers.map(([status]) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.every((status) => status === 200 || status === 401 || status === 429)).toBe(true)
})

test('who has security keys alone signs in to nothing with a password', async () => {
  expect(await ask({ ...basic('kim', PASSWORD), 'X-Gitea-OTP': '123456' })).toEqual([401, expect.stringContaining('WebAuthn')])
})

test('tokens ask for no code, as user or as password', async () => {
  for (const name of ['ada', 'kim']) {
    const token = forge.token(name, 'read:user')
    for (const headers of [basic(name, token), basic(token, ''), basic(token, 'x-oauth-basic')]) expect(await ask(headers)).toEqual([200, ''])
  }
})

test('wrong codes count, and the right password does not make them forgotten', async () => {
  await using own = await enrolled({ SIGN_IN_FAILURES: 3 })
  const guess = (code: string) => ask({ ...basic('ada', PASSWORD), 'X-Gitea-OTP': code }, own)
  for (const code of ['000000', '000001', '000002']) expect((await guess(code))[0]).toBe(401)
  expect((await ask(basic('ada', PASSWORD), own))[0]).toBe(401)
  expect((await guess('123456'))[0]).toBe(429)
})

test('a body that comes slowly needs no second code', async () => {
  await using own = await enrolled()
  const parts = ['{"description":', '"slow"}']
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await turns(20)
        const part = parts.shift()
        if (part === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(part))
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { ...basic('ada', PASSWORD), 'X-Gitea-OTP': '123456', 'Content-Type': 'application/json' }
  const response = await own.app.handle(new Request('http://localhost/api/v1/user/settings', { method: 'PATCH', headers, body }))
  expect([response.status, await response.json()]).toMatchObject([200, { description: 'slow' }])
})

test('the source of an account may do without its second factor', async () => {
  await using own = await enrolled()
  own.context.authenticator.plugs.passwordSources = { check: async () => undefined, skipsSecondFactor: ({ name }) => name === 'ada' }
  expect(await ask(basic('ada', PASSWORD), own)).toEqual([200, ''])
  expect((await ask(basic('kim', PASSWORD), own))[0]).toBe(401)
})

test('git is told to send a token where there is a second factor, whatever code it has', async () => {
  const root = forge.repo({ row: await rowOf('ada'), name: 'ada', token: '' }, 'own')
  const ask = async (headers: Record<string, string>) => {
    const request = new Request(`http://localhost/ada/${root.name}.git/info/refs?service=git-receive-pack`, { headers })
    const response = await forge.app.handle(request)
    return [response.status, response.headers.get('content-type'), response.status === 401 ? await response.text() : '']
  }
  const refused = await ask({ ...basic('ada', PASSWORD), 'X-Gitea-OTP': '123456' })
  expect(refused).toEqual([401, 'text/plain; charset=utf-8', expect.stringContaining('access token')])
  expect((await ask(basic('ada', forge.token('ada', 'write:repository'))))[0]).toBe(200)
})

test.skipIf(Bun.which('git') === null)('and tells its user so', async () => {
  await using own = await enrolled()
  const { id } = own.repo(await own.person('eve', { password: PASSWORD }), 'own')
  // What is pushed does not matter: this is any commit, in the repository itself.
  const cwd = own.context.git.pathOf(id)
  fillRepo(own, id, (directory) => gitIn(directory, 'commit', '-q', '--allow-empty', '-m', 'First'))
  const server = Bun.serve({ port: 0, fetch: own.app.fetch })
  const { exitCode, stderr } = await tryGit(['push', `http://eve:${encodeURIComponent(PASSWORD)}@localhost:${server.port}/eve/own.git`, 'main:other'], { cwd })
  await server.stop(true)
  expect(stderr).toContain('remote: Two-factor authentication is enabled for this account: use an access token')
  expect(exitCode).not.toBe(0)
})

async function rowOf(name: string): Promise<UserRow> {
  return forge.context.db.find<UserRow>('SELECT * FROM user WHERE lower_name = ?', name) as UserRow
}

/** A forge with a source that knows `ldap-ada` under another name, and makes accounts of strangers called `new…`. */
async function withSource() {
  const own = testForge({ security: { SIGN_IN_FAILURES: 5 } })
  await own.person('local', { password: PASSWORD })
  const { row } = await own.person('ldap-ada', { password: PASSWORD })
  own.context.db.tx((tx) => tx.update('user', row.id, { login_source: 7, login_name: 'uid-ada' }))
  const asked: [string, string | undefined][] = []
  own.context.authenticator.plugs.passwordSources = {
    check: async (name, password, known) => {
      asked.push([name, known?.login_name])
      if (password !== 'of the source') return undefined
      return known ?? (name.startsWith('new') ? (await own.person(name, {})).row : undefined)
    },
    skipsSecondFactor: () => false,
  }
  return { own, asked, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() }
}

test('a source is asked for accounts that come from it, by name or address, and for strangers; nobody else', async () => {
  await using world = await withSource()
  const { own, asked } = world
  expect((await ask(basic('ldap-ada', 'of the source'), own))[0]).toBe(200)
  expect((await ask(basic('LDAP-ada@example.org', 'of the source'), own))[0]).toBe(200)
  expect((await ask(basic('ldap-ada', PASSWORD), own))[0]).toBe(401)
  expect((await ask(basic('new-one', 'of the source'), own))[0]).toBe(200)
  expect((await ask(basic('nobody', 'of the source'), own))[0]).toBe(401)
  expect((await ask(basic('local', 'of the source'), own))[0]).toBe(401)
  expect((await ask(basic('local', PASSWORD), own))[0]).toBe(200)
  expect(asked).toEqual([
    ['ldap-ada', 'uid-ada'],
    ['LDAP-ada@example.org', 'uid-ada'],
    ['ldap-ada', 'uid-ada'],
    ['new-one', undefined],
    ['nobody', undefined],
  ])
})

test('an empty password is shown to no source', async () => {
  await using world = await withSource()
  expect((await ask(basic('ldap-ada', ''), world.own))[0]).toBe(401)
  expect(world.asked).toEqual([])
})

test('what a source found right is asked once in a while, and forgotten when the account goes to another', async () => {
  await using world = await withSource()
  const { own, asked } = world
  const headers = basic('ldap-ada', 'of the source')
  for (let i = 0; i < 3; i++) expect((await ask(headers, own))[0]).toBe(200)
  expect(asked).toHaveLength(1)
  own.context.db.tx((tx) => tx.run("UPDATE user SET login_source = 0 WHERE name = 'ldap-ada'"))
  expect((await ask(headers, own))[0]).toBe(401)
})

test('names that a source knows, that nobody has and wrong passwords cost one password check each', async () => {
  await using world = await withSource()
  const check = spyOn(Bun.password, 'verify')
  const counts: number[] = []
  for (const name of ['ldap-ada', 'local', 'nobody']) {
    check.mockClear()
    expect((await ask(basic(name, 'not this one'), world.own))[0]).toBe(401)
    counts.push(check.mock.calls.length)
  }
  check.mockRestore()
  expect(counts).toEqual([1, 1, 1])
})

test('a slow source keeps nobody waiting who has a password here', async () => {
  await using world = await withSource()
  const { own } = world
  const { promise, resolve } = Promise.withResolvers<undefined>()
  own.context.authenticator.plugs.passwordSources = { check: () => promise, skipsSecondFactor: () => false }
  const waiting = Array.from({ length: 5 }, (_, i) => ask(basic(`stranger${i}`, 'x'), own))
  expect((await ask(basic('local', PASSWORD), own))[0]).toBe(200)
  resolve(undefined)
  expect((await Promise.all(waiting)).map(([status]) => status)).toEqual([401, 401, 401, 401, 401])
})

test('tokens of another shape are looked up where rooms above keep theirs, in all places where a token can stand', async () => {
  await using own = testForge()
  const { row } = await own.person('ada')
  const grant = { all: false, publicOnly: false, levels: { user: 'read' as const } }
  const viewer = { user: row, grant, via: 'token' as const, queryToken: false }
  own.context.authenticator.plugs.accessTokens.push(
    { find: () => undefined },
    { find: async (token) => (token === 'late.jwt' ? viewer : undefined) },
    { find: (token) => (token === 'a.jwt' ? viewer : undefined) },
  )
  for (const token of ['late.jwt', 'a.jwt']) {
    for (const headers of [{ Authorization: `Bearer ${token}` }, basic('ada', token), basic(token, '')]) expect(await ask(headers, own)).toEqual([200, ''])
    expect((await own.get(`/user?access_token=${token}`)).status).toBe(200)
  }
  expect(await ask({ Authorization: 'Bearer no.jwt' }, own)).toEqual([401, 'invalid username, password or token'])
  expect((await own.get('/user/repos', { headers: { Authorization: 'Bearer a.jwt' } })).status).toBe(403)
})
