import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Letter, writeLetter } from '#outbound/mail/index.ts'

/** What an administrator's new account is told when they ask for it. A password is never mailed: whoever set it passes it on. */
export function welcomeLetter({ rootUrl }: Pick<Context, 'rootUrl'>, user: UserRow): Letter {
  const url = new URL(rootUrl)
  return writeLetter('welcome', { host: url.host, name: user.full_name || user.name, user: user.name, signingIn: signingIn(user), link: url })
}

function signingIn({ password_hash, must_change_password }: UserRow): string {
  if (password_hash === '') return 'The account has no password yet. Ask the administrator to set one.'
  const first = must_change_password === 1 ? '. You must choose a new password when you sign in for the first time' : ''
  return `Sign in with the password that you get from the administrator${first}.`
}
