import { accessStore, accessToAll, atLeast, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentUser, type UserRecord } from '#people/users/index.ts'
import { presentRepos, type Repository } from '#repositories/repos/index.ts'
import { mayRead } from '#work/issues/index.ts'
import type { Activity } from './schema.ts'
import type { ActivityRow } from './store.ts'

/**
 * Rows found by a query that filters by visibility; each account and repository is presented once.
 * @param receiverId whose feed it is; of a repository's feed nobody's, where each activity is said to be its actor's
 */
export function presentActivities(context: Pick<Context, 'db' | 'rootUrl'>, viewer: Viewer, rows: readonly ActivityRow[], receiverId?: number): Activity[] {
  const ids = (column: 'actor_id' | 'repo_id') => [...new Set(rows.map((row) => row[column]))]
  const actors = new Map(accessStore.listUsersById(context.db, ids('actor_id')).map((row) => [row.id, presentUser(context, viewer, row)]))
  const found = accessToAll(context.db, viewer, ids('repo_id'))
  const repos = new Map(presentRepos(context, viewer, [...found.values()]).map((repo) => [repo.id, repo]))
  return rows.map((row) =>
    presentAlone(
      row,
      (unit) => mayReadUnit(found.get(row.repo_id), unit),
      actors.get(row.actor_id) as UserRecord,
      repos.get(row.repo_id) as Repository,
      receiverId ?? row.actor_id,
    ),
  )
}

/** Of a repository, what an activity is about that not everybody reads who reads the code. */
type Unit = 'issues' | 'pulls' | 'releases'

function mayReadUnit(repo: RepoAccess | undefined, unit: Unit): boolean {
  if (repo === undefined) return false
  return unit === 'releases' ? atLeast(repo.permission.of('releases'), 'read') : mayRead(repo, { is_pull: unit === 'pulls' ? 1 : 0 })
}

function unitOf(type: ActivityRow['op_type']): Unit | undefined {
  if (type === 'publish_release') return 'releases'
  return /_issue$/.test(type) ? 'issues' : /pull/.test(type) ? 'pulls' : undefined
}

/** Who sees a repository and not its code is told neither of refs nor of commits; of issues, pull requests and releases only who reads them. */
function presentAlone(row: ActivityRow, mayReadOf: (unit: Unit) => boolean, actor: UserRecord, repo: Repository, receiverId: number): Activity {
  const unit = unitOf(row.op_type)
  const isOpen = unit === undefined ? row.ref_name === '' || repo.permissions.pull : mayReadOf(unit)
  return {
    id: row.id,
    user_id: receiverId,
    op_type: row.op_type,
    act_user_id: row.actor_id,
    act_user: actor,
    repo_id: row.repo_id,
    repo,
    comment_id: 0,
    comment: null,
    ref_name: isOpen ? row.ref_name : '',
    is_private: repo.private,
    content: isOpen ? (row.content ?? '') : '',
    created: rfc3339(row.created_at),
  }
}
