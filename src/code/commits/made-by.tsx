import type { Ident } from '#git/objects/ident.ts'
import { Avatar, type Visit } from '#web/index.ts'
import type { People } from './people.ts'
import type { PayloadCommitVerification } from './schema.ts'

/** Who made a commit: the account behind the address, with its picture, else the name as the commit has it. */
export function MadeBy({ visit, people, who }: { visit: Visit; people: People; who: Pick<Ident, 'name' | 'email'> }) {
  const account = people.account(who.email)
  if (!account) return <span class="who">{who.name || '(no name)'}</span>
  return (
    <a class="who" href={visit.to`/${account.name}`}>
      <Avatar visit={visit} of={account} /> {account.name}
    </a>
  )
}

const signatureProblems: Record<string, string> = {
  'gpg.error.no_gpg_keys_found': 'No known key matches this signature.',
  'gpg.error.probable_bad_signature': 'The key is known, but the signature does not match the content.',
  'gpg.error.extract_sign': 'The signature could not be read.',
  'gpg.error.generate_hash': 'The signature could not be checked.',
}

/** Explains one of Gitea's codes for an unverified signature. */
export function signatureProblem(reason: string): string {
  return signatureProblems[reason] ?? reason
}

/** What is known of a commit's or tag's signature; nothing of what is not signed. */
export function SignatureMark({ verification }: { verification: PayloadCommitVerification }) {
  if (verification.signature === '') return null
  const words = verification.verified ? 'Verified' : 'Unverified'
  const why = verification.verified
    ? `Signed by ${verification.signer?.username ?? verification.signer?.email ?? 'a known key'}`
    : signatureProblem(verification.reason)
  return (
    <span class={verification.verified ? 'mark verified' : 'mark'} title={why}>
      {words}
    </span>
  )
}
