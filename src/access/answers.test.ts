import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type App, build } from '#app.ts'
import type { Context } from '#context.ts'
import { Services } from '#kernel/services.ts'
import { Random } from '../../test/generate-history.ts'
import { api, type Person, type TestForge, testForge } from '../../test/harness.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { soak } from '../../test/soak.ts'

// Records and lists are answered from memory while nothing changes. Here everything that shows in them changes at random, and after each
// change every viewer gets what a server without that memory answers.

/** Only a failure takes as long: a machine that does ten other things is slow. */
setDefaultTimeout(600_000)
/** How often each kind of change is made. */
const ROUNDS = soak(1, 10)

let forge: TestForge
const clock = manualClock()
/** The same store, made anew each time. */
let plain: App
let people: Record<'ada' | 'bob' | 'root', Person>
/** A token of ada's for public things only. */
let publicOnly: string
beforeAll(async () => {
  forge = testForge({}, { clock })
  const { config } = forge.context
  const other: Context = { ...forge.context, config: { ...config, api: { ...config.api, ANSWER_CACHE_SIZE: 0 } }, services: new Services(() => other) }
  Object.defineProperty(other, 'rootUrl', { get: () => forge.context.rootUrl })
  plain = build(other)
  people = { ada: await forge.person('ada'), bob: await forge.person('bob'), root: await forge.person('root', { isAdmin: true }) }
  publicOnly = forge.token('ada', 'all', 'public-only')
  for (const name of ['engine', 'other']) forge.repo(people.ada, name)
  for (const body of [{ title: 'v1' }, { title: 'v2' }]) await forge.asUser(people.root).post('/repos/ada/engine/milestones', body)
  for (const name of ['bug', 'idea', 'kind/a', 'kind/b'])
    await forge.asUser(people.root).post('/repos/ada/engine/labels', { name, color: 'aabbcc', exclusive: name.includes('/') })
  await forge.asUser(people.root).post('/repos/ada/other/contents/README.md', { content: btoa('first'), message: 'First' })
  for (let n = 1; n <= 8; n++)
    await forge.asUser(people.root).post('/repos/ada/engine/issues', { title: `Number ${n}`, body: 'See #1', labels: [1 + (n % 4)], assignees: ['ada'] })
})
afterAll(() => forge[Symbol.asyncDispose]())

const lists = [
  '/repos/ada/engine/issues?state=all&limit=50',
  '/repos/ada/engine/issues?labels=bug',
  '/repos/ada/engine/issues?q=number&limit=3&page=2',
  '/repos/ada/other/issues?state=all',
  '/repos/issues/search?state=all',
  '/repos/issues/search?assigned=true',
  '/repos/ada/engine/issues/1',
  '/users/ada',
  '/repos/ada/engine',
  '/repositories/1',
  '/repos/search',
  '/repos/ada/other/branches',
  '/repos/ada/other/branches/main',
  '/repos/ada/other/contents',
  '/repos/ada/other/contents/notes.txt',
]

/** What shows in a record, or decides who sees it. */
const changes: ((random: Random, run: number) => Promise<unknown>)[] = [
  (_, run) => forge.asUser(people.ada).patch('/user/settings', { full_name: `Ada ${run}` }),
  (_, run) => forge.asUser(people.root).patch('/admin/users/bob', { source_id: 0, login_name: 'bob', website: `https://example.org/${run}` }),
  (random) =>
    forge.asUser(people.root).patch('/admin/users/ada', { source_id: 0, login_name: 'ada', visibility: random.pick(['public', 'limited', 'private']) }),
  (random) => forge.asUser(people.bob).send(`${random.pick(['PUT', 'DELETE'])} /user/following/ada`),
  (random) => forge.asUser(people.ada).send(`${random.pick(['PUT', 'DELETE'])} /user/starred/ada/other`),
  (_, run) => forge.asUser(people.ada).post('/user/avatar', { image: pixel(run) }),
  (_, run) => forge.asUser(people.bob).post('/repos/ada/engine/issues', { title: `Made number ${run}` }),
  (random, run) => forge.asUser(people.root).patch(issue(random), { title: `Edited number ${run}`, body: `See ada/other#1 ${run}` }),
  (random) => forge.asUser(people.root).patch(issue(random), { state: random.pick(['open', 'closed']) }),
  (random) => forge.asUser(people.root).patch(issue(random), { milestone: random.pick([0, 1, 2]) }),
  (random) => forge.asUser(people.root).patch(issue(random), { assignees: random.pick([[], ['ada'], ['ada', 'bob']]) }),
  (random) => forge.asUser(people.root).post(`${issue(random)}/deadline`, { due_date: random.pick([null, '2030-01-01T00:00:00Z']) }),
  (random) => forge.asUser(people.bob).post(`${issue(random)}/comments`, { body: 'number' }),
  (random) => forge.asUser(people.root).send(`${random.pick(['PUT', 'DELETE'])} ${issue(random)}/lock`, { body: { lock_reason: 'spam' } }),
  (random) => forge.asUser(people.root).send(`${random.pick(['POST', 'DELETE'])} ${issue(random)}/pin`),
  (random) => forge.asUser(people.root).post(`${issue(random)}/labels`, { labels: [random.pick(['bug', 'idea', 'kind/a', 'kind/b'])] }),
  (random) => forge.asUser(people.root).delete(`${issue(random)}/labels/${1 + random.below(4)}`),
  (random) => attach(issue(random)),
  (_, run) => forge.asUser(people.root).patch('/repos/ada/engine/labels/1', { color: String(100_000 + run), is_archived: run % 2 === 0 }),
  (_, run) => forge.asUser(people.root).patch('/repos/ada/engine/milestones/1', { title: `v${run}`, state: run % 2 ? 'open' : 'closed' }),
  (random) => forge.asUser(people.root).delete(issue(random)),
  (_, run) => forge.asUser(people.root).put('/repos/ada/other/contents/notes.txt', { content: btoa(String(run)), message: `Note ${run}`, branch: 'main' }),
  (_, run) => forge.asUser(people.root).post('/repos/ada/other/contents/notes.txt', { content: btoa(String(run)), message: `Note ${run}`, branch: 'main' }),
  (_, run) => forge.asUser(people.root).post('/repos/ada/other/branches', { new_branch_name: `branch-${run}` }),
  (_, run) => forge.asUser(people.root).post('/repos/ada/other/branch_protections', { rule_name: 'main', required_approvals: run }),
  () => forge.asUser(people.root).delete('/repos/ada/other/branch_protections/main'),
  (random) => forge.asUser(people.root).patch('/repos/ada/other', { private: random.chance(0.3), description: String(random.below(9)) }),
  (random) => forge.asUser(people.root).patch('/repos/ada/engine', { private: random.chance(0.5) }),
  (random) => forge.asUser(people.root).patch('/repos/ada/engine', { has_issues: random.chance(0.7), has_pull_requests: random.chance(0.5) }),
  (random) =>
    forge
      .asUser(people.root)
      .send(`${random.pick(['PUT', 'DELETE'])} /repos/ada/engine/collaborators/bob`, { body: { permission: random.pick(['read', 'write']) } }),
  async (random) => {
    const [from, to] = random.pick([
      ['engine', 'motor'],
      ['motor', 'engine'],
    ])
    await forge.asUser(people.root).patch(`/repos/ada/${from}`, { name: to })
  },
  async (random) => void (forge.context.rootUrl = random.pick(['http://localhost:3000/', 'https://forge.example.org/'])),
]

/** All kinds of change, in any order. */
const shuffled = (random: Random) =>
  changes
    .map((change) => ({ change, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ change }) => change)

const issue = (random: Random) => `/repos/ada/engine/issues/${1 + random.below(10)}`

function pixel(run: number): string {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
  // What follows the picture makes it another file.
  return Buffer.concat([png, Buffer.from([run])]).toString('base64')
}

async function attach(path: string): Promise<void> {
  const form = new FormData()
  form.append('attachment', new File(['text'], 'notes.txt'))
  const headers = { Authorization: `token ${people.root.token}` }
  await forge.app.handle(new Request(`http://localhost/api/v1${path}/assets`, { method: 'POST', headers, body: form }))
}

async function answerOf(app: App, list: string, as: Person | string | undefined) {
  const { status, headers, body } = await api<unknown>(app, `GET ${list}`, { as })
  return { status, body, total: headers.get('x-total-count'), link: headers.get('link') }
}

test('whatever changes, what is answered from memory is what is made anew', async () => {
  const random = new Random(7)
  let listed = 0
  const runs = Array.from({ length: ROUNDS }, () => shuffled(random)).flat()
  for (const [run, change] of runs.entries()) {
    clock.advance(1)
    await change(random, run)
    for (const list of lists) {
      for (const as of [people.ada, people.bob, people.root, publicOnly, undefined]) {
        const expected = await answerOf(plain, list, as)
        expect(await answerOf(forge.app, list, as)).toEqual(expected)
        listed += Array.isArray(expected.body) ? expected.body.length : 0
      }
    }
  }
  expect(listed).toBeGreaterThan(runs.length * 10)
})

test('asked again without a change it is the same, headers and all', async () => {
  for (const as of [people.root, undefined]) {
    const [first, again] = [await forge.asUser(as).get(`${lists[4]}`), await forge.asUser(as).get(`${lists[4]}`)]
    expect(again.body).toEqual(first.body)
    expect([...again.headers].sort()).toEqual([...first.headers].sort())
  }
})

describe('who asks again', () => {
  let token: string
  beforeAll(async () => {
    token = forge.token('root', 'all')
    const tokens: Record<string, string>[] = [{}, { Authorization: `token ${token}` }]
    for (const headers of [...tokens, ...tokens]) expect((await forge.get('/users/bob', { headers })).status).toBe(200)
  })

  test.each<[string, Record<string, string>, number]>([
    ['with credentials that are wrong', { Authorization: 'token 0000000000000000000000000000000000000000' }, 401],
    ['with a signature of nobody', { Signature: 'keyId="x",algorithm="hs2019",headers="date",signature="eA=="' }, 401],
    ['as somebody else than they are', { Sudo: 'bob' }, 403],
    ['of two hosts', { Host: 'localhost, example.org' }, 400],
  ])('%s is looked at anew', async (_, headers, status) => {
    expect((await forge.get('/users/bob', { headers })).status).toBe(status)
  })

  test('with an Authorization that is empty is who the rest of the request says', async () => {
    const asked = (headers = {}) => forge.get('/users/root', { headers: { Authorization: '', ...headers } })
    for (let time = 0; time < 2; time++) {
      expect((await asked()).status).toBe(200)
      expect((await asked({ Signature: 'keyId="x",algorithm="hs2019",headers="date",signature="eA=="' })).status).toBe(401)
    }
  })

  test('as another with Sudo gets what that one sees', async () => {
    const asked = (headers = {}) =>
      forge.get<{ permissions: { admin: boolean } }>('/repositories/2', { headers: { Authorization: `token ${token}`, ...headers } })
    await forge.asUser(people.root).patch('/admin/users/ada', { source_id: 0, login_name: 'ada', visibility: 'public' })
    await forge.asUser(people.root).patch('/repos/ada/other', { private: false })
    for (let time = 0; time < 2; time++) {
      expect((await asked()).body.permissions.admin).toBe(true)
      expect((await asked({ Sudo: 'bob' })).body.permissions.admin).toBe(false)
    }
  })

  test('has a token’s use noted once a minute', async () => {
    const used = () => forge.context.db.find<{ at: number }>('SELECT MAX(last_used_at) AS at FROM access_token')?.at
    const before = used() as number
    clock.advance(61)
    for (let time = 0; time < 2; time++) await forge.get('/users/bob', { headers: { Authorization: `token ${token}` } })
    expect(used()).toBeGreaterThanOrEqual(before + 61)
  })

  test('with a token that was revoked is not answered', async () => {
    const other = forge.token('root', 'all')
    const asking = { Authorization: `token ${other}` }
    for (let time = 0; time < 2; time++) expect((await forge.get('/users/bob', { headers: asking })).status).toBe(200)
    forge.context.db.tx((tx) => tx.run('DELETE FROM access_token WHERE id = (SELECT MAX(id) FROM access_token)'))
    expect((await forge.get('/users/bob', { headers: asking })).status).toBe(401)
  })
})
