import { Forbidden } from '#kernel/errors.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * For requests whose credentials a browser sends by itself: one that another site made it send may change nothing. Programs send
 * neither header, git among them. Source: Fetch Metadata Request Headers, and RFC 6454 for browsers that do not send those.
 * @param ownHosts under which the server is known besides the one it was asked under
 * @throws Forbidden
 */
export function refuseCrossSite(request: Request, ownHosts: readonly string[]): void {
  if (safe.has(request.method)) return
  const site = request.headers.get('sec-fetch-site')
  const isForeign = site === null ? isForeignOrigin(request, ownHosts) : site !== 'same-origin' && site !== 'none'
  if (isForeign) throw new Forbidden('Rejected: another website sent this request with your saved password. Use an access token instead.')
}

/**
 * The same for pages, where the credential is a cookie: a request that changes something must say that it comes from a page of ours.
 * @throws Forbidden
 */
export function requireSameSite(request: Request, ownHosts: readonly string[], hasCookie: boolean): void {
  if (safe.has(request.method)) return
  const { headers } = request
  const saysNothing = headers.get('sec-fetch-site') === null && headers.get('origin') === null
  const site = headers.get('sec-fetch-site')
  const isForeign = site === null ? isForeignOrigin(request, ownHosts) : site !== 'same-origin' && site !== 'none'
  if (isForeign || (saysNothing && hasCookie))
    throw new Forbidden(
      'Rejected: this form was sent by another site, or the browser did not say which site sent it. Open the form on this site and try again.',
    )
}

function isForeignOrigin({ headers, url }: Request, ownHosts: readonly string[]): boolean {
  const origin = headers.get('origin')
  if (origin === null) return false
  const host = URL.parse(origin)?.host
  return host === undefined || host === '' || ![URL.parse(url)?.host, ...ownHosts].includes(host)
}
