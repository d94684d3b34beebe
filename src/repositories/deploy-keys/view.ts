import type { Static } from 'elysia'
import type { RepoAccess, Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentRepo, repoApiUrl, type ViewContext } from '#repositories/repos/index.ts'
import type { DeployKey } from './schema.ts'
import type { DeployKeyRow } from './store.ts'

export function presentDeployKeys(context: ViewContext, viewer: Viewer, repo: RepoAccess, rows: readonly DeployKeyRow[]): Static<typeof DeployKey>[] {
  if (rows.length === 0) return []
  const repository = presentRepo(context, viewer, repo)
  const url = `${repoApiUrl(context, repo.owner, repo.row)}/keys/`
  return rows.map((row) => ({
    id: row.id,
    key_id: row.key_id,
    key: row.content,
    url: url + row.id,
    title: row.title,
    fingerprint: row.fingerprint,
    created_at: rfc3339(row.created_at),
    read_only: row.is_read_only === 1,
    repository,
  }))
}
