import { accessStore, canSeeUser, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentUser, type UserRecord } from '#people/users/index.ts'
import { presentRepo, repoApiUrl } from '#repositories/repos/index.ts'
import { combineStates } from './combine.ts'
import type { CombinedStatus, CommitState, CommitStatus } from './schema.ts'
import type { StatusRow } from './store.ts'

type ViewContext = Pick<Context, 'db' | 'rootUrl'>

export function presentStatuses(context: ViewContext, viewer: Viewer, { owner, row: repo }: RepoAccess, rows: readonly StatusRow[]): CommitStatus[] {
  const creators = new Map<number, UserRecord | null>()
  const url = repoApiUrl(context, owner, repo)
  return rows.map((row) => ({
    id: row.number,
    status: row.state,
    target_url: row.target_url,
    description: row.description,
    url: `${url}/statuses/${row.oid}`,
    context: row.context,
    creator: presentCreator(context, viewer, row.creator_id, creators),
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.created_at),
  }))
}

/** Null when the account is gone or hidden from the viewer. */
function presentCreator(context: ViewContext, viewer: Viewer, id: number | null, known: Map<number, UserRecord | null>): UserRecord | null {
  if (id === null) return null
  const record = known.get(id)
  if (record !== undefined) return record
  const user = accessStore.findUserById(context.db, id)
  const made = user && canSeeUser(viewer, user) ? presentUser(context, viewer, user) : null
  known.set(id, made)
  return made
}

/** @param counts by state, over all contexts; `rows` are those of one page */
export function presentCombined(
  context: ViewContext,
  viewer: Viewer,
  repo: RepoAccess,
  { oid, rows, counts }: { oid: string; rows: readonly StatusRow[]; counts: readonly { state: CommitState; n: number }[] },
): CombinedStatus {
  const url = repoApiUrl(context, repo.owner, repo.row)
  const total = counts.reduce((sum, { n }) => sum + n, 0)
  return {
    state: combineStates(counts.map(({ state }) => state)),
    sha: oid,
    total_count: total,
    statuses: total === 0 ? null : presentStatuses(context, viewer, repo, rows),
    repository: presentRepo(context, viewer, repo),
    commit_url: `${url}/git/commits/${oid}`,
    url: `${url}/commits/${oid}/status`,
  }
}
