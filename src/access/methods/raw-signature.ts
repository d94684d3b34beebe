import { constants, verify } from 'node:crypto'
import { pairIn, type SshKey } from '#kernel/ssh-key.ts'

/** How a signature can be made with a key. */
interface Way {
  hash: string | null
  padding?: number
  saltLength?: number
}

const rsaWays: Record<string, readonly Way[]> = {
  'rsa-sha256': [{ hash: 'sha256', padding: constants.RSA_PKCS1_PADDING }],
  'rsa-sha512': [{ hash: 'sha512', padding: constants.RSA_PKCS1_PADDING }],
  // The draft means PSS by it, SSH agents make what they always made.
  hs2019: [
    { hash: 'sha256', padding: constants.RSA_PKCS1_PADDING },
    { hash: 'sha512', padding: constants.RSA_PKCS1_PADDING },
    { hash: 'sha512', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
  ],
}
const ed25519Names = ['hs2019', 'ed25519', 'ed25519-sha512']
const SEQUENCE = 0x30

/**
 * Whether the signature of an HTTP request is one of the text by the key. How it may have been made is decided by the key alone: a
 * name that belongs to another type of key is refused, and so is whatever shares a secret.
 * Source: draft-cavage-http-signatures-12, appendix E.2.
 */
export function isSignedRaw(key: SshKey, algorithm: string, text: string, signature: Buffer): boolean {
  return waysOf(key, algorithm).some((way) => check(key, way, Buffer.from(text), signature))
}

function waysOf({ kind, hash }: SshKey, algorithm: string): readonly Way[] {
  if (kind === 'rsa') return Object.hasOwn(rsaWays, algorithm) ? (rsaWays[algorithm] as readonly Way[]) : []
  if (kind === 'ed25519') return ed25519Names.includes(algorithm) ? [{ hash: null }] : []
  if (algorithm === 'hs2019') return [{ hash }, { hash: 'sha512' }]
  const named = /^ecdsa-(sha256|sha384|sha512)$/.exec(algorithm)?.[1]
  return named === undefined ? [] : [{ hash: named }]
}

function check(key: SshKey, { hash, ...options }: Way, data: Buffer, signature: Buffer): boolean {
  const isDer = signature[0] === SEQUENCE
  const value = key.kind === 'ecdsa' && !isDer ? pairIn(signature, key.size) : signature
  if (!value) return false
  try {
    return verify(hash, data, { key: key.key, dsaEncoding: isDer ? 'der' : 'ieee-p1363', ...options }, value)
  } catch {
    return false
  }
}
