import { recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { answerOnce, openChallenge, type Purpose } from './challenge.ts'
import { mailNotice } from './factor-letters.ts'
import { deleteKey, findKeyByCredential, insertKey, isKeyNameTaken, listKeys, renameKey } from './key-store.ts'
import { firstRecoveryCodes } from './recovery-codes.ts'
import { countFactors } from './store.ts'
import { forgetWithLast } from './take-away.ts'
import { checkNewKey, reasonOf, type Site } from './webauthn.ts'

const MAX_KEYS = 50
const MAX_NAME = 100

/** What a browser brings back with a new key. */
export interface KeyAnswer {
  name: string
  /** Sealed, as it was given out. */
  challenge: string
  /** JSON. */
  credential: string
}

/**
 * What authenticators know the account by, base64url: the same for all its keys, so that one authenticator holds it once, and another
 * one on every server, so that none takes another's place on localhost. It tells nobody who the account is.
 */
export function handleOf({ config, db }: Pick<Context, 'config' | 'db'>, user: UserRow): string {
  const known = listKeys(db, user.id)[0]?.user_handle
  return known ?? Buffer.from(sha256Hex(`account ${user.id} since ${user.created_at} in ${config.dataPath}`), 'hex').toString('base64url')
}

/**
 * Adds a security key or passkey to an account.
 * @param purpose of the challenge
 * @returns recovery codes for the one time that they are shown; none when the account has some
 * @throws Unprocessable when the name or the answer is not right; Conflict when the name or the key is taken
 */
export async function addKey(context: Context, user: UserRow, site: Site, answer: KeyAnswer, purpose: Purpose): Promise<string[]> {
  const name = checkKeyName(answer.name)
  const note = openChallenge(context, answer.challenge, purpose)
  const key = await checkNewKey(site, note.text, answer.credential).catch((error) => {
    context.log.info('security key registration failed', { user: user.id, reason: reasonOf(error) })
    throw new Unprocessable('The answer of the key was not right. Try again.')
  })
  return context.db.tx((tx) => {
    recheckAccount(tx, user)
    answerOnce(context, tx, note)
    const present = listKeys(tx, user.id)
    if (present.length >= MAX_KEYS) throw new Unprocessable(`An account has at most ${MAX_KEYS} keys.`)
    if (isKeyNameTaken(tx, user.id, name)) throw new Conflict(`A key of yours is called "${name}" already.`)
    if (findKeyByCredential(tx, key.credential_id)) throw new Conflict('This key belongs to an account already.')
    const more = { rp_id: site.rpId, user_handle: handleOf(context, user), created_at: context.clock.seconds(), last_used_at: null }
    insertKey(tx, { ...key, ...more, user_id: user.id, name, lower_name: name.toLowerCase() })
    mailNotice(context, tx, user, `The security key "${name}" was added. It signs in with the password, or as a passkey without it.`)
    return firstRecoveryCodes(tx, user)
  })
}

/** @throws NotFound when the account has no such key; Conflict, Unprocessable about the name */
export function renameKeyOf(context: Pick<Context, 'db'>, user: UserRow, id: number, asked: string): void {
  const name = checkKeyName(asked)
  context.db.tx((tx) => {
    if (isKeyNameTaken(tx, user.id, name, id)) throw new Conflict(`A key of yours is called "${name}" already.`)
    if (!renameKey(tx, user.id, id, name)) throw new NotFound()
  })
}

/** @throws NotFound when the account has no such key */
export function removeKey(context: Pick<Context, 'db' | 'mail' | 'rootUrl'>, user: UserRow, id: number): void {
  context.db.tx((tx) => {
    recheckAccount(tx, user)
    const key = listKeys(tx, user.id).find((one) => one.id === id)
    if (!key || !deleteKey(tx, user.id, id)) throw new NotFound()
    forgetWithLast(tx, user, countFactors(tx, user.id))
    mailNotice(context, tx, user, `The security key "${key.name}" was removed.`)
  })
}

/** @throws Unprocessable */
function checkKeyName(asked: string): string {
  const name = asked.trim().replace(/\p{Cc}+/gu, ' ')
  if (name === '' || name.length > MAX_NAME) throw new Unprocessable(`Give the key a name of at most ${MAX_NAME} letters.`)
  return name
}
