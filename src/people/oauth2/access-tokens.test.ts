import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { type Application, makeApplication, OAuthBrowser } from './client.fixture.ts'
import { said, TokenWorld } from './token-world.fixture.ts'

/** What access tokens let their holders do, and who is told what of them. */

const HOUR = 3600
let world: TokenWorld
beforeAll(async () => {
  world = await TokenWorld.make()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('an access token', () => {
  test('is over after an hour', async () => {
    const { access_token } = await world.tokensFor()
    world.now += HOUR - 1
    expect(await world.statusWith(access_token)).toBe(200)
    world.now += 1
    expect(await world.statusWith(access_token)).toBe(401)
  })

  describe('of an administrator', () => {
    const actAs = async (scope: string, path: string, init: RequestInit = {}) => {
      const root = await world.forge.person(`root${Bun.hash(scope + path)}`.slice(0, 12), { isAdmin: true })
      const { access_token } = await world.tokensFor(world.application, root, { scope })
      const headers = { Authorization: `Bearer ${access_token}`, Sudo: 'ada' }
      const response = await world.forge.app.handle(new Request(`http://localhost${path}`, { ...init, headers }))
      return { root, status: response.status, body: (await response.json()) as { sub?: string; login?: string } }
    }

    test.each([
      ['openid profile email', 403],
      ['read:user', 403],
      ['read:user read:admin', 200],
    ])('acts for others with the administration alone: with %s %d', async (scope, status) => {
      for (const path of ['/api/v1/user', '/api/v1/user?sudo=ada']) expect((await actAs(scope, path)).status).toBe(status)
    })

    test.each(['openid email', 'openid read:admin', 'all'])('never tells of somebody else by OpenID Connect: %s', async (scope) => {
      for (const path of ['/login/oauth/userinfo', '/login/oauth/userinfo?sudo=ada']) {
        const { root, status, body } = await actAs(scope, path)
        expect([status, body.sub]).toEqual([200, String(root.row.id)])
      }
    })
  })

  test('is stored as a hash alone, like all that gives one', async () => {
    const code = await world.codeFor(world.application)
    const { access_token, refresh_token } = await world.exchange(world.application, code)
    const stored = Buffer.from(world.forge.context.db.serialize()).toString('latin1')
    for (const secret of [code, access_token, refresh_token, world.application.client_secret]) expect(stored).not.toContain(secret)
  })

  test.each<[string, string, number, number, number]>([
    ['', 'all', 200, 200, 201],
    ['openid', 'openid read:user', 200, 403, 403],
    ['openid profile email groups', 'openid profile email groups read:user', 200, 403, 403],
    ['unheard-of', 'read:user', 200, 403, 403],
    ['read:repository', 'read:repository', 403, 200, 403],
    ['openid,write:repository', 'openid write:repository', 403, 200, 403],
    ['repository user', 'write:repository write:user', 200, 200, 201],
    ['write:repository write:user public-only', 'write:repository write:user public-only', 200, 200, 403],
  ])('for the scope "%s" is for "%s" alone', async (asked, granted, user, reading, writing) => {
    const bob = await world.forge.person(`scoped-${world.now++}`)
    const { access_token, scope } = await world.tokensFor(world.application, bob, { scope: asked })
    expect(scope).toBe(granted)
    const create = { headers: { Authorization: `token ${access_token}` }, body: { name: 'made', private: true } }
    const statuses = [
      await world.statusWith(access_token),
      await world.statusWith(access_token, 'GET /repos/search'),
      (await world.forge.post('/user/repos', create.body, { headers: create.headers })).status,
    ]
    expect(statuses).toEqual([user, reading, writing])
  })

  test('makes no token that could do more, whatever its scope', async () => {
    const { access_token } = await world.tokensFor(world.application, world.ada, { scope: 'all' })
    const { status } = await world.forge.post('/users/ada/tokens', { name: 'x', scopes: ['all'] }, { headers: { Authorization: `Bearer ${access_token}` } })
    expect(status).toBe(401)
  })

  test('ends with the application', async () => {
    const made = await makeApplication(world.forge, 'maker')
    const { access_token, refresh_token } = await world.tokensFor(made)
    await world.forge.asUser('maker').delete(`/user/applications/oauth2/${made.id}`)
    expect(await world.statusWith(access_token)).toBe(401)
    expect(said(await world.refresh(made, refresh_token))).toBe('401 invalid_client')
  })

  test('ends with an application that very many let in, at once, whatever is still to be cleared away', async () => {
    const { db, jobs } = world.forge.context
    const made = await makeApplication(world.forge, 'maker')
    db.tx((tx) => {
      const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM user WHERE id = ?', world.ada.row.id) ?? {}
      for (let n = 0; n < 150; n++) {
        const user_id = tx.insert('user', { ...row, name: `p${n}`, lower_name: `p${n}`, email: `p${n}@example.org` })
        tx.insert('oauth2_grant', { application_id: made.id, user_id, scope: '', created_at: 1 })
      }
    })
    const { access_token, refresh_token } = await world.tokensFor(made)
    const grants = () => db.all('SELECT 1 FROM oauth2_grant WHERE application_id = ?', made.id).length
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    using _rest = spyOn(db, 'rest').mockImplementation(() => promise)
    expect((await world.forge.asUser('maker').delete(`/user/applications/oauth2/${made.id}`)).status).toBe(204)
    expect(grants()).toBeGreaterThan(75)
    expect([await world.statusWith(access_token), said(await world.refresh(made, refresh_token))]).toEqual([401, '401 invalid_client'])
    const again = await makeApplication(world.forge, 'maker', { name: made.name })
    expect(said(await world.refresh(again, refresh_token))).toBe('400 invalid_grant')
    goOn()
    await jobs.resume()
    expect([grants(), db.all('PRAGMA foreign_key_check')]).toEqual([0, []])
  })

  test('ends with the account of who agreed, and of who made the application', async () => {
    const [user, maker] = [await world.forge.person('leaving-user'), await world.forge.person('leaving-maker')]
    const root = await world.forge.person('root1', { isAdmin: true })
    const made = await makeApplication(world.forge, maker.name)
    const [one, two] = [await world.tokensFor(world.application, user), await world.tokensFor(made)]
    for (const { name } of [user, maker]) expect((await world.forge.asUser(root).delete(`/admin/users/${name}`)).status).toBe(204)
    expect([await world.statusWith(one.access_token), await world.statusWith(two.access_token)]).toEqual([401, 401])
  })
})

describe('introspection', () => {
  const introspect = (client: Application | undefined, token: string, more = {}) => world.ask('introspect', client, { token, ...more })

  test('tells an world.application of its own tokens', async () => {
    const { access_token, refresh_token } = await world.tokensFor()
    const about = {
      active: true,
      client_id: world.application.client_id,
      aud: world.application.client_id,
      username: 'ada',
      sub: String(world.ada.row.id),
      iss: 'http://localhost:3000',
    }
    expect(await introspect(world.application, access_token)).toMatchObject({
      ...about,
      scope: 'read:user',
      exp: world.now + HOUR,
      token_type: 'bearer',
    } as never)
    expect(await introspect(world.application, refresh_token)).toMatchObject({ ...about, token_type: 'refresh_token' } as never)
  })

  test("of others' tokens it says what it says of none", async () => {
    const { access_token } = await world.tokensFor()
    for (const token of [access_token, 'x', world.ada.token, '']) expect(await introspect(world.other, token)).toEqual({ status: 200, active: false } as never)
  })

  test('wants a secret', async () => {
    const { access_token } = await world.tokensFor()
    expect((await introspect(undefined, access_token)).status).toBe(400)
    expect(said(await introspect({ ...world.application, client_secret: 'x' }, access_token))).toBe('401 invalid_client')
    expect(said(await introspect(undefined, access_token, { client_id: world.open.client_id }))).toBe('401 invalid_client')
    expect(said(await introspect(world.open, access_token))).toBe('401 invalid_client')
  })

  test('tells of none that is over', async () => {
    const { access_token, refresh_token } = await world.tokensFor()
    await world.refresh(world.application, refresh_token)
    expect(await introspect(world.application, refresh_token)).toEqual({ status: 200, active: false } as never)
    world.now += HOUR
    expect(await introspect(world.application, access_token)).toEqual({ status: 200, active: false } as never)
  })
})

test('an world.application ends its own tokens, and no others', async () => {
  const { access_token, refresh_token } = await world.tokensFor()
  expect((await world.ask('revoke', world.other, { token: refresh_token })).status).toBe(200)
  expect(await world.statusWith(access_token)).toBe(200)
  expect((await world.ask('revoke', world.application, { token: refresh_token })).status).toBe(200)
  expect(await world.statusWith(access_token)).toBe(401)
})

describe('what is told of a person', () => {
  const tell = async (headers: Record<string, string>, method = 'GET') => {
    const response = await world.forge.app.handle(new Request('http://localhost/login/oauth/userinfo', { method, headers }))
    return { status: response.status, challenge: response.headers.get('www-authenticate'), body: (await response.json()) as Record<string, unknown> }
  }
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

  test.each<[string, string[]]>([
    ['openid', ['sub']],
    ['openid email', ['email', 'email_verified', 'sub']],
    ['openid groups', ['groups', 'sub']],
    ['openid profile', ['name', 'picture', 'preferred_username', 'profile', 'sub', 'updated_at']],
    ['read:user', ['email', 'email_verified', 'groups', 'name', 'picture', 'preferred_username', 'profile', 'sub', 'updated_at']],
  ])('for %s is %p', async (scope, members) => {
    const { access_token } = await world.tokensFor(world.application, world.ada, { scope })
    for (const method of ['GET', 'POST']) expect(Object.keys((await tell(bearer(access_token), method)).body).sort()).toEqual(members)
  })

  test('is nothing for a token that may not read the account', async () => {
    const { access_token } = await world.tokensFor(world.application, world.ada, { scope: 'read:repository' })
    for (const token of [access_token, world.forge.token('ada', 'read:repository')]) expect((await tell(bearer(token))).status).toBe(403)
    expect((await tell(bearer(world.forge.token('ada', 'read:user')))).body).toMatchObject({ preferred_username: 'ada' })
  })

  test('is nothing for none, for a wrong one and for a cookie', async () => {
    const { cookie } = new OAuthBrowser(world.forge, world.ada)
    for (const headers of [{}, bearer('x'), { Cookie: cookie }] as Record<string, string>[]) {
      expect(await tell(headers)).toMatchObject({ status: 401, challenge: 'Bearer realm="Gitea OAuth2"' })
    }
  })

  test('names organizations and their teams, of those that are not public only where more than the public is granted', async () => {
    const bob = await world.forge.person('grouped')
    for (const [username, visibility] of [
      ['Open-Org', 'public'],
      ['hidden-org', 'private'],
    ]) {
      await world.forge.asUser(bob).post('/orgs', { username, visibility })
      await world.forge.asUser(bob).post(`/orgs/${username}/teams`, { name: 'Builders', permission: 'read', units: ['repo.code'] })
    }
    const groups = async (scope: string) => (await tell(bearer((await world.tokensFor(world.application, bob, { scope })).access_token))).body.groups
    expect(await groups('openid groups')).toEqual(['hidden-org', 'hidden-org:owners', 'Open-Org', 'Open-Org:owners'])
    expect(await groups('openid groups public-only')).toEqual(['Open-Org', 'Open-Org:owners'])
  })
})
