import { expect, test } from 'bun:test'
import { codeOf } from './one-time-code.fixture.ts'
import { addressOf, makeSecret, stepOf } from './totp.ts'

/** `12345678901234567890`, of RFC 6238's appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('codes are those of RFC 6238', async () => {
  const vectors = { 59: '287082', 1111111109: '081804', 1111111111: '050471', 1234567890: '005924', 2000000000: '279037', 20000000000: '353130' }
  for (const [time, code] of Object.entries(vectors)) {
    expect(codeOf(SECRET, Number(time))).toBe(code)
    expect(await stepOf(SECRET, code, Number(time))).toBe(Math.floor(Number(time) / 30))
  }
})

test('a clock may be half a minute off, either way, and no more', async () => {
  const now = 1_800_000_015
  const steps = [-60, -30, 0, 30, 60].map((off) => stepOf(SECRET, codeOf(SECRET, now + off), now))
  expect(await Promise.all(steps)).toEqual([undefined, 59_999_999, 60_000_000, 60_000_001, undefined])
})

test('what is no code of six digits is never right', async () => {
  const now = 1_800_000_000
  const code = codeOf(SECRET, now)
  for (const odd of ['', code.slice(1), `${code}0`, `-${code.slice(1)}`, '١٢٣٤٥٦', `${code}\0`]) expect(await stepOf(SECRET, odd, now)).toBeUndefined()
  expect(await stepOf(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)}`, now)).toBe(60_000_000)
})

test('a secret has 160 bits, and an issuer no colon', async () => {
  const secret = await makeSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const url = new URL(await addressOf(secret, { issuer: 'Pocketforge (localhost:3000)', account: 'ada' }))
  expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual(['otpauth:', 'totp', '/Pocketforge (localhost 3000):ada'])
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Pocketforge (localhost 3000)',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
