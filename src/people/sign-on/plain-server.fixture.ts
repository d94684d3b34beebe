import type { Oauth2Config } from '#people/sources/index.ts'

/** What a site that knows OAuth 2.0 alone answers at its paths. */
export interface PlainSite extends Disposable {
  /** Settings of a source for it. */
  settings: Partial<Oauth2Config>
  /** Sends back whoever came to `address`, as somebody who is signed in there does. */
  visit(address: string): string
  answers: Record<string, () => Response>
  /** The fields of the exchange of the last code. */
  exchanged: URLSearchParams | undefined
}

const TOKEN = 'a token of theirs'

/** @param provider `github`, `gitlab` or `gitea`; @param paths of its profile and, where it has one, its list of addresses */
export function startPlainSite(provider: 'github' | 'gitlab' | 'gitea', paths: { profile: string; emails?: string }, answers: PlainSite['answers']): PlainSite {
  let challenge = ''
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/token') {
        site.exchanged = new URLSearchParams(await request.text())
        return exchange(site.exchanged, challenge, request)
      }
      if (request.headers.get('authorization') !== `Bearer ${TOKEN}`) return new Response('who are you?', { status: 401 })
      return site.answers[pathname]?.() ?? new Response('nothing', { status: 404 })
    },
  })
  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`
  const addresses = { auth_url: at('/authorize'), token_url: at('/token'), profile_url: at(paths.profile), email_url: paths.emails ? at(paths.emails) : '' }
  const site: PlainSite = {
    settings: { provider, client_id: 'us', client_secret: 'secret', use_custom_urls: true, ...addresses },
    visit: (address) => {
      const { searchParams } = new URL(address)
      challenge = searchParams.get('code_challenge') ?? ''
      return `${searchParams.get('redirect_uri')}?code=theirs&state=${searchParams.get('state')}`
    },
    answers,
    exchanged: undefined,
    [Symbol.dispose]: () => void server.stop(true),
  }
  return site
}

/** GitHub answers wrong codes with status 200, and in JSON only whom asks for that. */
function exchange(fields: URLSearchParams, challenge: string, request: Request): Response {
  const verified = new Bun.CryptoHasher('sha256').update(fields.get('code_verifier') ?? '').digest('base64url') === challenge
  const isRight = verified && fields.get('code') === 'theirs' && fields.get('client_id') === 'us' && fields.get('client_secret') === 'secret'
  if (!isRight) return Response.json({ error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' })
  if (!request.headers.get('accept')?.includes('application/json')) return new Response(`access_token=${TOKEN}&token_type=bearer`)
  return Response.json({ access_token: TOKEN, token_type: 'bearer', scope: 'read:user' })
}
