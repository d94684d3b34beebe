import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { WireReader } from './ssh-wire.ts'

/** SSH's public keys and what is signed with them. Sources: RFC 4253 §6.6, RFC 5656 §3, RFC 8332, RFC 8709; OpenSSH's PROTOCOL.u2f. */
export interface SshKey {
  kind: 'rsa' | 'ecdsa' | 'ed25519'
  key: KeyObject
  /** That a signature of the type's is made with; of RSA's its own name says which. */
  hash: 'sha256' | 'sha384' | 'sha512' | null
  /** Of a number in a signature, in bytes; of RSA's the whole. */
  size: number
  /** What a FIDO token signs for; undefined for keys that are in none. */
  application: Buffer | undefined
}

interface Curve {
  crv: string
  hash: 'sha256' | 'sha384' | 'sha512'
  size: number
}

const curves: Record<string, Curve> = {
  nistp256: { crv: 'P-256', hash: 'sha256', size: 32 },
  nistp384: { crv: 'P-384', hash: 'sha384', size: 48 },
  nistp521: { crv: 'P-521', hash: 'sha512', size: 66 },
}
const rsaHashes: Record<string, string> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }
/** The person touched the token. */
const USER_PRESENT = 1

/** `SHA256:` and unpadded base64, as `ssh-keygen -l` prints it. */
export function fingerprintOf(publicKey: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`
}

/** A public key of OpenSSH's wire form; undefined when it is none that is taken. */
export function parseSshKey(publicKey: Buffer): SshKey | undefined {
  const reader = new WireReader(publicKey)
  const key = readSshKey(reader, reader.text())
  return reader.atEnd ? key : undefined
}

/** The same for what follows a key's type: certificates have it in their middle. */
export function readSshKey(reader: WireReader, type: string | undefined): SshKey | undefined {
  try {
    if (type === 'ssh-rsa') return readRsa(reader)
    if (type === 'ssh-ed25519' || type === 'sk-ssh-ed25519@openssh.com') return readEd25519(reader, type.startsWith('sk-'))
    const curve = /^(sk-)?ecdsa-sha2-(nistp\d{3})(@openssh\.com)?$/.exec(type ?? '')
    return curve ? readEcdsa(reader, curve[2] as string, curve[1] !== undefined) : undefined
  } catch {
    return undefined
  }
}

/** Whether the signature, of SSH's wire form, is one of the data by the key; both say of which type they are. */
export function isSignedBySsh(publicKey: Buffer, signature: Buffer, data: Buffer): boolean {
  const key = parseSshKey(publicKey)
  const reader = new WireReader(signature)
  const algorithm = reader.text() ?? ''
  const value = reader.string()
  if (!key || !value) return false
  if (key.kind === 'rsa') {
    const hash = rsaHashes[algorithm]
    return hash !== undefined && reader.atEnd && check(hash, data, key.key, padded(value, key.size))
  }
  if (algorithm !== new WireReader(publicKey).text()) return false
  const signed = key.application ? tokenData(key.application, reader, data) : data
  return signed !== undefined && reader.atEnd && check(key.hash, signed, key.key, key.kind === 'ecdsa' ? pairIn(value, key.size) : value)
}

/** Numbers of a signature by a curve, as SSH writes the two, side by side; undefined when they are none. */
export function pairIn(value: Buffer, size: number): Buffer | undefined {
  const reader = new WireReader(value)
  const [r, s] = [reader.integer(), reader.integer()]
  return r && s && r.length <= size && s.length <= size && reader.atEnd ? Buffer.concat([padded(r, size), padded(s, size)]) : undefined
}

function readRsa(reader: WireReader): SshKey | undefined {
  const [e, n] = [reader.integer(), reader.integer()]
  if (!e || !n) return undefined
  const key = keyOf({ kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') })
  return { kind: 'rsa', key, hash: null, size: n.length, application: undefined }
}

function readEd25519(reader: WireReader, isToken: boolean): SshKey | undefined {
  const x = reader.string()
  const application = isToken ? reader.string() : undefined
  if (!x || (isToken && !application)) return undefined
  return { kind: 'ed25519', key: keyOf({ kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') }), hash: null, size: 32, application }
}

function readEcdsa(reader: WireReader, name: string, isToken: boolean): SshKey | undefined {
  const curve = curves[name]
  const named = reader.text()
  const point = reader.string()
  const application = isToken ? reader.string() : undefined
  if (!curve || named !== name || (isToken && !application) || point?.length !== 1 + 2 * curve.size || point[0] !== 4) return undefined
  const [x, y] = [point.subarray(1, 1 + curve.size), point.subarray(1 + curve.size)].map((half) => half.toString('base64url'))
  return { kind: 'ecdsa', key: keyOf({ kty: 'EC', crv: curve.crv, x, y }), hash: curve.hash, size: curve.size, application }
}

/** What a FIDO token signs in place of the data; undefined when nobody touched it. */
function tokenData(application: Buffer, signature: WireReader, data: Buffer): Buffer | undefined {
  const rest = signature.bytes(5)
  if (!rest || ((rest[0] as number) & USER_PRESENT) === 0) return undefined
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
  return Buffer.concat([sha256(application), rest, sha256(data)])
}

function keyOf(key: Record<string, string | undefined>): KeyObject {
  return createPublicKey({ key, format: 'jwk' })
}

function check(hash: string | null, data: Buffer, key: KeyObject, signature: Buffer | undefined): boolean {
  if (!signature) return false
  try {
    return verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** With zeros before it, as whoever writes numbers leaves them out. */
function padded(number: Buffer, size: number): Buffer {
  return number.length < size ? Buffer.concat([Buffer.alloc(size - number.length), number]) : number
}
