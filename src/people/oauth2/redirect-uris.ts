import { BadRequest } from '#kernel/errors.ts'

/** Of native applications (RFC 8252): on this machine by number, whatever the port. `localhost` can be made to lead elsewhere. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[^#\\\s]*)?$/

/** Schemes that browsers run, or open files with. */
const harmful = /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source|ws|wss|ftp|mailto|tel|chrome|resource):$/

/** @throws BadRequest for what no answer can be sent to safely */
export function checkRedirectUri(text: string): void {
  const url = URL.parse(text)
  // What a parser would have to repair two parsers may repair differently.
  const isPlain = /^[!-~]+$/.test(text) && !/[\\"<>^`{|}]/.test(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  const isWebAddress = /^https?:\/\/[^/?#]+/.test(text)
  if (!url || !isPlain || harmful.test(url.protocol) || text.includes('#') || url.username !== '' || url.password !== '' || (isWeb && !isWebAddress)) {
    throw new BadRequest(
      `Invalid redirect URI "${text.slice(0, 200)}": use an absolute URI without a fragment and credentials, for example https://ci.example.org/authorize`,
    )
  }
}

/**
 * Whether an answer may be sent to `asked`: it is one of the registered ones, to the letter. Only of applications that run on people's
 * own machines, and there only of a loopback address, may the port be another: they take what is free. RFC 9700, section 4.1.3.
 */
export function isRegistered(asked: string, registered: readonly string[], isConfidential: boolean): boolean {
  if (registered.includes(asked)) return true
  const local = isConfidential ? undefined : loopbackOf(asked)
  return local !== undefined && registered.some((one) => loopbackOf(one) === local)
}

/** Host and path of a loopback address. */
function loopbackOf(uri: string): string | undefined {
  const [, host, path = '/'] = loopback.exec(uri) ?? []
  return host === undefined || !URL.canParse(uri) ? undefined : host + path
}

/** Adds what is answered to the query, which a registered URI may have begun. */
export function withAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) parameters.set(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${parameters}`
}

/** What the page that sends a form must name for browsers to follow the answer there, in `form-action` of a Content-Security-Policy. */
export function formTargetOf(uri: string): string {
  const url = URL.parse(uri)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  // The policy's grammar has no IPv6 addresses.
  return url && isWeb && !url.hostname.startsWith('[') ? url.origin : (url?.protocol ?? "'none'")
}
