import * as oidc from 'openid-client'
import type { Person, TestForge } from '../../../test/harness.ts'

/** What an application is told when it is made. */
export interface Application {
  id: number
  name: string
  client_id: string
  client_secret: string
}

export const CALLBACK = 'https://ci.example.org/authorize'

export async function makeApplication(forge: TestForge, owner: string, more: Record<string, unknown> = {}): Promise<Application> {
  const body = { name: 'Continuous integration', redirect_uris: [CALLBACK], confidential_client: true, ...more }
  const reply = await forge.asUser(owner).post<Application>('/user/applications/oauth2', body)
  if (reply.status !== 201) throw new Error(`Cannot make the application: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** A person's browser, as far as OAuth2 needs one: it follows nothing by itself. */
export class OAuthBrowser {
  readonly #forge: TestForge
  readonly cookie: string

  constructor(forge: TestForge, person?: Person) {
    this.#forge = forge
    this.cookie = person ? (forge.context.authenticator.sessions.begin(person.row, new Request('http://localhost/')).split(';')[0] ?? '') : ''
  }

  get(address: string | URL, headers: Record<string, string> = {}): Promise<Response> {
    return this.#forge.app.handle(new Request(new URL(address, 'http://localhost').href, { headers: { Accept: 'text/html', Cookie: this.cookie, ...headers } }))
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const form = { Accept: 'text/html', Cookie: this.cookie, Origin: 'http://localhost', ...headers }
    return this.#forge.app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers: form, body: new URLSearchParams(fields) }))
  }

  /** Opens what an application asks for, and agrees. @returns where the browser is led */
  async agree(address: string | URL, granted = 'true'): Promise<URL> {
    const page = await this.get(address)
    if (page.status === 303) return new URL(page.headers.get('location') ?? '')
    const answer = await this.post('/login/oauth/grant', { ...hiddenFields(await page.text()), granted })
    if (answer.status !== 303) throw new Error(`The page answers ${answer.status} ${await answer.text()}`)
    return new URL(answer.headers.get('location') ?? '')
  }
}

/** What a form carries on. */
export function hiddenFields(page: string): Record<string, string> {
  const decode = (text = '') =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
  return Object.fromEntries([...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [name ?? '', decode(value)]))
}

/** Asks the forge in process. */
export function fetchFrom(forge: TestForge): oidc.CustomFetch {
  return (url, options) => forge.app.handle(new Request(url, options as RequestInit))
}

/** An application's OpenID Connect library, which finds everything out by itself. */
export function discover(
  forge: TestForge,
  { client_id, client_secret }: Application,
  authentication = oidc.ClientSecretBasic(client_secret),
): Promise<oidc.Configuration> {
  const options = { execute: [oidc.allowInsecureRequests], [oidc.customFetch]: fetchFrom(forge) }
  return oidc.discovery(new URL(forge.context.rootUrl), client_id, undefined, authentication, options)
}

/** Lets the application in by its library. @returns what the library makes of the answer, which it has checked */
export async function letIn(
  forge: TestForge,
  person: Person,
  config: oidc.Configuration,
  parameters: Record<string, string> = {},
): Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers> {
  const verifier = oidc.randomPKCECodeVerifier()
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email groups',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  const isOpenId = address.searchParams.get('scope')?.includes('openid') === true
  const answer = await new OAuthBrowser(forge, person).agree(address)
  return oidc.authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
  })
}

/** A token that the person lets an application of their own have. */
export async function applicationToken(forge: TestForge, person: Person, scope: string): Promise<string> {
  const config = await discover(forge, await makeApplication(forge, person.name))
  return (await letIn(forge, person, config, { scope })).access_token
}
