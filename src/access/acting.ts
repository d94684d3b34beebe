import type { Acting } from '#kernel/acting.ts'
import type { Db } from '#kernel/db.ts'
import { grants } from './scopes.ts'
import { findUserById } from './store.ts'
import { anonymous, maySignIn, type Viewer } from './viewer.ts'

/** Returns a list with the viewer alone, or undefined when `actingOf` returns undefined. */
export function actingAlone(viewer: Viewer): Acting[] | undefined {
  const acting = actingOf(viewer)
  return acting && [acting]
}

/** Returns the viewer as an account for which a text may act. Undefined when the credential is unknown or cannot write issues: the text then acts only in its own repository. */
export function actingOf({ user, grant, via }: Viewer): Acting | undefined {
  if (!user || via === 'anonymous' || (grant && !grants(grant, ['issue'], 'write'))) return undefined
  return { userId: user.id, ...(grant?.publicOnly ? { publicOnly: true } : {}), ...(grant?.repoIds ? { repoIds: [...grant.repoIds] } : {}) }
}

/** Returns the accounts as viewers with their present rights, or undefined when one of them may no longer sign in. */
export function actingViewers(db: Db, acting: readonly Acting[]): Viewer[] | undefined {
  const viewers = acting.flatMap(({ userId, publicOnly = false, repoIds }) => {
    const user = findUserById(db, userId)
    if (!user || !maySignIn(user)) return []
    const grant = { all: true, publicOnly, levels: {}, ...(repoIds ? { repoIds: new Set(repoIds) } : {}) }
    return [{ ...anonymous, user, grant }]
  })
  return viewers.length === acting.length ? viewers : undefined
}
