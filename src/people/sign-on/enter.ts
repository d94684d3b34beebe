import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { enter } from '#people/second-factors/index.ts'
import { seeOther, type Visit } from '#web/index.ts'
import type { OAuthSource } from './recognise.ts'

/** Signs the browser in to the account of whom the source has shown; the account's second factor is asked for first, unless the source stands for that, too. */
export function enterBy(context: Context, visit: Visit, request: Request, source: OAuthSource, user: UserRow, returnTo: string): Response {
  if (!source.skipsLocalTwoFactor) return enter(context, visit, request, user, returnTo)
  return seeOther(visit.below(returnTo), { 'Set-Cookie': context.authenticator.sessions.begin(user, request) })
}
