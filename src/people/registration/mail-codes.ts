import { accessStore, credentialOf, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { LinkOver } from '#kernel/errors.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import { type Letter, writeLetter } from '#outbound/mail/index.ts'
import { userStore } from '#people/users/index.ts'
import { type CodeRow, countCodesTo, deleteCodesBefore, findCode, findLastCode, insertCode, type Purpose } from './store.ts'

/** So many letters go to one address while their codes are good, whoever asks for them; then it has peace for some hours. */
const MOST_TO_ADDRESS = 5
/** Nobody gets a second code before so many seconds are over, whatever either is for. */
const PAUSE = 180

type CodeContext = Pick<Context, 'clock' | 'config' | 'mail' | 'rootUrl'>

const kinds = {
  activate: { template: 'activateAccount', path: 'user/activate', minutes: 'ACTIVE_CODE_LIVE_MINUTES' },
  reset: { template: 'resetPassword', path: 'user/recover_account', minutes: 'RESET_PASSWD_CODE_LIVE_MINUTES' },
} as const satisfies Record<Purpose, unknown>

/** A letter with a code for the account, to go to its primary address; undefined when it got one just now. */
export function makeCode({ clock, config, rootUrl }: CodeContext, tx: Tx, user: UserRow, purpose: Purpose): Letter | undefined {
  const now = clock.seconds()
  if (now - (findLastCode(tx, user.id) ?? 0) < PAUSE) return undefined
  deleteCodesBefore(tx, oldestGood(config, now))
  const { template, path, minutes } = kinds[purpose]
  const code = randomHex(20)
  insertCode(tx, { user_id: user.id, purpose, digest: sha256Hex(code), lower_email: user.email.toLowerCase(), credential: credentialOf(user), created_at: now })
  const link = new URL(`${path}?code=${code}`, rootUrl)
  return writeLetter(template, { host: link.host, user: user.name, time: inWords(config.service[minutes]), link })
}

/**
 * Mails who registered an account a code to activate it with. An address that another account has, or had, is sent none, and who has it is told;
 * whoever asks sees no difference.
 * @returns false when a mail was sent just now
 */
export function mailActivation(context: CodeContext, tx: Tx, user: UserRow): boolean {
  const letter = makeCode(context, tx, user, 'activate')
  if (!letter) return false
  if (countCodesTo(tx, user.email, oldestGood(context.config, context.clock.seconds())) > MOST_TO_ADDRESS) return true
  const holder = accessStore.findUserByEmail(tx, user.email)
  if (holder) mailHolder(context, tx, holder, user.email)
  else if (!userStore.isEmailReserved(tx, user.email)) context.mail.queue(tx, user, letter, { address: user.email, isForInactive: true })
  return true
}

function mailHolder({ mail, rootUrl }: CodeContext, tx: Tx, holder: UserRow, address: string): void {
  const link = new URL('user/forgot_password', rootUrl)
  mail.queue(tx, holder, writeLetter('alreadyRegistered', { host: link.host, user: holder.name, link }), { address })
}

/** Whose code it is, as long as the account has the address and the password that it had then. @throws NotFound */
export function getCode({ clock, config }: Pick<Context, 'clock' | 'config'>, db: Db, purpose: Purpose, code: string): { row: CodeRow; user: UserRow } {
  const row = findCode(db, purpose, sha256Hex(code), clock.seconds() - 60 * config.service[kinds[purpose].minutes])
  const user = row && accessStore.findUserById(db, row.user_id)
  const isGood = user !== undefined && user.email.toLowerCase() === row?.lower_email && credentialOf(user) === row.credential
  if (!row || !isGood || user.prohibit_login === 1) throw new LinkOver()
  return { row, user }
}

/** When the oldest code was mailed that may still be good for anything, and for a while nobody is mailed another one. */
function oldestGood({ service }: CodeContext['config'], now: number): number {
  return now - 60 * Math.max(...Object.values(kinds).map((kind) => service[kind.minutes])) - PAUSE
}

/** 180 is `3 hours`, 90 is `90 minutes`. */
function inWords(minutes: number): string {
  return minutes % 60 === 0 ? `${minutes / 60} hour${minutes === 60 ? '' : 's'}` : `${minutes} minute${minutes === 1 ? '' : 's'}`
}
