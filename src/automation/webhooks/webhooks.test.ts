import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Static } from 'elysia'
import { accessStore, type RepoRow } from '#access/index.ts'
import { lineLog } from '#kernel/log.ts'
import { SecretBox } from '#kernel/secret-box.ts'
import { createOrg } from '#people/orgs/index.ts'
import { deleteRepo } from '#repositories/repos/index.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { hook } from './hook.fixture.ts'
import type { Hook as HookSchema } from './schema.ts'
import { openSecrets, protectSecrets } from './secrets.ts'
import type { WebhookRow } from './store.ts'

type Hook = Static<typeof HookSchema>

/** It stands still: an edit a second later would have another date than what was made. */
const clock = { seconds: () => 1_800_000_000, millis: () => 1_800_000_000_000 }
const forge: TestForge = testForge({}, { clock })
const asAda = forge.asUser('ada')
const root1 = forge.asUser('root1')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const { db } = context
const ada = await forge.person('ada')
await forge.person('root1', { isAdmin: true })
createOrg(context, ada.row, { username: 'acme' })
await asAda.post('/user/repos', { name: 'engine' })
// Tests look at all hooks.
beforeEach(() => db.tx((tx) => tx.run('DELETE FROM webhook')))

const create = (path: string, body: unknown = hook(), as = 'ada') => forge.asUser(as).post<Hook & { message: string }>(path, body)
const rows = () => db.all<WebhookRow>('SELECT * FROM webhook ORDER BY id')
/** With the secrets as deliveries get them, which the table has only encrypted. */
const opened = () =>
  rows().map((row) => {
    for (const text of [row.url, row.secret, row.authorization]) if (text !== '') expect(text).toMatch(/^v1:[0-9a-f]{8}:/)
    return { ...row, ...openSecrets(context, row) }
  })
const places: [path: string, as: string][] = [
  ['/repos/ada/engine/hooks', 'ada'],
  ['/orgs/acme/hooks', 'ada'],
  ['/user/hooks', 'ada'],
  ['/admin/hooks', 'root1'],
]

describe.each(places)('%s', (path, as) => {
  test('a hook is created, listed, read, edited and deleted, and its secrets are never shown', async () => {
    const asked = hook(
      { active: true, authorization_header: 'Bearer canary-1', branch_filter: 'release/*', events: ['push', 'release'], name: 'ci' },
      { secret: 'canary-2', is_system_webhook: 'true' },
    )
    const made = await create(path, asked, as)
    expect(made.status).toBe(201)
    expect(made.body as unknown).toEqual({
      id: expect.any(Number),
      type: 'gitea',
      name: 'ci',
      active: true,
      branch_filter: 'release/*',
      authorization_header: '',
      config: { url: 'https://ci.example.org/hook', content_type: 'json' },
      events: ['push', 'release'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const address = `${path}/${made.body.id}`
    const list = await forge.asUser(as).get<unknown>(path)
    expect([list.status, list.body, list.headers.get('x-total-count')]).toEqual([200, [made.body], '1'])
    expect((await forge.asUser(as).get(address)).body).toEqual(made.body)
    const edited = await forge.asUser(as).patch(address, { active: false, config: { content_type: 'form' }, events: ['issues_only'] })
    expect([edited.status, edited.body]).toEqual([
      200,
      { ...made.body, active: false, events: ['issues'], config: { ...made.body.config, content_type: 'form' } },
    ])
    expect(JSON.stringify(rows())).not.toContain('canary')
    expect(opened()).toMatchObject([{ secret: 'canary-2', authorization: 'Bearer canary-1', is_system: path === '/admin/hooks' ? 1 : 0 }])
    expect(JSON.stringify([made, list, edited])).not.toContain('canary')
    expect((await forge.asUser(as).delete(address)).status).toBe(204)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await forge.asUser(as).send(`${method} ${address}`, { body: method === 'PATCH' ? {} : undefined })).status).toBe(404)
  })

  test('a new hook is not active and asks for pushes', async () => {
    const { body } = await create(path, hook(), as)
    expect(body).toMatchObject({ active: false, events: ['push'], branch_filter: '' })
    await forge.asUser(as).delete(`${path}/${body.id}`)
  })

  test('what is no id is not there', async () => {
    for (const id of ['0', '-1', 'x', '1e3', '99999999999999999999', '%ff']) {
      for (const method of ['GET', 'DELETE']) expect((await forge.asUser(as).send(`${method} ${path}/${id}`)).status).toBe(404)
    }
  })
})

const bad: [name: string, body: unknown, message: string][] = [
  ['no type', { config: hook().config }, '[type]: '],
  ['an unknown type', hook({ type: 'sourceforge' }), '[type]: expected one of dingtalk, '],
  ['no config', { type: 'gitea' }, '[config]: '],
  ['no url', { type: 'gitea', config: { content_type: 'json' } }, 'Missing config option: url'],
  ['no content type', { type: 'gitea', config: { url: 'https://ci.example.org' } }, 'Missing config option: content_type'],
  ['an unknown content type', hook({}, { content_type: 'xml' }), 'Invalid content type'],
  ['a number in config', hook({}, { secret: 5 }), '[config.secret]: '],
  ['a list as config', hook({ config: ['url'] }), '[config]: '],
  ['a file as url', hook({}, { url: 'file:///etc/passwd' }), '[config.url]: '],
  ['cloud metadata as url', hook({}, { url: 'http://169.254.169.254/latest' }), '[config.url]: '],
  ['a very long url', hook({}, { url: `https://ci.example.org/${'x'.repeat(2048)}` }), '[config.url]: '],
  ['a number as event', hook({ events: [1] }), '[events.0]: '],
  ['a filter that is no glob', hook({ branch_filter: 'release/{a' }), '[branch_filter]: '],
  ['a header of two lines', hook({ authorization_header: 'Bearer x\r\nX-Evil: y' }), '[authorization_header]: '],
  ['slack without a channel', hook({ type: 'slack' }), 'Missing config option: channel'],
  ['a slack channel with spaces', hook({ type: 'slack' }, { channel: '#a b' }), 'Invalid slack channel name'],
  ['a flag that is none', hook({}, { is_system_webhook: 'maybe' }), 'Invalid is_system_webhook value'],
  ['active as text', hook({ active: 'yes' }), '[active]: '],
]

test.each(bad)('%s is 422 and nothing is stored', async (_, body, message) => {
  const before = rows()
  for (const [path, as] of places) {
    const reply = await create(path, body, as)
    expect(reply.status).toBe(422)
    expect(reply.body.message).toStartWith(message)
  }
  expect(rows()).toEqual(before)
})

test.each(['dingtalk', 'discord', 'gitea', 'gogs', 'msteams', 'telegram', 'feishu', 'wechatwork', 'packagist', 'forgejo'])('%s is a type', async (type) => {
  expect((await create('/user/hooks', hook({ type }))).body).toMatchObject({ type, config: { url: 'https://ci.example.org/hook', content_type: 'json' } })
})

test('a hook of type slack keeps its channel and looks', async () => {
  const { body } = await create('/user/hooks', hook({ type: 'slack' }, { channel: ' #builds', username: 'forge', color: 'good', other: 'x' }))
  expect(body.config).toEqual({ url: 'https://ci.example.org/hook', content_type: 'json', channel: '#builds', username: 'forge', color: 'good' })
  const edited = await asAda.patch<Hook>(`/user/hooks/${body.id}`, { config: { channel: '#other' } })
  expect(edited.body.config).toEqual({ ...body.config, channel: '#other' })
})

describe('an edit', () => {
  const column = (id: number, name: string) => opened().find((row) => row.id === id)?.[name as keyof WebhookRow]

  test('checks what creating checks, and changes nothing when it is wrong', async () => {
    const { body } = await create('/repos/ada/engine/hooks')
    const before = rows()
    const wrong = [{ config: { url: 'gopher://x' } }, { config: { content_type: '' } }, { branch_filter: '[' }, { active: 1 }]
    for (const edit of wrong) expect((await asAda.patch(`/repos/ada/engine/hooks/${body.id}`, { name: 'new', ...edit })).status).toBe(422)
    expect(rows()).toEqual(before)
  })

  test('can take secret, header and filter away', async () => {
    const made = await create('/repos/ada/engine/hooks', hook({ authorization_header: 'Bearer x', branch_filter: 'main' }, { secret: 'y' }))
    const edit = { authorization_header: '', branch_filter: '', config: { secret: '' } }
    const { body } = await asAda.patch<Hook>(`/repos/ada/engine/hooks/${made.body.id}`, edit)
    expect(body.branch_filter).toBe('')
    expect(['authorization', 'secret'].map((name) => column(body.id, name))).toEqual(['', ''])
  })

  test('keeps the header for the same host alone', async () => {
    const { body } = await create('/repos/ada/engine/hooks', hook({ authorization_header: 'Bearer x' }))
    const after = async (edit: object) => {
      await asAda.patch(`/repos/ada/engine/hooks/${body.id}`, edit)
      return column(body.id, 'authorization')
    }
    expect(await after({ name: 'new' })).toBe('Bearer x')
    expect(await after({ config: { url: 'https://ci.example.org/other' } })).toBe('Bearer x')
    expect(await after({ config: { url: 'https://u:p@ci.example.org/' } })).toBe(`Basic ${btoa('u:p')}`)
    expect(await after({ config: { url: 'https://evil.example.org/other' } })).toBe('')
    expect(await after({ config: { url: 'https://ci.example.org/' }, authorization_header: 'Bearer y' })).toBe('Bearer y')
  })

  test('cannot make a hook of the site of a model, nor a hook of a repository one of the site', async () => {
    const made = await create('/repos/ada/engine/hooks')
    await asAda.patch(`/repos/ada/engine/hooks/${made.body.id}`, { config: { is_system_webhook: 'true' } })
    expect(column(made.body.id, 'is_system')).toBe(0)
  })
})

test('credentials in the address are kept for deliveries and shown to no one', async () => {
  const { body } = await create('/user/hooks', hook({}, { url: 'https://ci:canary@ci.example.org/hook' }))
  expect(body.config.url).toBe('https://ci.example.org/hook')
  expect(opened().find(({ id }) => id === body.id)).toMatchObject({ url: 'https://ci.example.org/hook', authorization: `Basic ${btoa('ci:canary')}` })
})

test('secrets that an earlier version stored as they were are encrypted at the start, and ones of a lost key are told of', async () => {
  const lines: string[] = []
  await using other = testForge({}, { log: lineLog('error', (line) => lines.push(line)) })
  const ada = await other.person('ada')
  const made = await other.asUser(ada).post<{ id: number }>('/user/hooks', hook())
  const read = () => other.context.db.find<WebhookRow>('SELECT * FROM webhook WHERE id = ?', made.body.id) as WebhookRow
  other.context.db.tx((tx) => tx.update('webhook', made.body.id, { url: 'https://chat.example.org/canary', secret: 'canary', authorization: 'Bearer canary' }))
  await protectSecrets(other.context)
  await protectSecrets(other.context)
  expect(JSON.stringify(read())).not.toContain('canary')
  expect(openSecrets(other.context, read())).toEqual({ url: 'https://chat.example.org/canary', secret: 'canary', authorization: 'Bearer canary' })
  expect(lines).toEqual([])
  rmSync(other.context.secrets.path)
  await protectSecrets({ ...other.context, secrets: new SecretBox(other.context.config.dataPath) })
  expect(lines).toEqual([expect.stringContaining('cannot decrypt the URLs and secrets of 1 webhooks: their key is not in')])
})

test('where a hook leads is only encrypted in the database; whose key is lost shows none, and takes a new one', async () => {
  await using other = testForge()
  const ada = await other.person('ada')
  const url = 'https://chat.example.org/services/T0/canary'
  const { body } = await other.asUser(ada).post<Hook>('/user/hooks', hook({ authorization_header: 'Bearer canary' }, { url }))
  expect(body.config.url).toBe(url)
  expect(JSON.stringify(other.context.db.all('SELECT * FROM webhook'))).not.toContain('canary')
  other.context.db.tx((tx) => tx.update('webhook', body.id, { url: `v1:00000000:${'x'.repeat(60)}` }))
  const shown = async () => (await other.asUser(ada).get<Hook[]>('/user/hooks')).body.map(({ config }) => config.url)
  expect(await shown()).toEqual([''])
  expect((await other.asUser(ada).patch(`/user/hooks/${body.id}`, { active: true })).status).toBe(422)
  expect((await other.asUser(ada).patch(`/user/hooks/${body.id}`, { active: true, config: { url } })).status).toBe(200)
  expect(await shown()).toEqual([url])
  // What was for the former address, which nobody knows, does not follow to the new one.
  expect(other.context.db.find<WebhookRow>('SELECT * FROM webhook')?.authorization).toBe('')
})

test('a server that others reach lets only site administrators name itself as target', async () => {
  await using open = testForge({ server: { HTTP_ADDR: '0.0.0.0' } })
  await open.person('eve')
  await open.person('boss', { isAdmin: true })
  const own = hook({}, { url: 'http://127.0.0.1:3000/hook' })
  expect((await open.asUser('eve').post('/user/hooks', own)).status).toBe(422)
  expect((await open.asUser('boss').post('/user/hooks', own)).status).toBe(201)
  expect((await create('/user/hooks', own)).status).toBe(201)
})

test('org hooks are created with a slash at the end of the path, as without', async () => {
  for (const path of ['/orgs/acme/hooks/', '/orgs/ACME/hooks']) expect((await create(path)).status).toBe(201)
  expect((await asAda.get('/orgs/acme/hooks/')).status).toBe(200)
})

test('hooks of the site are those told of everything, or models, or both', async () => {
  const model = (await create('/admin/hooks', hook(), 'root1')).body.id
  const system = (await create('/admin/hooks', hook({}, { is_system_webhook: 'true' }), 'root1')).body.id
  const list = async (query: string) => (await root1.get<Hook[]>(`/admin/hooks${query}`)).body.map((one) => one.id)
  expect([await list(''), await list('?type=default'), await list('?type=all')]).toEqual([[system], [model], [model, system]])
})

test('a new repository gets a copy of each model, which is its own from then on', async () => {
  const asked = hook({ active: true, branch_filter: 'main', events: ['release'] }, { secret: 'x' })
  const model = (await create('/admin/hooks', asked, 'root1')).body
  await asAda.post('/user/repos', { name: 'modelled' })
  const [copy] = (await asAda.get<Hook[]>('/repos/ada/modelled/hooks')).body.slice(-1) as [Hook]
  expect(copy).toEqual({ ...model, id: expect.any(Number), created_at: expect.any(String), updated_at: expect.any(String) })
  expect(copy.id).not.toBe(model.id)
  expect(opened().find(({ id }) => id === copy.id)).toMatchObject({ secret: 'x', is_system: 0 })
  expect((await asAda.delete(`/repos/ada/modelled/hooks/${copy.id}`)).status).toBe(204)
  expect((await root1.delete(`/admin/hooks/${model.id}`)).status).toBe(204)
})

test('an edit without a body changes nothing', async () => {
  const { body } = await create('/user/hooks')
  expect((await asAda.patch(`/user/hooks/${body.id}`)).body).toEqual({ ...body, updated_at: expect.any(String) })
})

test('what a deleted account set up in repositories of others stops', async () => {
  await forge.person('leaver')
  await asAda.put('/repos/ada/engine/collaborators/leaver', { permission: 'admin' })
  const { body } = await create('/repos/ada/engine/hooks', hook({ active: true }), 'leaver')
  expect((await root1.delete('/admin/users/leaver')).status).toBe(204)
  expect((await asAda.get(`/repos/ada/engine/hooks/${body.id}`)).body.active).toBe(false)
})

test('lists come in pages, and end at a hundred hooks', async () => {
  await forge.person('collector')
  for (let i = 0; i < 100; i++) expect((await create('/user/hooks', hook(), 'collector')).status).toBe(201)
  expect((await create('/user/hooks', hook(), 'collector')).status).toBe(422)
  const { body, headers } = await forge.asUser('collector').get<unknown[]>('/user/hooks?limit=30&page=4')
  expect([body.length, headers.get('x-total-count')]).toEqual([10, '100'])
})

describe('a test', () => {
  const tests = () => context.events.after(0, 10_000).flatMap(({ event }) => (event.type === 'hook_test' ? [event] : []))

  test('records what is to be delivered: a push of the head of the default branch, or of what ref names', async () => {
    const { body: repo } = await asAda.post<{ id: number }>('/user/repos', { name: 'full' })
    const made = (await create('/repos/ada/full/hooks')).body.id
    const path = `/repos/ada/full/hooks/${made}/tests`
    expect((await asAda.post(path)).status).toBe(204)
    expect(tests()).toEqual([])
    fillRepo(forge, repo.id, (directory) => {
      gitIn(directory, 'commit', '-qm', 'first', '--allow-empty')
      gitIn(directory, 'tag', 'v1')
      gitIn(directory, 'commit', '-qm', 'second', '--allow-empty')
      gitIn(directory, 'branch', 'next')
    })
    const [head, tag] = ['main', 'v1'].map((name) => gitIn(context.git.pathOf(repo.id), 'rev-parse', name).trim()) as [string, string]
    for (const query of ['', '?ref=next', '?ref=refs/heads/next', '?ref=v1', `?ref=${tag}`]) expect((await asAda.post(`${path}${query}`)).status).toBe(204)
    expect((await asAda.post(`${path}?ref=none`)).status).toBe(404)
    const told = { type: 'hook_test' as const, actorId: ada.row.id, repoId: repo.id, hookId: made }
    expect(tests()).toEqual([
      { ...told, ref: 'refs/heads/main', oid: head },
      { ...told, ref: 'refs/heads/next', oid: head },
      { ...told, ref: 'refs/heads/next', oid: head },
      { ...told, ref: 'refs/tags/v1', oid: tag },
      { ...told, ref: 'refs/heads/main', oid: tag },
    ])
  })
})

test('hooks go with their repository and with their organization or person', async () => {
  const { body: repo } = await asAda.post<{ id: number }>('/user/repos', { name: 'doomed' })
  await forge.person('doomed')
  const ids = [(await create('/repos/ada/doomed/hooks')).body.id, (await create('/user/hooks', hook(), 'doomed')).body.id]
  deleteRepo(context, { actor: ada.row, owner: ada.row, repo: accessStore.findRepoById(db, repo.id) as RepoRow })
  expect((await root1.delete('/admin/users/doomed')).status).toBe(204)
  expect(db.all('SELECT id FROM webhook WHERE id IN (?, ?)', ids[0] as number, ids[1] as number)).toEqual([])
})

test('the old name of a renamed repository leads to the new one', async () => {
  forge.repo(ada, 'before')
  await asAda.patch('/repos/ada/before', { name: 'after' })
  const { status, headers } = await asAda.get('/repos/ada/before/hooks?limit=1')
  expect([status, headers.get('location')]).toEqual([301, '/api/v1/repos/ada/after/hooks?limit=1'])
})
