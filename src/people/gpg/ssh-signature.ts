import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * SSH signatures, as `ssh-keygen -Y sign` writes them.
 * Sources: OpenSSH's PROTOCOL.sshsig and PROTOCOL.u2f; RFC 4253 §6.6, RFC 5656 §3, RFC 8332, RFC 8709.
 */
export interface SshSignature {
  /** The public key that it is by, in OpenSSH's wire form. */
  publicKey: Buffer
  namespace: string
  reserved: Buffer
  hash: string
  signature: Buffer
}

const MAGIC = 'SSHSIG'
const VERSION = 1
export const sshSignatureStart = '-----BEGIN SSH SIGNATURE-----'
const armor = /^-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]*)-----END SSH SIGNATURE-----\s*$/
const hashes: readonly string[] = ['sha256', 'sha512']
/** The person touched the token. */
const USER_PRESENT = 1

/** What the armoured text says; undefined when it is no SSH signature. */
export function parseSshSignature(armored: string): SshSignature | undefined {
  const base64 = armor.exec(armored)?.[1]
  if (base64 === undefined) return undefined
  const reader = new WireReader(Buffer.from(base64, 'base64'))
  if (reader.bytes(MAGIC.length)?.toString() !== MAGIC || reader.uint32() !== VERSION) return undefined
  const [publicKey, namespace, reserved, hash, signature] = Array.from({ length: 5 }, () => reader.string())
  if (!publicKey || !namespace || !reserved || !hash || !signature || !reader.atEnd) return undefined
  return { publicKey, namespace: namespace.toString(), reserved, hash: hash.toString(), signature }
}

/** Whether the armoured signature is one of `payload`, for the given use, by the key that it names. */
export function isSshSigned(armored: string, namespace: string, payload: Uint8Array): boolean {
  const parsed = parseSshSignature(armored)
  if (parsed?.namespace !== namespace || !hashes.includes(parsed.hash)) return false
  const digest = createHash(parsed.hash).update(payload).digest()
  const signed = Buffer.concat([Buffer.from(MAGIC), ...[Buffer.from(namespace), parsed.reserved, Buffer.from(parsed.hash), digest].map(wireString)])
  return verifyBlob(new WireReader(parsed.publicKey), new WireReader(parsed.signature), signed)
}

/** `SHA256:` and unpadded base64, as `ssh-keygen -l` prints it. */
export function fingerprintOf(publicKey: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`
}

/** What a type of key consists of, and how its signatures are made. */
const curves: Record<string, { crv: string; hash: string; size: number }> = {
  nistp256: { crv: 'P-256', hash: 'sha256', size: 32 },
  nistp384: { crv: 'P-384', hash: 'sha384', size: 48 },
  nistp521: { crv: 'P-521', hash: 'sha512', size: 66 },
}
const rsaHashes: Record<string, string> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }

function verifyBlob(key: WireReader, signature: WireReader, signed: Buffer): boolean {
  const type = key.text()
  const algorithm = signature.text()
  if (type === 'ssh-rsa') return verifyRsa(key, algorithm, signature, signed)
  if (type === undefined || type !== algorithm) return false
  const isToken = type.startsWith('sk-')
  if (/^(sk-)?ssh-ed25519(@openssh\.com)?$/.test(type)) {
    const x = key.string()
    const value = signature.string()
    const data = isToken ? tokenData(key, signature, signed) : signed
    return check(null, data, { kty: 'OKP', crv: 'Ed25519', x: x?.toString('base64url') }, value)
  }
  return /^(sk-)?ecdsa-sha2-/.test(type) && verifyEcdsa(key, signature, isToken, signed)
}

function verifyRsa(key: WireReader, algorithm: string | undefined, signature: WireReader, signed: Buffer): boolean {
  const hash = rsaHashes[algorithm ?? '']
  const [e, n] = [key.integer(), key.integer()]
  const value = signature.string()
  if (hash === undefined || !e || !n || !value) return false
  return check(hash, signed, { kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') }, padded(value, n.length))
}

function verifyEcdsa(key: WireReader, signature: WireReader, isToken: boolean, signed: Buffer): boolean {
  const curve = curves[key.text() ?? '']
  const point = key.string()
  const pair = new WireReader(signature.string() ?? Buffer.alloc(0))
  const [r, s] = [pair.integer(), pair.integer()]
  if (!curve || !r || !s || point?.length !== 1 + 2 * curve.size || point[0] !== 4) return false
  const data = isToken ? tokenData(key, signature, signed) : signed
  const [x, y] = [point.subarray(1, 1 + curve.size), point.subarray(1 + curve.size)].map((half) => half.toString('base64url'))
  return check(curve.hash, data, { kty: 'EC', crv: curve.crv, x, y }, Buffer.concat([padded(r, curve.size), padded(s, curve.size)]))
}

/** What a FIDO token signs in place of the data; undefined when nobody touched it. */
function tokenData(key: WireReader, signature: WireReader, signed: Buffer): Buffer | undefined {
  const application = key.string()
  const rest = signature.bytes(5)
  if (!application || !rest || ((rest[0] as number) & USER_PRESENT) === 0) return undefined
  const sha256 = (data: Buffer) => createHash('sha256').update(data).digest()
  return Buffer.concat([sha256(application), rest, sha256(signed)])
}

function check(hash: string | null, data: Buffer | undefined, key: Record<string, string | undefined>, signature: Buffer | undefined): boolean {
  if (!data || !signature) return false
  try {
    return verify(hash, data, { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** With zeros before it, as whoever writes numbers leaves them out. */
function padded(number: Buffer, size: number): Buffer {
  return number.length < size ? Buffer.concat([Buffer.alloc(size - number.length), number]) : number
}

function wireString(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Reads what RFC 4251 §5 defines; undefined where the bytes end too early. */
class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  bytes(count: number): Buffer | undefined {
    if (this.#at + count > this.#bytes.length) return undefined
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  uint32(): number | undefined {
    return this.bytes(4)?.readUInt32BE()
  }

  string(): Buffer | undefined {
    const length = this.uint32()
    return length === undefined ? undefined : this.bytes(length)
  }

  text(): string | undefined {
    return this.string()?.toString()
  }

  /** A positive number, without the zeros before it. */
  integer(): Buffer | undefined {
    const bytes = this.string()
    const start = bytes?.findIndex((byte) => byte !== 0) ?? -1
    return start < 0 ? undefined : bytes?.subarray(start)
  }
}
