import { accessStore, accessToAll, atLeast, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentUser, type UserRecord } from '#people/users/index.ts'
import { presentRepos, type Repository } from '#repositories/repos/index.ts'
import { type Comment, listEntriesById, presentCommentsAnywhere } from '#work/comments/index.ts'
import { type IssueRow, listIssuesById, mayRead } from '#work/issues/index.ts'
import type { Activity } from './schema.ts'
import type { ActivityRow } from './store.ts'

/**
 * Rows found by a query that filters by visibility; each account and repository is presented once.
 * @param options.receiverId the account whose feed it is. The feed of a repository has none: each activity then names its actor
 */
export function presentActivities(
  context: Pick<Context, 'db' | 'rootUrl'>,
  viewer: Viewer,
  rows: readonly ActivityRow[],
  { receiverId, hasComments }: { receiverId: number | undefined; hasComments: boolean },
): Activity[] {
  const ids = (column: 'actor_id' | 'repo_id') => [...new Set(rows.map((row) => row[column]))]
  const actors = new Map(accessStore.listUsersById(context.db, ids('actor_id')).map((row) => [row.id, presentUser(context, viewer, row)]))
  const found = accessToAll(context.db, viewer, ids('repo_id'))
  const repos = new Map(presentRepos(context, viewer, [...found.values()]).map((repo) => [repo.id, repo]))
  const comments = hasComments ? commentsOf(context, viewer, rows, found) : new Map<number, Comment>()
  return rows.map((row) =>
    presentAlone(
      row,
      (unit) => mayReadUnit(found.get(row.repo_id), unit),
      actors.get(row.actor_id) as UserRecord,
      repos.get(row.repo_id) as Repository,
      comments.get(row.comment_id ?? 0) ?? null,
      receiverId ?? row.actor_id,
    ),
  )
}

/** The comments that activities are about, by id, as far as the viewer may read them now. */
function commentsOf(
  context: Pick<Context, 'db' | 'rootUrl'>,
  viewer: Viewer,
  rows: readonly ActivityRow[],
  repos: ReadonlyMap<number, RepoAccess>,
): Map<number, Comment> {
  const entries = listEntriesById(
    context.db,
    rows.flatMap(({ comment_id }) => comment_id ?? []),
  )
  const issues = new Map(listIssuesById(context.db, [...new Set(entries.map(({ issue_id }) => issue_id))]).map((issue) => [issue.id, issue]))
  const places = new Map<number, { repo: RepoAccess; issue: IssueRow }>()
  for (const { id, issue_id } of entries) {
    const issue = issues.get(issue_id)
    const repo = issue && repos.get(issue.repo_id)
    if (repo && mayRead(repo, issue)) places.set(id, { repo, issue })
  }
  const readable = entries.filter(({ id }) => places.has(id))
  const placeOf = ({ id }: { id: number }) => places.get(id) as { repo: RepoAccess; issue: IssueRow }
  return new Map(presentCommentsAnywhere(context, viewer, readable, placeOf).map((comment) => [comment.id, comment]))
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
function presentAlone(
  row: ActivityRow,
  mayReadOf: (unit: Unit) => boolean,
  actor: UserRecord,
  repo: Repository,
  comment: Comment | null,
  receiverId: number,
): Activity {
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
    comment_id: comment?.id ?? 0,
    comment,
    ref_name: isOpen ? row.ref_name : '',
    is_private: repo.private,
    content: isOpen ? (row.content ?? '') : '',
    created: rfc3339(row.created_at),
  }
}
