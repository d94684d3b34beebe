import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { writeLetter } from '#outbound/mail/index.ts'

/** Tells an account, by mail, that what it asks for at sign-in was changed; in the transaction that changes it. @param what a sentence */
export function mailNotice({ mail, rootUrl }: Pick<Context, 'mail' | 'rootUrl'>, tx: Tx, user: UserRow, what: string): void {
  const url = new URL('user/settings/security', rootUrl)
  mail.queue(tx, user, writeLetter('securityChanged', { host: url.host, user: user.name, what, link: url }))
}
