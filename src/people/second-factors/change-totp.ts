import { recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { SecretLost } from '#kernel/secret-box.ts'
import { mailNotice } from './factor-letters.ts'
import { firstRecoveryCodes } from './recovery-codes.ts'
import { openNote, sealNote } from './sealed-note.ts'
import { countFactors, deleteTotp, findTotp, insertTotp, takeStep } from './store.ts'
import { forgetWithLast } from './take-away.ts'
import { addressOf, makeSecret, stepOf } from './totp.ts'

/** How long an offered secret can be confirmed, in seconds. */
const OFFER_SECONDS = 3600

/** A secret that an account may share with an app, once it shows that it does. */
export interface TotpOffer {
  /** Base32, for who types it. */
  secret: string
  /** `otpauth://totp/…`, for who scans it. */
  address: string
  /** The same sealed, for the form that confirms it: nothing is stored before. */
  sealed: string
}

export async function offerTotp(context: Pick<Context, 'secrets' | 'clock'>, user: UserRow, host: string): Promise<TotpOffer> {
  const secret = await makeSecret()
  const sealed = sealNote(context, secret, offerOf(user), OFFER_SECONDS)
  return describeOffer(user, host, secret, sealed)
}

/** The offer that a form brings back. @throws Unprocessable when it is too old, or not the account's */
export function reopenOffer(context: Pick<Context, 'secrets' | 'clock'>, user: UserRow, host: string, sealed: string): Promise<TotpOffer> {
  return describeOffer(user, host, offeredSecret(context, user, sealed), sealed)
}

/**
 * Has the account ask for codes from now on, if the given one shows that the app makes them.
 * @param sealed of an offer
 * @returns recovery codes for the one time that they are shown; none when the account has some
 * @throws Unprocessable when the code is wrong, or the offer too old; Conflict when the account has an app
 */
export async function confirmTotp(context: Context, user: UserRow, sealed: string, code: string): Promise<string[]> {
  const secret = offeredSecret(context, user, sealed)
  const now = context.clock.seconds()
  const step = await stepOf(secret, code, now)
  if (step === undefined)
    throw new Unprocessable('The code is incorrect. Check that the clocks of your device and the server are right, then enter the next code.')
  const kept = context.secrets.seal(secret, secretOf(user))
  return context.db.tx((tx) => {
    recheckAccount(tx, user)
    if (findTotp(tx, user.id)) throw new Conflict('The account already has an authenticator app.')
    insertTotp(tx, { user_id: user.id, secret: kept, last_step: step, created_at: now })
    mailNotice(context, tx, user, 'An authenticator app was added. Sign-in now requires a code from it or another second factor.')
    return firstRecoveryCodes(tx, user)
  })
}

/** Whether a code is one of the account's app; each is right once. Of two who bring it at the same moment, one is. */
export async function takeTotpCode(context: Context, user: UserRow, code: string): Promise<boolean> {
  const totp = findTotp(context.db, user.id)
  const secret = totp && openSecret(context, user, totp.secret)
  const step = secret === undefined ? undefined : await stepOf(secret, code, context.clock.seconds())
  return totp !== undefined && step !== undefined && context.db.tx((tx) => takeStep(tx, totp, step))
}

/** @throws NotFound when the account has no app */
export function disableTotp(context: Pick<Context, 'db' | 'mail' | 'rootUrl'>, user: UserRow): void {
  context.db.tx((tx) => {
    recheckAccount(tx, user)
    if (!deleteTotp(tx, user.id)) throw new NotFound('The account has no authenticator app.')
    forgetWithLast(tx, user, countFactors(tx, user.id))
    mailNotice(context, tx, user, 'The authenticator app was removed.')
  })
}

async function describeOffer(user: UserRow, host: string, secret: string, sealed: string): Promise<TotpOffer> {
  return { secret, sealed, address: await addressOf(secret, { issuer: `Pocketforge (${host})`, account: user.name }) }
}

function offeredSecret(context: Pick<Context, 'secrets' | 'clock'>, user: UserRow, sealed: string): string {
  const offer = openNote(context, sealed, offerOf(user))
  if (!offer) throw new Unprocessable('The secret has expired. Scan the new QR code.')
  return offer.text
}

/** Undefined when the key that it was sealed under is gone: no code is right then, recovery codes are. */
function openSecret({ secrets, log }: Pick<Context, 'secrets' | 'log'>, user: UserRow, sealed: string): string | undefined {
  try {
    return secrets.open(sealed, secretOf(user))
  } catch (error) {
    if (!(error instanceof SecretLost)) throw error
    log.error('cannot decrypt the TOTP secret of a user', error, { user: user.id })
    return undefined
  }
}

function secretOf({ id }: UserRow): string {
  return `one-time codes of account ${id}`
}

function offerOf({ id }: UserRow): string {
  return `one-time codes offered to account ${id}`
}
