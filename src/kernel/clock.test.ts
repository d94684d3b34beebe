import { expect, test } from 'bun:test'
import { rfc3339 } from './clock.ts'

test('times are written as RFC 3339 to the second, in UTC', () => {
  const moments = [1, 59, 60, 86_399, 86_400, 951_782_399, 951_782_400, 1_709_164_800, 2_147_483_648, 253_402_300_799, -1, -86_401]
  for (const seconds of moments) expect(rfc3339(seconds)).toBe(new Date(seconds * 1000).toISOString().replace('.000', ''))
})

test("no time is Go's zero time", () => {
  expect([rfc3339(null), rfc3339(0)]).toEqual(['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])
})
