import { createHash } from 'node:crypto'
import { isSignedBySsh } from '#kernel/ssh-key.ts'
import { WireReader, wireString } from '#kernel/ssh-wire.ts'

/** SSH signatures, as `ssh-keygen -Y sign` writes them. Source: OpenSSH's PROTOCOL.sshsig. */
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
  return isSignedBySsh(parsed.publicKey, parsed.signature, signed)
}
