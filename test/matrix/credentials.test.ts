import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Category, categories } from '#access/index.ts'
import { applicationToken } from '#people/oauth2/client.fixture.ts'
import type { Person } from '../harness.ts'
import { type DeclaredRoute, lineOf, pageRoutes } from './routes.ts'
import { CANARY, limitedToken, makeWorld, PASSED, PASSWORD, type World } from './world.ts'

/** Every route × every kind of credential, from what the routes declare. */

/** The more routes there are, the longer a crawl takes. */
setDefaultTimeout(60_000)

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const HIDDEN = `${CANARY}-repo`
const isReading = (route: DeclaredRoute) => ['GET', 'HEAD'].includes(route.method)
const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`
const isLetIn = (status: number) => [PASSED, 400, 422].includes(status)

/** Routes that a token may call, with a line that a site administrator has every right to. */
function tokenRoutes(): { route: DeclaredRoute; line: string }[] {
  return world.routes
    .filter(({ terms }) => terms.kind !== 'passwordHolder' && terms.asks !== 'selfByPassword' && terms.scopes.length > 0)
    .map((route) => ({ route, line: lineOf(route, world.subjects[route.terms.kind]?.[0]?.params ?? {}) }))
}

/** Routes, by line, whose answer `isRight` does not accept. */
async function wrongRoutes(ask: (route: DeclaredRoute, line: string) => Promise<number>, isRight: (status: number) => boolean): Promise<string[]> {
  const wrong: string[] = []
  for (const { route, line } of tokenRoutes()) {
    const status = await ask(route, line)
    if (!isRight(status)) wrong.push(`${route.line}: ${status}`)
  }
  return wrong
}

describe('scopes of a token', () => {
  const tokens = new Map<string, string>()
  /** A token of the site administrator's with `level` of these categories. */
  const rootToken = (level: 'read' | 'write', held: readonly Category[]) => {
    const key = `${level} ${held}`
    const token = tokens.get(key) ?? world.forge.token(world.people.root as Person, ...held.map((category) => `${level}:${category}`))
    tokens.set(key, token)
    return token
  }

  test('those that a route names are enough, at the level of its method', async () => {
    const ask = (route: DeclaredRoute, line: string) => world.probe(line, { as: rootToken(isReading(route) ? 'read' : 'write', route.terms.scopes) })
    expect(await wrongRoutes(ask, isLetIn)).toEqual([])
  })

  test('all others together are not', async () => {
    const ask = (route: DeclaredRoute, line: string) => {
      const others = categories.filter((category) => !route.terms.scopes.includes(category))
      return world.forge
        .asUser(rootToken('write', others))
        .send(line)
        .then(({ status }) => status)
    }
    expect(await wrongRoutes(ask, (status) => status === 403)).toEqual([])
  })

  test('each of several is needed', async () => {
    const wrong: string[] = []
    for (const { route, line } of tokenRoutes()) {
      for (const one of route.terms.scopes.length > 1 ? route.terms.scopes : []) {
        const { status } = await world.forge.asUser(rootToken('write', [one])).send(line)
        if (status !== 403) wrong.push(`${route.line} with ${one} alone: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('reading scopes do not write', async () => {
    const ask = async (route: DeclaredRoute, line: string) =>
      isReading(route) ? 403 : (await world.forge.asUser(rootToken('read', categories)).send(line)).status
    expect(await wrongRoutes(ask, (status) => status === 403)).toEqual([])
  })

  test('are the same however the token is sent', async () => {
    const token = rootToken('read', ['activitypub'])
    const granted = await applicationToken(world.forge, world.people.root as Person, 'openid read:activitypub')
    const ofApplication = [`token ${granted}`, `Bearer ${granted}`, basic('oauth2', granted), basic(granted, '')]
    const forms = [`token ${token}`, `Bearer ${token}`, basic('root', token), basic(token, ''), basic(token, 'x-oauth-basic'), ...ofApplication]
    for (const Authorization of forms) {
      const ask = (_: DeclaredRoute, line: string) => world.forge.send(line, { headers: { Authorization } }).then(({ status }) => status)
      expect(await wrongRoutes(ask, (status) => status === 403)).toEqual([])
    }
    const inQuery = (_: DeclaredRoute, line: string) => world.forge.send(`${line}?token=${token}`).then(({ status }) => status)
    expect(await wrongRoutes(inQuery, (status) => status === 403)).toEqual([])
  })
})

describe('a token that is limited to a repository', () => {
  /** Of the owner of two, for one of them. */
  const limitedTo = (name: string) => limitedToken(world, 'owner', name)
  const repoRoutes = () => world.routes.filter(({ terms }) => terms.kind === 'repo')
  const paramsOf = (name: string) => world.subjects.repo.find((one) => one.name === `owner/${name}`)?.params ?? {}

  test('is let in there as its holder is', async () => {
    const as = limitedTo(HIDDEN)
    const wrong: string[] = []
    for (const route of repoRoutes()) {
      const status = await world.probe(lineOf(route, paramsOf(HIDDEN)), { as })
      if (!isLetIn(status)) wrong.push(`${route.line}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  test('finds what is private elsewhere not there', async () => {
    const as = limitedTo('open')
    const wrong: string[] = []
    for (const route of repoRoutes()) {
      const { status } = await world.forge.asUser(as).send(lineOf(route, paramsOf(HIDDEN)))
      if (status !== 404) wrong.push(`${route.line}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  test('writes nothing elsewhere, and reads there what everybody may read', async () => {
    const as = limitedTo(HIDDEN)
    const wrong: string[] = []
    for (const route of repoRoutes()) {
      const line = lineOf(route, paramsOf('open'))
      if (isReading(route) && /(^|:)read$/.test(route.terms.asks)) {
        if (!isLetIn(await world.probe(line, { as }))) wrong.push(`${route.line} is not read`)
      } else if ((await world.forge.asUser(as).send(line)).status !== 403) wrong.push(`${route.line} is not refused`)
    }
    expect(wrong).toEqual([])
  })

  test('has no other route, but those that any token has', async () => {
    const as = limitedTo('open')
    const wrong: string[] = []
    for (const route of world.routes.filter(({ terms }) => terms.kind !== 'repo' && terms.scopes.length > 0)) {
      // The gate lets the token pass here; what it may create is decided once the body is known.
      const body = route.line === 'POST /repos/migrate' ? { clone_addr: 'http://127.0.0.1:9/a.git', repo_name: 'a' } : undefined
      const { status } = await world.forge.asUser(as).send(lineOf(route, world.subjects[route.terms.kind]?.[0]?.params ?? {}), { body })
      const isOpen = /^GET .*\/search$/.test(route.line) && route.terms.scopes.every((scope) => ['issue', 'repository'].includes(scope))
      if (isOpen ? status !== 200 : ![401, 403].includes(status)) wrong.push(`${route.line}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  test('gives a site administrator no more', async () => {
    const as = limitedToken(world, 'root', 'open')
    for (const route of world.routes.filter(({ terms }) => terms.kind === 'siteAdmin')) {
      expect((await world.forge.asUser(as).send(lineOf(route, paramsOf('open')))).status).toBe(403)
    }
    expect((await world.forge.asUser(as).get(`/repos/owner/${HIDDEN}`)).status).toBe(404)
    expect((await world.forge.asUser(as).get('/repos/owner/open', { headers: { Sudo: 'owner' } })).status).toBe(403)
  })

  test('is the same for git, and makes nothing by a push', async () => {
    const ask = async (repo: string, service: string) => {
      const headers = { Authorization: basic('owner', limitedTo(HIDDEN)) }
      return (await world.forge.app.handle(new Request(`http://localhost/owner/${repo}.git/info/refs?service=${service}`, { headers }))).status
    }
    const [hidden, open, other, absent] = [HIDDEN, 'open', `${HIDDEN}.wiki`, 'not-there'] as [string, string, string, string]
    expect(await ask(hidden, 'git-receive-pack')).toBe(200)
    expect(await ask(other, 'git-receive-pack')).toBe(200)
    expect([await ask(open, 'git-upload-pack'), await ask(open, 'git-receive-pack')]).toEqual([200, 403])
    expect(await ask(absent, 'git-receive-pack')).toBe(404)
  })

  test('is the same for files that browsers ask for, too', async () => {
    const ask = async (repo: string, name: string, path: string) => {
      const headers = { Authorization: `token ${limitedTo(repo)}` }
      return (await world.forge.app.handle(new Request(`http://localhost/owner/${name}/${path}`, { headers }))).status
    }
    for (const path of ['raw/branch/main/README.md', 'archive/main.tar.gz', 'issues/1/../../raw/branch/main/README.md']) {
      expect([path, await ask(HIDDEN, HIDDEN, path), await ask('open', HIDDEN, path)]).toEqual([path, 200, 404])
    }
  })
})

describe('outside the API', () => {
  /** In every way that a token can be sent. */
  const forms = (token: string): { headers: Record<string, string>; query: string }[] => [
    ...[`token ${token}`, `Bearer ${token}`, basic('owner', token), basic(token, ''), basic(token, 'x-oauth-basic')].map((Authorization) => ({
      headers: { Authorization },
      query: '',
    })),
    { headers: {}, query: `?token=${token}` },
  ]
  const statuses = async (path: string, token: string) => {
    const found = new Set<number>()
    for (const { headers, query } of forms(token)) {
      const address = path.includes('?') ? path + query.replace('?', '&') : path + query
      found.add((await world.forge.app.handle(new Request(`http://localhost${address}`, { headers }))).status)
    }
    return [...found]
  }
  const owned = (...scopes: string[]) => world.forge.token(world.people.owner as Person, ...scopes)

  test('a token has the same rights however it is sent, to git, files and archives', async () => {
    const tokens: [token: string, hidden: number, pushing: number][] = [
      [owned('read:repository'), 200, 403],
      [owned('write:repository'), 200, 200],
      [owned('all'), 200, 200],
      [owned('write:issue', 'write:user'), 403, 403],
      [owned('all', 'public-only'), 404, 404],
      [limitedToken(world, 'owner', 'open'), 404, 404],
      [limitedToken(world, 'owner', HIDDEN), 200, 200],
    ]
    for (const [index, [token, hidden, pushing]] of tokens.entries()) {
      for (const path of ['raw/branch/main/README.md', 'archive/main.tar.gz']) {
        expect([index, path, await statuses(`/owner/${HIDDEN}/${path}`, token)]).toEqual([index, path, [hidden]])
      }
      const service = (name: string) => statuses(`/owner/${HIDDEN}.git/info/refs?service=${name}`, token)
      expect([index, await service('git-upload-pack'), await service('git-receive-pack')]).toEqual([index, [hidden], [pushing]])
    }
  })

  test('no page or file of a private repository is shown to a token for something else', async () => {
    const routes = (await pageRoutes(world.forge.app)).filter(isReading)
    expect(routes.length).toBeGreaterThan(20)
    const params = world.subjects.repo.find(({ name }) => name === `owner/${HIDDEN}`)?.params ?? {}
    const shown: string[] = []
    for (const token of [owned('write:issue', 'write:user'), owned('all', 'public-only'), limitedToken(world, 'owner', 'open')]) {
      for (const route of routes) {
        // An issues' scope opens what is said of issues.
        if (route.terms.scopes.includes('issue')) continue
        const address = lineOf(route, { '*': 'branch/main/README.md', ...params }).slice(route.method.length + 1)
        for (const found of await statuses(address, token)) if (found < 300) shown.push(`${route.line}: ${found}`)
      }
    }
    expect(shown).toEqual([])
  })
})

describe('on every route', () => {
  /** What each route answers to a request with these headers. */
  const expectAll = async (headers: Record<string, string>, expected: number) => {
    const wrong: string[] = []
    for (const route of world.routes) {
      const { status } = await world.forge.send(lineOf(route, world.subjects[route.terms.kind]?.at(-1)?.params ?? {}), { headers })
      if (status !== expected) wrong.push(`${route.line}: ${status}`)
    }
    expect(wrong).toEqual([])
  }

  test('a token that is none is 401, public or not', () => expectAll({ Authorization: `token ${'0'.repeat(40)}` }, 401))

  test('a wrong password is 401, whether the account exists or not', async () => {
    await expectAll({ Authorization: basic('owner', '') }, 401)
    await expectAll({ Authorization: 'Basic !' }, 401)
  })

  test.each([{ prohibitLogin: true }, { isActive: false }, { mustChangePassword: true }])('the token of an account with %j is 403', async (state) => {
    const name = `barred-${Object.keys(state)[0]}`
    const { token, row } = await world.forge.person(name)
    const columns = { prohibitLogin: 'prohibit_login', isActive: 'is_active', mustChangePassword: 'must_change_password' }
    const [key, value] = Object.entries(state)[0] as [keyof typeof columns, boolean]
    world.forge.context.db.tx((tx) => tx.update('user', row.id, { [columns[key]]: value ? 1 : 0 }))
    const change = { Authorization: `token ${token}` }
    const wrong: string[] = []
    for (const route of world.routes) {
      const { status } = await world.forge.send(lineOf(route, {}), { headers: change })
      const expected = route.terms.kind === 'passwordHolder' && key === 'mustChangePassword' ? 401 : 403
      if (status !== expected) wrong.push(`${route.line}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  test('a token for public things only does nothing for an account that is not public, but end itself', async () => {
    const limited = await world.forge.person('near', { visibility: 'limited' })
    for (const person of [world.hidden, limited]) {
      const as = world.forge.token(person, 'all', 'public-only')
      const wrong: string[] = []
      for (const route of world.routes.filter(({ terms }) => terms.kind === 'signedIn' && terms.scopes.length > 0)) {
        const { status, body } = await world.forge.asUser(as).send(lineOf(route, {}))
        if (status !== 403 || body.message !== 'token scope is limited to public users') wrong.push(`${route.line}: ${status}`)
      }
      expect(wrong).toEqual([])
      expect((await world.forge.asUser(as).delete('/token')).status).toBe(204)
    }
  })

  test('nobody but site administrators acts as somebody else', () =>
    expectAll({ Authorization: `token ${(world.people.stranger as Person).token}`, Sudo: 'owner' }, 403))
})

describe('what only a password opens', () => {
  const passwordRoutes = () => world.routes.filter(({ terms }) => terms.kind === 'passwordHolder' || terms.asks === 'selfByPassword')

  test('opens to a password and to no token of all scopes', async () => {
    expect(passwordRoutes().length).toBeGreaterThan(2)
    for (const route of passwordRoutes()) {
      const line = lineOf(route, { username: 'owner' })
      expect(isLetIn(await world.probe(line, { headers: { Authorization: basic('owner', PASSWORD) } }))).toBeTrue()
      expect((await world.forge.asUser(world.people.owner).send(line)).status).toBe(401)
    }
  })
})
