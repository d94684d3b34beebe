import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Person } from '../harness.ts'
import { lineOf, pageRoutes } from './routes.ts'
import { CANARY, CONCEALED, limitedToken, makeWorld, type World } from './world.ts'

/** What is private is in no answer to outsiders: every reading route, asked about everything there is. */

/** The more routes there are, the longer a crawl takes. */
setDefaultTimeout(60_000)

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Every `GET` with each subject's parameters, searches and all, and the names that it names itself. */
function readings(): { line: string; named: string[] }[] {
  const subjects = Object.values(world.subjects).flat()
  const found = new Map<string, string[]>()
  for (const route of world.routes.filter(({ method, path }) => method === 'GET' && path !== '/token')) {
    for (const { params } of subjects) {
      const line = lineOf(route, { collaborator: 'owner', ...params })
      // Most paths name little of a subject, and are the same for several.
      found.set(
        line,
        Object.values(params).filter((name) => line.split('/').includes(name)),
      )
    }
  }
  return [...found].map(([line, named]) => ({ line, named }))
}

type Viewer = Person | string | undefined

/** Answers that `tells` finds something in, once the names that were asked for are out of them. */
async function answersThat(as: Viewer, tells: (told: string, line: string) => boolean): Promise<string[]> {
  const telling = new Set<string>()
  for (const { line, named } of readings()) {
    const { body, headers } = await world.forge.asUser(as).send(line)
    const told = named.reduce((text, name) => text.replaceAll(name, ''), [JSON.stringify(body), ...headers.values()].join('\n'))
    if (tells(told, line)) telling.add(line)
  }
  return [...telling]
}

const leaks = (as: Viewer) => answersThat(as, (told) => told.includes(CANARY))
/** With what those who are signed in may see. */
const publicLeaks = (as: Viewer) => answersThat(as, (told) => told.includes(CANARY) || told.includes('"login":"limited'))
const publicOnly = (person: Person | undefined) => world.forge.token(person as Person, 'all', 'public-only')

test('a stranger meets nothing private', async () => {
  expect(await leaks('stranger')).toEqual([])
})

test.each(['visitor', 'restricted'] as const)('%s meets nothing private or limited', async (name) => {
  expect(await publicLeaks(world.people[name])).toEqual([])
})

test.each(['owner', 'member', 'orgOwner', 'root', 'hidden'] as const)('a public-only token of %s meets nothing private or limited', async (name) => {
  expect(await publicLeaks(publicOnly(name === 'hidden' ? world.hidden : world.people[name]))).toEqual([])
})

test.each(['owner', 'reader', 'root'] as const)(
  'a token of %s that is limited to a public repository meets nothing private but who works there',
  async (name) => {
    const ofItsPeople = /^GET \/repos\/owner\/open\/(collaborators|assignees|reviewers)$/
    expect((await leaks(limitedToken(world, name, 'open'))).filter((line) => !ofItsPeople.test(line))).toEqual([])
  },
)

test('those who may see it do meet it, or the crawl would prove nothing', async () => {
  for (const name of ['reader', 'owner', 'member', 'root'] as const) expect((await leaks(world.people[name])).length).toBeGreaterThan(3)
})

/** Places that tell who is in an organization; elsewhere a public person is no secret. */
const concealed = (told: string, line: string) => told.includes(CONCEALED) && /^GET \/(orgs|teams|repos|repositories)\//.test(line)

test('no outsider learns of a concealed membership', async () => {
  for (const name of ['visitor', 'stranger', 'restricted', 'owner'] as const) expect(await answersThat(world.people[name], concealed)).toEqual([])
  expect((await answersThat(world.people.member, concealed)).length).toBeGreaterThan(3)
})

test('no total counts what a list leaves out', async () => {
  const wrong: string[] = []
  for (const name of ['visitor', 'stranger', 'restricted', 'owner', 'member'] as const) {
    for (const { line } of readings()) {
      const { body, headers } = await world.forge.asUser(world.people[name]).send<unknown[] | { data?: unknown[] } | null>(line)
      const total = headers.get('x-total-count')
      const listed = Array.isArray(body) ? body : (body?.data ?? [])
      if (total !== null && Number(total) !== listed.length) wrong.push(`${line} as ${name}: ${total}, not ${listed.length}`)
    }
  }
  expect(wrong).toEqual([])
})

/** What searches narrowed by the id of everybody and every team find, as `uid of owner: owner/open`. */
async function found(as: Viewer): Promise<string[]> {
  const searches = { uid: 'user', 'mode=collaborative&uid': 'user', starredBy: 'user', team_id: 'team' }
  const lines = []
  for (const [param, table] of Object.entries(searches)) {
    for (const { id, name } of world.forge.context.db.all<{ id: number; name: string }>(`SELECT id, name FROM ${table} ORDER BY id`)) {
      const { body } = await world.forge.asUser(as).get<{ data: { full_name: string }[] }>(`/repos/search?${param}=${id}`)
      if (body.data.length > 0) lines.push(`${param} of ${name}: ${body.data.map((repo) => repo.full_name)}`)
    }
  }
  return lines
}

test('a search tells others what people own, and neither where they work nor what hidden ones like', async () => {
  const owned = ['uid of owner: owner/open', 'uid of public-org: public-org/tools']
  for (const as of [undefined, publicOnly(world.people.owner)]) expect(await found(as)).toEqual(owned)
  expect(await found('stranger')).toEqual([...owned, 'starredBy of limited: owner/open'])
  expect(await found(CONCEALED)).toEqual([
    ...owned.slice(0, 1),
    `uid of ${CONCEALED}: public-org/tools`,
    ...owned.slice(1),
    `mode=collaborative&uid of ${CONCEALED}: public-org/tools`,
    'starredBy of limited: owner/open',
    'team_id of all: public-org/tools',
  ])
  expect(await found('root')).toContain(`uid of ${world.hidden.name}: owner/open,public-org/tools`)
  expect(await found('root')).toContain(`starredBy of ${world.hidden.name}: owner/open`)
})

test('tokens without the organization scope meet no private organization in lists', async () => {
  for (const name of ['member', 'orgOwner', 'root'] as const) {
    const token = world.forge.token(world.people[name] as Person, 'read:user')
    for (const line of ['GET /orgs', 'GET /user/teams']) {
      const { status, body } = await world.forge.asUser(token).send(line)
      expect([line, status, JSON.stringify(body).includes(CANARY)]).toEqual([line, 200, false])
    }
  }
})

test('no page as text names a private fork that the token may not see', async () => {
  const { forge, people } = world
  const fork = `${CANARY}-fork`
  const as = people.reader
  expect((await forge.asUser(as).post('/repos/owner/open/forks', { name: fork })).status).toBe(202)
  const push = { content: 'YQ==', branch: 'main', new_branch: 'pushed' }
  expect((await forge.asUser(as).post(`/repos/reader/${fork}/contents/a.txt`, push)).status).toBe(201)
  expect((await forge.asUser(as).patch(`/repos/reader/${fork}`, { private: true })).status).toBe(200)
  const routes = (await pageRoutes(forge.app)).filter(({ method }) => method === 'GET')
  const telling = async (token: string) => {
    const lines: string[] = []
    for (const route of routes) {
      const path = lineOf(route, { owner: 'owner', repo: 'open', kind: 'branch', '*': 'main', by: 'label' }).slice('GET '.length)
      const headers = { accept: 'text/plain', authorization: `token ${token}` }
      if ((await (await forge.app.handle(new Request(`http://localhost${path}`, { headers }))).text()).includes(fork)) lines.push(path)
    }
    return lines
  }
  for (const token of [limitedToken(world, 'reader', 'open'), publicOnly(as)]) expect(await telling(token)).toEqual([])
  expect(await telling(forge.token('reader', 'read:repository'))).toEqual(expect.arrayContaining(['/owner/open', '/owner/open/compare', '/owner/open/fork']))
})
