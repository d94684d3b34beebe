import { expect, test } from 'bun:test'
import { type AddressKind, isAllowedAddress, isAllowedHost, kindOfAddress, kindOfHost, parseHostList } from './address-policy.ts'

/** threats.md §1.6: every address that was once a way in, and how it may be spelt. */
const addresses: [kind: AddressKind, ...addresses: string[]][] = [
  ['external', '8.8.8.8', '100.63.255.255', '100.128.0.0', '168.63.129.15', '192.0.1.1', '198.17.255.255', '198.20.0.0', '172.32.0.1', '223.255.255.255'],
  ['external', '2606:4700::1111', '2003::1', '::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::808:808'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.7', 'fc00::1', 'fd12:3456::1'],
  ['private', '::ffff:10.0.0.1', '::ffff:a00:1', '::10.0.0.1', '64:ff9b::a00:1'],
  ['loopback', '127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  ['loopback', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::7f00:1', '::ffff:0:7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
  // Cloud metadata.
  ['special', '169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42'],
  ['special', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::a9fe:a9fe', '::ffff:0:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::'],
  ['special', '0.0.0.0', '0.1.2.3', '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
  ['special', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '64:ff9b::198.18.0.1', '::ffff:100.64.0.1'],
  [
    'special',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '64:ff9b:1::a00:1',
    '2002::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    '3fff::1',
  ],
]
const rows = addresses.flatMap(([kind, ...list]) => list.map((address): [string, AddressKind] => [address, kind]))

test.each(rows)('%s is %s', (address, kind) => {
  expect(kindOfAddress(address)).toBe(kind)
  for (const word of ['external', 'private', 'loopback'] as const) expect(isAllowedAddress(address, parseHostList([word]))).toBe(word === kind)
  expect(isAllowedAddress(address, parseHostList(['*']))).toBe(kind !== 'special')
})

test.each(['', 'localhost', 'x', '127.1', '0x7f.1', '1.2.3.4.5', '[::1]', '::g'])('%j is no address, and none is reached', (text) => {
  expect(isAllowedAddress(text, parseHostList(['*']))).toBe(false)
})

const everything = ['*', '0.0.0.0/0', '::/0', '169.254.169.254', '169.254.169.254/32', '169.254.*', 'metadata.example.org', 'fe80::1', '100.64.0.0/10']

test('no list opens the special ranges, whatever it names and whatever name leads there', () => {
  const list = parseHostList(everything)
  for (const [address] of rows.filter(([, kind]) => kind === 'special')) expect(isAllowedAddress(address, list, 'metadata.example.org')).toBe(false)
})

/** Hosts as URLs give them: `URL` has read `0177.0.0.1` and the like already. */
const hosts: [host: string, kind: AddressKind | undefined][] = [
  ['localhost', 'loopback'],
  ['LOCALHOST', 'loopback'],
  ['localhost.', 'loopback'],
  ['localhost..', 'loopback'],
  ['ci.localhost', 'loopback'],
  ['localhost.localdomain', 'loopback'],
  ['localhost6', 'loopback'],
  ['ip6-localhost', 'loopback'],
  ['ip6-loopback', 'loopback'],
  ['0177.0.0.1', 'loopback'],
  ['2130706433', 'loopback'],
  ['127.1', 'loopback'],
  ['0x7f.1', 'loopback'],
  ['127.0.0.1..', 'loopback'],
  ['①②⑦.0.0.1', 'loopback'],
  ['[::127.0.0.1]', 'loopback'],
  ['[::ffff:0:7f00:1]', 'loopback'],
  ['0xa9fea9fe', 'special'],
  ['[::a9fe:a9fe]', 'special'],
  ['[fec0::1]', 'special'],
  ['0', 'special'],
  ['192.168.1', 'private'],
  ['nas', undefined],
  ['localhost.example.org', undefined],
  ['notlocalhost', undefined],
]

test.each(hosts)('the host %s is %s', (text, kind) => {
  const { hostname } = new URL(`http://${text}/`)
  expect(kindOfHost(hostname)).toBe(kind)
  expect(isAllowedHost(hostname, parseHostList(['external', 'private']))).toBe(kind === undefined || kind === 'private')
  expect(isAllowedHost(hostname, parseHostList(['loopback']))).toBe(kind === undefined || kind === 'loopback')
})

const lists: [items: string[], allowed: [ip: string, host?: string][], refused: [ip: string, host?: string][]][] = [
  [[], [], [['8.8.8.8'], ['127.0.0.1'], ['10.0.0.1', 'ci.example.org']]],
  [
    ['External'],
    [['8.8.8.8', 'ci.example.org']],
    [
      ['10.0.0.1', 'ci.example.org'],
      ['127.0.0.1', 'localhost'],
    ],
  ],
  [
    ['10.1.0.0/16', 'fd12::/16'],
    [['10.1.2.3'], ['::ffff:10.1.2.3'], ['fd12::1']],
    [['10.2.0.1'], ['fd13::1'], ['127.0.0.1']],
  ],
  [['127.0.0.0/8'], [['127.0.0.1'], ['::ffff:127.0.0.1']], [['::1'], ['8.8.8.8']]],
  [['192.168.1.7'], [['192.168.1.7']], [['192.168.1.8'], ['8.8.8.8']]],
  [
    ['*.Example.org', 'ci?'],
    [
      ['10.0.0.1', 'a.b.example.org'],
      ['8.8.8.8', 'CI1.'],
      ['127.0.0.1', 'ci1'],
    ],
    [
      ['8.8.8.8', 'example.org'],
      ['8.8.8.8', 'ci10'],
    ],
  ],
]

test.each(lists)('%j', (items, allowed, refused) => {
  const list = parseHostList(items)
  for (const [ip, host] of allowed) expect([ip, host, isAllowedAddress(ip, list, host)]).toEqual([ip, host, true])
  for (const [ip, host] of refused) expect([ip, host, isAllowedAddress(ip, list, host)]).toEqual([ip, host, false])
})

test('a name is refused outright when no address could make it right', () => {
  expect(isAllowedHost('evil.example.net', parseHostList(['*.example.org']))).toBe(false)
  expect(isAllowedHost('evil.example.net', parseHostList(['*.example.org', '10.0.0.0/8']))).toBe(true)
  for (const item of ['localhost', '127.0.0.0/8', '::1']) expect(isAllowedHost('localhost', parseHostList([item]))).toBe(true)
})

test.each(['10.0.0.0/33', '10.0.0/8', 'x/8', '::/129', '10.0.0.0/', '10.0.0.0/08x', 'http://ci.example.org', 'ci example', '{a,b}', '!x', 'ci:8080'])(
  '%j is no host list',
  (item) => {
    expect(() => parseHostList([item])).toThrow(/is not valid: expected external/)
  },
)
