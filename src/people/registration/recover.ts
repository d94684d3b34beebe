import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { LinkOver, NotFound, Problem, Unauthorized } from '#kernel/errors.ts'
import { writeLetter } from '#outbound/mail/index.ts'
import { countFactors, takeRecoveryCode } from '#people/second-factors/index.ts'
import { findSourceRow } from '#people/sources/index.ts'
import { hashNewPassword, userStore } from '#people/users/index.ts'
import { getCode, makeCode } from './mail-codes.ts'
import { hasOwnPassword } from './rules.ts'
import { countRequests, deleteCode, deleteRequest, findRequest, insertRequest } from './store.ts'

/** So many can wait to be looked up, which takes moments. */
const MOST_REQUESTS = 1000

/** Notes that somebody wants a new password for the account of this address, if there is one. @throws NotFound while no mail is sent; Problem 503 */
export function requestRecovery(context: Context, email: string): void {
  if (!context.mail.isOn) throw new NotFound('This server does not send email. Ask a site administrator to reset your password.')
  context.db.tx((tx) => {
    if (countRequests(tx) >= MOST_REQUESTS)
      throw new Problem(503, 'Too many password reset requests. Try again in a minute.', { headers: { 'Retry-After': '60' } })
    insertRequest(tx, email)
    tx.onCommit(() => context.tasks.later(0, 'recover_accounts', () => answerRequests(context)))
  })
}

/** Mails who asked for a new password and has an account. */
export async function answerRequests(context: Context): Promise<void> {
  for (let request = findRequest(context.db); request; request = findRequest(context.db)) {
    const { id, email } = request
    context.db.tx((tx) => {
      deleteRequest(tx, id)
      const user = accessStore.findUserByEmail(tx, email)
      if (user?.kind === 'person' && user.is_active === 1 && user.prohibit_login === 0) mailRecovery(context, tx, user, email)
    })
    await Bun.sleep(0)
  }
}

/** @param address one of the account's, confirmed: what was typed may be spelled otherwise */
function mailRecovery(context: Context, tx: Tx, user: UserRow, address: string): void {
  const own = userStore.findEmail(tx, user.id, address)?.email
  const letter = hasOwnPassword(user) ? makeCode(context, tx, user, 'reset') : elsewhere(context, tx, user)
  if (letter && own !== undefined) context.mail.queue(tx, user, letter, { address: own })
}

function elsewhere({ rootUrl }: Pick<Context, 'rootUrl'>, tx: Tx, user: UserRow) {
  const source = findSourceRow(tx, user.login_source)?.name ?? 'an external authentication source'
  return writeLetter('passwordElsewhere', { host: new URL(rootUrl).host, user: user.name, source })
}

/** Who a link gives a new password to, and whether a code of their app is asked for. @throws NotFound */
export function findRecovery(context: Pick<Context, 'config' | 'db' | 'clock'>, code: string): { user: UserRow; asksCode: boolean } {
  const { user } = getCode(context, context.db, 'reset', code)
  if (user.is_active === 0 || !hasOwnPassword(user)) throw new LinkOver()
  return { user, asksCode: countFactors(context.db, user.id).totp > 0 }
}

interface NewPassword {
  code: string
  password: string
  /** Of the app, or a recovery code; asked for where the account has an app. */
  factor: string
}

/**
 * Gives an account a new password, for the code from its mailbox and, where there is one, its second factor: a mailbox alone is not enough then.
 * All its sessions end.
 * @throws NotFound; Unprocessable for a short password; Unauthorized for a wrong factor; Problem 429
 */
export async function recover(context: Context, request: Request, { code, password, factor }: NewPassword): Promise<UserRow> {
  const { user, asksCode } = findRecovery(context, code)
  const isAppCode = asksCode && /^\s*\d{3}\s?\d{3}\s*$/.test(factor)
  const counted = asksCode && !isAppCode ? context.authenticator.beginCode(user, request) : undefined
  const passwordHash = await hashNewPassword(context, password)
  if (isAppCode && !(await context.authenticator.checkCode(user, factor, request))) throw wrongFactor()
  return context.db.tx((tx) => {
    const { row } = getCode(context, tx, 'reset', code)
    if (asksCode && !isAppCode && !takeRecoveryCode(tx, user, factor)) throw wrongFactor()
    if (counted) tx.onCommit(counted.succeeded)
    if (!deleteCode(tx, row.digest)) throw new LinkOver('This link was already used.')
    userStore.updateUser(tx, user.id, { password_hash: passwordHash, must_change_password: 0, updated_at: context.clock.seconds() })
    return accessStore.findUserById(tx, user.id) as UserRow
  })
}

function wrongFactor(): Unauthorized {
  return new Unauthorized('The two-factor code is incorrect or was already used.')
}
