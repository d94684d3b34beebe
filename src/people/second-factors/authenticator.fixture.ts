import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a page asks of a key, as its script reads it. */
export interface AskedOptions {
  challenge: string
  /** In what makes a key. */
  rp?: { id: string }
  user?: { id: string; name: string }
  excludeCredentials?: { id: string }[]
  pubKeyCredParams?: { alg: number }[]
  /** In what has one sign. */
  rpId?: string
  allowCredentials?: { id: string }[]
  userVerification?: string
}

/** What a page's form asks of a key, and what it sends beside the answer. */
export interface Ceremony {
  options: AskedOptions
  challenge: string
  /** Where the form is sent. */
  address: string
}

/** The first one in a page, as its script reads it; without members where there is none. */
export function ceremonyIn(page: string): Ceremony {
  const options = /data-options="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  const [, address = ''] = /action="([^"]*)" data-ceremony/.exec(page) ?? []
  return { options: JSON.parse(options), challenge: /name="challenge" value="([^"]*)"/.exec(page)?.[1] ?? '', address }
}

/** What of an answer is made otherwise than it should be. */
export interface Forgery {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  topOrigin?: string
  /** Authenticator data's flags: 1 present, 4 verified, 64 with a new key. */
  flags?: number
  counter?: number
  /** Signs with this in place of the key. */
  privateKey?: KeyObject
  /** What the answer says that the key is called. */
  id?: string
  userHandle?: string | null
  /** Members of the public key in place of its own, as COSE numbers them. */
  cose?: [number, unknown][]
  /** A statement in place of none. */
  statement?: { fmt: string; attStmt: Map<unknown, unknown> }
}

type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384'

interface Credential {
  id: string
  rpId: string
  handle: string
  privateKey: KeyObject
  algorithm: Algorithm
  counter: number
}

/**
 * An authenticator and the browser around it, written after W3C's Web Authentication, level 3, and nothing of the library's. It does what
 * it is told, also what no browser would.
 */
export class SoftwareAuthenticator {
  readonly origin: string
  readonly #algorithm: Algorithm
  /** Newest first. */
  readonly credentials: Credential[] = []

  constructor(origin = 'http://localhost', algorithm: Algorithm = 'ES256') {
    this.origin = origin
    this.#algorithm = algorithm
  }

  /** What `navigator.credentials.create` answers, as JSON. */
  create(options: AskedOptions, forgery: Forgery = {}): string {
    const { privateKey, publicKey } = makePair(this.#algorithm)
    const rpId = options.rp?.id ?? ''
    const id = randomBytes(32)
    this.credentials.unshift({ id: id.toString('base64url'), rpId, handle: options.user?.id ?? '', privateKey, algorithm: this.#algorithm, counter: 0 })
    const made = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      encodeCbor(new Map([...coseKeyOf(publicKey, this.#algorithm), ...(forgery.cose ?? [])])),
    ])
    const authData = Buffer.concat([dataOf(forgery.rpId ?? rpId, forgery.flags ?? 0x45, forgery.counter ?? 0), made])
    const { fmt, attStmt } = forgery.statement ?? { fmt: 'none', attStmt: new Map() }
    const attestationObject = encodeCbor(new Map<unknown, unknown>(Object.entries({ fmt, attStmt, authData })))
    return this.#answer(forgery.id ?? id.toString('base64url'), {
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, forgery),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['usb', 'internal'],
    })
  }

  /** What `navigator.credentials.get` answers, as JSON. */
  get(options: AskedOptions, forgery: Forgery = {}, credential = this.credentials[0]): string {
    if (!credential) throw new Error('The authenticator has no key')
    credential.counter++
    const authData = dataOf(forgery.rpId ?? options.rpId ?? '', forgery.flags ?? 0x05, forgery.counter ?? credential.counter)
    const clientData = this.#clientData('webauthn.get', options.challenge, forgery)
    const signed = Buffer.concat([authData, createHash('sha256').update(Buffer.from(clientData, 'base64url')).digest()])
    const signature = sign(hashOf[credential.algorithm], signed, forgery.privateKey ?? credential.privateKey)
    return this.#answer(forgery.id ?? credential.id, {
      clientDataJSON: clientData,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: forgery.userHandle === undefined ? credential.handle : forgery.userHandle,
    })
  }

  #clientData(type: string, challenge: string, { crossOrigin = false, topOrigin, ...forgery }: Forgery): string {
    const data = { type: forgery.type ?? type, challenge: forgery.challenge ?? challenge, origin: forgery.origin ?? this.origin, crossOrigin, topOrigin }
    return Buffer.from(JSON.stringify(data)).toString('base64url')
  }

  #answer(id: string, response: Record<string, unknown>): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}

/** Section 6.1. */
function dataOf(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest[0] = flags
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

const hashOf = { ES256: 'sha256', EdDSA: null, RS256: 'sha256', ES384: 'sha384' } as const

function makePair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  return generateKeyPairSync('ec', { namedCurve: algorithm === 'ES256' ? 'P-256' : 'P-384' })
}

/** RFC 9053, section 7; the numbers are of IANA's COSE registry. */
function coseKeyOf(key: KeyObject, algorithm: Algorithm): Map<unknown, unknown> {
  const jwk = key.export({ format: 'jwk' })
  const bytes = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(jwk[name] as string, 'base64url')
  if (algorithm === 'EdDSA')
    return new Map<unknown, unknown>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes('x')],
    ])
  if (algorithm === 'RS256')
    return new Map<unknown, unknown>([
      [1, 3],
      [3, -257],
      [-1, bytes('n')],
      [-2, bytes('e')],
    ])
  const [alg, curve] = algorithm === 'ES256' ? [-7, 1] : [-35, 2]
  return new Map<unknown, unknown>([
    [1, 2],
    [3, alg],
    [-1, curve],
    [-2, bytes('x')],
    [-3, bytes('y')],
  ])
}

/** RFC 8949, as far as authenticators need it: integers, byte and text strings, lists, maps. */
export function encodeCbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(encodeCbor)])
  throw new Error(`Cannot encode ${typeof value}`)
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
