import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { changePassword } from '#people/users/index.ts'
import { CALLBACK, makeApplication } from './client.fixture.ts'
import { challenge, said, TokenWorld, verifier } from './token-world.fixture.ts'

/** What codes and refresh tokens are worth to whom, and when no more. */

const HOUR = 3600
let world: TokenWorld
beforeAll(async () => {
  world = await TokenWorld.make()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('a code', () => {
  test.each<[string, Record<string, string>, string]>([
    ['with another verifier', { code_verifier: 'w'.repeat(43) }, '400 invalid_grant'],
    ['without a verifier', { code_verifier: '' }, '400 invalid_grant'],
    ['with a verifier that is the challenge', { code_verifier: challenge }, '400 invalid_grant'],
    ['with another registered address', { redirect_uri: `${CALLBACK}/second` }, '400 unauthorized_client'],
    ['with an address that is not registered', { redirect_uri: 'https://evil.example/' }, '400 unauthorized_client'],
    ['without the address', { redirect_uri: '' }, '400 unauthorized_client'],
    ['that is another text', { code: `gta_${'0'.repeat(64)}` }, '400 invalid_grant'],
    ['that is missing', { code: '' }, '400 invalid_grant'],
    ['for another kind of grant', { grant_type: 'password' }, '400 unsupported_grant_type'],
    ['for no kind of grant', { grant_type: '' }, '400 unsupported_grant_type'],
    ['with the name of another world.application in the body', { client_id: 'd57cb8c4-630c-4168-8324-ec79935e18d4' }, '400 invalid_request'],
    ['with another secret in the body', { client_secret: 'x' }, '400 invalid_request'],
  ])('%s gives nothing, and the right request still gets its tokens', async (_, more, expected) => {
    const code = await world.codeFor(world.application)
    expect(said(await world.exchange(world.application, code, more))).toBe(expected)
    expect((await world.exchange(world.application, code)).status).toBe(200)
  })

  test('is of no use to another world.application, with its own secret or none', async () => {
    const code = await world.codeFor(world.application)
    expect(said(await world.exchange(world.other, code))).toBe('400 invalid_grant')
    expect(said(await world.exchange(undefined, code, { client_id: world.open.client_id }))).toBe('400 invalid_grant')
    expect(said(await world.exchange(undefined, code, { client_id: world.application.client_id }))).toBe('400 invalid_client')
    expect(said(await world.exchange({ ...world.application, client_secret: world.other.client_secret }, code))).toBe('401 invalid_client')
    expect(said(await world.exchange({ ...world.application, client_secret: '' }, code))).toBe('401 invalid_client')
    expect((await world.exchange(world.application, code)).status).toBe(200)
  })

  test('that was asked for without a challenge takes no verifier', async () => {
    const code = await world.codeFor(world.application, world.ada, { code_challenge: '', code_challenge_method: '' })
    expect(said(await world.exchange(world.application, code))).toBe('400 invalid_grant')
    expect((await world.exchange(world.application, code, { code_verifier: '' })).status).toBe(200)
  })

  test('can be proven by the challenge itself where that was agreed on', async () => {
    const code = await world.codeFor(world.application, world.ada, { code_challenge: verifier, code_challenge_method: 'plain' })
    expect(said(await world.exchange(world.application, code, { code_verifier: 'w'.repeat(43) }))).toBe('400 invalid_grant')
    expect((await world.exchange(world.application, code)).status).toBe(200)
  })

  test('is exchanged once; a second time ends what the first gave', async () => {
    const code = await world.codeFor(world.application)
    const { access_token, refresh_token } = await world.exchange(world.application, code)
    const untouched = await world.tokensFor()
    expect(await world.statusWith(access_token)).toBe(200)
    expect(said(await world.exchange(world.application, code))).toBe('400 invalid_grant')
    expect(await world.statusWith(access_token)).toBe(401)
    expect(said(await world.refresh(world.application, refresh_token))).toBe('400 invalid_grant')
    expect(await world.statusWith(untouched.access_token)).toBe(200)
  })

  test('that twenty exchange at once has one winner at most', async () => {
    const code = await world.codeFor(world.application)
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.exchange(world.application, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(said))).toEqual(new Set(['400 invalid_grant']))
  })

  test('is over after ten minutes', async () => {
    const [early, late] = [await world.codeFor(world.application), await world.codeFor(world.application)]
    world.now += 599
    expect((await world.exchange(world.application, early)).status).toBe(200)
    world.now += 1
    expect(said(await world.exchange(world.application, late))).toBe('400 invalid_grant')
  })

  test('does not outlive the password that let it in, nor the account', async () => {
    const bob = await world.forge.person('bob', { password: 'correct horse' })
    const code = await world.codeFor(world.application, bob)
    const { access_token } = await world.tokensFor(world.application, bob)
    await changePassword(world.forge.context, bob.row, 'another horse')
    expect(said(await world.exchange(world.application, code))).toBe('400 invalid_grant')
    // What was given before stays, as access tokens do: it can be seen and taken back in the settings.
    expect(await world.statusWith(access_token)).toBe(200)
  })

  test('gives nothing in the name of who may not sign in', async () => {
    const eve = await world.forge.person('eve')
    for (const [column, value] of [
      ['prohibit_login', 1],
      ['is_active', 0],
      ['must_change_password', 1],
    ] as const) {
      const code = await world.codeFor(world.application, eve)
      const { access_token, refresh_token } = await world.tokensFor(world.application, eve)
      world.forge.context.db.tx((tx) => tx.update('user', eve.row.id, { [column]: value }))
      expect(said(await world.exchange(world.application, code))).toBe('400 invalid_grant')
      expect(said(await world.refresh(world.application, refresh_token))).toBe('400 invalid_grant')
      expect(await world.statusWith(access_token)).toBe(403)
      world.forge.context.db.tx((tx) => tx.update('user', eve.row.id, { [column]: 1 - value }))
    }
  })
})

describe('an application', () => {
  test('shows who it is in the body, too, as a form or as JSON', async () => {
    const { client_id, client_secret } = world.application
    expect((await world.exchange(undefined, await world.codeFor(world.application), { client_id, client_secret })).status).toBe(200)
    const fields = {
      grant_type: 'authorization_code',
      code: await world.codeFor(world.application),
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      client_id,
      client_secret,
    }
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) }
    expect((await world.forge.app.handle(new Request('http://localhost/login/oauth/access_token', json))).status).toBe(200)
  })

  test.each<[string, RequestInit]>([
    ['a header that is no basic authentication', { headers: { Authorization: 'Bearer x' } }],
    ['a header without a colon', { headers: { Authorization: `Basic ${btoa('x')}` } }],
    ['a header that cannot be decoded', { headers: { Authorization: `Basic ${btoa('%zz:%')}` } }],
    ['JSON that is a list', { headers: { 'Content-Type': 'application/json' }, body: '[]' }],
    ['JSON that is none', { headers: { 'Content-Type': 'application/json' }, body: '{' }],
    ['nothing', {}],
    ['a parameter that is sent twice', { body: 'grant_type=authorization_code&code=a&code=b' }],
    ['bytes that are no text', { body: new Uint8Array([0xff, 0xfe, 0x3d, 0x00]) }],
  ])('that sends %s is told that it is wrong', async (_, init) => {
    const response = await world.forge.app.handle(new Request('http://localhost/login/oauth/access_token', { method: 'POST', ...init }))
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^invalid_(request|client)$/), error_description: expect.any(String) },
    ])
  })

  test('that sends very much is not read to the end', async () => {
    const response = await world.forge.app.handle(
      new Request('http://localhost/login/oauth/access_token', { method: 'POST', body: `code=${'x'.repeat(70_000)}` }),
    )
    expect(response.status).toBe(413)
  })

  test('that is not known is told the same as one whose secret is wrong', async () => {
    const [unknown, wrong] = await Promise.all([
      world.exchange({ ...world.application, client_id: 'x' }, 'y'),
      world.exchange({ ...world.application, client_secret: 'x' }, 'y'),
    ])
    expect(unknown).toEqual(wrong)
  })

  test('has no further use for a secret that was replaced', async () => {
    const made = await makeApplication(world.forge, 'maker')
    const { refresh_token } = await world.tokensFor(made)
    await world.forge.asUser('maker').patch(`/user/applications/oauth2/${made.id}`, {})
    expect(said(await world.refresh(made, refresh_token))).toBe('401 invalid_client')
  })
})

describe('a refresh token', () => {
  test('gives a new pair, and is worth nothing then', async () => {
    const first = await world.tokensFor()
    const second = await world.refresh(world.application, first.refresh_token)
    expect(second.status).toBe(200)
    expect(new Set([first.access_token, second.access_token, first.refresh_token, second.refresh_token]).size).toBe(4)
    expect(said(await world.refresh(world.application, first.refresh_token))).toBe('400 invalid_grant')
    expect((await world.refresh(world.application, second.refresh_token)).status).toBe(200)
  })

  test('that is used again later ends all that came of it', async () => {
    const first = await world.tokensFor()
    const second = await world.refresh(world.application, first.refresh_token)
    world.now += 11
    expect(said(await world.refresh(world.application, first.refresh_token))).toBe('400 invalid_grant')
    expect([await world.statusWith(first.access_token), await world.statusWith(second.access_token)]).toEqual([401, 401])
    expect(said(await world.refresh(world.application, second.refresh_token))).toBe('400 invalid_grant')
  })

  test('that twenty use at once has one winner, who keeps what it got', async () => {
    const { refresh_token } = await world.tokensFor()
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.refresh(world.application, refresh_token)))
    const [winner, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    expect(await world.statusWith(winner?.access_token ?? '')).toBe(200)
  })

  test('is of no use to another world.application, nor as an access token, nor the world.other way round', async () => {
    const { access_token, refresh_token } = await world.tokensFor()
    expect(said(await world.refresh(world.other, refresh_token))).toBe('400 invalid_grant')
    expect(said(await world.refresh(world.application, access_token))).toBe('400 invalid_grant')
    expect(await world.statusWith(refresh_token)).toBe(401)
    expect((await world.refresh(world.application, refresh_token)).status).toBe(200)
  })

  test('asks for less, never for more', async () => {
    const { refresh_token, scope } = await world.tokensFor(world.application, world.ada, { scope: 'openid read:user write:issue' })
    expect(scope).toBe('openid write:issue read:user')
    for (const wider of ['write:user', 'all', 'read:user write:repository', 'openid email', 'read:user,read:admin']) {
      expect([wider, said(await world.refresh(world.application, refresh_token, { scope: wider }))]).toEqual([wider, '400 invalid_scope'])
    }
    const less = await world.refresh(world.application, refresh_token, { scope: 'read:issue' })
    expect([less.scope, less.id_token]).toEqual(['read:issue', undefined])
    expect([await world.statusWith(less.access_token), await world.statusWith(less.access_token, 'GET /repos/issues/search')]).toEqual([403, 200])
    // The whole is still there to be asked for.
    expect((await world.refresh(world.application, less.refresh_token)).scope).toBe(scope)
  })

  test('lasts as long as it is used within a month', async () => {
    let { refresh_token } = await world.tokensFor()
    for (let i = 0; i < 3; i++) {
      world.now += 729 * HOUR
      const next = await world.refresh(world.application, refresh_token)
      expect(next.status).toBe(200)
      refresh_token = next.refresh_token
    }
    world.now += 730 * HOUR
    expect(said(await world.refresh(world.application, refresh_token))).toBe('400 invalid_grant')
  })

  test('can be used again where the settings say so', async () => {
    const change = (value: boolean) => Object.assign(world.forge.context.config.oauth2, { INVALIDATE_REFRESH_TOKENS: value })
    change(false)
    const { refresh_token } = await world.tokensFor()
    for (let i = 0; i < 2; i++) expect((await world.refresh(world.application, refresh_token)).status).toBe(200)
    change(true)
  })
})
