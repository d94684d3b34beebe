import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { enter } from '#people/second-factors/index.ts'
import type { Visit } from '#web/index.ts'
import type { OAuthSource } from './recognise.ts'

/**
 * Signs the browser in to the account of whom the source has shown. The account's second factor is asked for first, unless this source
 * stands for that, too; whether the one does that the account comes from is another matter.
 */
export function enterBy(
  context: Pick<Context, 'authenticator' | 'services'>,
  visit: Visit,
  request: Request,
  source: OAuthSource,
  user: UserRow,
  returnTo: string,
): Response {
  const isEnrolled = context.authenticator.plugs.secondFactors.isEnrolled(user)
  return enter(context, visit, request, user, returnTo, isEnrolled && !source.skipsLocalTwoFactor)
}
