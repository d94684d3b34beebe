import { afterAll, afterEach, beforeEach, expect, jest, type Mock, spyOn, test } from 'bun:test'
import { KeptPages } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { silentLog } from '#kernel/log.ts'
import { Services } from '#kernel/services.ts'
import { Checker } from './checker.ts'
import type { Claim } from './claim.ts'
import { signatureThread } from './signatures.ts'
import { ssh } from './vectors.fixture.ts'

const hello = new TextEncoder().encode('hello\n')
const claimOf = (name: string, userId: number): Claim => ({
  question: name,
  key: name,
  keyRow: `ssh ${userId}`,
  userId,
  check: { kind: 'ssh', signature: ssh.ed25519.signature, payload: hello },
})
const [ada, eve] = [claimOf('by ada', 1), claimOf('by eve', 2)]

let now = 1000
const clock = { seconds: () => now, millis: () => 1000 * now }
let services: Services<Context>
let checker: Checker
let thread: Mock<typeof signatureThread.run>
beforeEach(() => {
  thread = spyOn(signatureThread, 'run')
  services = new Services(() => ({}) as Context)
  checker = new Checker({ clock, log: silentLog, services })
})
afterEach(() => thread.mockRestore())
afterAll(() => signatureThread.stop())

test('a signature is checked once, however many ask at the same time and later', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => checker.check([ada, ada])))
  expect([...answers, await checker.check([ada])]).toEqual(Array(11).fill(new Map([['by ada', true]])))
  expect(thread).toHaveBeenCalledTimes(1)
})

test('what takes longer than a second is left out, and found by who asks later; another owner’s is there at once', async () => {
  const { promise, resolve } = Promise.withResolvers<{ good: boolean[] }>()
  thread.mockImplementation((_, terms) => (terms?.line === 'user 2' ? promise : Promise.resolve({ good: [true] })))
  jest.useFakeTimers()
  try {
    expect(await checker.check([ada])).toEqual(new Map([['by ada', true]]))
    let isOver = false
    const checked = checker.check([ada, eve]).finally(() => {
      isOver = true
    })
    jest.advanceTimersByTime(999)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    expect(isOver).toBe(false)
    jest.advanceTimersByTime(1)
    expect(await checked).toEqual(new Map([['by ada', true]]))
  } finally {
    jest.useRealTimers()
  }
  // What is shown without it is not shown again.
  expect(services.get(KeptPages).omitted).toBe(1)
  resolve({ good: [true] })
  expect(await checker.check([eve])).toEqual(new Map([['by eve', true]]))
  expect(thread).toHaveBeenCalledTimes(2)
})

test('a key that took too long is let be for ten minutes, with all that it signed', async () => {
  thread.mockImplementation(() => Promise.reject(new Unprocessable('it takes longer than 2 seconds')))
  for (const claim of [eve, eve, { ...eve, question: 'another by eve' }]) expect(await checker.check([claim])).toEqual(new Map())
  expect(thread).toHaveBeenCalledTimes(1)
  now += 601
  thread.mockImplementation(() => Promise.resolve({ good: [false] }))
  expect(await checker.check([eve])).toEqual(new Map([['by eve', false]]))
})
