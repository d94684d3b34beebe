import { parseKey } from 'sshpk'
import { Unprocessable } from '#kernel/errors.ts'
import { fingerprintOf, parseSshKey } from '#kernel/ssh-key.ts'

/** Least sizes in bits; a type that is absent is refused. Source: Gitea's `[ssh.minimum_key_sizes]`. */
const leastBits: Record<string, number> = { rsa: 3071, ecdsa: 256, ed25519: 256 }

/** OpenSSH takes no larger RSA key. Source: its `sshbuf.h`, `SSHBUF_MAX_BIGNUM`. */
const MAX_BITS = 16_384

const notOpenSshs = 'OpenSSH does not accept this public key'

export interface ParsedKey {
  /** `type base64 [comment]`. */
  content: string
  /** `SHA256:` and unpadded base64, as `ssh-keygen -l` prints it. */
  fingerprint: string
}

/**
 * A public key as OpenSSH writes it (RFC 4253 §6.6, RFC 5656, RFC 8709; `sk-` types: OpenSSH's PROTOCOL.u2f).
 * @throws Unprocessable when it is no such key, or a weak or outsized one
 */
export function parsePublicKey(text: string): ParsedKey {
  const [type = '', base64 = '', ...comment] = text.trim().split(/[ \t]+/)
  const line = [type, base64, ...comment].join(' ')
  if (/[^\x20-\x7e\u00a0-\u{10ffff}]/u.test(line) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw badKey('expected one line of the form "type base64 comment"')
  const blob = Buffer.from(base64, 'base64')
  if (type.startsWith('sk-')) checkSecurityKey(type, blob)
  else checkKey(`${type} ${base64}`)
  // What is none to who checks signatures lets nobody in: no point on its curve, or something behind it.
  if (!parseSshKey(blob)) throw badKey(notOpenSshs)
  return { content: line, fingerprint: fingerprintOf(blob) }
}

function checkKey(line: string): void {
  let key: { type: string; size: number }
  try {
    key = parseKey(line, 'ssh')
  } catch (cause) {
    throw badKey(notOpenSshs, cause)
  }
  const least = leastBits[key.type]
  if (least === undefined) throw badKey(`key type ${key.type} is not supported`)
  if (key.size < least) throw badKey(`key length is not enough: got ${key.size}, needs ${least}`)
  if (key.size > MAX_BITS) throw badKey(`key length is too large: got ${key.size}, the maximum is ${MAX_BITS}`)
}

/** Keys that live in a FIDO token: `string type, [string curve,] string point, string application`. */
function checkSecurityKey(type: string, blob: Buffer): void {
  const fields = wireStrings(blob)
  const point = fields.at(-2)
  const ed25519 = type === 'sk-ssh-ed25519@openssh.com' && fields.length === 3 && point?.length === 32
  const ecdsa =
    type === 'sk-ecdsa-sha2-nistp256@openssh.com' && fields.length === 4 && fields[1]?.toString() === 'nistp256' && point?.length === 65 && point[0] === 4
  if ((!ed25519 && !ecdsa) || fields[0]?.toString() !== type) throw badKey('OpenSSH does not accept this security key')
}

/** The length-prefixed strings that `blob` consists of. */
function wireStrings(blob: Buffer): Buffer[] {
  const fields: Buffer[] = []
  for (let at = 0; at < blob.length; ) {
    const end = at + 4 + (at + 4 <= blob.length ? blob.readUInt32BE(at) : Number.POSITIVE_INFINITY)
    if (end > blob.length) throw badKey('the key is truncated')
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

function badKey(reason: string, cause?: unknown): Unprocessable {
  return new Unprocessable(`Invalid key content: ${reason}`, { cause })
}
