import { BlobStore } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { type Connections, pacedStream } from '#kernel/answers/paced-stream.ts'
import { fileNames, serveContent } from '#kernel/answers/serve-content.ts'
import { rawHeaders } from '#kernel/http.ts'
import { type AssetRow, countDownload } from './store.ts'

/** Sends a file of a release, or a part of it. Whatever it is, it is saved and never shown: no browser runs it. */
export function sendAsset(
  context: Pick<Context, 'answerBroke' | 'config' | 'db' | 'services'>,
  asset: AssetRow,
  request: Request,
  server: Connections,
): Promise<Response> {
  const headers = {
    ...rawHeaders,
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; ${fileNames(asset.name)}`,
    'Last-Modified': new Date(asset.created_at * 1000).toUTCString(),
    'Access-Control-Expose-Headers': 'Content-Disposition',
  }
  const read = async (start: number, end: number) => {
    const bytes = await context.services.get(BlobStore).open(asset.digest, start, end)
    if (start === 0) context.db.note((tx) => countDownload(tx, asset.id))
    return bytes
  }
  const open = (start: number, end: number) => pacedStream(context, () => read(start, end), { request, server })
  return serveContent(request, { size: asset.size, etag: `"${asset.digest}"`, headers, open })
}
