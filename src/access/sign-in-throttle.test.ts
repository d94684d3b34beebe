import { expect, test } from 'bun:test'
import { makeConfig } from '#config.ts'
import type { Problem } from '#kernel/errors.ts'
import { testForge } from '../../test/harness.ts'
import type { UserRow } from './rows.ts'
import { SignInThrottle } from './sign-in-throttle.ts'
import { findUserByName } from './store.ts'

const PASSWORD = 'correct horse'
const MINUTE = 60_000

/** A forge with `ada`, a clock to turn, and a way to sign in from an address. */
async function throttled(security: Record<string, unknown> = {}) {
  let now = 1_800_000_000_000
  const clock = { millis: () => now, seconds: () => Math.floor(now / 1000) }
  const forge = testForge({ security: { SIGN_IN_FAILURES: 3, SIGN_IN_FAILURE_SECONDS: 180, ...security } }, { clock })
  await forge.person('ada', { password: PASSWORD })
  await forge.person('bob', { password: PASSWORD })
  let address = ''
  forge.context.clients.server = { requestIP: () => ({ address, port: 1, family: 'IPv4' }) }
  return {
    forge,
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
    beginSession: (name: string, from: string) => {
      address = from
      return forge.context.authenticator.sessions.begin(findUserByName(forge.context.db, name) as UserRow, new Request('http://localhost/'))
    },
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    signIn: async (name: string, password: string, from = '192.0.2.1') => {
      address = from
      const { status, headers } = await forge.get('/user', { headers: { Authorization: `Basic ${btoa(`${name}:${password}`)}` } })
      return status === 429 ? `429 ${headers.get('retry-after')}` : status
    },
  }
}

test('after a few wrong passwords an address waits, the longer the more it tried, and then may try again', async () => {
  await using world = await throttled()
  for (let i = 0; i < 3; i++) expect(await world.signIn('ada', `wrong ${i}`)).toBe(401)
  expect(await world.signIn('ada', 'wrong')).toBe('429 60')
  expect(await world.signIn('ADA', PASSWORD)).toBe('429 60')
  expect(await world.signIn('nobody', 'wrong')).toBe(401)
  world.pass(MINUTE)
  expect(await world.signIn('ada', PASSWORD)).toBe(200)
  expect(await world.signIn('ada', 'wrong')).toBe(401)
  expect(await world.signIn('ada', 'wrong')).toBe('429 60')
})

test('a neighbour tries no more passwords because the owner comes in from the same address meanwhile', async () => {
  await using world = await throttled()
  const statuses: unknown[] = []
  for (let i = 0; i < 12; i++) statuses.push(await world.signIn('ada', i % 3 === 2 ? PASSWORD : `wrong ${i}`))
  expect(statuses.filter((status) => status === 401)).toHaveLength(3)
})

test('a clock that is put back makes nobody wait for longer', async () => {
  await using world = await throttled()
  expect(await world.signIn('ada', 'wrong')).toBe(401)
  world.pass(-600 * MINUTE)
  expect(await world.signIn('ada', PASSWORD)).toBe(200)
  for (let i = 0; i < 2; i++) expect(await world.signIn('ada', `wrong ${i}`)).toBe(401)
  expect(await world.signIn('ada', 'wrong')).toBe('429 60')
})

test('many at once are counted before the first is answered', async () => {
  await using world = await throttled()
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, i) => world.signIn('ada', `wrong ${i}`)))
  expect(statuses.filter((status) => status === 401)).toHaveLength(3)
})

test('no stranger locks an account out where its password came from before, however many addresses they have', async () => {
  await using world = await throttled({ SIGN_IN_FAILURES: 1 })
  expect(await world.signIn('ada', PASSWORD, '198.51.100.1')).toBe(200)
  world.pass(2 * MINUTE)
  for (let i = 0; i < 12; i++) await world.signIn('ada', 'wrong', `192.0.2.${i}`)
  expect(await world.signIn('ada', 'wrong', '192.0.2.99')).toStartWith('429')
  expect(await world.signIn('ada', PASSWORD, '198.51.100.1')).toBe(200)
  expect(await world.signIn('bob', PASSWORD, '192.0.2.99')).toBe(200)
})

test('nor where a browser is signed in to it, though nothing else is remembered', async () => {
  await using world = await throttled({ SIGN_IN_FAILURES: 1 })
  world.beginSession('ada', '2001:db8::7')
  for (let i = 0; i < 12; i++) await world.signIn('ada', 'wrong', `192.0.2.${i}`)
  expect(await world.signIn('ada', PASSWORD, '192.0.2.99')).toStartWith('429')
  expect(await world.signIn('ada', 'wrong', '2001:db8::8')).toBe(401)
  expect(await world.signIn('ada', PASSWORD, '2001:db8::7')).toStartWith('429')
  world.pass(3 * MINUTE)
  for (let i = 0; i < 12; i++) await world.signIn('ada', 'wrong', `192.0.2.${i}`)
  expect(await world.signIn('ada', PASSWORD, '2001:db8::7')).toBe(200)
})

test('a neighbour keeps nobody from typing their password again where they are signed in, and a browser itself may try as often as any', async () => {
  await using world = await throttled()
  const typed = (name: string, password: string, cookie: string) => {
    const request = new Request('http://localhost/', { headers: { Cookie: cookie.split(';', 1)[0] ?? '' } })
    const proven = world.forge.context.authenticator.provePassword(name, password, request)
    return proven.then(
      (user) => user?.name ?? 'nobody',
      (error: Problem) => error.status,
    )
  }
  const [hers, his] = [world.beginSession('ada', '192.0.2.1'), world.beginSession('bob', '192.0.2.1')]
  for (let i = 0; i < 4; i++) await world.signIn('ada', `wrong ${i}`)
  expect([await typed('ada', PASSWORD, ''), await typed('ada', PASSWORD, his), await typed('ada', PASSWORD, hers)]).toEqual([429, 429, 'ada'])
  const guesses = ['a', 'b', 'c', 'd', PASSWORD].map((guess) => typed('ada', guess, hers))
  expect(await Promise.all(guesses)).toEqual(['nobody', 'nobody', 'nobody', 429, 429])
})

test('where one account is at home nobody else has forgotten, from however many addresses they sign in', () => {
  const throttle = new SignInThrottle(makeConfig('/tmp/none', { security: { SIGN_IN_FAILURES: 1 } }), { millis: () => 0, seconds: () => 0 })
  throttle.begin('ada', { address: '198.51.100.1' }).succeeded()
  for (let i = 0; i < 20_000; i++) throttle.begin('mallory', { address: `2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::` }).succeeded()
  for (let i = 0; i < 10; i++) throttle.begin('ada', { address: `192.0.2.${i}` })
  expect(() => throttle.begin('ada', { address: '192.0.2.99' })).toThrow('Too many incorrect passwords or codes')
  throttle.begin('ada', { address: '198.51.100.1' }).succeeded()
})

test('a password that is not checked, since too many wait already, does not count as wrong', async () => {
  await using world = await throttled({ SIGN_IN_FAILURES: 30 })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => world.signIn('ada', `wrong ${i}`)))
  const checked = answers.filter((answer) => answer === 401).length
  expect(answers.filter((answer) => answer === '429 1')).toHaveLength(60 - checked)
  for (let left = 30 - checked; left > 0; left--) expect(await world.signIn('ada', `wrong again ${left}`)).toBe(401)
  expect(await world.signIn('ada', 'wrong')).toStartWith('429')
})

test('one address cannot try a few passwords on everybody', async () => {
  await using world = await throttled()
  const statuses: unknown[] = []
  for (let i = 0; i < 20; i++) statuses.push(await world.signIn(`name${i}`, 'wrong'))
  expect(statuses.filter((status) => status === 401)).toHaveLength(15)
  expect(await world.signIn('name99', 'wrong', '192.0.2.2')).toBe(401)
})

test('this machine itself is spared where the setting says so, and tokens everywhere', async () => {
  await using world = await throttled({ SIGN_IN_THROTTLE_LOOPBACK: false })
  for (let i = 0; i < 5; i++) expect(await world.signIn('ada', `wrong ${i}`, '127.0.0.1')).toBe(401)
  for (let i = 0; i < 5; i++) await world.signIn('ada', `wrong ${i}`)
  const token = world.forge.token('ada', 'read:user')
  expect(await world.signIn('ada', token)).toBe(200)
})
