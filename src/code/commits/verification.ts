import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { ToldTag } from '#git/browse/tell-tag.ts'
import { type Ident, parseIdent } from '#git/objects/ident.ts'
import type { Oid } from '#git/objects/oid.ts'
import { judgeSignatures, type Verdict } from '#people/gpg/index.ts'
import type { People } from './people.ts'
import type { PayloadCommitVerification } from './schema.ts'

/** A commit or tag, and who says to have made it. */
interface Signed {
  oid: Oid
  signature: string
  /** The bytes that are signed. */
  payload: Uint8Array
  by: Ident
}
type Signable = Pick<Signed, 'oid' | 'by'> & Partial<Signed>

const noOne = parseIdent('')
const unsigned: PayloadCommitVerification = { verified: false, reason: 'gpg.error.not_signed_commit', signature: '', signer: null, payload: '' }

/** What is known of each commit's signature: whether a key of the committer's made it. Unsigned ones cost nothing. */
export function verifyCommits(
  context: Pick<Context, 'db' | 'services'>,
  people: People,
  commits: readonly CommitDetails[],
): Promise<PayloadCommitVerification[]> {
  return verifyAll(
    context,
    people,
    commits.map(({ oid, commit, payload }) => ({ oid, signature: commit.gpgsig, payload, by: commit.committer })),
  )
}

/** The same for an annotated tag and its tagger. */
export async function verifyTag(
  context: Pick<Context, 'db' | 'services'>,
  people: People,
  oid: Oid,
  { signature, payload, tagger }: ToldTag,
): Promise<PayloadCommitVerification> {
  const [verification] = await verifyAll(context, people, [{ oid, signature, payload, by: tagger ?? noOne }])
  return verification ?? unsigned
}

async function verifyAll(context: Pick<Context, 'db' | 'services'>, people: People, objects: readonly Signable[]): Promise<PayloadCommitVerification[]> {
  const signed = objects.filter(isSigned)
  if (signed.length === 0) return objects.map(() => unsigned)
  const accounts = signed.map(({ by }) => people.account(by.email))
  const verdicts = await judgeSignatures(
    context,
    signed.map(({ oid, signature, payload, by }, i) => ({ oid, signature, payload, email: by.email, account: accounts[i] })),
  )
  const records = new Map<Signable, PayloadCommitVerification>(
    signed.map((object, i) => [object, presentVerification(object, verdicts[i] as Verdict, accounts[i])]),
  )
  return objects.map((object) => records.get(object) ?? unsigned)
}

function isSigned(object: Signable): object is Signed {
  return object.signature !== undefined && object.payload !== undefined
}

/** The signer's address is the one in the object, never another of the account's. */
function presentVerification({ signature, payload, by }: Signed, verdict: Verdict, account: UserRow | undefined): PayloadCommitVerification {
  const signer = verdict.verified && account ? { name: account.full_name || account.name, email: by.email, username: account.name } : null
  return { ...verdict, signature, signer, payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString() }
}
