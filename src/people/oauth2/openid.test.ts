import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as oidc from 'openid-client'
import { lineLog } from '#kernel/log.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { type Application, CALLBACK, discover, letIn, makeApplication, OAuthBrowser } from './client.fixture.ts'
import { SigningKeys } from './signing-keys.ts'

/** Judged by a certified client library, which checks what it is answered: issuer, state, nonce, signature, audience, times. */

const forge = testForge()
let ada: Person
let application: Application
beforeAll(async () => {
  ada = await forge.person('ada', { fullName: 'Ada Lovelace' })
  await forge.person('maker')
  application = await makeApplication(forge, 'maker')
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a client that knows nothing but the address signs a person in, and learns who it is', async () => {
  const config = await discover(forge, application)
  const tokens = await letIn(forge, ada, config)
  expect(tokens.claims()).toMatchObject({ sub: String(ada.row.id), preferred_username: 'ada', name: 'Ada Lovelace', email: 'ada@example.org', groups: [] })
  const info = await oidc.fetchUserInfo(config, tokens.access_token, String(ada.row.id))
  expect(info).toMatchObject({ preferred_username: 'ada', email: 'ada@example.org' })
  expect((await forge.get('/user', { headers: { Authorization: `Bearer ${tokens.access_token}` } })).body).toMatchObject({ login: 'ada' })
})

test('an answer that says it is from another server, or does not say, is refused by the client', async () => {
  const config = await discover(forge, application)
  const verifier = oidc.randomPKCECodeVerifier()
  const pkce = { code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
  const address = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'a', ...pkce })
  for (const iss of ['https://evil.example', '']) {
    const answer = await new OAuthBrowser(forge, ada).agree(address)
    answer.searchParams.delete('iss')
    if (iss !== '') answer.searchParams.set('iss', iss)
    const exchange = oidc.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: 'a', idTokenExpected: true })
    expect(await exchange.catch((error: Error) => error.message)).toBeString()
  }
})

test('no log tells a secret, whatever goes wrong', async () => {
  const lines: string[] = []
  await using own = testForge({}, { log: lineLog('debug', (line) => lines.push(line)) })
  const person = await own.person('ada')
  const made = await makeApplication(own, 'ada')
  const config = await discover(own, made)
  const { access_token, refresh_token = '', id_token = '' } = await letIn(own, person, config)
  await oidc.refreshTokenGrant(config, refresh_token)
  await oidc.refreshTokenGrant(config, refresh_token).catch(() => {})
  await own.get('/user', { headers: { Authorization: `Bearer ${access_token}x` } })
  await own.get(`/user?access_token=${access_token}`)
  await own.app.handle(new Request(`http://localhost/login/oauth/authorize?client_id=${made.client_id}&redirect_uri=x&state=${access_token}`))
  own.context.db.tx((tx) => tx.run("UPDATE oauth2_signing_key SET sealed = 'v1:00000000:' || hex(randomblob(40))"))
  await new SigningKeys(own.context).published()
  expect(lines.length).toBeGreaterThan(0)
  for (const secret of [made.client_secret, access_token, refresh_token, id_token.split('.')[2] ?? '']) expect(lines.join('\n')).not.toContain(secret)
})
