import { expect, test } from 'bun:test'
import { SHA1 } from '#git/objects/oid.ts'
import { lineLog } from '#kernel/log.ts'
import { TokenWorld } from '#people/oauth2/token-world.fixture.ts'
import { fillRepo, gitIn, type Person, testForge } from '../../../test/harness.ts'
import { create, packedCommit, pkt, push } from './receive.fixture.ts'

test('a fetch that is refused before all of it was read is answered at once', async () => {
  await using forge = testForge({ git: { MAX_COMMANDS: 100 } })
  forge.repo(await forge.person('ada'), 'engine')
  const have = pkt(`have ${'a'.repeat(40)}\n`)
  for (const version of ['version=2', 'version=0']) {
    const body = version === 'version=2' ? `${pkt('command=fetch')}0001${have.repeat(150_000)}0000` : pkt(`want ${'a'.repeat(40)}\n`).repeat(150_000)
    const response = await forge.app.handle(
      new Request('http://localhost/ada/engine.git/git-upload-pack', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': version },
        body,
      }),
    )
    expect(await response.text()).toContain('ERR Cannot read request: more than 356 lines')
  }
})

test('what git is refused it is told in plain text, which it shows its user', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const eve = await forge.person('eve')
  forge.repo(ada, 'secret', { private: true })
  forge.repo(ada, 'engine')
  await forge.asUser(ada).patch('/repos/ada/engine', { has_pull_requests: false })
  const cases: [line: string, token: string | undefined, status: number, told: string][] = [
    ['GET /ada/secret/info/refs?service=git-upload-pack', undefined, 401, 'Authentication required: the repository is private or does not exist.\n'],
    ['GET /ada/secret.git/info/refs?service=git-upload-pack', eve.token, 404, 'Repository not found.\n'],
    ['GET /ada/engine.git/info/refs', undefined, 403, 'This server only supports the smart HTTP protocol. Use git 1.6.6 or newer.\n'],
    [
      'GET /ada/engine.git/info/refs?service=git-receive-pack',
      eve.token,
      403,
      'Cannot push: you do not have write access to this repository. Fork it and open a pull request instead.\n',
    ],
    ['POST /ada/engine.git/git-receive-pack', ada.token, 415, 'The content type must be application/x-git-receive-pack-request.\n'],
  ]
  for (const [line, token, status, told] of cases) {
    const [method, path] = line.split(' ')
    const response = await forge.app.handle(new Request(`http://localhost${path}`, { method, headers: token ? { Authorization: `token ${token}` } : {} }))
    expect([line, response.status, response.headers.get('content-type'), await response.text()]).toEqual([line, status, 'text/plain; charset=utf-8', told])
  }
})

test('a push with a token for public things only creates nothing, and does not tell a private repository from none', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  forge.repo(ada, 'secret', { private: true })
  forge.repo(ada, 'engine')
  const publicOnly = forge.token(ada, 'all', 'public-only')
  for (const [name, token, status] of [
    ['fresh', ada.token, 200],
    ['fresh', publicOnly, 404],
    ['secret', publicOnly, 404],
    ['engine', publicOnly, 200],
  ] as const) {
    const request = new Request(`http://localhost/ada/${name}.git/info/refs?service=git-receive-pack`, { headers: { Authorization: `token ${token}` } })
    expect([name, (await forge.app.handle(request)).status]).toEqual([name, status])
  }
})

test('a push that only deletes sends no pack and needs none', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  await forge.asUser(ada).post('/repos/ada/engine/branches', { new_branch_name: 'side' })
  const { body } = await forge.asUser(ada).get<{ commit: { id: string } }>('/repos/ada/engine/branches/side')
  expect(await push(forge, ada, 'ada/engine', { commands: [`${body.commit.id} ${SHA1.zero} refs/heads/side`] })).toContain('ok refs/heads/side')
  expect((await forge.asUser(ada).get('/repos/ada/engine/branches/side')).status).toBe(404)
  expect(await push(forge, ada, 'ada/engine', { commands: [`${body.commit.id} ${SHA1.zero} refs/heads/main`] })).toContain(
    'ng refs/heads/main branch main is the default branch and cannot be deleted',
  )
})

test('a ref whose name is not UTF-8 is refused by name, and the others of the push are not', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  await forge.asUser(ada).post('/repos/ada/engine/branches', { new_branch_name: 'side' })
  const { body } = await forge.asUser(ada).get<{ commit: { id: string } }>('/repos/ada/engine/branches/side')
  const commands = [
    Buffer.from(`${SHA1.zero} ${body.commit.id} refs/heads/caf\xe9\0report-status`, 'latin1'),
    Buffer.from(`${SHA1.zero} ${body.commit.id} refs/heads/caf\xe8`, 'latin1'),
    Buffer.from(`${body.commit.id} ${SHA1.zero} refs/heads/side`, 'latin1'),
  ]
  const packets = commands.map((command) => Buffer.concat([Buffer.from((command.length + 4).toString(16).padStart(4, '0')), command]))
  const pack = Buffer.from(`PACK\0\0\0\x02\0\0\0\0`, 'latin1')
  const trailer = new Bun.CryptoHasher('sha1').update(pack).digest()
  const response = await forge.app.handle(
    new Request('http://localhost/ada/engine/git-receive-pack', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-git-receive-pack-request', Authorization: `token ${ada.token}` },
      body: Buffer.concat([...packets, Buffer.from('0000'), pack, trailer]),
    }),
  )
  const told = Buffer.from(await response.arrayBuffer()).toString('latin1')
  expect(told).toContain('ng refs/heads/caf\xe9 the ref name is not valid UTF-8')
  expect(told).toContain('ng refs/heads/caf\xe8 the ref name is not valid UTF-8')
  expect(told).toContain('ok refs/heads/side')
  const branches = await forge.asUser(ada).get<{ name: string }[]>('/repos/ada/engine/branches')
  expect(branches.body.map(({ name }) => name)).toEqual(['main'])
})

test('a branch deleted between the list of refs and the fetch is given as it was listed, by its name alone; later it is not', async () => {
  let now = 1_800_000_000
  await using forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  const ada = await forge.person('ada')
  fillRepo(forge, forge.repo(ada, 'engine').id, (directory) => {
    gitIn(directory, 'commit', '-q', '--allow-empty', '-m', 'first')
    gitIn(directory, 'branch', 'side', gitIn(directory, 'commit-tree', '-m', 'more', '-p', 'main', 'main^{tree}').trim())
  })
  const { body } = await forge.asUser(ada).get<{ commit: { id: string } }>('/repos/ada/engine/branches/side')
  const tip = body.commit.id
  await forge.asUser(ada).delete('/repos/ada/engine/branches/side')
  const fetchWith = async (want: string) => {
    const response = await forge.app.handle(
      new Request('http://localhost/ada/engine/git-upload-pack', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': 'version=2' },
        body: `${pkt('command=fetch')}0001${pkt(want)}${pkt('done')}0000`,
      }),
    )
    return response.text()
  }
  expect(await fetchWith('want-ref refs/heads/side')).toContain(`wanted-refs\n${pkt(`${tip} refs/heads/side\n`)}`)
  expect(await fetchWith(`want ${tip}`)).toContain(`ERR upload-pack: not our ref ${tip}`)
  expect(await fetchWith('want-ref refs/heads/other')).toContain('ERR unknown ref refs/heads/other')
  now += 3600
  expect(await fetchWith('want-ref refs/heads/side')).toContain('ERR unknown ref refs/heads/side')
  expect(await fetchWith(`want ${tip}`)).toContain(`ERR upload-pack: not our ref ${tip}`)
})

test('a push whose sender loses their rights before it ends moves nothing', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const asAda = forge.asUser(ada)
  const root = await forge.person('root1', { isAdmin: true })
  await asAda.post('/user/repos', { name: 'engine', auto_init: true })
  await asAda.post('/repos/ada/engine/branches', { new_branch_name: 'side' })
  const { body } = await forge.get<{ commit: { id: string } }>('/repos/ada/engine/branches/side')
  const command = `${body.commit.id} ${SHA1.zero} refs/heads/side`
  const losses: [told: string, lose: (bob: Person) => Promise<unknown>][] = [
    ['User permission denied for writing.', (bob) => asAda.delete(`/repos/ada/engine/collaborators/${bob.name}`)],
    ['Your account was changed while the server', (bob) => forge.asUser(root).patch(`/admin/users/${bob.name}`, { prohibit_login: true })],
    ['The access token of this push was revoked.', (bob) => forge.asUser(bob).delete('/token')],
    ['Cannot push: this repository is archived', () => asAda.patch('/repos/ada/engine', { archived: true })],
  ]
  for (const [i, [told, lose]] of losses.entries()) {
    const bob = await forge.person(`bob${i}`)
    await asAda.put(`/repos/ada/engine/collaborators/${bob.name}`, { permission: 'write' })
    expect(await push(forge, bob, 'ada/engine', { commands: [command], meanwhile: () => lose(bob) })).toContain(`ng refs/heads/side ${told}`)
  }
  expect((await forge.get('/repos/ada/engine/branches/side')).status).toBe(200)
})

test('a push by an application that is shut out before it ends moves nothing', async () => {
  await using world = await TokenWorld.make()
  const { forge, ada } = world
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  await forge.asUser(ada).post('/repos/ada/engine/branches', { new_branch_name: 'side' })
  const { body } = await forge.get<{ commit: { id: string } }>('/repos/ada/engine/branches/side')
  const { access_token: token } = await world.tokensFor(world.application, ada, { scope: 'write:repository' })
  const commands = [`${body.commit.id} ${SHA1.zero} refs/heads/side`]
  const meanwhile = () => world.ask('revoke', world.application, { token })
  expect(await push(forge, { ...ada, token }, 'ada/engine', { commands, meanwhile })).toContain('ng refs/heads/side The access token of this push was revoked.')
  expect((await forge.get('/repos/ada/engine/branches/side')).status).toBe(200)
})

test('a request that breaks off is refused, and fills no log', async () => {
  const lines: string[] = []
  await using forge = testForge({}, { log: lineLog('debug', (line) => lines.push(line)) })
  forge.repo(await forge.person('ada'), 'engine')
  const begun = Buffer.from(`${pkt('command=fetch')}0001`)
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(begun),
    pull: (controller) => controller.error(new Error('gone')),
  })
  const response = await forge.app.handle(
    new Request('http://localhost/ada/engine.git/git-upload-pack', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': 'version=2' },
      body: broken,
    }),
  )
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Cannot read the request body: it ends early')])
  expect(lines.filter((line) => line.includes('error'))).toEqual([])
})

test('what was pushed in pieces can be fetched at once', async () => {
  await using forge = testForge({ git: { MAX_COMMANDS: 3 } })
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  const commits = [1, 2, 3, 4, 5].map((i) => packedCommit(String(i)))
  for (const { oid, pack } of commits)
    expect(await push(forge, ada, 'ada/engine', { commands: [create(`refs/heads/${oid}`, oid)], pack })).toContain('ok refs/')
  for (const version of [0, 2]) {
    const wants = commits.map(({ oid }) => pkt(`want ${oid}\n`)).join('')
    const body = version === 2 ? `${pkt('command=fetch')}0001${wants}${pkt('done')}0000` : `${wants}0000${pkt('done\n')}`
    const headers = { 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': `version=${version}` }
    const response = await forge.app.handle(new Request('http://localhost/ada/engine/git-upload-pack', { method: 'POST', headers, body }))
    expect([version, (await response.text()).includes('PACK')]).toEqual([version, true])
  }
})

test.each([
  ['ref updates', Array.from({ length: 101 }, (_, i) => create(`refs/heads/${i}`, SHA1.zero)), 'more than 100 ref updates at once'],
  ['letters in a name', [create(`refs/heads/${'x'.repeat(5000)}`, SHA1.zero)], 'a ref name is longer than 4096 characters'],
])('who pushes more %s than are taken in reads why', async (_, commands, reason) => {
  await using forge = testForge({ git: { MAX_COMMANDS: 100 } })
  const ada = await forge.person('ada')
  expect(await push(forge, ada, 'ada/engine', { commands, pack: packedCommit('x').pack })).toBe(pkt(`ERR Cannot read push: ${reason}`))
})
