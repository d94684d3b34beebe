import type { Db } from '#kernel/db.ts'
import type { Level } from './levels.ts'
import type { UserRow } from './rows.ts'
import type { Grant } from './scopes.ts'

/** Who is asking, and with what. */
export interface Viewer {
  /** Absent for visitors without credentials. */
  user: UserRow | undefined
  /** The token's grant; absent when no token limits the request (password, anonymous). */
  grant: Grant | undefined
  /** How the viewer proved who they are. `password` is what making tokens asks for. */
  via: 'anonymous' | 'password' | 'token' | 'session' | 'signature' | 'proxy' | 'played'
  /** The row of the token that signs the request, if one does. */
  tokenId?: number
  /** Asks of a token that is in no row of `access_token` whether it still holds, at the end of work that took long. */
  holds?: (db: Db) => boolean
  /** The row of the session that signs the request, if one does. */
  sessionId?: number
  /** Of an account that is made up: what a repository gives it, in place of a collaborator's row (see `PlayedViewers`). */
  plays?: { repoId: number; level: Level }
  /** Set when the credential came in the query string, which is deprecated. */
  queryToken: boolean
}

export const anonymous: Viewer = { user: undefined, grant: undefined, via: 'anonymous', queryToken: false }

/** A token that is limited to repositories takes nothing along of what its holder may do everywhere. */
export function isSiteAdmin(viewer: Viewer): boolean {
  return viewer.user?.is_admin === 1 && viewer.grant?.repoIds === undefined
}

export function isSelf(viewer: Viewer, user: { id: number }): boolean {
  return viewer.user?.id === user.id
}

/** Returns false for an account that is inactive or prohibited from signing in. */
export function maySignIn(user: Pick<UserRow, 'is_active' | 'prohibit_login'>): boolean {
  return user.is_active === 1 && user.prohibit_login === 0
}

/** A signed-in viewer. */
export type Member = Viewer & { user: UserRow }

/** Whose share of a thread's time a viewer's jobs take; all visitors are one. */
export function lineOf({ user }: Viewer): string {
  return String(user?.id ?? 0)
}
