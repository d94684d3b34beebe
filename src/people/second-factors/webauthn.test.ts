import { beforeAll, expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { outcome } from '../../../test/outcome.ts'
import { encodeCbor, SoftwareAuthenticator } from './authenticator.fixture.ts'
import type { SecurityKeyRow } from './key-store.ts'
import { checkNewKey, checkSignature } from './webauthn.ts'

/** What reads an authenticator's bytes, given bytes that none would send. */

const site = { rpId: 'localhost', origin: 'http://localhost' }
const challenge = 'A'.repeat(43)
/** Of EdDSA, whose signatures are bytes as they are: ECDSA's have a form around them in which not every bit says something. */
const authenticator = new SoftwareAuthenticator(site.origin, 'EdDSA')
const made = authenticator.create({ challenge, rp: { id: site.rpId }, user: { id: 'AAAA', name: 'ada' } })
let key: SecurityKeyRow
beforeAll(async () => {
  const more = { id: 1, user_id: 1, name: 'key', lower_name: 'key', rp_id: site.rpId, user_handle: 'AAAA', created_at: 0, last_used_at: null }
  key = { ...more, ...(await checkNewKey(site, challenge, made)) }
})

type Answer = { response: Record<string, string> }

/** The same answer with other bytes in one of its parts. */
function changed(answer: string, part: string, change: (bytes: Buffer) => Uint8Array): string {
  const parsed = JSON.parse(answer) as Answer
  const bytes = change(Buffer.from(parsed.response[part] as string, 'base64url'))
  return JSON.stringify({ ...parsed, response: { ...parsed.response, [part]: Buffer.from(bytes).toString('base64url') } })
}

test('what was signed does not hold any more when a bit of it, or of the signature, is another', async () => {
  const signed = authenticator.get({ challenge, rpId: site.rpId })
  expect((await checkSignature(site, challenge, signed, key, true)).counter).toBe(1)
  for (const part of ['clientDataJSON', 'authenticatorData', 'signature']) {
    const { length } = Buffer.from((JSON.parse(signed) as Answer).response[part] as string, 'base64url')
    for (let at = 0; at < length; at++) {
      const other = changed(signed, part, (bytes) => bytes.with(at, (bytes[at] as number) ^ (1 << (at % 8))))
      expect(await outcome(checkSignature(site, challenge, other, key, true))).toThrow()
    }
  }
})

test('a statement about a key that is cut off anywhere is refused', async () => {
  const { length } = Buffer.from((JSON.parse(made) as Answer).response.attestationObject as string, 'base64url')
  for (let end = 0; end < length; end++) {
    expect(
      await outcome(
        checkNewKey(
          site,
          challenge,
          changed(made, 'attestationObject', (bytes) => bytes.subarray(0, end)),
        ),
      ),
    ).toThrow()
  }
})

const ofLength = (head: number, ...length: number[]) => Buffer.from([head, ...length])
const hostile: Record<string, Buffer> = {
  'a list in a list, thousands of times': Buffer.alloc(20_000, 0x81),
  'a map in a map, thousands of times': Buffer.alloc(20_000, 0xa1),
  'a list of four thousand million': ofLength(0x9a, 255, 255, 255, 255),
  'a map of very many': ofLength(0xbb, 0, 31, 255, 255, 255, 255, 255, 255),
  'a text as long as memory': ofLength(0x7b, 255, 255, 255, 255, 255, 255, 255, 255),
  'bytes as long as memory': ofLength(0x5a, 255, 255, 255, 255),
  'no end': Buffer.from([0x9f]),
  'a list in place of a map': encodeCbor(['fmt', 'none']),
  'members that are none': encodeCbor(new Map<unknown, unknown>(Object.entries({ fmt: 'none', attStmt: 'x', authData: 'x' }))),
  'data that is too short': encodeCbor(new Map<unknown, unknown>(Object.entries({ fmt: 'none', attStmt: new Map(), authData: Buffer.alloc(36) }))),
  'data without end': encodeCbor(new Map<unknown, unknown>(Object.entries({ fmt: 'none', attStmt: new Map(), authData: Buffer.alloc(5000, 255) }))),
}

test.each(Object.entries(hostile))('a statement with %s is refused at once', async (_, bytes) => {
  const spent = cpuMeter()
  expect(
    await outcome(
      checkNewKey(
        site,
        challenge,
        changed(made, 'attestationObject', () => bytes),
      ),
    ),
  ).toThrow()
  expect(spent()).toBeLessThan(1000)
})

const point = Buffer.alloc(32, 7)
const wrongKeys: Record<string, [number, unknown][]> = {
  'that is not on its curve': [[-2, point]],
  'that lacks a coordinate': [[-3, 7]],
  'of another curve': [[-1, 2]],
  'of another type': [[1, 3]],
  'that names another algorithm': [[3, -257]],
  'of RSA with 512 bits': [
    [1, 3],
    [3, -257],
    [-1, Buffer.alloc(64, 255)],
    [-2, Buffer.from([1, 0, 1])],
  ],
  'of RSA with a hundred thousand bits': [
    [1, 3],
    [3, -257],
    [-1, Buffer.alloc(12_500, 255)],
    [-2, Buffer.from([1, 0, 1])],
  ],
}

test.each(Object.entries(wrongKeys))('a key %s is refused', async (_, cose) => {
  const other = new SoftwareAuthenticator().create({ challenge, rp: { id: site.rpId }, user: { id: 'AAAA', name: 'ada' } }, { cose })
  expect(await outcome(checkNewKey(site, challenge, other))).toThrow()
})
