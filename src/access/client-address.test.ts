import { expect, test } from 'bun:test'
import { makeConfig } from '#config.ts'
import { ClientAddresses, networkOf } from './client-address.ts'

const warned: unknown[] = []

function addressOf(direct: string, forwarded?: string, trusted: string[] = [], limit = 2): string {
  const clients = new ClientAddresses(makeConfig('/tmp/none', { security: { REVERSE_PROXY_TRUSTED_PROXIES: trusted, REVERSE_PROXY_LIMIT: limit } }), {
    warn: (_, fields) => warned.push(fields),
  })
  clients.server = { requestIP: () => ({ address: direct, port: 1, family: 'IPv4' }) }
  return clients.of(new Request('http://localhost/', forwarded === undefined ? {} : { headers: { 'X-Forwarded-For': forwarded } }))
}

const proxies = ['loopback', '10.0.0.0/8']

test.each<[string, string, string | undefined, string[], string]>([
  ['without a trusted proxy nobody is believed', '127.0.0.1', '192.0.2.1', [], '127.0.0.1'],
  ['a trusted proxy is', '127.0.0.1', '192.0.2.1', proxies, '192.0.2.1'],
  ['a stranger is not, whoever is trusted', '198.51.100.7', '192.0.2.1', proxies, '198.51.100.7'],
  ['of several hops the last that is no proxy counts', '::ffff:127.0.0.1', '203.0.113.9, 192.0.2.1, 10.1.2.3', proxies, '192.0.2.1'],
  ['a port goes', '127.0.0.1', '[2001:db8::1]:80', proxies, '2001:db8::1'],
  ['of IPv4 too', '127.0.0.1', '192.0.2.1:4711', proxies, '192.0.2.1'],
  ['IPv4 within IPv6 is IPv4', '127.0.0.1', '::ffff:c000:201', proxies, '192.0.2.1'],
  ['however that is written', '127.0.0.1', '[0:0:0:0:0:FFFF:192.0.2.1]:80', proxies, '192.0.2.1'],
  ['a proxy that is named so is one', '127.0.0.1', '203.0.113.9, ::ffff:a01:203', proxies, '203.0.113.9'],
  ['what is no address is not one', '127.0.0.1', 'unknown', proxies, '127.0.0.1'],
  ['nor is nothing', '127.0.0.1', '', proxies, '127.0.0.1'],
])('%s', (_, direct, forwarded, trusted, expected) => {
  expect(addressOf(direct, forwarded, trusted)).toBe(expected)
})

test.each<[string, string, string | undefined, string[], boolean]>([
  ['one on this machine that nobody has named is', '127.0.0.1', '192.0.2.1', [], true],
  ['one in the network too', '::ffff:10.1.2.3', '192.0.2.1', [], true],
  ['a stranger who makes believe is not', '198.51.100.7', '192.0.2.1', [], false],
  ['one that is believed is not', '127.0.0.1', '192.0.2.1', proxies, false],
  ['nor who comes without one', '127.0.0.1', undefined, [], false],
])('a proxy whose clients count as one is told of: %s', (_, direct, forwarded, trusted, isTold) => {
  warned.length = 0
  addressOf(direct, forwarded, trusted)
  expect(warned).toEqual(isTold ? [{ address: direct.replace('::ffff:', '') }] : [])
})

test('as many proxies in a row are believed as the setting says', () => {
  const forwarded = '203.0.113.9, 10.1.1.1, 10.2.2.2'
  expect([0, 1, 2, 3].map((limit) => addressOf('127.0.0.1', forwarded, proxies, limit))).toEqual(['127.0.0.1', '10.2.2.2', '10.1.1.1', '203.0.113.9'])
})

test('who has an IPv6 network has all of its addresses', () => {
  expect(new Set(['2001:db8:0:1::', '2001:db8:0:1:ffff::2', '2001:DB8::1:0:0:0:9'].map(networkOf))).toEqual(new Set(['2001:db8:0:1::/64']))
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
})
