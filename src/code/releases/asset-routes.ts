import { Elysia } from 'elysia'
import { gate, noContent, operation, requireUser } from '#access/index.ts'
import { Attachment, AttachmentForm, AttachmentList } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { readsBody } from '#kernel/slice.ts'
import { addAsset, changeAssetName, getAssetOf } from './assets.ts'
import { getRelease } from './get-release.ts'
import { AssetParams, EditReleaseAssetOption, ReleaseParams, UploadQuery } from './schema.ts'
import { deleteAsset, listAssets } from './store.ts'
import { presentAsset } from './view.ts'

type Asked = Parameters<typeof getRelease>[1] & { params: { attachment_id: string } }

export function assetRoutes(context: Context) {
  const getAsset = (asked: Asked) => {
    const release = getRelease(context, asked)
    return { release, asset: getAssetOf(context, release, asked.params.attachment_id) }
  }
  return new Elysia({ name: 'releases.assets' })
    .use(gate(context))
    .get(
      '/repos/:owner/:repo/releases/:id/assets',
      (asked) => {
        const release = getRelease(context, asked)
        return listAssets(context.db, [release.id]).map((row) => presentAsset(context, asked.repo, release, row))
      },
      {
        repo: 'releases:read',
        params: ReleaseParams,
        response: { 200: AttachmentList },
        detail: operation('repoListReleaseAttachments', "List release's attachments", 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/releases/:id/assets',
      async ({ query, request, ...asked }) => {
        const place = { viewer: requireUser(asked.viewer), repo: asked.repo }
        const release = getRelease(context, asked)
        return presentAsset(context, asked.repo, release, await addAsset(context, place, release, request, query.name || query.filename))
      },
      {
        repo: 'releases:write',
        params: ReleaseParams,
        query: UploadQuery,
        response: { 201: Attachment },
        detail: {
          ...operation('repoCreateReleaseAttachment', 'Create a release attachment', 'repository'),
          ...readsBody,
          reads: AttachmentForm,
          consumes: ['multipart/form-data', 'application/octet-stream'],
        },
      },
    )
    .get(
      '/repos/:owner/:repo/releases/:id/assets/:attachment_id',
      (asked) => {
        const { release, asset } = getAsset(asked)
        return presentAsset(context, asked.repo, release, asset)
      },
      {
        repo: 'releases:read',
        params: AssetParams,
        response: { 200: Attachment },
        detail: operation('repoGetReleaseAttachment', 'Get a release attachment', 'repository'),
      },
    )
    .patch(
      '/repos/:owner/:repo/releases/:id/assets/:attachment_id',
      ({ body, ...asked }) => {
        const { release, asset } = getAsset(asked)
        return presentAsset(context, asked.repo, release, body.name ? changeAssetName(context, asset, body.name) : asset)
      },
      {
        repo: 'releases:write',
        params: AssetParams,
        body: EditReleaseAssetOption,
        response: { 201: Attachment },
        detail: operation('repoEditReleaseAttachment', 'Edit a release attachment', 'repository'),
      },
    )
    .delete(
      '/repos/:owner/:repo/releases/:id/assets/:attachment_id',
      (asked) => {
        const { asset } = getAsset(asked)
        context.db.tx((tx) => deleteAsset(tx, asset.id))
      },
      {
        repo: 'releases:write',
        params: AssetParams,
        response: noContent,
        detail: operation('repoDeleteReleaseAttachment', 'Delete a release attachment', 'repository'),
      },
    )
}
