import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { oneLine, writeLetter } from '#outbound/mail/index.ts'

/** Tells an account, by mail, that what it asks for at sign-in was changed; in the transaction that changes it. @param what a sentence */
export function mailNotice({ mail, rootUrl }: Pick<Context, 'mail' | 'rootUrl'>, tx: Tx, user: UserRow, what: string): void {
  const url = new URL('user/settings/security', rootUrl)
  const letter = writeLetter(`The security of your account at ${url.host} was changed`, [
    `About the account ${oneLine(user.name)} at ${url.host}: ${oneLine(what)}`,
    'If this was you, nothing is left to do. If it was not, change your password, and look at what else was changed:',
    url,
  ])
  mail.queue(tx, user, letter)
}
