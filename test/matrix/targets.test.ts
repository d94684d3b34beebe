import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test'
import { generateKey } from 'openpgp'
import type { Person } from '../harness.ts'
import { testsInOrder } from '../in-order.ts'
import { ed25519Key } from '../ssh-keys.ts'
import { type DeclaredRoute, lineOf } from './routes.ts'
import { makeWorld, type ViewerName, type World } from './world.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

/** Every route × targets that are missing, renamed or somebody else's. */

/** The more routes there are, the longer a crawl takes. */
setDefaultTimeout(60_000)

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const routesWith = (...params: string[]) => world.routes.filter((route) => params.every((param) => route.params.includes(param)))

/** Routes that do not answer `viewer` as `isRight` wants, with what they answer. */
async function wrongAnswers(
  routes: DeclaredRoute[],
  params: Record<string, string>,
  viewer: ViewerName,
  isRight: (status: number, location: string | null, line: string) => boolean,
): Promise<string[]> {
  const wrong: string[] = []
  for (const route of routes) {
    const line = lineOf(route, params)
    const { status, headers } = await world.forge.asUser(world.people[viewer]).send(line)
    if (!isRight(status, headers.get('location'), line)) wrong.push(`${route.line} for ${viewer}: ${status} ${headers.get('location') ?? ''}`)
  }
  return wrong
}

/** What stands for a thing in a path, by the gate macro that looks it up. */
const missing: Record<string, Record<string, string>[]> = {
  repo: [
    { owner: 'owner', repo: 'nothing', id: '999999' },
    { owner: 'nobody', repo: 'open', id: '0' },
    { owner: 'owner', repo: '..%2fopen', id: 'x' },
  ],
  person: [{ username: 'nobody' }, { username: '%00' }, { username: '%ff' }],
  org: [{ org: 'nobody' }, { org: '..%2fowner' }],
  team: [{ id: '999999' }, { id: 'x' }, { id: '-1' }],
}

describe('a target that is not there', () => {
  test.each(Object.entries(missing))('is 404 on every %s route, for whoever asks', async (kind, targets) => {
    const routes = world.routes.filter(({ terms }) => terms.kind === kind)
    for (const params of targets) {
      for (const viewer of ['visitor', 'stranger', 'root'] as const) {
        const expected = kind === 'team' && viewer === 'visitor' ? 401 : 404
        expect(await wrongAnswers(routes, params, viewer, (status) => status === expected)).toEqual([])
      }
    }
  })
})

describe('a target that was renamed', () => {
  const root = () => world.people.root
  const repos = () => routesWith('owner', 'repo').filter(({ terms }) => terms.kind === 'repo')

  /** To the same path with the new names, and nothing else changed: 301 to read there, 307 to do there what was to be done. */
  const movesTo = (before: string, after: string) => (status: number, location: string | null, line: string) =>
    status === (line.startsWith('GET ') ? 301 : 307) && location === `/api/v1${line.slice(line.indexOf(' ') + 1).replace(before, after)}`

  test('a repository leads to its new name those who may see it', async () => {
    for (const repo of ['open', 'canary-repo']) await world.forge.asUser(root()).patch(`/repos/owner/${repo}`, { name: `new-${repo}` })
    const open = { owner: 'owner', repo: 'open' }
    for (const viewer of ['visitor', 'stranger', 'owner', 'root'] as const) {
      expect(await wrongAnswers(repos(), open, viewer, movesTo('/owner/open', '/owner/new-open'))).toEqual([])
    }
    const hidden = { owner: 'owner', repo: 'canary-repo' }
    expect(await wrongAnswers(repos(), hidden, 'reader', movesTo('/owner/canary-repo', '/owner/new-canary-repo'))).toEqual([])
    for (const viewer of ['visitor', 'stranger'] as const) expect(await wrongAnswers(repos(), hidden, viewer, (status) => status === 404)).toEqual([])
  })

  test("a person's old name leads to the new one, for them and what they own", async () => {
    await world.forge.asUser(root()).post('/admin/users/owner/rename', { new_username: 'newowner' })
    const people = routesWith('username').filter(({ terms }) => terms.kind === 'person')
    expect(await wrongAnswers(people, { username: 'owner' }, 'stranger', movesTo('/owner', '/newowner'))).toEqual([])
    expect(await wrongAnswers(repos(), { owner: 'owner', repo: 'new-open' }, 'stranger', movesTo('/owner/new-open', '/newowner/new-open'))).toEqual([])
  })

  test('an organization leads to its new name those who may see it', async () => {
    const orgs = routesWith('org').filter(({ terms }) => terms.kind === 'org')
    for (const org of ['public-org', 'canary-org']) await world.forge.asUser(root()).post(`/orgs/${org}/rename`, { new_name: `new-${org}` })
    expect(await wrongAnswers(orgs, { org: 'public-org' }, 'visitor', movesTo('/public-org', '/new-public-org'))).toEqual([])
    expect(await wrongAnswers(orgs, { org: 'canary-org' }, 'member', movesTo('/canary-org', '/new-canary-org'))).toEqual([])
    expect(await wrongAnswers(orgs, { org: 'canary-org' }, 'stranger', (status) => status === 404)).toEqual([])
  })
})

describe("a thing of somebody else's", () => {
  /** How to make one of what a collection holds. */
  const bodies: Record<string, (n: number, name: string) => unknown> = {
    auths: (n) => ({ type: 'pam', name: `source ${n}`, pam: { service_name: 'login' } }),
    gpg_keys: async (_, name) => ({ armored_public_key: (await generateKey({ userIDs: { email: `${name}@example.org` } })).publicKey }),
    hooks: (n) => ({ type: 'gitea', config: { url: `http://example.org/${n}`, content_type: 'json' } }),
    keys: (n) => ({ title: `key ${n}`, key: ed25519Key(n) }),
    threads: () => ({}),
    times: (n) => ({ time: n }),
    comments: (n) => ({ body: `comment ${n}` }),
    milestones: (n) => ({ title: `milestone ${n}` }),
    tag_protections: (n) => ({ name_pattern: `tag ${n}`, whitelist_usernames: ['stranger'] }),
    principals: (_, name) => ({ name: `${name}@example.org` }),
    oauth2: (n) => ({ name: `application ${n}`, redirect_uris: ['https://example.org/'] }),
    labels: (n) => ({ name: `label ${n}`, color: '#aabbcc' }),
    releases: (n) => ({ tag_name: `tag-${n}`, draft: true }),
    reviews: (n) => ({ event: 'COMMENT', body: `review ${n}` }),
  }
  let made = 0

  /** Whose things they are: two of each kind, with who may do everything to them. */
  const parents = (route: DeclaredRoute): { params: Record<string, string>; as: Person | undefined }[] => {
    const { root, owner, stranger } = world.people
    if (route.params.includes('repo')) return [1, 2].map((n) => ({ params: { owner: 'stranger', repo: `parent-${n}` }, as: root }))
    if (route.params.includes('org')) return ['limited-org', 'new-public-org'].map((org) => ({ params: { org }, as: root }))
    if (route.params.includes('username')) return ['reader', 'writer'].map((username) => ({ params: { username }, as: root }))
    return route.terms.kind === 'siteAdmin' ? [{ params: {}, as: root }] : [owner, stranger].map((as) => ({ params: {}, as }))
  }

  /** `hooks` of `/repos/:owner/:repo/hooks/:id/tests`; teams and repositories are found by their ids alone, and git's own hooks are never there. */
  const collectionOf = ({ path, terms }: DeclaredRoute) =>
    terms.kind === 'team' || /^\/repositories\/|^\/admin\/jobs\/|\/hooks\/git\//.test(path) ? undefined : /(\w+)\/:id/.exec(path)?.[1]
  /** What an issue carries is put on it, not made there, and what cannot be is 422, as in Gitea; comments of a review are found by it. */
  const isPut = ({ path }: DeclaredRoute) => /\/issues?\/:index\/labels|\/reviews\/:id\/comments$/.test(path)
  const homeOf = (params: Record<string, string>, as: Person | undefined) => `${Object.values(params).join('/')} of ${as?.name}`

  /** The first thing of a repository, which has all that issues have. */
  const openPull = async (repo: string) => {
    const as = world.people.stranger
    await world.forge.asUser(as).post(`${repo}/contents/a.txt`, { new_branch: 'topic', content: btoa('a') })
    expect((await world.forge.asUser(as).post(`${repo}/pulls`, { title: 'The first', head: 'topic', base: 'main' })).body).toMatchObject({ number: 1 })
  }

  test('is 404 under another parent, on every route, and stays as it is', async () => {
    for (const n of [1, 2]) {
      await world.forge.asUser(world.people.stranger).post('/user/repos', { name: `parent-${n}`, private: true, auto_init: true })
      await openPull(`/repos/stranger/parent-${n}`)
    }
    const routes = world.routes.filter((route) => collectionOf(route) && !isPut(route))
    expect([...new Set(routes.map(collectionOf))].filter((name) => !bodies[name as string])).toEqual([])
    const things: { collection: string; place: string; id: number }[] = []
    for (const route of world.routes) {
      const collection = route.path.split('/').at(-1) as string
      if (route.method !== 'POST' || !bodies[collection] || isPut(route)) continue
      for (const { params, as } of parents(route)) {
        const line = lineOf(route, params)
        const { status, body } = await world.forge.asUser(as).send<{ id: number }>(line, { body: await bodies[collection](++made, as?.name as string) })
        expect([`${line} 200`, `${line} 201`]).toContain(`${line} ${status}`)
        things.push({ collection, place: homeOf(params, as), id: body.id })
      }
    }
    const before = world.forge.context.db.serialize()
    const wrong: string[] = []
    for (const route of routes) {
      const collection = collectionOf(route) as string
      for (const { params, as } of parents(route)) {
        const own = things.filter((thing) => thing.collection === collection && thing.place === homeOf(params, as)).map(({ id }) => id)
        if (route.method === 'GET' && own.length > 0 && !route.params.some((name) => name === 'attachment_id' || name === 'comment')) {
          const { status } = await world.forge.asUser(as).send(lineOf(route, { ...params, id: String(own[0]) }))
          if (status !== 200) wrong.push(`${route.line} of its own: ${status}`)
        }
        for (const { id, place: home } of things.filter((thing) => thing.collection === collection && !own.includes(thing.id))) {
          const line = lineOf(route, { ...params, id: String(id) })
          const { status } = await world.forge.asUser(as).send(line, { body: route.body && { body: 'text' } })
          // What is deleted that was not there is gone, too, as Gitea says of some; that nothing goes is looked at below.
          const isRefused = status === 404 || (route.method === 'DELETE' && status === 204)
          if (!isRefused) wrong.push(`${line} as ${as?.name}, of ${home}: ${status}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(Buffer.from(before).equals(world.forge.context.db.serialize())).toBeTrue()
  })
})
