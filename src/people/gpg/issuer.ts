/** Tags and subpackets of RFC 9580 §5.2. */
const SIGNATURE_PACKET = 2
const ISSUER_KEY_ID = 16
const ISSUER_FINGERPRINT = 33
/** Signatures have some five; 12,000 fit into one that has nothing else. */
const MAX_SUBPACKETS = 64

const begin = '-----BEGIN PGP SIGNATURE-----'
const end = '-----END PGP SIGNATURE-----'

/**
 * The id of the key that an armoured OpenPGP signature says it is by, sixteen hexadecimal digits in upper case; undefined when
 * it cannot be read. Only a hint where to look: whether that key made it is for `isSignedBy` to tell. Most signatures are by
 * keys that nobody here has, and those cost no more than this.
 */
export function findIssuer(armored: string): string | undefined {
  const bytes = dearmor(armored)
  const body = bytes && signatureBody(bytes)
  if (!body) return undefined
  const version = body[0]
  if (version !== 4 && version !== 6) return undefined
  const lengthBytes = version === 4 ? 2 : 4
  const hashed = body.subarray(4 + lengthBytes, 4 + lengthBytes + numberAt(body, 4, lengthBytes))
  const next = hashed.byteOffset - body.byteOffset + hashed.length
  const unhashed = body.subarray(next + lengthBytes, next + lengthBytes + numberAt(body, next, lengthBytes))
  return issuerIn(hashed) ?? issuerIn(unhashed)
}

/** RFC 9580 §6.2, without the checksum, which is no longer to be relied on. */
function dearmor(text: string): Buffer | undefined {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const [start, blank, stop] = [lines.indexOf(begin), lines.indexOf(''), lines.indexOf(end)]
  if (start !== 0 || blank < 0 || stop < blank) return undefined
  const base64 = lines.slice(blank + 1, stop).filter((line) => !line.startsWith('='))
  return base64.every((line) => /^[A-Za-z0-9+/]+={0,2}$/.test(line)) ? Buffer.from(base64.join(''), 'base64') : undefined
}

/** What the first packet holds, when it is a signature. RFC 9580 §4.2. */
function signatureBody(bytes: Buffer): Buffer | undefined {
  const [header = 0, first] = bytes
  if ((header & 0x40) === 0) {
    const lengthBytes = 1 << (header & 3)
    if ((header & 0x80) === 0 || ((header >> 2) & 15) !== SIGNATURE_PACKET || lengthBytes === 8) return undefined
    return bytes.subarray(1 + lengthBytes, 1 + lengthBytes + numberAt(bytes, 1, lengthBytes))
  }
  if ((header & 0x80) === 0 || (header & 63) !== SIGNATURE_PACKET || first === undefined) return undefined
  const { length, at } = lengthAt(bytes, 1)
  return bytes.subarray(at, at + length)
}

function issuerIn(subpackets: Buffer): string | undefined {
  for (let next = 0, count = 0; next < subpackets.length && count < MAX_SUBPACKETS; count++) {
    const { length, at } = lengthAt(subpackets, next)
    const type = (subpackets[at] as number) & 0x7f
    const value = subpackets.subarray(at + 1, at + length)
    if (type === ISSUER_KEY_ID && value.length === 8) return idOf(value)
    if (type === ISSUER_FINGERPRINT && value.length === 21) return idOf(value.subarray(13))
    if (type === ISSUER_FINGERPRINT && value.length === 33) return idOf(value.subarray(1, 9))
    next = at + Math.max(1, length)
  }
  return undefined
}

/** A length of one, two or five octets, and where what it measures begins. RFC 9580 §4.2.1, §5.2.3.7. */
function lengthAt(bytes: Buffer, at: number): { length: number; at: number } {
  const first = bytes[at] as number
  if (first < 192) return { length: first, at: at + 1 }
  if (first < 255) return { length: ((first - 192) << 8) + numberAt(bytes, at + 1, 1) + 192, at: at + 2 }
  return { length: numberAt(bytes, at + 1, 4), at: at + 5 }
}

/** 0 where the bytes end before it does. */
function numberAt(bytes: Buffer, at: number, size: number): number {
  return at + size <= bytes.length ? bytes.readUIntBE(at, size) : 0
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase()
}
