import { covers, type Grant, isSiteAdmin, type UserRow, type Viewer } from '#access/index.ts'
import { Forbidden } from '#kernel/errors.ts'

/** As whom a list of accounts is seen: administrators see all of them, a token for public things what visitors see. */
export function viewpointOf(viewer: Viewer): 'all' | UserRow | undefined {
  if (viewer.grant?.publicOnly) return undefined
  return isSiteAdmin(viewer) ? 'all' : viewer.user
}

/** Whether an account that the viewer creates may have the name of a deleted one. A token needs the scope of administration. */
export function mayReleaseNames(viewer: Viewer): boolean {
  return isSiteAdmin(viewer) && (viewer.grant === undefined || covers(viewer.grant, 'write:admin'))
}

/**
 * @param scopes of a token that the token of `maker` asks for
 * @param repoIds that it is limited to
 * @throws Forbidden when it could do more than its maker
 */
export function refuseWider(maker: Grant, scopes: string, repoIds?: readonly number[]): void {
  if (!covers(maker, scopes, repoIds)) throw new Forbidden('A token cannot create a token with more access than it has. Sign in with your password instead.')
}
