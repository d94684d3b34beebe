import { paceOf } from '#access/index.ts'
import { BlobStore, cleanName, noteBlob, readUpload, refuseType, type Upload } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { BadRequest, NotFound, Unprocessable } from '#kernel/errors.ts'
import { streamBody } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { Place } from './change-releases.ts'
import { type AssetRow, countAssets, findAsset, findRelease, insertAsset, type ReleaseRow, renameAsset } from './store.ts'

const MIB = 1_048_576

/**
 * Puts a file beside a release: the field `attachment` of a form, or the body as it is. It goes to disk as it comes; when the request
 * breaks off nothing of it stays.
 * @param name what it is to be called; a body that is no form has no name of its own
 * @throws BadRequest for what is no upload; Unprocessable for a type that is not allowed, and when there are too many; TooLarge, TooSlow
 */
export async function addAsset(context: Context, { viewer, repo }: Place, release: ReleaseRow, request: Request, name: string | undefined): Promise<AssetRow> {
  const settings = context.config['repository.release']
  const { named, landed } = await takeUpload(context, request, name, async (upload) => {
    const named = cleanName(name || upload.name)
    refuseType(named, settings.ALLOWED_TYPES)
    return { named, landed: await context.services.get(BlobStore).land(upload.bytes, settings.FILE_MAX_SIZE * MIB) }
  })
  try {
    return context.db.tx((tx) => {
      if (!findRelease(tx, repo.row.id, release.id)) throw new NotFound()
      if (countAssets(tx, release.id) >= settings.MAX_FILES) throw new Unprocessable(`no more than ${settings.MAX_FILES} files can be attached`)
      landed.keep()
      const now = context.clock.seconds()
      noteBlob(tx, landed, now)
      return insertAsset(tx, {
        uuid: crypto.randomUUID(),
        release_id: release.id,
        uploader_id: viewer.user.id,
        name: named,
        size: landed.size,
        digest: landed.digest,
        created_at: now,
      })
    })
  } finally {
    landed.drop()
  }
}

/** @throws NotFound for one of another release */
export function getAssetOf({ db }: Pick<Context, 'db'>, release: ReleaseRow, id: string): AssetRow {
  const found = findAsset(db, release.id, rowIdIn(id))
  if (!found) throw new NotFound()
  return found
}

/** @throws Unprocessable for a type that is not allowed */
export function changeAssetName({ db, config }: Pick<Context, 'db' | 'config'>, asset: AssetRow, asked: string): AssetRow {
  const name = cleanName(asked)
  refuseType(name, config['repository.release'].ALLOWED_TYPES)
  return db.tx((tx) => renameAsset(tx, asset, name))
}

async function takeUpload<T>(context: Pick<Context, 'config'>, request: Request, name: string | undefined, take: (upload: Upload) => Promise<T>): Promise<T> {
  if (/^\s*multipart\//i.test(request.headers.get('content-type') ?? '')) {
    return (await readUpload(request, paceOf(context.config), take)).file
  }
  if (!name) throw new BadRequest('Could not determine name of attachment.')
  return take({ name, bytes: streamBody(request, paceOf(context.config)) })
}
