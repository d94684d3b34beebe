import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { fingerprintOf } from '#kernel/ssh-key.ts'
import { Checker } from './checker.ts'
import type { Claim } from './claim.ts'
import { findIssuer } from './issuer.ts'
import { Keyring } from './keyring.ts'
import { parseSshSignature, sshSignatureStart } from './ssh-signature.ts'

/** A commit or tag that carries a signature. */
export interface SignedObject {
  oid: Oid
  /** As it stands in the object. */
  signature: string
  /** The bytes that it signs. */
  payload: Uint8Array
  /** The committer's, or tagger's. */
  email: string
  /** The account that shows this address to be its own; only its keys count. */
  account: UserRow | undefined
}

export interface Verdict {
  verified: boolean
  /** `name / key` when it is, else one of Gitea's texts. */
  reason: string
}

/** A verdict, and by which of the keys there are it came about; `isOpen`: there was no time to tell. */
export interface Judgement extends Verdict {
  keyRow?: string
  isOpen?: true
}

const MAX_SIGNATURE = 16_384
const MAX_PAYLOAD = 1024 * 1024

const reasons = {
  unreadable: 'gpg.error.extract_sign',
  unknownKey: 'gpg.error.no_gpg_keys_found',
  bad: 'gpg.error.probable_bad_signature',
  unchecked: 'gpg.error.generate_hash',
}

/**
 * Says of each signature whether a key that the account has now made it. Those by unknown keys cost a look at their first bytes;
 * the rest are checked in the signature thread, once. Takes a second at most, and never throws: what cannot be checked is not verified.
 * Source of the rules: Gitea's `services/asymkey/commit.go` and `models/asymkey/ssh_key_commit_verification.go`; other than there,
 * a key of somebody else's than the committer does not count.
 */
export async function judgeSignatures(context: Pick<Context, 'db' | 'services'>, objects: readonly SignedObject[]): Promise<Verdict[]> {
  const judged = await weighSignatures(context, objects)
  return judged.map(({ verified, reason }) => ({ verified, reason }))
}

/** The same, for who goes by it: with the key, and whether asking again may tell more. */
export async function weighSignatures(context: Pick<Context, 'db' | 'services'>, objects: readonly SignedObject[]): Promise<Judgement[]> {
  const keyring = new Keyring(context.db)
  const claims = objects.map((object) => claimOf(keyring, object))
  const answers = await context.services.get(Checker).check(claims.filter((claim) => typeof claim !== 'string'))
  return claims.map((claim, i) => {
    if (typeof claim === 'string') return { verified: false, reason: claim }
    const isGood = answers.get(claim.question)
    if (isGood) return { verified: true, reason: `${objects[i]?.account?.name} / ${claim.key}`, keyRow: claim.keyRow }
    if (isGood === undefined) return { verified: false, reason: reasons.unchecked, isOpen: true }
    return { verified: false, reason: claim.check.kind === 'ssh' ? reasons.unknownKey : reasons.bad }
  })
}

/** What is to be checked, or the reason why nothing is. */
function claimOf(keyring: Keyring, object: SignedObject): Claim | string {
  if (object.signature.length > MAX_SIGNATURE) return reasons.unreadable
  if (object.payload.length > MAX_PAYLOAD) return reasons.unchecked
  return object.signature.startsWith(sshSignatureStart) ? sshClaim(keyring, object) : openpgpClaim(keyring, object)
}

function openpgpClaim(keyring: Keyring, { oid, signature, payload, email, account }: SignedObject): Claim | string {
  const issuer = findIssuer(signature)
  if (issuer === undefined) return reasons.unreadable
  const found = account && keyring.certificate(account.id, issuer, email)
  if (!found) return reasons.unknownKey
  const check = { kind: 'openpgp', certificate: found.certificate, signature, payload } as const
  return { question: `${oid} gpg ${found.id}`, key: issuer, keyRow: `gpg ${found.id}`, userId: account.id, check }
}

function sshClaim(keyring: Keyring, { oid, signature, payload, account }: SignedObject): Claim | string {
  const parsed = account && parseSshSignature(signature)
  const key = parsed && keyring.sshKey(fingerprintOf(parsed.publicKey))
  if (!key || key.user_id !== account?.id) return reasons.unknownKey
  const check = { kind: 'ssh', signature, payload } as const
  return { question: `${oid} ssh ${key.id}`, key: key.fingerprint, keyRow: `ssh ${key.id}`, userId: account.id, check }
}
