import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { BadRequest, NotFound, TooLarge } from '#kernel/errors.ts'
import { repoApiUrl } from '#repositories/repos/index.ts'
import { parseLfsPointer } from './lfs-pointer.ts'

/** Blobs up to this size are read on the main thread; inflating a larger one would hold up other requests. */
const MAX_DIRECT_BYTES = 64 * 1024

/** A blob of known size. @throws GitError `limit` over `maxBytes` */
export async function readBlob(context: Pick<Context, 'git'>, repoId: number, oid: Oid, size: number, maxBytes: number): Promise<Uint8Array> {
  if (size <= MAX_DIRECT_BYTES) return context.git.storeOf(repoId).get(oid, 'blob', maxBytes).data
  return context.git.run('readBlob', repoId, { oid, maxBytes })
}

/**
 * Several blobs, in the order asked for. @throws BadRequest when there are more than a page holds, and on what is no blob; TooLarge when their
 * contents together are over `api.DEFAULT_MAX_RESPONSE_SIZE`
 */
export async function presentBlobs(context: Pick<Context, 'config' | 'git' | 'rootUrl'>, repo: RepoAccess, shas: readonly Oid[]) {
  const { MAX_RESPONSE_ITEMS: most, DEFAULT_MAX_RESPONSE_SIZE: mostBytes } = context.config.api
  if (shas.length > most) throw new BadRequest(`At most ${most} blobs are given at once; ${shas.length} were asked for`)
  const store = context.git.storeOf(repo.row.id)
  const bytes = shas.reduce((sum, sha) => sum + (store.findHeader(sha)?.size ?? 0), 0)
  if (bytes > mostBytes) throw new TooLarge(`The blobs are larger than ${mostBytes} bytes together`)
  return Promise.all(shas.map((sha) => presentBlob(context, repo, sha)))
}

/** A blob as the API gives it; without content when it is larger than `api.DEFAULT_MAX_BLOB_SIZE`. */
export async function presentBlob(context: Pick<Context, 'config' | 'git' | 'rootUrl'>, { owner, row }: RepoAccess, sha: Oid) {
  const header = context.git.storeOf(row.id).findHeader(sha)
  if (!header) throw new NotFound()
  if (header.type !== 'blob') throw new BadRequest(`Cannot read ${sha} as a blob: it is a ${header.type}`)
  const url = `${repoApiUrl(context, owner, row)}/git/blobs/${sha}`
  const most = context.config.api.DEFAULT_MAX_BLOB_SIZE
  if (header.size > most) return { content: null, encoding: null, url, sha, size: header.size }
  const data = await readBlob(context, row.id, sha, header.size, most)
  return { content: Buffer.from(data).toString('base64'), encoding: 'base64', url, sha, size: header.size, ...parseLfsPointer(data) }
}
