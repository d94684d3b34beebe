/** Loaded with the first key that somebody adds. */
const crypto = () => process.getBuiltinModule('node:crypto')

const LEAST_RSA_BITS = 2048
const MOST_RSA_BITS = 8192

/** A key by the numbers of COSE's members. */
type CoseKey = ReadonlyMap<number, unknown>

/**
 * What stands for a public key may be cut off, or not be on its curve; nothing that it signs would ever hold then.
 * @throws Error unless it is a whole key of the algorithm that it names, and no weak one
 * @see RFC 9053, section 7; RFC 8230, section 4
 */
export function requireWholeKey(key: CoseKey): void {
  const { asymmetricKeyDetails } = crypto().createPublicKey({ key: jwkOf(key), format: 'jwk' })
  const bits = asymmetricKeyDetails?.modulusLength ?? LEAST_RSA_BITS
  if (bits < LEAST_RSA_BITS || bits > MOST_RSA_BITS) throw new Error(`RSA keys of ${bits} bits are not accepted`)
}

function jwkOf(key: CoseKey): Record<string, string> {
  const [type, algorithm, curve] = [1, 3, -1].map((member) => key.get(member))
  if (type === 2 && algorithm === -7 && curve === 1) return { kty: 'EC', crv: 'P-256', x: bytesIn(key, -2), y: bytesIn(key, -3) }
  if (type === 1 && algorithm === -8 && curve === 6) return { kty: 'OKP', crv: 'Ed25519', x: bytesIn(key, -2) }
  if (type === 3 && algorithm === -257) return { kty: 'RSA', n: bytesIn(key, -1), e: bytesIn(key, -2) }
  throw new Error('The key does not match the algorithm that it declares')
}

function bytesIn(key: CoseKey, member: number): string {
  const bytes = key.get(member)
  if (!(bytes instanceof Uint8Array)) throw new Error(`The key has no parameter ${member}`)
  return Buffer.from(bytes).toString('base64url')
}
