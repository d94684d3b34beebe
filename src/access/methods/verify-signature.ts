import type { Config } from '#config.ts'
import { type BodyDigest, expectDigest } from '#kernel/bodies/request-body.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import { Unauthorized } from '#kernel/errors.ts'
import { fingerprintOf, parseSshKey, type SshKey } from '#kernel/ssh-key.ts'
import { findPersonalKey, findPrincipal, touchKey } from '../keys-store.ts'
import { mayBePrincipal } from '../principals.ts'
import { categories, type Grant, parseGrant } from '../scopes.ts'
import { findUserById } from '../store.ts'
import type { Viewer } from '../viewer.ts'
import { isSignedRaw } from './raw-signature.ts'
import { parseSignature, type SignatureParams, signingTexts } from './signature-header.ts'
import { getCertificate } from './ssh-certificate.ts'
import { UsedSignatures } from './used-signatures.ts'

/** How long a signature lives, whatever it says, and how far clocks may be apart. */
const LIFE_SECONDS = 10
const SKEW_SECONDS = 30
const TOUCH_SECONDS = 60

const hashes = { 'sha-256': { hash: 'sha256', size: 32 }, 'sha-512': { hash: 'sha512', size: 64 } } as const

/** Whose signature it is. */
interface Holder {
  table: 'public_key' | 'key_principal'
  row: { id: number; user_id: number; last_used_at: number | null }
  key: SshKey
  /** What tells the key apart from others. */
  name: string
  grant: Grant | undefined
}

/** Checks signatures of requests; loaded with the first one. */
export class SignatureVerifier {
  readonly #parts: { db: Database; config: Config; clock: Clock }
  readonly #since: number
  readonly #used: UsedSignatures
  readonly #authorities: readonly Buffer[]
  readonly #rootPath: string
  /** Whose signature holds: the gate asks again after a slow body, when it may be over. */
  readonly #proven = new WeakMap<Request, string>()

  /** @param since seconds since the epoch: signatures that are older may have been used already */
  constructor(parts: { db: Database; config: Config; clock: Clock }, since: number) {
    this.#parts = parts
    this.#since = since
    this.#used = new UsedSignatures(parts.clock)
    this.#authorities = parts.config.server.SSH_TRUSTED_USER_CA_KEYS.map((line) => Buffer.from(line.split(/\s+/)[1] ?? '', 'base64'))
    this.#rootPath = (URL.parse(parts.config.server.ROOT_URL)?.pathname ?? '').replace(/\/+$/, '')
  }

  /**
   * @param text of the signature
   * @param address whom the request came from
   * @throws Unauthorized when anything about it is wrong; Problem 429 when there are too many
   */
  viewerOf(request: Request, text: string, address: string): Viewer {
    const params = parseSignature(text)
    const holder = this.#holderOf(request, params, address)
    if (this.#proven.get(request) !== holder.name) this.#prove(request, params, holder)
    const user = findUserById(this.#parts.db, holder.row.user_id)
    if (user?.kind !== 'person') throw wrong('no account has this key')
    this.#touch(holder)
    return { user, grant: holder.grant, via: 'signature', queryToken: false }
  }

  #prove(request: Request, params: SignatureParams, { key, name }: Holder): void {
    requireCovered(request, params)
    const until = this.#lifeOf(request, params)
    const digest = digestIn(request, params)
    const signed = signingTexts(request, params, this.#rootPath).find((one) => isSignedRaw(key, params.algorithm, one, params.signature))
    if (signed === undefined) throw wrong('it does not match the request and the key')
    this.#used.use(name, signed, until)
    if (digest) expectDigest(request, digest)
    this.#proven.set(request, name)
  }

  #holderOf({ headers }: Request, { keyId, covered }: SignatureParams, address: string): Holder {
    const certificate = headers.get('x-ssh-certificate')
    if (certificate === null) return this.#keyHolder(keyId)
    if (!covered.includes('x-ssh-certificate')) throw wrong('x-ssh-certificate must be signed')
    return this.#certified(certificate, address)
  }

  #keyHolder(fingerprint: string): Holder {
    const row = findPersonalKey(this.#parts.db, fingerprint)
    const blob = Buffer.from(row?.content.split(' ')[1] ?? '', 'base64')
    const key = parseSshKey(blob)
    if (!row || !key || key.application) throw wrong('no account has this key')
    return { table: 'public_key', row, key, name: fingerprint, grant: row.is_read_only === 1 ? readOnly() : undefined }
  }

  #certified(header: string, address: string): Holder {
    const { config, db, clock } = this.#parts
    if (this.#authorities.length === 0)
      throw new Unauthorized('SSH certificates are not accepted: the server trusts no certificate authority (server.SSH_TRUSTED_USER_CA_KEYS).')
    const { key, principals } = getCertificate(header, { authorities: this.#authorities, now: clock.seconds(), address })
    const name = fingerprintOf(key.key.export({ type: 'spki', format: 'der' }))
    for (const principal of principals) {
      const row = findPrincipal(db, principal)
      const user = row && findUserById(db, row.user_id)
      // Names and addresses go to others: who had one has it no more.
      if (row && user && mayBePrincipal(config, db, user, principal)) return { table: 'key_principal', row, key, name, grant: undefined }
    }
    throw wrong('no account matches a principal of the certificate')
  }

  /** @returns until when it could be used again. @throws Unauthorized when it is over, or not begun */
  #lifeOf({ headers }: Request, { created, expires, covered }: SignatureParams): number {
    const now = this.#parts.clock.seconds()
    const date = Date.parse(headers.get('date') ?? '') / 1000
    const from = covered.includes('(created)') ? Number(created) : covered.includes('date') ? date : Number.NaN
    const end = Math.min(from + LIFE_SECONDS, covered.includes('(expires)') ? Number(expires) : Number.POSITIVE_INFINITY)
    if (!Number.isFinite(from)) throw wrong('(created) must be signed')
    if (from > now + SKEW_SECONDS || end < now - SKEW_SECONDS || end < from) throw wrong(`it has expired or is not valid yet; the server time is ${now}`)
    if (from < this.#since) throw wrong('it was created before the server started')
    return end + SKEW_SECONDS
  }

  #touch({ table, row }: Holder): void {
    const { db, clock } = this.#parts
    const now = clock.seconds()
    if (now - (row.last_used_at ?? 0) > TOUCH_SECONDS) db.note((tx) => touchKey(tx, table, row.id, now))
  }
}

/** What decides about a request must be signed, or anyone on the way could change it. @throws Unauthorized */
function requireCovered({ headers, body }: Request, { covered }: SignatureParams): void {
  const needed = ['(request-target)', ...(headers.has('sudo') ? ['sudo'] : []), ...(body ? ['digest'] : [])]
  const missing = needed.find((name) => !covered.includes(name))
  if (missing) throw wrong(`${missing} must be signed`)
}

/** RFC 3230, and RFC 5843 for the names. */
function digestIn({ headers }: Request, { covered }: SignatureParams): BodyDigest | undefined {
  if (!covered.includes('digest')) return undefined
  for (const item of (headers.get('digest') ?? '').split(',')) {
    const [, name = '', value = ''] = /^\s*([A-Za-z0-9-]+)=([A-Za-z0-9+/]+={0,2})\s*$/.exec(item) ?? []
    const known = hashes[name.toLowerCase() as keyof typeof hashes]
    const bytes = Buffer.from(value, 'base64')
    if (known && bytes.length === known.size) return { hash: known.hash, value: bytes }
  }
  throw wrong('the Digest header has no valid SHA-256 or SHA-512 digest')
}

function readOnly(): Grant {
  return parseGrant(categories.map((category) => `read:${category}`).join(','))
}

function wrong(reason: string): Unauthorized {
  return new Unauthorized(`Cannot verify the request signature: ${reason}`)
}
