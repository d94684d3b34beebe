import { describe, test } from 'bun:test'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { parseSignature, signingTexts } from '#access/methods/signature-header.ts'
import { getCertificate } from '#access/methods/ssh-certificate.ts'
import { Unauthorized } from '#kernel/errors.ts'
import { isSignedBySsh, parseSshKey } from '#kernel/ssh-key.ts'
import { wireString } from '#kernel/ssh-wire.ts'
import { FUZZ_TIMEOUT, fuzz, type Target } from './fuzz.ts'

const RUNS = 3000
const NOW = 1_800_000_000

const text = (value: string) => wireString(Buffer.from(value))
const number = (value: bigint, bytes: 4 | 8) => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64BE(value)
  return buffer.subarray(8 - bytes)
}
const rawKey = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).subarray(-32)
const blobOf = (key: KeyObject) => Buffer.concat([text('ssh-ed25519'), wireString(rawKey(key))])

const authority = generateKeyPairSync('ed25519')
const holder = generateKeyPairSync('ed25519')
const signatureBy = (data: Buffer) => Buffer.concat([text('ssh-ed25519'), wireString(sign(null, data, authority.privateKey))])

/** A certificate as ssh-keygen lays it out. */
function certificate(): Buffer {
  const body = Buffer.concat([
    text('ssh-ed25519-cert-v01@openssh.com'),
    wireString(Buffer.alloc(32, 7)),
    wireString(rawKey(holder.publicKey)),
    number(1n, 8),
    number(1n, 4),
    text('id'),
    wireString(Buffer.concat([text('ada'), text('ada@example.org')])),
    number(0n, 8),
    number(0xffff_ffff_ffff_ffffn, 8),
    wireString(Buffer.concat([text('source-address'), wireString(text('127.0.0.0/8,::1'))])),
    wireString(Buffer.concat([text('permit-pty'), text('')])),
    text(''),
    wireString(blobOf(authority.publicKey)),
  ])
  return Buffer.concat([body, wireString(signatureBy(body))])
}

const whole = certificate()
const data = Buffer.from('what is signed')
const params = [
  'keyId="SHA256:x",algorithm="hs2019",created=1800000000,expires=1800000010,headers="(request-target) (created) (expires) digest",signature="AAAA"',
  'keyId="gitea", headers="(request-target) date", signature="AAAA=="',
]

const targets: Target[] = [
  { name: 'certificate', samples: [whole], read: readCertificate },
  { name: 'public key', samples: [blobOf(authority.publicKey)], read: (input) => parseSshKey(Buffer.from(input)) },
  { name: 'signature of SSH', samples: [signatureBy(data)], read: readSignature },
  { name: 'signature of a request', samples: params.map((one) => Buffer.from(one)), read: readParams },
]

describe('nothing but a refusal comes out of', () => {
  for (const target of targets) test(`the ${target.name}, whatever the bytes`, () => fuzz({ ...target, read: refusing(target.read) }, RUNS), FUZZ_TIMEOUT)
})

function refusing(read: Target['read']): Target['read'] {
  return (input) => {
    try {
      return read(input)
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error
      return undefined
    }
  }
}

/** One that was changed is never believed. */
function readCertificate(input: Uint8Array): void {
  const terms = { authorities: [blobOf(authority.publicKey)], now: NOW, address: '127.0.0.1' }
  getCertificate(Buffer.from(input).toString('base64'), terms)
  if (!whole.equals(input)) throw new Error('it was believed')
}

function readSignature(input: Uint8Array): void {
  const isRight = isSignedBySsh(blobOf(authority.publicKey), Buffer.from(input), data)
  if (isRight && !signatureBy(data).equals(input)) throw new Error('it was taken')
}

function readParams(input: Uint8Array): void {
  const headers = { date: 'now', digest: 'SHA-256=AAAA' }
  const parsed = parseSignature(Buffer.from(input).toString('latin1'))
  for (const one of signingTexts(new Request('http://localhost/api/v1/user?a=%20', { headers }), parsed, '/forge')) {
    if (one.split('\n').length !== parsed.covered.length) throw new Error('a header that is signed spans lines')
  }
}
