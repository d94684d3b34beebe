import type { Config } from '#config.ts'
import { globMatcher } from '#kernel/glob.ts'
import { pathOf } from '#kernel/http.ts'

/** What pages of other sites may ask: the API, and what OAuth2 clients in a browser need. Our own pages go by a cookie, and are not among it. */
const shared = /^\/(?:api\/|login\/oauth\/(?:access_token|userinfo|keys|introspect|revoke)$|\.well-known\/(?:openid-configuration|oauth-authorization-server)$)/

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Gitea-OTP, X-Forgejo-OTP',
  'Access-Control-Max-Age': '600',
}

/**
 * Lets pages of other sites read answers, where the settings say so. What a browser sends by itself does not come with their requests:
 * they show a token, or nothing. Source: Fetch Standard, section 3.2.
 */
export class CrossOrigin {
  readonly #isAllowed: (origin: string) => boolean
  readonly #isForAll: boolean

  constructor({ cors }: Config) {
    const globs = cors.ALLOW_DOMAIN
    this.#isForAll = globs.includes('*')
    this.#isAllowed = (origin) => globs.some((glob) => globMatcher(glob, '/')(origin))
  }

  /** @param serve answers the request itself; it is not asked where a browser only wants to know whether it may ask */
  async answer(request: Request, serve: () => Response | Promise<Response>): Promise<Response> {
    const origin = this.#allowedOrigin(request)
    if (origin === undefined) return serve()
    const headers = { 'Access-Control-Allow-Origin': origin }
    const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
    if (isPreflight) return new Response(null, { status: 204, headers: { ...headers, ...preflightHeaders, Vary: 'Origin' } })
    return withHeaders(await serve(), headers)
  }

  #allowedOrigin({ headers, url }: Request): string | undefined {
    const origin = headers.get('origin')
    if (origin === null || !shared.test(pathOf(url))) return undefined
    if (this.#isForAll) return '*'
    return this.#isAllowed(origin) ? origin : undefined
  }
}

/** Undefined where no other site is let read anything. */
export function crossOriginOf(config: Config): CrossOrigin | undefined {
  return config.cors.ENABLED ? new CrossOrigin(config) : undefined
}

function withHeaders(answer: Response, headers: Record<string, string>): Response {
  const copy = new Response(answer.body, answer)
  for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value)
  copy.headers.append('Vary', 'Origin')
  return copy
}
