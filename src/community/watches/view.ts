import type { RepoAccess } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { repoApiUrl, type ViewContext } from '#repositories/repos/index.ts'
import type { WatchInfo } from './schema.ts'
import type { WatchRow } from './store.ts'

/** A watch that is on. */
export function presentWatch(context: ViewContext, repo: RepoAccess, row: WatchRow): WatchInfo {
  const url = repoApiUrl(context, repo.owner, repo.row)
  return { subscribed: true, ignored: false, reason: null, created_at: rfc3339(row.created_at), url: `${url}/subscription`, repository_url: url }
}
