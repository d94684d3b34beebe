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
  readonly #context: Pick<Context, 'db' | 'clients' | 'clock'>
  readonly #cookie: SessionCookie

  constructor(context: Context) {
    this.#context = context
    this.#cookie = new SessionCookie(context.config, '_sign_on')
  }

  /**
   * A browser keeps its cookie while it has one: what another of its tabs has begun can still be finished.
   * @returns what goes along to the site, and the value of `Set-Cookie`
   */
  begin(sourceId: number, request: Request, redirectUri: string, returnTo: string): { secrets: AttemptSecrets; cookie: string } {
    const { clients, clock, db } = this.#context
    const [secret, state] = [this.#cookie.secretIn(request) ?? randomHex(32), randomHex(32)]
    const now = clock.seconds()
    const address = clients.of(request)
    const row = { digest: digestOf(secret, state), source_id: sourceId, address, redirect_uri: redirectUri, return_to: returnTo, expires_at: now + SECONDS }
    db.tx((tx) => {
      deleteEndedAttempts(tx, now)
      insertAttempt(tx, row)
      deleteOldestAttempts(tx, address, MOST_AT_ONCE)
    })
    return { secrets: secretsOf(secret, state), cookie: this.#cookie.set(secret, SECONDS) }
  }

  /** The attempt that the browser's cookie and the state stand for together; it is over with that. Undefined when there is none, it was used, or took too long. */
  take(request: Request, state: string): { row: AttemptRow; secrets: AttemptSecrets } | undefined {
    const { clock, db } = this.#context
    const secret = this.#cookie.secretIn(request)
    const row = secret === undefined ? undefined : db.tx((tx) => takeAttempt(tx, digestOf(secret, state)))
    return secret !== undefined && row && row.expires_at > clock.seconds() ? { row, secrets: secretsOf(secret, state) } : undefined
  }
}

function digestOf(secret: string, state: string): string {
  return sha256Hex(`${secret} ${state}`)
}

/** What goes to the site tells neither what does not, nor the cookie. */
function secretsOf(secret: string, state: string): AttemptSecrets {
  const derive = (purpose: string) => sha256Hex(`${purpose} ${secret} ${state}`)
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}
