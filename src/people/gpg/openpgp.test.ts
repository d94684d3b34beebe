import { describe, expect, test } from 'bun:test'
import { generateKey } from 'openpgp'
import { findIssuer } from './issuer.ts'
import { isSignedBy, openCertificate, readPublicKey } from './openpgp.ts'
import {
  adaKey,
  adaSignature,
  dayAfter,
  dsaKey,
  eveKey,
  eveSignature,
  goneKey,
  lateKey,
  lateSignature,
  renewedKey,
  tooLateSignature,
  weakKey,
} from './vectors.fixture.ts'

const hello = new TextEncoder().encode('hello\n')
const read = (armored: string, now = dayAfter) => readPublicKey(armored, now)
const packetsOf = (armored: string) => Buffer.from((armored.split('\n\n')[1] as string).split('\n=')[0] as string, 'base64')
const armor = (packets: Uint8Array, kind = 'PUBLIC KEY BLOCK') =>
  `-----BEGIN PGP ${kind}-----\n\n${Buffer.from(packets).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PGP ${kind}-----\n`
/** A packet with the header that GnuPG writes, RFC 9580 §4.2.2. */
const packet = (tag: number, body: Uint8Array | string) => Buffer.concat([Buffer.from([0x80 | (tag << 2), Buffer.byteLength(body)]), Buffer.from(body)])
/** One more packet behind Ada's key: a subkey of these numbers, which the key need not vouch for to be refused. RFC 9580 §4.2.1, §5.5.2. */
const withSubkey = (algorithm: number, ...bits: number[]) => armor(Buffer.concat([packetsOf(adaKey), keyPacket(14, algorithm, ...bits)]))
const keyPacket = (tag: number, algorithm: number, ...bits: number[]) => {
  const numbers = bits.map((length) =>
    Buffer.concat([Buffer.from([length >> 8, length & 255, 1 << ((length - 1) % 8)]), Buffer.alloc(Math.ceil(length / 8) - 1, 1)]),
  )
  const body = Buffer.concat([Buffer.from([4, 0x65, 0x92, 0, 0x80, algorithm]), ...numbers])
  const header = Buffer.from([0xc0 | tag, 0xff, 0, 0, 0, 0])
  header.writeUInt32BE(body.length, 2)
  return Buffer.concat([header, body])
}
const [rsa, elgamal, dsa] = [1, 16, 17]

test('a key is read with its subkeys, what each is for, and its addresses', async () => {
  const { packet: _, certificate, subkeys, ...primary } = await read(adaKey)
  const never = { createdAt: 1_704_067_200, expiresAt: null }
  const signing = { canSign: true, canCertify: true, canEncryptComms: false, canEncryptStorage: false }
  expect(primary).toEqual({ keyId: 'AB40A7D184DE5E18', ...signing, ...never, emails: ['ada@example.org'] })
  const encrypting = { canSign: false, canCertify: false, canEncryptComms: true, canEncryptStorage: true }
  expect(subkeys.map(({ packet: _, ...rest }) => rest)).toEqual([{ keyId: subkeys[0]?.keyId as string, ...encrypting, ...never }])
  expect(certificate.length).toBe(packetsOf(adaKey).length)
})

test('when a key ends is read, and that it has not yet', async () => {
  expect(await read(lateKey)).toMatchObject({ expiresAt: 1_704_067_200 + 2 * 86_400 })
})

const refused: [name: string, armored: string, reason: string][] = [
  ['garbage', 'garbage', 'it is not an ASCII-armored OpenPGP key; export it with "gpg --armor --export"'],
  ['nothing', '', 'it is not an ASCII-armored OpenPGP key'],
  ['armor around garbage', armor(Buffer.from('garbage, and more of it')), 'it is not an ASCII-armored OpenPGP key'],
  ['a key cut short', armor(packetsOf(adaKey).subarray(0, 30)), 'it is not an ASCII-armored OpenPGP key'],
  ['armor cut short', adaKey.slice(0, 300), 'it is not an ASCII-armored OpenPGP key'],
  ['a megabyte of packets', armor(Buffer.concat(Array(5000).fill(packet(13, 'x'.repeat(200))))), 'it is not an ASCII-armored OpenPGP key'],
  ['a signature', adaSignature, 'it is not an ASCII-armored OpenPGP key'],
  ['a key packet of unknown version', armor(packet(6, Buffer.from([99, 1, 2, 3]))), 'it is not an ASCII-armored OpenPGP key'],
  ['two keys', armor(Buffer.concat([packetsOf(adaKey), packetsOf(eveKey)])), 'it contains 2 keys'],
  ['a key without identity', armor(packetsOf(adaKey).subarray(0, 53)), 'it has no valid self-signature'],
  ['a key that ended', lateKey, 'it expired on 2024-01-03T00:00:00.000Z'],
  ['a revoked key', goneKey, 'it was revoked'],
  ['a DSA key', dsaKey, 'keys of type dsa are too weak'],
  ['a short RSA key', weakKey, 'key length is not enough: got 1024, needs 2048'],
  ['an outsized RSA key', armor(keyPacket(6, rsa, 8193, 17)), 'key length is too large: got 8193, the maximum is 8192'],
  ['an RSA key of a large exponent', armor(keyPacket(6, rsa, 4096, 4095)), 'the exponent of keys is too large: got 4096 bits, the maximum is 32'],
  ['a subkey of outsized DSA', withSubkey(dsa, 16_384, 256, 16_384, 16_384), 'subkeys of type dsa are too weak'],
  ['a short RSA subkey', withSubkey(rsa, 1024, 17), 'subkey length is not enough: got 1024, needs 2048'],
  ['an outsized RSA subkey', withSubkey(rsa, 16_384, 17), 'subkey length is too large: got 16384, the maximum is 8192'],
  ['an RSA subkey of a large exponent', withSubkey(rsa, 8192, 8191), 'the exponent of subkeys is too large: got 8192 bits'],
]

test.each(refused)('is refused, and why is said: %s', async (_, armored, reason) => {
  expect(String(await read(armored, dayAfter + 2 * 86_400).catch((error: Error) => error))).toContain(reason)
})

test('a subkey that can only encrypt is of any size', async () => {
  expect((await read(withSubkey(elgamal, 1024, 3, 1024))).keyId).toBe('AB40A7D184DE5E18')
})

test('a private key is refused, also under the name of a public one', async () => {
  const date = new Date('2026-01-01')
  const { privateKey } = await generateKey({ userIDs: [{ email: 'ada@example.org' }], date })
  for (const text of [privateKey, privateKey.replaceAll('PRIVATE', 'PUBLIC')]) {
    expect(String(await read(text, date.getTime() / 1000).catch((error: Error) => error))).toContain('it is a private key, which you must never share')
  }
})

test('too many identities are refused before they are looked into', async () => {
  const identities = Array.from({ length: 65 }, (_, i) => packet(13, `<${i}@example.org>`))
  const padded = armor(Buffer.concat([packetsOf(adaKey), ...identities]))
  expect(String(await read(padded).catch((error: Error) => error))).toContain('it has 66 identities, the maximum is 64')
})

test("an identity that others append to a key is none of the key's", async () => {
  const withSignature = packetsOf(eveKey).subarray(53)
  for (const more of [packet(13, 'Eve <eve@example.org>'), withSignature]) {
    const { emails } = await read(armor(Buffer.concat([packetsOf(adaKey), more])))
    expect(emails).toEqual(['ada@example.org'])
  }
})

describe('a signature', () => {
  const signed = async (key: string, signature: string, text = 'hello\n') =>
    isSignedBy(await openCertificate(packetsOf(key)), signature, new TextEncoder().encode(text)).catch(() => false)
  const twice = Buffer.concat([packetsOf(adaSignature), packetsOf(adaSignature)])
  const cases: [name: string, good: boolean, key: string, signature: string][] = [
    ['by the key', true, adaKey, adaSignature],
    ['by a key that ended later', true, lateKey, lateSignature],
    ['by a key that was renewed later', true, renewedKey, lateSignature],
    ['by a key that had ended', false, lateKey, tooLateSignature],
    ['by a key that was renewed before', true, renewedKey, tooLateSignature],
    ['by another key', false, adaKey, eveSignature],
    ['twice over', false, adaKey, armor(twice, 'SIGNATURE')],
    ['cut short', false, adaKey, armor(packetsOf(adaSignature).subarray(0, 60), 'SIGNATURE')],
    ['that is none', false, adaKey, 'garbage'],
    ['that is a key', false, adaKey, adaKey],
  ]
  test.each(cases)('%s', async (_, good, key, signature) => {
    expect(await signed(key, signature)).toBe(good)
  })

  test('of something else is not good', async () => {
    for (const text of ['hello', 'hello\r\n', 'hello\n\n', '']) expect(await signed(adaKey, adaSignature, text)).toBe(false)
  })

  test('of unknown version is not good', async () => {
    const bytes = Buffer.from(packetsOf(adaSignature))
    bytes[2] = 99
    expect([findIssuer(armor(bytes, 'SIGNATURE')), await signed(adaKey, armor(bytes, 'SIGNATURE'))]).toEqual([undefined, false])
  })

  test('with any bit of it turned over is not good', async () => {
    const certificate = await openCertificate(packetsOf(adaKey))
    const bytes = packetsOf(adaSignature)
    const good: number[] = []
    for (let at = 2; at < bytes.length; at++) {
      const turned = Buffer.from(bytes)
      turned[at] = (turned[at] as number) ^ 1
      if (await isSignedBy(certificate, armor(turned, 'SIGNATURE'), hello).catch(() => false)) good.push(at)
    }
    // Those two are not signed: the type of a second hint at the key, and how many bits a number has, rounded to bytes.
    expect(good).toEqual([57, 69])
  })
})

describe('the issuer of a signature', () => {
  test('is read', () => {
    expect([adaSignature, eveSignature].map(findIssuer)).toEqual(['AB40A7D184DE5E18', '6F6C9C98CC7C43E0'])
    expect(findIssuer(adaSignature.replaceAll('\n', '\r\n').replace('\r\n\r\n', '\r\nVersion: GnuPG v2\r\n\r\n'))).toBe('AB40A7D184DE5E18')
  })

  test.each([
    [20, '0101010101010101'],
    [5000, undefined],
  ])('behind %d other things that are said is %p', (others, issuer) => {
    const said = Buffer.concat([...Array<Buffer>(others).fill(Buffer.from([1, 100])), Buffer.from([9, 16]), Buffer.alloc(8, 1)])
    const body = Buffer.concat([Buffer.from([4, 0, 1, 8, said.length >> 8, said.length & 255]), said, Buffer.alloc(2)])
    const head = Buffer.from([0xc2, 255, 0, 0, body.length >> 8, body.length & 255])
    expect(findIssuer(armor(Buffer.concat([head, body]), 'SIGNATURE'))).toBe(issuer as string)
  })

  test('of whatever is no signature is unknown, and never an error', () => {
    for (const text of ['', 'garbage', adaKey, adaSignature.slice(30), armor(new Uint8Array(0), 'SIGNATURE'), armor(packet(13, 'x'), 'SIGNATURE')]) {
      expect(findIssuer(text)).toBeUndefined()
    }
    const bytes = packetsOf(adaSignature)
    for (let length = 0; length < bytes.length; length++) findIssuer(armor(bytes.subarray(0, length), 'SIGNATURE'))
    for (let at = 0; at < bytes.length; at++) for (const value of [0, 127, 192, 255]) findIssuer(armor(Buffer.from(bytes).fill(value, at, at + 1), 'SIGNATURE'))
  })
})
