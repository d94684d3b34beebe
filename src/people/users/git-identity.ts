import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Ident } from '#git/objects/ident.ts'
import { placeholderEmail } from './view.ts'

/** Who a commit says to be by when the person makes it here, now. */
export function gitIdentity({ clock, rootUrl }: Pick<Context, 'clock' | 'rootUrl'>, user: UserRow): Ident {
  const email = user.hide_email === 1 ? placeholderEmail(user, rootUrl) : user.email
  return { name: user.full_name || user.name, email, seconds: clock.seconds(), zone: '+0000' }
}
