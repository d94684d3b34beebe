import type { Key, PublicKey, SignaturePacket, Subkey } from 'openpgp'
import type { KeyPart, ReadKey } from './job.ts'

/** Large, so it is loaded when first needed, and only in the thread. */
const library = () => import('openpgp')

const MAX_IDENTITIES = 64
const MAX_SUBKEYS = 64
const MIN_RSA_BITS = 2048
const MAX_RSA_BITS = 8192
/** In bytes; larger public exponents are nobody's, and slow. */
const MAX_EXPONENT = 4
const MAX_EMAIL = 254
/** Source: RFC 9580 §5.2.3.29. */
const flags = { certify: 1, sign: 2, encryptComms: 4, encryptStorage: 8 }
const weak: readonly string[] = ['dsa', 'elgamal', 'secp256k1']

/** The library's types leave it out. */
type KeyWithSelf = Key & { getPrimarySelfSignature(date: Date): Promise<SignaturePacket> }

/** Why a key cannot be taken; safe to tell. */
export class KeyRefused extends Error {}

/**
 * Reads the one armoured public key in a text; it holds at `now`, in seconds since 1970.
 * @throws KeyRefused for whatever is no such key, for private, weak, expired and revoked ones
 */
export async function readPublicKey(armored: string, now: number): Promise<ReadKey> {
  const key = await readOnlyKey(armored)
  if (key.isPrivate()) throw new KeyRefused('it is a private key, which you must never share; export the public key instead')
  if (key.users.length > MAX_IDENTITIES) throw new KeyRefused(`it has ${key.users.length} identities, the maximum is ${MAX_IDENTITIES}`)
  if (key.subkeys.length > MAX_SUBKEYS) throw new KeyRefused(`it has ${key.subkeys.length} subkeys, the maximum is ${MAX_SUBKEYS}`)
  for (const part of key.getKeys()) refuseUnfit(part, part === key ? 'keys' : 'subkeys')
  await refuseUnusable(key, new Date(now * 1000))
  const self = await (key as KeyWithSelf).getPrimarySelfSignature(new Date(now * 1000))
  const subkeys = await Promise.all(key.subkeys.map(subkeyPart))
  for (const user of key.users) user.otherCertifications = []
  return {
    ...partOf(key, await packetOf(key), self.keyFlags, await key.getExpirationTime()),
    certificate: key.write(),
    emails: await emailsOf(key, new Date(now * 1000)),
    subkeys: subkeys.filter((subkey) => subkey !== undefined),
  }
}

/** A certificate as `readPublicKey` answers it. @throws Error when it is none */
export async function openCertificate(binaryKey: Uint8Array): Promise<Key> {
  const { readKey } = await library()
  return readKey({ binaryKey })
}

/**
 * Whether the armoured text is one signature of these bytes by a key of the certificate that could sign when it was made.
 * What expired since then still counts; what was revoked does not.
 */
export async function isSignedBy(certificate: Key, signature: string, payload: Uint8Array): Promise<boolean> {
  const { createMessage, enums, readSignature, verify } = await library()
  const read = await readSignature({ armoredSignature: signature })
  if (read.packets.length !== 1 || read.packets[0]?.signatureType !== enums.signature.binary) return false
  const { signatures } = await verify({
    message: await createMessage({ binary: payload }),
    signature: read,
    verificationKeys: certificate as PublicKey,
    format: 'binary',
    date: null as unknown as undefined,
    // Each new date of expiry renews a key's own signature: what was signed before that is good all the same.
    config: { allowInsecureVerificationWithReformattedKeys: true },
  })
  const [only, ...more] = signatures
  return only !== undefined && more.length === 0 && (await only.verified)
}

async function readOnlyKey(armoredKeys: string): Promise<Key> {
  const { readKeys } = await library()
  let keys: Key[]
  try {
    keys = await readKeys({ armoredKeys })
  } catch (cause) {
    throw new KeyRefused('it is not an ASCII-armored OpenPGP key; export it with "gpg --armor --export"', { cause })
  }
  const [only, ...more] = keys
  if (only === undefined || more.length > 0) throw new KeyRefused(`it contains ${keys.length} keys; add them one at a time`)
  return only
}

/** Also of subkeys: those that sign are what each commit is checked with. */
function refuseUnfit(key: Key | Subkey, what: 'keys' | 'subkeys'): void {
  const { algorithm, bits, curve } = key.getAlgorithmInfo()
  // Such a subkey can only encrypt.
  if (algorithm === 'elgamal' && what === 'subkeys') return
  const type = curve ?? algorithm
  if (weak.includes(type)) throw new KeyRefused(`${what} of type ${type} are too weak; use an Ed25519 or RSA key`)
  if (bits === undefined) return
  const length = `${what === 'keys' ? 'key' : 'subkey'} length`
  if (bits < MIN_RSA_BITS) throw new KeyRefused(`${length} is not enough: got ${bits}, needs ${MIN_RSA_BITS}`)
  if (bits > MAX_RSA_BITS) throw new KeyRefused(`${length} is too large: got ${bits}, the maximum is ${MAX_RSA_BITS}`)
  const { e } = key.keyPacket.publicParams as { e: Uint8Array }
  if (e.length > MAX_EXPONENT) throw new KeyRefused(`the exponent of ${what} is too large: got ${8 * e.length} bits, the maximum is ${8 * MAX_EXPONENT}`)
}

async function refuseUnusable(key: Key, now: Date): Promise<void> {
  const expiry = await key.getExpirationTime()
  if (expiry instanceof Date && expiry <= now) throw new KeyRefused(`it expired on ${expiry.toISOString()}`)
  if (await key.isRevoked(undefined, undefined, now)) throw new KeyRefused('it was revoked')
  try {
    await key.verifyPrimaryKey(now)
  } catch (cause) {
    throw new KeyRefused('it has no valid self-signature on any of its identities', { cause })
  }
}

/** Its packet alone, with the packet's header. */
async function packetOf({ keyPacket }: Key | Subkey): Promise<Uint8Array> {
  const { PacketList } = await library()
  const packets = new PacketList<typeof keyPacket>()
  packets.push(keyPacket)
  return packets.write()
}

function partOf(key: Key | Subkey, packet: Uint8Array, keyFlags: Uint8Array | null, expiry: Date | typeof Infinity | null): KeyPart {
  // Keys of old say nothing of what they are for.
  const has = (flag: number) => keyFlags === null || ((keyFlags[0] as number) & flag) !== 0
  return {
    keyId: key.getKeyID().toHex().toUpperCase(),
    packet,
    canSign: has(flags.sign),
    canCertify: has(flags.certify),
    canEncryptComms: has(flags.encryptComms),
    canEncryptStorage: has(flags.encryptStorage),
    createdAt: secondsOf(key.getCreationTime()),
    expiresAt: expiry instanceof Date ? secondsOf(expiry) : null,
  }
}

/** Undefined for one that is revoked, or that the primary key does not vouch for. */
async function subkeyPart(subkey: Subkey): Promise<KeyPart | undefined> {
  try {
    const binding: SignaturePacket = await subkey.verify(null as unknown as undefined)
    return partOf(subkey, await packetOf(subkey), binding.keyFlags, await subkey.getExpirationTime())
  } catch {
    return undefined
  }
}

/** Only of identities that the key itself vouches for: anyone can append others to somebody's key. */
async function emailsOf(key: Key, now: Date): Promise<string[]> {
  const vouched = await Promise.all(key.users.map((user) => user.verify(now).catch(() => false)))
  const emails = key.users.filter((_, i) => vouched[i] === true).map(({ userID }) => userID?.email.trim().toLowerCase() ?? '')
  return [...new Set(emails)].filter((email) => email !== '' && email.length <= MAX_EMAIL)
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
