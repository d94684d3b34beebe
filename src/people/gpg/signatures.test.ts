import { afterAll, expect, test } from 'bun:test'
import { checkSignatures, readKey, signatureThread } from './signatures.ts'
import { adaKey, adaSignature, dayAfter, eveKey, eveSignature, goneKey, ssh } from './vectors.fixture.ts'

afterAll(() => signatureThread.stop())
const hello = new TextEncoder().encode('hello\n')
const sshChecks = (count: number) => Array.from({ length: count }, () => ({ kind: 'ssh' as const, signature: ssh.ecdsa.signature, payload: hello }))

test('keys and signatures are answered, each with its own', async () => {
  const [ada, gone, eve] = await Promise.allSettled([adaKey, goneKey, eveKey].map((armored) => readKey(armored, dayAfter, 1)))
  expect(gone).toMatchObject({ status: 'rejected', reason: { status: 422, message: 'Cannot use the GPG key: it was revoked' } })
  if (ada?.status !== 'fulfilled' || eve?.status !== 'fulfilled') throw new Error('Ada and Eve have good keys')
  const check = (certificate: Uint8Array, signature: string) => ({ kind: 'openpgp' as const, certificate, signature, payload: hello })
  const checks = [
    check(ada.value.certificate, adaSignature),
    check(ada.value.certificate, eveSignature),
    { kind: 'ssh' as const, signature: ssh.ed25519.signature, payload: hello },
    check(eve.value.certificate, 'garbage'),
    check(new Uint8Array(10), eveSignature),
    check(eve.value.certificate, eveSignature),
  ]
  expect(await checkSignatures(checks, 1)).toEqual([true, false, true, false, false, true])
})

test('of signatures that take long together the last are left for the next time', async () => {
  const good = await checkSignatures(sshChecks(100_000), 1)
  expect(good.length).toBeLessThan(100_000)
  expect(good.length).toBeGreaterThan(100)
  expect(good.every((one) => one)).toBe(true)
})
