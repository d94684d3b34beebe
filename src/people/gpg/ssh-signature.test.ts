import { expect, test } from 'bun:test'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { fingerprintOf } from '#kernel/ssh-key.ts'
import { isSshSigned, parseSshSignature } from './ssh-signature.ts'
import { ssh } from './vectors.fixture.ts'

const hello = new TextEncoder().encode('hello\n')
const blobOf = (signature: string) => Buffer.from(signature.split('\n').slice(1, -2).join(''), 'base64')
const armor = (blob: Uint8Array) => `-----BEGIN SSH SIGNATURE-----\n${Buffer.from(blob).toString('base64')}\n-----END SSH SIGNATURE-----\n`
const text = (value: string | Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(value))
  return Buffer.concat([length, Buffer.from(value)])
}

test.each(Object.entries(ssh))('a signature by a key of type %s is good for what it signs alone', (_, { key, signature }) => {
  const publicKey = Buffer.from(key.split(' ')[1] as string, 'base64')
  expect(parseSshSignature(signature)).toMatchObject({ publicKey, namespace: 'git', hash: 'sha512' })
  expect(isSshSigned(signature, 'git', hello)).toBe(true)
  expect(isSshSigned(signature, 'file', hello)).toBe(false)
  expect(isSshSigned(signature, 'git', hello.subarray(1))).toBe(false)
})

test('with any bit turned over, or cut short anywhere, it is not good, and never an error', () => {
  for (const { signature } of Object.values(ssh)) {
    const blob = blobOf(signature)
    const good: number[] = []
    for (let at = 0; at < blob.length; at++) {
      const turned = Buffer.from(blob)
      turned[at] = (turned[at] as number) ^ 1
      if (isSshSigned(armor(turned), 'git', hello) || isSshSigned(armor(blob.subarray(0, at)), 'git', hello)) good.push(at)
    }
    expect(good).toEqual([])
  }
})

test('what is no signature is none', () => {
  for (const armored of ['', 'garbage', armor(Buffer.from('SSHSIG')), ssh.ed25519.key, `x${ssh.ed25519.signature}`]) {
    expect([parseSshSignature(armored), isSshSigned(armored, 'git', hello)]).toEqual([undefined, false])
  }
})

test('a fingerprint is as ssh-keygen prints it', () => {
  const publicKey = Buffer.from(ssh.ed25519.key.split(' ')[1] as string, 'base64')
  expect(fingerprintOf(publicKey)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
})

/** What a FIDO token makes of `hello`; OpenSSH's PROTOCOL.u2f. */
function tokenSignature(flags: number): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const type = 'sk-ssh-ed25519@openssh.com'
  const signed = Buffer.concat([Buffer.from('SSHSIG'), text('git'), text(''), text('sha512'), text(createHash('sha512').update(hello).digest())])
  const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()
  const rest = Buffer.from([flags, 0, 0, 0, 7])
  const signature = sign(null, Buffer.concat([sha256('ssh:'), rest, sha256(signed)]), privateKey)
  const blobs = [Buffer.concat([text(type), text(x), text('ssh:')]), 'git', '', 'sha512', Buffer.concat([text(type), text(signature), rest])]
  return armor(Buffer.concat([Buffer.from('SSHSIG\0\0\0\u0001'), ...blobs.map(text)]))
}

test('a token that was touched signs, one that was not does not', () => {
  expect([1, 5, 0, 4].map((flags) => isSshSigned(tokenSignature(flags), 'git', hello))).toEqual([true, true, false, false])
})
