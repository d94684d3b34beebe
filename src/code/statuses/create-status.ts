import { type RepoAccess, recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { getNamedCommit } from '#repositories/refs/index.ts'
import type { CreateStatusOption } from './schema.ts'
import { countNewest, hasContext, insertStatus, type StatusRow } from './store.ts'

/** So many contexts a commit can have, as at GitHub: each is looked at whenever it is asked how the commit fares. */
export const MOST_CONTEXTS = 1000

/**
 * Says of a commit how it fares. Statuses of one context are kept all; the last one counts.
 * @param revision a branch, a tag or the commit's id, whole or its first digits
 * @throws NotFound when there is no such commit; Unprocessable for an address that is none of the web's, and for more contexts than a commit can have
 */
export async function createStatus(
  context: Context,
  creator: UserRow,
  { row: repo }: RepoAccess,
  revision: string,
  asked: CreateStatusOption,
): Promise<StatusRow> {
  const oid = await getNamedCommit(context, repo, revision)
  const row = {
    repo_id: repo.id,
    oid,
    state: asked.state,
    context: (asked.context ?? '').trim(),
    description: (asked.description ?? '').trim(),
    target_url: checkTarget((asked.target_url ?? '').trim()),
    creator_id: creator.id,
    created_at: context.clock.seconds(),
  }
  return context.db.tx((tx) => {
    recheckAccount(tx, creator)
    refuseMoreContexts(tx, row)
    const made = insertStatus(tx, row)
    context.events.record(tx, { type: 'status', actorId: creator.id, repoId: repo.id, statusId: made.id, oid, context: made.context, state: made.state })
    return made
  })
}

/** Whoever merges asks for all of them. @throws Unprocessable */
function refuseMoreContexts(tx: Tx, row: Pick<StatusRow, 'repo_id' | 'oid' | 'context'>): void {
  if (hasContext(tx, row)) return
  const count = countNewest(tx, row.repo_id, row.oid).reduce((sum, { n }) => sum + n, 0)
  if (count >= MOST_CONTEXTS) throw new Unprocessable(`A commit can have at most ${MOST_CONTEXTS} status contexts`)
}

/** Pages make links of it: nothing that runs on a click, such as `javascript:`. */
function checkTarget(url: string): string {
  const protocol = url === '' ? 'https:' : URL.parse(url)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return url
  throw new Unprocessable(`[TargetURL]: Cannot use "${url.slice(0, 100)}": expected a URL that starts with http:// or https://`)
}
