import { SessionCookie } from '#access/index.ts'
import type { Context } from '#context.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import { findSource } from '#people/sources/index.ts'
import { deleteEndedNewcomers, deleteOldestNewcomers, findNewcomer, insertNewcomer } from './attempt-store.ts'
import type { ExternalIdentity } from './protocol.ts'
import type { OAuthSource } from './recognise.ts'

/** How long people may take to say whose account they have. */
const SECONDS = 900
/** Of one source at once; the oldest goes. */
const MOST_AT_ONCE = 1000
const PURPOSE = 'sign-on newcomer'

export interface Newcomer {
  digest: string
  source: OAuthSource
  identity: ExternalIdentity
  /** Why they are asked; may be empty. */
  note: string
  returnTo: string
}

/** Browsers at which another site has shown who is there, and no account here is known to be theirs. */
export class Newcomers {
  readonly #context: Context
  readonly #cookie: SessionCookie

  constructor(context: Context) {
    this.#context = context
    this.#cookie = new SessionCookie(context.config, '_newcomer')
  }

  /** @returns the value of `Set-Cookie` */
  begin(source: OAuthSource, identity: ExternalIdentity, returnTo: string, note: string): string {
    const { clock, db, secrets } = this.#context
    const secret = randomHex(32)
    const now = clock.seconds()
    const sealed = secrets.seal(JSON.stringify(identity), PURPOSE)
    db.tx((tx) => {
      deleteEndedNewcomers(tx, now)
      insertNewcomer(tx, { digest: sha256Hex(secret), source_id: source.id, identity: sealed, note, return_to: returnTo, expires_at: now + SECONDS })
      deleteOldestNewcomers(tx, source.id, MOST_AT_ONCE)
    })
    return this.#cookie.set(secret, SECONDS)
  }

  /** The one at the request's browser; undefined when there is none, it is over, or the source is not in use any more. */
  find(request: Request): Newcomer | undefined {
    const { clock, db, secrets } = this.#context
    const secret = this.#cookie.secretIn(request)
    const row = secret === undefined ? undefined : findNewcomer(db, sha256Hex(secret), clock.seconds())
    const source = row && findSource(this.#context, row.source_id)
    if (!row || source?.kind !== 'oauth2' || !source.isActive) return undefined
    return { digest: row.digest, source, identity: JSON.parse(secrets.open(row.identity, PURPOSE)), note: row.note, returnTo: row.return_to }
  }

  /** The value of `Set-Cookie` that ends it in the browser. */
  clear(): string {
    return this.#cookie.clear()
  }
}
