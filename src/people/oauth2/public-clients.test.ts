import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { type Person, testForge } from '../../../test/harness.ts'
import { OAuthBrowser } from './client.fixture.ts'

/** Programs on people's own machines, with the requests that they send. */

const forge = testForge()
let ada: Person
beforeAll(async () => {
  ada = await forge.person('ada')
  forge.repo(ada, 'engine', { private: true })
})
afterAll(() => forge[Symbol.asyncDispose]())

const verifier = 'a-verifier-of-at-least-forty-three-characters-0123456789'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

const addressOf = (parameters: Record<string, string>) =>
  `/login/oauth/authorize?${new URLSearchParams({ response_type: 'code', state: 'a state', ...parameters })}`
const ask = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  forge.app.handle(
    new Request('http://localhost/login/oauth/access_token', {
      method: 'POST',
      headers: { ...form, ...headers },
      body: new URLSearchParams(fields).toString(),
    }),
  )

/** As `golang.org/x/oauth2` does it: first with the id as user name and no password. */
const goClient = (id: string) => ({ Authorization: `Basic ${btoa(`${id}:`)}` })

test.each<[string, string, Record<string, string>, string, boolean]>([
  [
    'tea',
    'd57cb8c4-630c-4168-8324-ec79935e18d4',
    { scope: 'admin user issue misc notification organization package repository' },
    'http://127.0.0.1:40123',
    true,
  ],
  ['git-credential-oauth', 'a4792ccc-144e-407e-86c9-5e7d8d9c3269', {}, 'http://127.0.0.1:40124', true],
  ['Git Credential Manager', 'e90ee53c-94e2-48ac-9358-a874fb9e0662', {}, 'http://127.0.0.1:40125/', false],
])('%s is let in without being registered, and its token does for the API and for git', async (name, client_id, scope, redirect_uri, isGo) => {
  const browser = new OAuthBrowser(forge, ada)
  const address = addressOf({ client_id, redirect_uri, ...scope, ...pkce })
  expect(await (await browser.get(address)).text()).toContain(name)
  const answer = await browser.agree(address)
  expect(answer.href).toStartWith(redirect_uri)
  expect(answer.searchParams.get('state')).toBe('a state')
  const exchange = { grant_type: 'authorization_code', code: answer.searchParams.get('code') ?? '', redirect_uri, code_verifier: verifier }
  const reply = await (isGo ? ask(exchange, goClient(client_id)) : ask({ ...exchange, client_id }))
  expect(reply.status).toBe(200)
  const { access_token, token_type, expires_in, refresh_token = '' } = (await reply.json()) as Record<string, string>
  expect([token_type, Number(expires_in)]).toEqual(['bearer', 3600])
  for (const Authorization of [
    `Bearer ${access_token}`,
    `token ${access_token}`,
    `Basic ${btoa(`oauth2:${access_token}`)}`,
    `Basic ${btoa(`${access_token}:`)}`,
  ]) {
    expect((await forge.get('/user', { headers: { Authorization } })).body).toMatchObject({ login: 'ada' })
    const refs = new Request('http://localhost/ada/engine.git/info/refs?service=git-receive-pack', { headers: { Authorization } })
    expect((await forge.app.handle(refs)).status).toBe(200)
  }
  const fresh = await ask({ grant_type: 'refresh_token', refresh_token }, isGo ? goClient(client_id) : undefined)
  expect(fresh.status).toBe(isGo ? 200 : 400)
})
