import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { LARGE_BYTES, largeJson, largeJsonList } from '#kernel/answers/large-json.ts'
import type { Peer } from '#kernel/answers/paced-stream.ts'
import { BadRequest, TooLarge } from '#kernel/errors.ts'
import { repoApiUrl } from '#repositories/repos/index.ts'
import { parseLfsPointer } from './lfs-pointer.ts'

/** The content of a blob. @throws GitError `limit` over `maxBytes` */
export async function readBlob(context: Pick<Context, 'git'>, repoId: number, oid: Oid, maxBytes: number): Promise<Uint8Array> {
  const [data] = await context.git.look('blobs', repoId, { oids: [oid], maxBytes })
  return data as Uint8Array
}

/**
 * Several blobs, in the order asked for. @throws BadRequest when there are more than a page holds, and on what is no blob; TooLarge when their
 * contents together are over `api.DEFAULT_MAX_RESPONSE_SIZE`
 */
export async function presentBlobs(context: BlobContext, repo: RepoAccess, shas: readonly Oid[], peer: Peer) {
  const { MAX_RESPONSE_ITEMS: most, DEFAULT_MAX_RESPONSE_SIZE: mostBytes } = context.config.api
  if (shas.length > most) throw new BadRequest(`Too many blobs: ${shas.length} requested; the limit is ${most}`)
  const store = context.git.storeOf(repo.row.id)
  const sizes = shas.map((sha) => store.findHeader(sha)?.size ?? 0)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes > mostBytes) throw new TooLarge(`The blobs are together larger than ${mostBytes} bytes`)
  const present = (sha: Oid) => presentBlob(context, repo, sha)
  if (bytes < LARGE_BYTES) return Promise.all(shas.map(present))
  for (const sha of shas) requireBlob(context, repo, sha)
  const shown = sizes.filter((size) => size <= context.config.api.DEFAULT_MAX_BLOB_SIZE)
  return largeJsonList(context, peer, { largest: Math.max(LARGE_BYTES, ...shown), total: shas.length }, oneByOne(shas, present))
}

async function* oneByOne<T, U>(items: readonly T[], make: (item: T) => Promise<U>): AsyncGenerator<[U]> {
  for (const item of items) yield [await make(item)]
}

type BlobContext = Pick<Context, 'answerBroke' | 'config' | 'git' | 'rootUrl' | 'services'>

/** @throws BadRequest for what is not there, and for what is no blob */
function requireBlob({ git }: Pick<Context, 'git'>, { row }: RepoAccess, sha: Oid): { size: number } {
  const header = git.storeOf(row.id).findHeader(sha)
  if (!header) throw new BadRequest(`sha not found [${sha}]`)
  if (header.type !== 'blob') throw new BadRequest(`Cannot read ${sha} as a blob: it is a ${header.type}`)
  return header
}

/** The same as an answer of its own. */
export async function answerBlob(context: BlobContext, repo: RepoAccess, sha: Oid, peer: Peer) {
  const { size } = requireBlob(context, repo, sha)
  const held = size > context.config.api.DEFAULT_MAX_BLOB_SIZE ? 0 : size
  return largeJson(context, peer, held, () => presentBlob(context, repo, sha))
}

/** A blob as the API gives it; without content when it is larger than `api.DEFAULT_MAX_BLOB_SIZE`. */
async function presentBlob(context: Pick<Context, 'config' | 'git' | 'rootUrl'>, repo: RepoAccess, sha: Oid) {
  const { owner, row } = repo
  const header = requireBlob(context, repo, sha)
  const url = `${repoApiUrl(context, owner, row)}/git/blobs/${sha}`
  const most = context.config.api.DEFAULT_MAX_BLOB_SIZE
  if (header.size > most) return { content: null, encoding: null, url, sha, size: header.size }
  const data = await readBlob(context, row.id, sha, most)
  return { content: Buffer.from(data).toString('base64'), encoding: 'base64', url, sha, size: header.size, ...parseLfsPointer(data) }
}
