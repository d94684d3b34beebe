import { type RepoAccess, recheckAccount, type UserRow } from '#access/index.ts'
import { getNamedCommit } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import type { CreateStatusOption } from './schema.ts'
import { insertStatus, type StatusRow } from './store.ts'

/**
 * Says of a commit how it fares. Statuses of one context are kept all; the last one counts.
 * @param revision a branch, a tag or the commit's id, whole or its first digits
 * @throws NotFound when there is no such commit; Unprocessable for an address that is none of the web's
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
    const made = insertStatus(tx, row)
    context.events.record(tx, { type: 'status', actorId: creator.id, repoId: repo.id, statusId: made.id, oid, context: made.context, state: made.state })
    return made
  })
}

/** Pages make links of it: nothing that runs on a click, such as `javascript:`. */
function checkTarget(url: string): string {
  const protocol = url === '' ? 'https:' : URL.parse(url)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return url
  throw new Unprocessable(`[TargetURL]: Cannot use "${url.slice(0, 100)}": an address that begins with http:// or https:// is expected`)
}
