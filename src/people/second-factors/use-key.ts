import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Unauthorized } from '#kernel/errors.ts'
import { answerOnce, openChallenge, type Purpose } from './challenge.ts'
import { findKeyByCredential, type SecurityKeyRow, touchKey } from './key-store.ts'
import { checkSignature, claimOf, reasonOf, type Site } from './webauthn.ts'

/** What a browser brings back when a key has signed. */
export interface SignedAnswer {
  /** Sealed, as it was given out. */
  challenge: string
  /** JSON. */
  credential: string
}

/** A key that has signed, and what notes that it did: once, in the transaction of what follows from it. */
export interface UsedKey {
  user: UserRow
  note(tx: Tx): void
}

/**
 * A key of the account as its second factor.
 * @throws Unauthorized when it is another's, or what it signed is not right; Unprocessable when the challenge is too old or was answered before
 */
export async function useAsSecondFactor(context: Context, user: UserRow, site: Site, answer: SignedAnswer, purpose: Purpose): Promise<UsedKey> {
  const { key } = claimedKey(context, answer)
  if (key.user_id !== user.id) throw wrongKey()
  return use(context, site, answer, purpose, key, false)
}

/**
 * A passkey, which says itself whose it is, and has seen for itself that its owner is there: it stands for the password, too.
 * @throws as `useAsSecondFactor`
 */
export async function useAsPasskey(context: Context, site: Site, answer: SignedAnswer): Promise<UsedKey> {
  const { key, handle } = claimedKey(context, answer)
  if (handle !== key.user_handle) throw wrongKey()
  return use(context, site, answer, 'sign in with a passkey', key, true)
}

async function use(context: Context, site: Site, answer: SignedAnswer, purpose: Purpose, key: SecurityKeyRow, mustKnowOwner: boolean): Promise<UsedKey> {
  const challenge = openChallenge(context, answer.challenge, purpose)
  if (key.rp_id !== site.rpId) throw wrongKey()
  const { counter } = await checkSignature(site, challenge.text, answer.credential, key, mustKnowOwner).catch((error) => {
    context.log.warn('security key sign-in failed', { user: key.user_id, key: key.id, reason: reasonOf(error) })
    throw wrongKey()
  })
  const user = accessStore.findUserById(context.db, key.user_id)
  if (!user) throw wrongKey()
  return {
    user,
    note(tx) {
      answerOnce(context, tx, challenge)
      if (!touchKey(tx, key, counter, context.clock.seconds())) throw wrongKey()
    },
  }
}

/** @throws Unauthorized when nobody has the key that the answer names */
function claimedKey({ db }: Pick<Context, 'db'>, { credential }: SignedAnswer): { key: SecurityKeyRow; handle: string | undefined } {
  const claim = readClaim(credential)
  const key = claim && findKeyByCredential(db, claim.credentialId)
  if (!claim || !key) throw wrongKey()
  return { key, handle: claim.handle }
}

function readClaim(credential: string): ReturnType<typeof claimOf> | undefined {
  try {
    return claimOf(credential)
  } catch {
    return undefined
  }
}

function wrongKey(): Unauthorized {
  return new Unauthorized('The security key was not recognized.')
}
