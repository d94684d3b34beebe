import type { Config } from '#config.ts'
import type { Log } from '#kernel/log.ts'
import { type HostList, isAllowedAddress, kindOfHost, parseHostList } from '#outbound/network/index.ts'

/** Tells where requests come from: from whom they were taken, or behind a proxy that is trusted, whom that names. */
export class ClientAddresses {
  /** Set once it listens; without one all requests are this machine's own. */
  server: Pick<Bun.Server<unknown>, 'requestIP'> | undefined
  /** None by default: the platform's own lists of addresses are not loaded for nobody. */
  readonly #trusted: HostList | undefined
  /** How many proxies in a row are believed. */
  readonly #limit: number
  readonly #log: Pick<Log, 'warn'>
  #isProxyNoted = false

  constructor({ security }: Config, log: Pick<Log, 'warn'>) {
    this.#log = log
    const trusted = security.REVERSE_PROXY_TRUSTED_PROXIES
    this.#trusted = trusted.length > 0 ? parseHostList(trusted) : undefined
    this.#limit = security.REVERSE_PROXY_LIMIT
  }

  /** Whether requests from elsewhere may come through this machine or others. */
  get hasProxies(): boolean {
    return this.#trusted !== undefined
  }

  /** An address without zone, IPv4 as such. Ask before anything is awaited: it is forgotten with the connection. */
  of(request: Request): string {
    const direct = this.#direct(request)
    const forwarded = request.headers.get('x-forwarded-for')
    if (forwarded !== null && !this.hasProxies) this.#noteProxy(direct)
    return forwarded === null || !this.#isTrusted(direct) ? direct : this.#client(forwarded, direct)
  }

  /** Whether the request was taken from a trusted proxy itself, whomever that names. */
  isFromProxy(request: Request): boolean {
    return this.#isTrusted(this.#direct(request))
  }

  /** A proxy next door that is not believed has all its clients count as one, whom anybody among them keeps from signing in. */
  #noteProxy(direct: string): void {
    const kind = this.#isProxyNoted ? undefined : kindOfHost(direct)
    if (kind !== 'loopback' && kind !== 'private') return
    this.#isProxyNoted = true
    this.#log.warn(
      'Requests come through a proxy that is not trusted, so they all count as one client: wrong passwords of one user can block sign-in for all users. If the proxy is yours, add it to security.REVERSE_PROXY_TRUSTED_PROXIES.',
      { address: direct },
    )
  }

  #direct(request: Request): string {
    return plain(this.server?.requestIP(request)?.address ?? '127.0.0.1')
  }

  /** The last hop that is no proxy of ours: what stands before it anyone could have written. */
  #client(forwarded: string, direct: string): string {
    let client = direct
    for (const hop of forwarded.split(',').toReversed().slice(0, this.#limit)) {
      const address = addressIn(hop.trim())
      if (address === undefined) break
      client = address
      if (!this.#isTrusted(address)) break
    }
    return client
  }

  #isTrusted(address: string): boolean {
    return this.#trusted !== undefined && isAllowedAddress(address, this.#trusted)
  }
}

function plain(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}

function isIPv6(address: string): boolean {
  return address.includes(':')
}

/** The address that a hop is named by, with or without a port, in the one spelling of all that it has. */
function addressIn(hop: string): string | undefined {
  const bare = plain(hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'))
  const host = /^[\d.]+$|:/.test(bare) ? URL.parse(`http://${isIPv6(bare) ? `[${bare}]` : bare}/`)?.hostname : undefined
  return host && withoutMapping(host.replace(/^\[(.*)\]$/, '$1'))
}

/** An IPv4 address that stands in an IPv6 one is that. Source: RFC 4291, section 2.5.5.2. */
function withoutMapping(address: string): string {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')
}

/** What stands for whoever has the address: of IPv6 its /64, which is what one gets. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const all = tail === undefined ? groups : [...groups, ...Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export function isLoopbackAddress(address: string): boolean {
  return kindOfHost(address) === 'loopback'
}
