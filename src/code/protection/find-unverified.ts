import { accountBehind } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Db } from '#kernel/db.ts'
import { isKeyThere, type Judgement, weighSignatures } from '#people/gpg/index.ts'
import type { MoveFact } from './move-fact.ts'

/** Commits whose signatures are checked at once. */
const SLICE = 100
/** A slice is asked about again so often, while its signatures are being checked; each time takes a second. */
const MAX_ASKED = 30

interface Place {
  repoId: number
  packPaths: readonly string[]
}

/** The first commit whose signature no key of its committer's made. Those that could not be checked in time count as unverified. */
export async function findUnverified(
  context: Context,
  place: Place,
  { unsigned, signed }: { unsigned?: Oid; signed: readonly Oid[] },
): Promise<NonNullable<MoveFact['signatures']>> {
  const keys = new Set<string>()
  const isStill = (db: Db) => [...keys].every((key) => isKeyThere(db, key))
  if (unsigned !== undefined) return { unverified: unsigned, isStill }
  for (let at = 0; at < signed.length; at += SLICE) {
    const oids = signed.slice(at, at + SLICE)
    const judged = await judge(context, await context.git.run('readCommits', place.repoId, { packPaths: place.packPaths, oids }))
    const bad = judged.findIndex(({ verified }) => !verified)
    if (bad >= 0) return { unverified: oids[bad], isStill }
    for (const { keyRow } of judged) if (keyRow !== undefined) keys.add(keyRow)
  }
  return { unverified: undefined, isStill }
}

async function judge(context: Pick<Context, 'db' | 'services' | 'rootUrl'>, commits: readonly CommitDetails[]): Promise<Judgement[]> {
  const objects = commits.map(({ oid, commit: { committer, gpgsig = '' }, payload = new Uint8Array() }) => {
    return { oid, signature: gpgsig, payload, email: committer.email, account: accountBehind(context, committer.email) }
  })
  for (let asked = 1; ; asked++) {
    const judged = await weighSignatures(context, objects)
    if (asked === MAX_ASKED || !judged.some(({ isOpen }) => isOpen)) return judged
  }
}
