import { accessStore, canSeeUser, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Attachment } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { encodePath } from '#kernel/http.ts'
import { presentUser } from '#people/users/index.ts'
import { repoApiUrl, repoUrl } from '#repositories/repos/index.ts'
import type { Release } from './schema.ts'
import { type AssetRow, listAssets, type ReleaseRow } from './store.ts'

type ViewContext = Pick<Context, 'db' | 'rootUrl'>

export function presentReleases(context: ViewContext, viewer: Viewer, repo: RepoAccess, rows: readonly ReleaseRow[]): Release[] {
  const assets = Map.groupBy(
    listAssets(
      context.db,
      rows.map(({ id }) => id),
    ),
    ({ release_id }) => release_id,
  )
  return rows.map((row) => presentRelease(context, viewer, repo, row, assets.get(row.id) ?? []))
}

function presentRelease(context: ViewContext, viewer: Viewer, repo: RepoAccess, row: ReleaseRow, assets: readonly AssetRow[]): Release {
  const api = `${repoApiUrl(context, repo.owner, repo.row)}/releases/${row.id}`
  const html = repoUrl(context, repo.owner, repo.row)
  const tag = encodePath(row.tag_name)
  return {
    id: row.id,
    tag_name: row.tag_name,
    target_commitish: row.target,
    name: row.title,
    body: row.note,
    url: api,
    html_url: `${html}/releases/tag/${tag}`,
    tarball_url: `${html}/archive/${tag}.tar.gz`,
    zipball_url: `${html}/archive/${tag}.zip`,
    upload_url: `${api}/assets`,
    hide_archive_links: false,
    draft: row.is_draft === 1,
    prerelease: row.is_prerelease === 1,
    created_at: rfc3339(row.created_at),
    published_at: rfc3339(row.created_at),
    author: presentAuthor(context, viewer, row),
    assets: assets.map((asset) => presentAsset(context, repo, row, asset)),
  }
}

/** Null when the account is gone or hidden from the viewer. */
function presentAuthor(context: ViewContext, viewer: Viewer, { publisher_id: id }: ReleaseRow): Release['author'] {
  const user = id === null ? undefined : accessStore.findUserById(context.db, id)
  return user && canSeeUser(viewer, user) ? presentUser(context, viewer, user) : null
}

export function presentAsset(context: ViewContext, repo: RepoAccess, release: Pick<ReleaseRow, 'tag_name'>, row: AssetRow): Attachment {
  const releases = `${repoUrl(context, repo.owner, repo.row)}/releases`
  return {
    id: row.id,
    name: row.name,
    size: row.size,
    download_count: row.download_count,
    created_at: rfc3339(row.created_at),
    uuid: row.uuid,
    browser_download_url: row.is_newest
      ? `${releases}/download/${encodePath(release.tag_name)}/${encodeURIComponent(row.name)}`
      : `${releases}/attachments/${row.uuid}`,
    type: 'attachment',
  }
}
