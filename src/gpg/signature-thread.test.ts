import { afterAll, expect, test } from 'bun:test'
import { SignatureThread } from './signature-thread.ts'
import { adaKey, adaSignature, dayAfter, eveKey, eveSignature, goneKey, ssh } from './vectors.fixture.ts'

const thread = new SignatureThread()
afterAll(() => thread.stop())
const hello = new TextEncoder().encode('hello\n')
const sshChecks = (count: number) => Array.from({ length: count }, () => ({ kind: 'ssh' as const, signature: ssh.ecdsa.signature, payload: hello }))

test('keys and signatures are answered, each with its own', async () => {
  const [ada, gone, eve] = await Promise.allSettled([adaKey, goneKey, eveKey].map((armored) => thread.read(armored, dayAfter)))
  expect(gone).toMatchObject({ status: 'rejected', reason: { status: 422, message: 'Cannot use the GPG key: it is revoked' } })
  if (ada.status !== 'fulfilled' || eve.status !== 'fulfilled') throw new Error('Ada and Eve have good keys')
  const check = (certificate: Uint8Array, signature: string) => ({ kind: 'openpgp' as const, certificate, signature, payload: hello })
  const checks = [
    check(ada.value.certificate, adaSignature),
    check(ada.value.certificate, eveSignature),
    { kind: 'ssh' as const, signature: ssh.ed25519.signature, payload: hello },
    check(eve.value.certificate, 'garbage'),
    check(new Uint8Array(10), eveSignature),
    check(eve.value.certificate, eveSignature),
  ]
  expect(await thread.check(checks)).toEqual([true, false, true, false, false, true])
})

test('a job that takes too long is given up, and the next one done in a new thread', async () => {
  const hasty = new SignatureThread(30)
  const slow = hasty.check(sshChecks(50_000))
  expect(await slow.catch((error: Error) => error)).toMatchObject({
    status: 422,
    message: 'Cannot check the key or signature: it takes longer than 0.03 seconds',
  })
  hasty.stop()
  const [first, second] = [thread.check(sshChecks(1)), thread.check(sshChecks(2))]
  expect(await Promise.all([first, second])).toEqual([[true], [true, true]])
})

test('of signatures that take long together the last are left for the next time', async () => {
  const good = await thread.check(sshChecks(100_000))
  expect(good.length).toBeLessThan(100_000)
  expect(good.length).toBeGreaterThan(100)
  expect(good.every((one) => one)).toBe(true)
})

test('of too many at once the last are refused', async () => {
  const results = await Promise.allSettled(Array.from({ length: 70 }, () => thread.check([])))
  expect(results.map(({ status }) => status)).toEqual([...Array(64).fill('fulfilled'), ...Array(6).fill('rejected')])
  expect(results[69]).toMatchObject({ reason: { status: 503 } })
})
