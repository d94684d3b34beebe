import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { seeOther, type Visit } from '#web/index.ts'
import { HalfSignIns } from './half-signed-in.ts'

/**
 * What follows when somebody has shown at a browser whose account is theirs, by its password or by what stands for it: the browser is
 * signed in, or asked for the second factor first.
 * @param redirectTo a path of ours (`safeReturn`)
 * @param asks whether the second factor is asked for; absent: unless the source that the account comes from does without
 * @throws Forbidden when the account may not sign in
 */
export function enter(
  context: Pick<Context, 'authenticator' | 'services'>,
  visit: Visit,
  request: Request,
  user: UserRow,
  redirectTo: string,
  asks?: boolean,
): Response {
  const { authenticator, services } = context
  authenticator.refuseBarred(user)
  if (!(asks ?? authenticator.asksSecondFactor(user))) return seeOther(visit.below(redirectTo), { 'Set-Cookie': authenticator.sessions.begin(user, request) })
  return seeOther(visit.to`/user/two_factor`, { 'Set-Cookie': services.get(HalfSignIns).begin(user, redirectTo) })
}
