import { BlockList, isIP } from 'node:net'
import { Unprocessable } from '../kernel/errors.ts'

/** Where deliveries go. */
export interface Target {
  /** `http:` or `https:`, without credentials. */
  url: string
  /** The Authorization header that credentials in the address stand for. */
  authorization?: string
}

export interface TargetOptions {
  /** Whether this machine itself may be the target. */
  loopback: boolean
}

/**
 * Judges the address of a hook as far as that goes without asking DNS; threats.md §1.6. What a name leads to is checked at
 * delivery. Credentials move from the address, which answers show, to the header, which they do not.
 * @throws Unprocessable
 */
export function parseTarget(text: string, options: TargetOptions): Target {
  if (/[\0-\x20\x7f\\]/.test(text)) throw badTarget('it has spaces, backslashes or control characters in it')
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null
  if (!url) throw badTarget('an address that starts with http:// or https:// is expected')
  refuseHost(url.hostname, options)
  if (url.username === '' && url.password === '') return { url: text }
  const authorization = basic(url)
  url.username = ''
  url.password = ''
  return { url: url.href, authorization }
}

/** Whether a listening address or a host name is this machine alone. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || isIn(loopback, name)
}

/** Cloud metadata, and ranges that lead to no one's service: IANA's special-purpose registries. Private networks are not among them: CI servers live there. */
const special = subnets(
  '0.0.0.0/8 100.64.0.0/10 168.63.129.16/32 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fd00:ec2::254/128 fe80::/10 ff00::/8',
)
const loopback = subnets('127.0.0.0/8', '::1/128')

function refuseHost(host: string, options: TargetOptions): void {
  const name = host.replace(/^\[|\]$/g, '')
  if (isIn(special, name)) throw badTarget(`${name} is in a range that nothing is delivered to`)
  if (!options.loopback && isLoopback(name)) throw badTarget(`${name} is the server itself`)
}

function isIn(list: BlockList, address: string): boolean {
  const plain = mappedIpv4(address) ?? address
  const version = isIP(plain)
  return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

/** `::ffff:7f00:1`, as URLs write IPv4 addresses in IPv6 clothes, is 127.0.0.1. */
function mappedIpv4(address: string): string | undefined {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? []
  if (high === undefined) return undefined
  const bytes = [Number.parseInt(high, 16), Number.parseInt(low, 16)].flatMap((word) => [word >> 8, word & 0xff])
  return bytes.join('.')
}

function subnets(ipv4: string, ipv6: string): BlockList {
  const list = new BlockList()
  for (const [texts, family] of [
    [ipv4, 'ipv4'],
    [ipv6, 'ipv6'],
  ] as const) {
    for (const text of texts.split(' ')) {
      const [net, prefix] = text.split('/')
      list.addSubnet(net, Number(prefix), family)
    }
  }
  return list
}

function basic({ username, password }: URL): string {
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  } catch (cause) {
    throw badTarget('its credentials are not percent-encoded UTF-8', cause)
  }
}

function badTarget(reason: string, cause?: unknown): Unprocessable {
  return new Unprocessable(`[config.url]: ${reason}`, { cause })
}
