import { queryOf } from './http.ts'

/** Returns whether an HTTP/1.0 client sent no Host header: the URL is then only the path. From HTTP/1.1 on Bun answers 400 itself. RFC 9112, section 3.2. */
export function hasNoHost({ url, headers }: Request): boolean {
  return url.startsWith('/') && !headers.has('host')
}

/** How URLs with a valid host begin; nearly all requests name the same host. */
let knownOrigin = 'http://localhost/'

/**
 * Returns whether a request has several Host headers, which Bun joins with commas, or a host that is not valid in a URL. The target of CONNECT is
 * not a URL of this server. RFC 9112, section 3.2.
 */
export function hasOddHost({ url, headers }: Request): boolean {
  if (headers.get('host')?.includes(',')) return true
  if (url.startsWith(knownOrigin)) return false
  const protocol = URL.parse(url)?.protocol
  if (protocol !== 'http:' && protocol !== 'https:') return true
  knownOrigin = url.slice(0, url.indexOf('/', 8) + 1) || knownOrigin
  return false
}

/**
 * Returns the same request with another path. A redirect would break forms, because Node.js sends them again with other boundaries than its header
 * says; a new Request object would have no client address.
 */
export function askedAt(request: Request, path: string): Request {
  const { url } = request
  return Object.defineProperty(request, 'url', { value: url.slice(0, url.indexOf('/', 8)) + path + queryOf(url) })
}
