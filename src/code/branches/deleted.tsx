import { atLeast, KeptPages, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { type DeletedBranch, listDeletedBranches, restorableSeconds } from '#repositories/refs/index.ts'
import { Icon, Time, type Visit } from '#web/index.ts'

const MOST_SHOWN = 20

export interface ShownDeletion extends DeletedBranch {
  /** The name of who deleted it; null when they are gone. */
  by: string | null
  /** Until when its commit is kept, in Unix seconds. */
  until: number
}

/** Whether the viewer may begin branches, or delete them. */
export function mayChangeBranches({ permission, row }: RepoAccess): boolean {
  return atLeast(permission.of('code'), 'write') && row.archived_at === null && row.is_mirror === 0
}

/** The branches deleted last that can be restored, for who may do that. */
export async function findDeleted(context: Context, repo: RepoAccess): Promise<ShownDeletion[]> {
  if (!mayChangeBranches(repo)) return []
  const seconds = restorableSeconds(context)
  const found = listDeletedBranches(context.db, repo.row.id, context.clock.seconds() - seconds, MOST_SHOWN)
  if (found.length === 0) return []
  // What is still there can change without a word in the database.
  context.services.get(KeptPages).leaveOut()
  const types = await context.git.run('objectTypes', repo.row.id, { oids: found.map(({ old_oid }) => old_oid) })
  const there = found.filter((_, i) => types[i] === 'commit')
  return there.map((one) => ({ ...one, until: one.created_at + seconds }))
}

/** Each with the button that brings it back. */
export function DeletedBranches({ visit, repo: { owner, row }, deleted }: { visit: Visit; repo: RepoAccess; deleted: readonly ShownDeletion[] }) {
  if (deleted.length === 0) return null
  const base = `${owner.name}/${row.name}`
  return (
    <section>
      <h3>Deleted lately</h3>
      <form method="post" action={visit.to`/${base}/branches/restore`}>
        <ul class="list">
          {deleted.map(({ id, name, old_oid, by, created_at, until }) => (
            <li class="entry">
              <div class="what grows">
                <Icon visit={visit} name="git-branch" /> {name.slice(HEADS.length)}
                <p class="faint">
                  <a href={visit.to`/${base}/commit/${old_oid}`}>
                    <code>{old_oid.slice(0, 10)}</code>
                  </a>
                  {' deleted '}
                  {by !== null && ['by ', <a href={visit.to`/${by}`}>{by}</a>, ' ']}
                  <Time at={created_at} />
                  {', can be restored until '}
                  {new Date(until * 1000).toISOString().slice(0, 10)}
                </p>
              </div>
              <button type="submit" name="id" value={id} aria-label={`Restore ${name.slice(HEADS.length)}`}>
                Restore
              </button>
            </li>
          ))}
        </ul>
      </form>
    </section>
  )
}
