import { atLeast, KeptPages, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { listDeletedBranches, restorableSeconds } from '#repositories/refs/index.ts'
import type { DeletedThing, Visit } from '#web/index.ts'

const MOST_SHOWN = 20

/** Whether the viewer may begin branches, or delete them. */
export function mayChangeBranches({ permission, row }: RepoAccess): boolean {
  return atLeast(permission.of('code'), 'write') && row.archived_at === null && row.is_mirror === 0
}

/** The branches deleted last that can be restored, for who may do that. */
export async function findDeleted(context: Context, visit: Visit, repo: RepoAccess): Promise<DeletedThing[]> {
  if (!mayChangeBranches(repo)) return []
  const seconds = restorableSeconds(context)
  const found = listDeletedBranches(context.db, repo.row.id, context.clock.seconds() - seconds, MOST_SHOWN)
  if (found.length === 0) return []
  // What is still there can change without a word in the database.
  context.services.get(KeptPages).leaveOut()
  const types = await context.git.run('objectTypes', repo.row.id, { oids: found.map(({ old_oid }) => old_oid) })
  return found
    .filter((_, i) => types[i] === 'commit')
    .map(({ id, name, old_oid, by, created_at }) => ({
      key: String(id),
      name: name.slice(HEADS.length),
      by,
      deletedAt: created_at,
      until: created_at + seconds,
      facts: [
        <a href={visit.to`/${repo.owner.name}/${repo.row.name}/commit/${old_oid}`}>
          <code>{old_oid.slice(0, 10)}</code>
        </a>,
        ' ',
      ],
    }))
}
