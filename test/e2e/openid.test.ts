import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { ADMIN_PASSWORD } from '../binary.ts'
import { tryGit } from '../git.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { forgeForStories, story } from './forge.ts'

/** Applications that sign people in, with a certified client library and stock git as the judges. */

story('an application', () => {
  const forge = forgeForStories()
  /** Waits on the person's own machine, on a port that was free, for the answer to a request. */
  let listener: ReturnType<typeof listen>
  let answered = Promise.withResolvers<URL>()
  /** The forge under the name that it signs with. */
  let root: string
  beforeAll(async () => {
    listener = listen((url) => answered.resolve(url))
    root = forge.server.origin.replace('127.0.0.1', 'localhost')
    await forge.api('POST /user/repos', forge.ada, { name: 'engine', private: true, auto_init: true })
  })
  afterAll(() => listener[Symbol.asyncDispose]())

  /** What a person does in a browser that is not signed in: opens the address, signs in, agrees. */
  async function agree(address: URL): Promise<URL> {
    answered = Promise.withResolvers<URL>()
    const jar = new Map<string, string>()
    let page = await visit(address, jar)
    expect(page.url).toStartWith(`${root}/user/login?redirect_to=`)
    page = await submit(page, jar, { user_name: 'admin', password: ADMIN_PASSWORD })
    if (page.url.startsWith(root)) await submit(page, jar, { granted: 'true' })
    return answered.promise
  }

  const receiver = () => `${listener.origin}/`

  test('of one’s own signs people in, is refreshed, and is out when it is told to be', async () => {
    const body = { name: 'Dashboard', redirect_uris: [receiver()], confidential_client: true }
    const made = (await (await forge.api('POST /user/applications/oauth2', forge.ada, body)).json()) as { client_id: string; client_secret: string }
    const config = await oidc.discovery(new URL(root), made.client_id, undefined, oidc.ClientSecretBasic(made.client_secret), {
      execute: [oidc.allowInsecureRequests],
    })
    const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()]
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: receiver(),
      scope: 'openid profile email groups read:user',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const tokens = await oidc.authorizationCodeGrant(config, await agree(address), checks)
    expect(tokens.claims()).toMatchObject({ preferred_username: 'admin', groups: [], auth_time: expect.any(Number) })
    expect(await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).toMatchObject({ preferred_username: 'admin' })
    const fresh = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(await oidc.tokenIntrospection(config, fresh.access_token)).toMatchObject({ active: true, username: 'admin' })
    await oidc.tokenRevocation(config, fresh.refresh_token ?? '')
    expect(await oidc.tokenIntrospection(config, fresh.access_token)).toEqual({ active: false })
    // What it signed with is still there after a restart.
    const keys = await (await fetch(`${root}/login/oauth/keys`)).json()
    await forge.restart()
    root = forge.server.origin.replace('127.0.0.1', 'localhost')
    expect(await (await fetch(`${root}/login/oauth/keys`)).json()).toEqual(keys)
  }, 60_000)

  test('that helps git with credentials needs no registration, and git takes its token for a password', async () => {
    const id = 'a4792ccc-144e-407e-86c9-5e7d8d9c3269'
    const [code_verifier, state] = [oidc.randomPKCECodeVerifier(), oidc.randomState()]
    // As git-credential-oauth has it: the address without a slash, no scope, and the id as user name without a password.
    const redirect_uri = receiver().slice(0, -1)
    const pkce = { code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier), code_challenge_method: 'S256' }
    const query = new URLSearchParams({ access_type: 'offline', client_id: id, redirect_uri, response_type: 'code', state, ...pkce })
    const answer = await agree(new URL(`${root}/login/oauth/authorize?${query}`))
    expect(answer.searchParams.get('state')).toBe(state)
    const ask = (fields: Record<string, string>) =>
      fetch(`${root}/login/oauth/access_token`, { method: 'POST', headers: { Authorization: `Basic ${btoa(`${id}:`)}` }, body: new URLSearchParams(fields) })
    const reply = await ask({ grant_type: 'authorization_code', code: answer.searchParams.get('code') ?? '', redirect_uri, code_verifier })
    const { access_token, refresh_token } = (await reply.json()) as Record<'access_token' | 'refresh_token', string>
    const clone = (token: string, name: string) => {
      const url = `${forge.server.origin.replace('://', `://oauth2:${token}@`)}/ada/engine.git`
      return tryGit(['clone', '--quiet', url, join(forge.directory, name)])
    }
    expect((await clone(access_token, 'first')).exitCode).toBe(0)
    const fresh = (await (await ask({ grant_type: 'refresh_token', refresh_token })).json()) as { access_token: string }
    expect((await clone(fresh.access_token, 'second')).exitCode).toBe(0)
    await fetch(`${root}/login/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ client_id: id, token: fresh.access_token }) })
    for (const token of [access_token, fresh.access_token]) expect((await clone(token, 'third')).exitCode).not.toBe(0)
  }, 60_000)
})

/** Browsers follow what a form leads to only where the policy of its page lets them. */
describe.skipIf(chromiumPath === undefined)('chromium', () => {
  const forge = forgeForStories()

  test('signs in, agrees, and is led to the application; and the next time without being asked', async () => {
    const answers: URL[] = []
    await using application = listen((url) => answers.push(url))
    const redirect_uri = `${application.origin}/callback`
    const body = { name: 'Dashboard', redirect_uris: [redirect_uri], confidential_client: true }
    const { client_id } = (await (await forge.api('POST /user/applications/oauth2', forge.ada, body)).json()) as { client_id: string }
    const root = forge.server.origin.replace('127.0.0.1', 'localhost')
    const address = `${root}/login/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri, response_type: 'code', state: 's' })}`
    await using browser = await Chromium.start(forge.directory)
    const signIn = async () => {
      await browser.open(address)
      await browser.submit('form.form', { user_name: 'admin', password: ADMIN_PASSWORD })
    }
    await signIn()
    await browser.submit('form.form')
    await browser.until("document.title === 'Welcome'")
    await browser.open(`${root}/`)
    await browser.submit('form[action="/user/logout"]')
    await signIn()
    await browser.until("document.title === 'Welcome'")
    const codes = answers.filter(({ pathname }) => pathname === '/callback').map(({ searchParams }) => searchParams.get('code'))
    expect([codes.length, new Set(codes).size]).toEqual([2, 2])
    expect(browser.complaints).toEqual([])
  }, 60_000)
})

/** A server of somebody else's on this machine. */
function listen(hear: (url: URL) => void) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      hear(new URL(url))
      return new Response('<!DOCTYPE html><title>Welcome</title>', { headers: { 'Content-Type': 'text/html' } })
    },
  })
  return { origin: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
}

interface Page {
  url: string
  html: string
}

/** Follows what a browser follows, with its cookies, and to whatever a page refreshes to. */
async function visit(address: URL | string, jar: Map<string, string>, init: RequestInit = {}): Promise<Page> {
  const url = String(address)
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    headers: { Accept: 'text/html', Cookie: cookie, ...(init.headers as Record<string, string>) },
  })
  for (const line of response.headers.getSetCookie()) jar.set(line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1).split(';')[0] ?? '')
  const next = response.headers.get('location') ?? response.headers.get('refresh')?.replace(/^0; url=/, '')
  return next ? visit(new URL(next, url), jar) : { url, html: await response.text() }
}

/** Sends the page's form with what it carries. */
function submit({ url, html }: Page, jar: Map<string, string>, fields: Record<string, string>): Promise<Page> {
  const form = /<form class="form"[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
  const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
  const decode = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [name, decode(value)])
  const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields })
  return visit(new URL(action, url), jar, { method: 'POST', body, headers: { Origin: new URL(url).origin } })
}
