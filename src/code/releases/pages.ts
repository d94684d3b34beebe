import { Elysia, t } from 'elysia'
import { anonymous, gate, keepToOrigin, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { browsePages } from './browse-pages.tsx'
import { sendAsset } from './download.ts'
import { releaseFeeds } from './feed-pages.ts'
import { findVisibleAsset, getReleaseByTagOrLatest } from './get-release.ts'
import { maySee } from './rules.ts'
import { type AssetRow, findAssetByName, findAssetByUuid, findRelease } from './store.ts'

/** Downloads of release assets. `attachments/UUID` is the address that asset records of former versions have. */
export function releasePages(context: Context) {
  // Files of draft releases are not public, even in a public repository.
  const isOpen = ({ uuid }: AssetRow) => findVisibleAsset(context, anonymous, uuid) !== undefined
  return new Elysia({ name: 'releases.pages' })
    .use(browsePages(context))
    .use(releaseFeeds(context))
    .use(gate(context, 'either'))
    .get(
      '/:owner/:repo/releases/attachments/:uuid',
      ({ viewer, repo, params, request, server, set }) => {
        const asset = findAssetByUuid(context.db, params.uuid)
        const release = asset && findRelease(context.db, repo.row.id, asset.release_id)
        if (!asset || !release || !maySee(viewer, repo, release)) throw new NotFound()
        keepToOrigin({ viewer, set }, () => isOpen(asset))
        return sendAsset(context, asset, request, server)
      },
      { repo: 'releases:read', params: t.Object({ ...RepoParams.properties, uuid: t.String() }), detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/releases/download/*',
      ({ viewer, repo, params, request, server, set }) => {
        const path = decodePath(params['*'])
        const slash = path.lastIndexOf('/')
        const asset = findAssetByName(context.db, getReleaseByTagOrLatest(context, { viewer, repo }, path.slice(0, slash)).id, path.slice(slash + 1))
        if (!asset) throw new NotFound()
        keepToOrigin({ viewer, set }, () => isOpen(asset))
        return sendAsset(context, asset, request, server)
      },
      { repo: 'releases:read', params: t.Object({ ...RepoParams.properties, '*': t.String() }), detail: { hide: true } },
    )
}
