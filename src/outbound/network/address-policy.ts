import type { BlockList } from 'node:net'

/** Loaded with its first use: a start that listens on loopback asks nothing of it. */
let net: typeof import('node:net') | undefined
const loadNet = () => (net ??= process.getBuiltinModule('node:net'))
const isIP = (text: string) => loadNet().isIP(text)

/** What an address leads to. Nothing is ever sent to `special` ones: cloud metadata, and ranges that are no one's service. */
export type AddressKind = 'special' | 'loopback' | 'private' | 'external'

/** What outbound requests may reach, in the form of Gitea's `ALLOWED_HOST_LIST`. */
export interface HostList {
  kinds: ReadonlySet<AddressKind>
  networks: BlockList
  /** Globs over hosts as URLs name them. */
  globs: readonly Bun.Glob[]
  /** Whether it allows any address by what that is, not by the name that led there. */
  namesAddresses: boolean
}

/** IPv6 prefixes before an IPv4 address: -compatible, -mapped and -translated addresses, NAT64. They mean what they carry. */
const carriers = ['::', '::ffff:', '::ffff:0:', '64:ff9b::']

/** The first whose list has the address is its kind. IANA's special-purpose registries, and the metadata services of clouds outside those. */
let knownKinds: readonly [AddressKind, BlockList][] | undefined
const kinds = () => (knownKinds ??= makeKinds())

const makeKinds = (): [AddressKind, BlockList][] => [
  ['loopback', networks('127.0.0.0/8 ::1/128')],
  [
    'special',
    networks(
      '0.0.0.0/8 100.64.0.0/10 168.63.129.16/32 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15',
      '198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
      'fd00:42::42/128 fd00:ec2::254/128 fd20:ce::254/128 fe80::/10 fec0::/10 ff00::/8',
    ),
  ],
  ['private', networks('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7')],
]

/** Names that stand for this machine without asking DNS: RFC 6761, and what hosts files come with. */
const loopbackName = /^(.+\.)?localhost$|^localhost\.localdomain$|^localhost6(\.localdomain6)?$|^ip6-(localhost|loopback)$/

/** @param address as DNS gives it or a URL holds it, without brackets; what is no address is `special` */
export function kindOfAddress(address: string): AddressKind {
  const plain = address.replace(/%.*$/, '')
  if (isIP(plain) === 0) return 'special'
  return kinds().find(([, list]) => isIn(list, plain))?.[0] ?? 'external'
}

/** @param host of a parsed URL; undefined for names that only DNS can tell of */
export function kindOfHost(host: string): AddressKind | undefined {
  const name = plainHost(host)
  if (name === '127.0.0.1' || name === '::1') return 'loopback'
  if (isIP(name) !== 0) return kindOfAddress(name)
  return loopbackName.test(name) ? 'loopback' : undefined
}

/** Whether a request may be sent to the address. @param host the name that led there, if one did */
export function isAllowedAddress(address: string, list: HostList, host = address): boolean {
  const kind = kindOfAddress(address)
  if (kind === 'special') return false
  return list.kinds.has(kind) || isIn(list.networks, address) || isNamed(host, list)
}

/**
 * Whether a request may be sent to the host of a parsed URL, as far as that goes without asking DNS: `isAllowedAddress` has the
 * last word on what a name leads to.
 */
export function isAllowedHost(host: string, list: HostList): boolean {
  const name = plainHost(host)
  if (isIP(name) !== 0) return isAllowedAddress(name, list)
  if (loopbackName.test(name)) return ['127.0.0.1', '::1'].some((address) => isAllowedAddress(address, list, name))
  return isNamed(name, list) || list.namesAddresses
}

/**
 * @param items each `external`, `private`, `loopback`, `*` for the three, an address, a network (`10.0.0.0/8`), or a glob over hosts (`*.example.org`)
 * @throws Error on anything else
 */
export function parseHostList(items: readonly string[]): HostList {
  const texts = items.map((item) => networkOfOne(item.toLowerCase()))
  const wrong = texts.find((text) => !isNetwork(text) && !/^[\w.*?-]+$/.test(text))
  if (wrong !== undefined)
    throw new Error(
      `${JSON.stringify(wrong)} is not valid: expected external, private, loopback, *, an IP address, a network such as 10.0.0.0/8, or a host name pattern`,
    )
  const nets = texts.filter(isNetwork)
  const words = (['external', 'private', 'loopback'] as const).filter((word) => texts.includes(word) || texts.includes('*'))
  return {
    kinds: new Set(words),
    networks: networks(...nets),
    globs: texts.filter((text) => !isNetwork(text) && !words.some((word) => word === text)).map((text) => new Bun.Glob(text)),
    namesAddresses: nets.length + words.length > 0,
  }
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.+$/g, '')
}

function isNamed(host: string, { globs }: HostList): boolean {
  return globs.some((glob) => glob.match(plainHost(host)))
}

/** A network of one address, when the text is an address. */
function networkOfOne(text: string): string {
  const version = isIP(text)
  return version === 0 ? text : `${text}/${version === 4 ? 32 : 128}`
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  return version !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix ?? '') && Number(prefix) <= (version === 4 ? 32 : 128)
}

/** @param texts networks with spaces between them */
function networks(...texts: string[]): BlockList {
  const list = new (loadNet().BlockList)()
  for (const text of texts.flatMap((one) => one.split(' '))) {
    const [address = '', prefix] = text.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6')
    if (isIP(address) === 4) for (const carrier of carriers) list.addSubnet(carrier + address, 96 + Number(prefix), 'ipv6')
  }
  return list
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}
