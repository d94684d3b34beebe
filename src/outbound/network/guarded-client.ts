import { Problem } from '#kernel/errors.ts'
import { type Pace, Progress, TooSlow } from '#kernel/pace.ts'
import { type HostList, isAllowedAddress, isAllowedHost } from './address-policy.ts'
import type { NetworkConfig } from './settings.ts'

/** Finds the addresses that a name leads to, in the order in which to try them. */
export type Lookup = (host: string) => Promise<readonly string[]>

/** 502: another server could not be asked. What it says is about that server: it is for logs and administrators, not for strangers. */
export class Unreachable extends Problem {
  constructor(message: string, cause?: unknown) {
    super(502, message, { cause })
  }
}

export interface OutboundRequest {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** What may be reached; asked again for where a redirect leads. */
  policy: (url: URL) => HostList
  /** In which the whole answer must be here. */
  seconds: number
  /** The largest body taken. */
  maxBytes: number
  /** Certificates of authorities to trust in place of the usual ones, as PEM; absent or empty: the usual ones. */
  authorities?: string
  /** How many redirects of a GET are followed; default 0: the redirect is the answer. */
  redirects?: number
}

/** A request whose response is read as it arrives. */
export interface OutboundStreamRequest extends Omit<OutboundRequest, 'seconds'> {
  /** How slowly the other server may send. It may also take this long to respond. */
  pace: Pace
  signal?: AbortSignal
}

export interface OutboundStream {
  status: number
  headers: Headers
  /** Where the response comes from, after redirects. */
  url: URL
  /** @throws Unreachable if the other server sends too slowly, sends more than `maxBytes`, or breaks the connection */
  body: AsyncIterable<Uint8Array>
}

export interface OutboundAnswer {
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
}

/** More addresses of one name are not tried. */
const MAX_ADDRESSES = 4
const redirections = new Set([301, 302, 303, 307, 308])
/** What is told to the server that was asked, and to no other that it leads to. */
const credentials = new Set(['authorization', 'cookie', 'proxy-authorization'])

/**
 * Asks other servers. Names are resolved here, every address is judged, and the connection goes to the very address that was judged, whatever
 * the name leads to a moment later; over TLS the certificate must still be the name's. Answers are counted and have a deadline. threats.md §1.6.
 */
export class GuardedClient {
  readonly #config: NetworkConfig
  readonly #lookup: Lookup

  constructor(config: NetworkConfig, lookup: Lookup = lookUp) {
    this.#config = config
    this.#lookup = lookup
  }

  /** @throws Unreachable when nothing may be, or is, reached there, or the answer is too large or too slow; Problem 503 while the server is to stay offline */
  async request(address: string | URL, request: OutboundRequest): Promise<OutboundAnswer> {
    const signal = AbortSignal.timeout(request.seconds * 1000)
    const late = (url: URL) => `"${url.host}" did not respond within ${request.seconds} seconds`
    const read = async (response: Response, url: URL) => ({
      status: response.status,
      headers: response.headers,
      bytes: await readAtMost(response, request.maxBytes, url),
    })
    return this.#follow(address, request, { signal, late, read })
  }

  /** The same for responses that may be large. The deadline is on progress: see `OutboundStreamRequest.pace`. */
  async stream(address: string | URL, request: OutboundStreamRequest): Promise<OutboundStream> {
    const connecting = new AbortController()
    const timer = setTimeout(() => connecting.abort(), request.pace.seconds * 1000)
    const signal = request.signal ? AbortSignal.any([connecting.signal, request.signal]) : connecting.signal
    const late = (url: URL) => `"${url.host}" did not respond within ${request.pace.seconds} seconds`
    const read = async ({ status, headers, body }: Response, url: URL) => ({ status, headers, url, body: readInTime(body, request, url) })
    return this.#follow(address, request, { signal, late, read }).finally(() => clearTimeout(timer))
  }

  async #follow<T extends { status: number; headers: Headers }>(address: string | URL, request: Asked, reading: Reading<T>): Promise<T> {
    if (this.#config.network.OFFLINE) throw new Problem(503, 'Outbound connections are disabled on this server (network.OFFLINE).')
    let url = parseTarget(String(address))
    for (let left = request.redirects ?? 0, headers = request.headers ?? {}; ; left--) {
      const answer = await this.#ask(url, { ...request, headers }, reading)
      const location = redirections.has(answer.status) && left > 0 ? answer.headers.get('location') : null
      if (location === null || (request.method ?? 'GET') !== 'GET') return answer
      const next = parseTarget(location, url)
      if (url.protocol === 'https:' && next.protocol !== 'https:') throw new Unreachable(`"${url.host}" redirects to a URL without TLS`)
      if (next.origin !== url.origin) headers = withoutCredentials(headers)
      url = next
    }
  }

  async #ask<T>(url: URL, request: Asked, reading: Reading<T>): Promise<T> {
    const { signal } = reading
    const policy = request.policy(url)
    if (!isAllowedHost(url.hostname, policy)) throw new Unreachable(`The server is not allowed to connect to "${url.host}"`)
    const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
    const addresses = isAddress(host) ? [host] : await within(signal, url, this.#lookup(host))
    const allowed = addresses.filter((one) => isAllowedAddress(one, policy, host)).slice(0, MAX_ADDRESSES)
    if (allowed.length === 0) throw new Unreachable(`The server is not allowed to connect to "${url.host}" (${addresses.join(', ') || 'no address'})`)
    return this.#askFirst(url, host, allowed, request, reading)
  }

  /** Of the addresses that one name has, the first that takes a connection. */
  async #askFirst<T>(url: URL, host: string, addresses: readonly string[], request: Asked, reading: Reading<T>): Promise<T> {
    const [address, ...others] = addresses as [string, ...string[]]
    const { signal } = reading
    try {
      return await reading.read(await connect(url, host, address, request, signal), url)
    } catch (error) {
      if (error instanceof Problem) throw error
      if (others.length > 0 && !signal.aborted && isUnconnected(error)) return this.#askFirst(url, host, others, request, reading)
      throw failureOf(url, reading, error)
    }
  }
}

type Asked = Omit<OutboundRequest, 'seconds'>

/** What becomes of a response, and how long it is waited for. */
interface Reading<T> {
  signal: AbortSignal
  late(url: URL): string
  read(response: Response, url: URL): Promise<T>
}

function connect(url: URL, host: string, address: string, { method = 'GET', headers, body, authorities }: Asked, signal: AbortSignal): Promise<Response> {
  const pinned = new URL(url)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  return fetch(pinned, {
    method,
    // Nothing is unpacked: what is small on the wire stays small.
    headers: { 'User-Agent': 'Pocketforge', 'Accept-Encoding': 'identity', ...headers, Host: url.host },
    decompress: false,
    body,
    redirect: 'manual',
    signal,
    // Connections that are kept are told apart by address alone, not by the name that a certificate was checked for.
    keepalive: false,
    ...(url.protocol === 'https:' ? { tls: { ...(isAddress(host) ? {} : { serverName: host }), ...(authorities ? { ca: authorities } : {}) } } : {}),
  })
}

async function readAtMost(response: Response, maxBytes: number, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > maxBytes) throw new Unreachable(`The response of "${url.host}" is larger than ${maxBytes} bytes`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

async function* readInTime(body: Response['body'], { pace, maxBytes, signal }: OutboundStreamRequest, url: URL): AsyncGenerator<Uint8Array> {
  const progress = new Progress(pace)
  const reader = body?.getReader()
  if (!reader) return
  let length = 0
  try {
    for (;;) {
      signal?.throwIfAborted()
      const next = await progress.wait(reader.read(), ({ value }) => value?.length ?? 0)
      if (next.done || !next.value) return
      length += next.value.length
      if (length > maxBytes) throw new Unreachable(`${url.host} sends more than ${maxBytes} bytes`)
      yield next.value
    }
  } catch (error) {
    if (error instanceof TooSlow) throw new Unreachable(`${url.host} sends too slowly: fewer than ${pace.bytes} bytes in ${pace.seconds} seconds`)
    if (error instanceof Problem || signal?.aborted) throw error
    throw new Unreachable(`${url.host} broke the connection`, error)
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A deadline for what cannot be told to stop. */
function within<T>(signal: AbortSignal, url: URL, step: Promise<T>): Promise<T> {
  const over = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Unreachable(`Resolving the host name "${url.hostname}" timed out`))),
  )
  return Promise.race([step, over])
}

function failureOf(url: URL, { signal, late }: Pick<Reading<unknown>, 'signal' | 'late'>, cause: unknown): Unreachable {
  if (signal.aborted) return new Unreachable(late(url), cause)
  return new Unreachable(`Request to "${url.host}" failed: ${(cause as { code?: unknown }).code ?? 'no response'}`, cause)
}

const unconnected = ['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']

function isUnconnected(error: unknown): boolean {
  return unconnected.includes(String((error as { code?: unknown }).code))
}

/** @throws Unreachable for what is no address of http or https, or carries a password */
function parseTarget(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Unreachable('Expected a URL that starts with http:// or https://')
  if (url.username !== '' || url.password !== '') throw new Unreachable(`The URL of "${url.host}" must not contain credentials`)
  return url
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.has(name.toLowerCase())))
}

function isAddress(host: string): boolean {
  return process.getBuiltinModule('node:net').isIP(host) !== 0
}

async function lookUp(host: string): Promise<string[]> {
  try {
    const found = await process.getBuiltinModule('node:dns').promises.lookup(host, { all: true })
    return found.map(({ address }) => address)
  } catch (cause) {
    throw new Unreachable(`Cannot resolve the host name "${host}"`, cause)
  }
}
