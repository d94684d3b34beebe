import { SessionCookie } from '#access/index.ts'
import type { Context } from '#context.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import { type AttemptRow, deleteEndedAttempts, deleteOldestAttempts, insertAttempt, takeAttempt } from './attempt-store.ts'
import type { AttemptSecrets } from './protocol.ts'

/** How long people may take at the other site. */
const SECONDS = 600
/** Begun from one address at once; the oldest goes. */
const MOST_AT_ONCE = 200

/** Browsers that were sent to another site. Only the one that was sent comes back, only once, and only to the source that sent it. */
export class Attempts {
  readonly #context: Context
  readonly #cookie: SessionCookie

  constructor(context: Context) {
    this.#context = context
    this.#cookie = new SessionCookie(context.config, '_sign_on')
  }

  /** @returns what goes along to the site, and the value of `Set-Cookie` */
  begin(sourceId: number, request: Request, redirectUri: string, returnTo: string): { secrets: AttemptSecrets; cookie: string } {
    const { clients, clock, db } = this.#context
    const secret = randomHex(32)
    const now = clock.seconds()
    const address = clients.of(request)
    db.tx((tx) => {
      deleteEndedAttempts(tx, now)
      insertAttempt(tx, { digest: sha256Hex(secret), source_id: sourceId, address, redirect_uri: redirectUri, return_to: returnTo, expires_at: now + SECONDS })
      deleteOldestAttempts(tx, address, MOST_AT_ONCE)
    })
    return { secrets: secretsOf(secret), cookie: this.#cookie.set(secret, SECONDS) }
  }

  /**
   * The attempt that both the browser's cookie and the state that came back stand for; it is over with that. Undefined when there is
   * none, it was used, or took too long: then a forged state has not ended one that is under way.
   */
  take(request: Request, state: string): { row: AttemptRow; secrets: AttemptSecrets } | undefined {
    const { clock, db } = this.#context
    const secret = this.#cookie.secretIn(request)
    const secrets = secret === undefined ? undefined : secretsOf(secret)
    if (secret === undefined || !secrets || !isSame(secrets.state, state)) return undefined
    const row = db.tx((tx) => takeAttempt(tx, sha256Hex(secret)))
    return row && row.expires_at > clock.seconds() ? { row, secrets } : undefined
  }

  /** The value of `Set-Cookie` that ends it in the browser. */
  clear(): string {
    return this.#cookie.clear()
  }
}

/** What goes to the site tells neither the others nor the cookie. */
function secretsOf(secret: string): AttemptSecrets {
  const derive = (purpose: string) => sha256Hex(`${purpose} ${secret}`)
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/** In a time that tells nothing of where they differ. */
function isSame(expected: string, given: string): boolean {
  return sha256Hex(expected) === sha256Hex(given)
}
