import type { AccessTokenSource, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { Busy } from '#kernel/errors.ts'
import { apiGrantOf } from './scopes.ts'
import { digestOf, isSecret } from './secrets.ts'
import { touchGrant } from './store.ts'
import { findAccessTokenHolder } from './token-store.ts'

/** `last_used_at` is for people: a minute's precision spares a write for each request. */
const TOUCH_SECONDS = 60

/** Tokens that applications have got; they end with the grant, in that moment. */
export class ApplicationTokens implements AccessTokenSource {
  readonly #context: Pick<Context, 'config' | 'db' | 'clock'>

  constructor(context: Pick<Context, 'config' | 'db' | 'clock'>) {
    this.#context = context
  }

  find(token: string): Viewer | undefined {
    const { config, db, clock } = this.#context
    if (!config.oauth2.ENABLED || !isSecret('access', token)) return undefined
    const digest = digestOf(token)
    const user = findAccessTokenHolder(db, digest)
    const now = clock.seconds()
    if (!user || user.expires_at <= now) return undefined
    this.#touch(user.grant_id, user.last_used_at ?? 0, now)
    const holds = (db: Db) => findAccessTokenHolder(db, digest) !== undefined
    return { user, grant: apiGrantOf(user.scope), via: 'token', queryToken: false, holds }
  }

  /** A request that only reads is not refused because another process writes: the next one notes it. */
  #touch(grantId: number, lastUsed: number, now: number): void {
    const { db } = this.#context
    if (now - lastUsed <= TOUCH_SECONDS || db.isContended) return
    try {
      db.tx((tx) => touchGrant(tx, grantId, now))
    } catch (error) {
      if (!(error instanceof Busy)) throw error
    }
  }
}
