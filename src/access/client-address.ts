import type { Config } from '#config.ts'
import { type HostList, isAllowedAddress, kindOfHost, parseHostList } from '#outbound/network/index.ts'

/** Tells where requests come from: from whom they were taken, or behind a proxy that is trusted, whom that names. */
export class ClientAddresses {
  /** Set once it listens; without one all requests are this machine's own. */
  server: Pick<Bun.Server<unknown>, 'requestIP'> | undefined
  /** None by default: the platform's own lists of addresses are not loaded for nobody. */
  readonly #trusted: HostList | undefined
  /** How many proxies in a row are believed. */
  readonly #limit: number

  constructor({ security }: Config) {
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
    return forwarded === null || !this.#isTrusted(direct) ? direct : this.#client(forwarded, direct)
  }

  /** Whether the request was taken from a trusted proxy itself, whomever that names. */
  isFromProxy(request: Request): boolean {
    return this.#isTrusted(this.#direct(request))
  }

  #direct(request: Request): string {
    return plain(this.server?.requestIP(request)?.address ?? '127.0.0.1')
  }

  /** The last hop that is no proxy of ours: what stands before it anyone could have written. */
  #client(forwarded: string, direct: string): string {
    let client = direct
    for (const hop of forwarded.split(',').toReversed().slice(0, this.#limit)) {
      const address = plain(hop.trim().replace(/^\[(.*)\](:\d+)?$/, '$1'))
      if (!isAddress(address)) break
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

function isAddress(text: string): boolean {
  return /^[\d.]+$|:/.test(text) && URL.canParse(`http://${isIPv6(text) ? `[${text}]` : text}/`)
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
