import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** What the certified provider says of whoever signs in there next. */
export type Person = { sub: string } & Record<string, unknown>

/** `oidc-provider`, certified by the OpenID Foundation, at an address of its own. */
export interface OpenIdServer extends AsyncDisposable {
  discoveryUrl: string
  issuer: string
  /** Who is signed in at it; undefined: whoever comes says no. */
  person: Person | undefined
  /** Goes through its pages, as the browser that was sent to `address`, until it is sent back. @returns where to */
  visit(address: string): Promise<string>
}

export const CLIENT = { client_id: 'pocketforge', client_secret: 'a secret of the two' }

/** @param callback where it sends browsers back to */
export async function startOpenIdServer(callback: string): Promise<OpenIdServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: { person: Person | undefined } = { person: undefined }
  const people = new Map<string, Person>()
  const provider = makeProvider(issuer, callback, people)
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    const result = state.person ? { login: { accountId: state.person.sub } } : { error: 'access_denied', error_description: '<b>no</b>' }
    return provider.interactionFinished(request, response, result)
  })
  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    get person() {
      return state.person
    },
    set person(person) {
      state.person = person
      if (person) people.set(person.sub, person)
    },
    visit: (address) => walk(address, issuer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function makeProvider(issuer: string, callback: string, people: ReadonlyMap<string, Person>): Provider {
  const { warn, info } = console
  // It tells of everything that is not as in production.
  console.warn = () => {}
  console.info = () => {}
  try {
    return new Provider(issuer, configuration(callback, people))
  } finally {
    Object.assign(console, { warn, info })
  }
}

const SCOPES = 'openid profile email groups'

function configuration(callback: string, people: ReadonlyMap<string, Person>): Record<string, unknown> {
  return {
    clients: [{ ...CLIENT, redirect_uris: [callback], grant_types: ['authorization_code'], response_types: ['code'] }],
    pkce: { required: () => true },
    scopes: SCOPES.split(' '),
    claims: {
      profile: ['name', 'nickname', 'preferred_username', 'picture', 'full_name', 'ssh_keys'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    cookies: { keys: ['of one test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    subjectTypes: ['public'],
    loadExistingGrant: grantEverything,
  }
}

interface Asked {
  oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } }
}

/** Nobody is asked what the client may know of them. */
async function grantEverything({ oidc }: Asked) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope(SCOPES)
  await grant.save()
  return grant
}

/** What a browser does that nobody touches: it follows redirects and keeps cookies, of one visit. */
async function walk(address: string, origin: string): Promise<string> {
  const cookies = new Map<string, string>()
  for (let next = address; ; ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { Cookie: cookie } })
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    for (const [, name = '', value = ''] of response.headers.getSetCookie().map((set) => /^([^=]+)=([^;]*)/.exec(set) ?? [])) cookies.set(name, value)
    next = new URL(location, next).href
    if (new URL(next).origin !== origin) return next
  }
}
