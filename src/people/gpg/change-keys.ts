import { recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { checkSignatures, readKey } from './signatures.ts'
import { findGpgKey, findGpgKeyByKeyId, type GpgKeyRow, insertGpgKey, isKeyIdTaken, listKeyEmails, removeGpgKey, setVerified } from './store.ts'
import { signableTexts, verificationToken } from './token.ts'

type KeyContext = Pick<Context, 'db' | 'clock'>

export interface NewGpgKey {
  armored: string
  /** Of the account's token, by this key; '' for none. */
  signature: string
}

/**
 * Stores a key for the account. Without a signature of the token, one of its identities must be a verified address of the account.
 * Source of the rules: Gitea's `models/asymkey/gpg_key_add.go`.
 * @throws Unprocessable when the key cannot be used or is known, or the signature is not its own; NotFound when no address fits;
 * Unauthorized when the account goes or is barred meanwhile
 */
export async function addGpgKey(context: KeyContext, owner: UserRow, { armored, signature }: NewGpgKey): Promise<GpgKeyRow> {
  const now = context.clock.seconds()
  const key = await readKey(armored, now, owner.id)
  const isVerified = signature !== ''
  if (isVerified) await requireTokenSigned(key.certificate, signature, owner, now)
  return context.db.tx((tx) => {
    recheckAccount(tx, owner)
    if (isKeyIdTaken(tx, key.keyId)) throw new Unprocessable('A key with the same id already exists')
    const id = insertGpgKey(tx, owner.id, key, isVerified)
    if (!isVerified && listKeyEmails(tx, [id]).length === 0) throw noAddressFits(verificationToken(owner, now))
    return findGpgKey(tx, owner.id, id) as GpgKeyRow
  })
}

/** Marks a key as shown to be the account's. @throws NotFound when it has none of this id; Unprocessable when the signature is not its own */
export async function verifyGpgKey(context: KeyContext, owner: UserRow, keyId: string, signature: string): Promise<GpgKeyRow> {
  const key = findGpgKeyByKeyId(context.db, owner.id, keyId.toUpperCase().padStart(16, '0'))
  if (!key) throw new NotFound()
  await requireTokenSigned(key.certificate, signature, owner, context.clock.seconds())
  return context.db.tx((tx) => {
    recheckAccount(tx, owner)
    setVerified(tx, key.id)
    const verified = findGpgKey(tx, owner.id, key.id)
    if (!verified) throw new NotFound()
    return verified
  })
}

/** One that is gone already is no error. */
export function deleteGpgKey(context: Pick<Context, 'db'>, owner: UserRow, id: number): void {
  context.db.tx((tx) => removeGpgKey(tx, owner.id, id))
}

async function requireTokenSigned(certificate: Uint8Array, signature: string, owner: UserRow, now: number): Promise<void> {
  const payloads = signableTexts(owner, now).map((text) => new TextEncoder().encode(text))
  const good = await checkSignatures(
    payloads.map((payload) => ({ kind: 'openpgp', certificate, signature, payload })),
    owner.id,
  )
  if (good.includes(true)) return
  throw new Unprocessable(
    `The provided GPG key, signature and token do not match or token is out of date. Provide a valid signature for the token: ${verificationToken(owner, now)}`,
  )
}

function noAddressFits(token: string): NotFound {
  return new NotFound(
    `None of the emails attached to the GPG key could be found. It may still be added if you provide a valid signature for the token: ${token}`,
  )
}
