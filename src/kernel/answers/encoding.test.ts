import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { encode, encodingFor } from './encoding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['GZIP;q=0.5', 'gzip'],
  ['zstd;q=0, gzip;q=1.0', 'gzip'],
  ['zstd; q=0.000, gzip;q=0', 'identity'],
  ['x-gzip, zstdx', 'identity'],
  ['*', 'identity'],
] as const)('an answer to who accepts %p is sent as %s', (accepted, encoding) => {
  expect(encodingFor(new Headers(accepted === undefined ? {} : { 'Accept-Encoding': accepted }), false)).toBe(encoding)
})

test.each([
  ['cross-site', 'identity', 'gzip'],
  ['same-site', 'identity', 'gzip'],
  ['same-origin', 'gzip', 'gzip'],
  ['none', 'gzip', 'gzip'],
])('what a %s page had a browser ask for is sent as %s to somebody and as %s to anybody', (site, somebody, anybody) => {
  const headers = new Headers({ 'Accept-Encoding': 'gzip', 'Sec-Fetch-Site': site })
  expect([encodingFor(headers, true), encodingFor(headers, false)] as string[]).toEqual([somebody, anybody])
})

test('bytes come out as they went in', () => {
  const bytes = new TextEncoder().encode('page '.repeat(1000))
  expect(new Uint8Array(gunzipSync(encode(bytes, 'gzip')))).toEqual(bytes)
  expect(new Uint8Array(Bun.zstdDecompressSync(encode(bytes, 'zstd')))).toEqual(bytes)
})
