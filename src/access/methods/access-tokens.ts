import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { type Grant, parseGrant } from '../scopes.ts'
import type { SignInPlugs } from '../sign-in-plugs.ts'
import { findTokenHolder, type TokenHolder, touchToken } from '../store.ts'
import { listTokenRepoIds } from '../token-repos-store.ts'
import type { Viewer } from '../viewer.ts'

/** `last_used_at` is for people: a minute's precision spares a write for each request. */
const TOUCH_SECONDS = 60

const tokenShape = /^[0-9a-f]{40}$/

/** Finds who holds a token, however it was sent. */
export class AccessTokens {
  readonly #db: Database
  readonly #clock: Clock
  readonly #plugs: SignInPlugs

  constructor(db: Database, clock: Clock, plugs: SignInPlugs) {
    this.#db = db
    this.#clock = clock
    this.#plugs = plugs
  }

  /** A promise only where another room waits for something. */
  find(token: string): Viewer | undefined | Promise<Viewer | undefined> {
    return tokenShape.test(token) ? this.#findOwn(token) : this.#findElsewhere(token)
  }

  #findOwn(token: string): Viewer | undefined {
    const user = findTokenHolder(this.#db, sha256Hex(token))
    if (!user) return undefined
    this.#touch(user.token_id, user.last_used_at ?? 0)
    return { user, grant: this.#grantOf(user), via: 'token', tokenId: user.token_id, queryToken: false }
  }

  #grantOf({ token_id, scopes, is_limited }: TokenHolder): Grant {
    const grant = parseGrant(scopes)
    return is_limited === 1 ? { ...grant, repoIds: new Set(listTokenRepoIds(this.#db, token_id)) } : grant
  }

  #findElsewhere(token: string, from = 0): Viewer | undefined | Promise<Viewer | undefined> {
    const source = token === '' ? undefined : this.#plugs.accessTokens[from]
    const found = source?.find(token)
    if (source === undefined) return undefined
    if (found instanceof Promise) return found.then((viewer) => viewer ?? this.#findElsewhere(token, from + 1))
    return found ?? this.#findElsewhere(token, from + 1)
  }

  #touch(tokenId: number, lastUsed: number): void {
    const now = this.#clock.seconds()
    if (now - lastUsed > TOUCH_SECONDS) this.#db.note((tx) => touchToken(tx, tokenId, now))
  }
}
