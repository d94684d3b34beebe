import type { RepoAccess } from '#access/index.ts'
import { findCharset, findRevision, getCommitRevision, MAX_WHOLE_BYTES, readBlob, streamBlob } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { isBinary } from '#git/diff/line-stats.ts'
import type { Oid } from '#git/objects/oid.ts'
import { type ByteRange, cutStream, parseRange } from '#kernel/answers/byte-range.ts'
import { LARGE_BYTES, largeBytes } from '#kernel/answers/large-json.ts'
import { type Connections, pacedStream } from '#kernel/answers/paced-stream.ts'
import { answerHead, fileNames, hasAlready, mayBePart } from '#kernel/answers/serve-content.ts'
import { NotFound, Problem } from '#kernel/errors.ts'
import { rawHeaders } from '#kernel/http.ts'
import { parseTreePath } from './paths.ts'
import { contentType } from './view.ts'

/** Pictures that browsers show and that cannot run anything; everything else is plain text or bytes to save. */
const pictures: Record<string, string> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/** Where a file is asked for. */
export interface RawRequest {
  request: Request
  server: Connections
  /** As in the address. */
  path: string
  /** Empty: the path may begin with a branch, tag or commit (`/raw/main/src/x`), as older clients send it. */
  ref: string | undefined
}

/**
 * A file's bytes, or a range of them, with headers under which no browser runs them.
 * @throws NotFound when ref or path are absent, or it is no file; Problem 416 for a range outside of it
 */
export async function serveRaw(context: Context, repo: RepoAccess, asked: RawRequest): Promise<Response> {
  const { id } = repo.row
  const place = asked.ref ? { ref: asked.ref, path: parseTreePath(asked.path) } : splitRef(context, repo, parseTreePath(asked.path))
  const { oid } = await getCommitRevision(context, repo.row, place.ref)
  const commit = await context.git.look('links', id, { oid })
  const found = await context.git.run('openPath', id, { tree: commit.tree, path: place.path, maxBytes: 0 })
  const type = found && contentType(found.mode)
  if (!found || (type !== 'file' && type !== 'symlink')) throw new NotFound()
  const file = { repoId: id, tree: commit.tree, oid: found.oid, size: found.size, modified: Math.min(commit.committerTime, LAST_SECOND) }
  const headers = { ...rawHeaders, ...validators(file), 'X-Gitea-Object-Type': type, 'Access-Control-Expose-Headers': EXPOSED }
  if (hasAlready(asked.request, headers.ETag, headers['Last-Modified'])) return new Response(null, { status: 304, headers })
  const range = rangeOf(asked.request, file)
  if (range) Object.assign(headers, { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${file.size}` })
  return found.size > MAX_WHOLE_BYTES
    ? sendLarge(context, asked, { file, range, path: place.path, headers })
    : send(context, asked, { file, range, path: place.path, headers })
}

/** Of the year 9999: a later one has no date in HTTP. */
const LAST_SECOND = 253_402_300_799
const EXPOSED = 'Content-Disposition, X-Gitea-Object-Type'

interface File {
  repoId: number
  tree: Oid
  oid: Oid
  size: number
  /** When the commit was made that it is taken from, in seconds: it is no younger. */
  modified: number
}

interface Sending {
  file: File
  range: ByteRange | undefined
  path: string
  headers: Record<string, string>
}

async function send(context: Context, { request, server }: RawRequest, { file, range, path, headers }: Sending): Promise<Response> {
  let types = {}
  const read = async () => {
    const data = await readBlob(context, file.repoId, file.oid, MAX_WHOLE_BYTES)
    types = typeHeaders(path, data, await findCharset(context, file.repoId, { tree: file.tree, path, oid: file.oid }, data))
    return (range ? data.subarray(range.start, range.end) : data) as Uint8Array<ArrayBuffer>
  }
  const isLarge = file.size > LARGE_BYTES && request.method !== 'HEAD'
  const body = isLarge ? await largeBytes(context, { request, server }, file.size, read) : await read()
  const length = range ? range.end - range.start : file.size
  return new Response(body, { status: range ? 206 : 200, headers: { ...headers, ...types, 'Content-Length': String(length) } })
}

/** Its blob is held open for as long as the client takes: within reason. */
async function sendLarge(context: Context, { request, server }: RawRequest, { file, range, path, headers }: Sending): Promise<Response> {
  if (request.method === 'HEAD') return answerHead(request, { ...headers, ...typeHeaders(path) }, file.size)
  const open = async () => {
    const whole = await streamBlob(context, file.repoId, file.oid)
    return range ? cutStream(whole, range) : whole
  }
  const body = await pacedStream(context, open, { request, server }, 'file')
  const length = range ? range.end - range.start : file.size
  return new Response(body, { status: range ? 206 : 200, headers: { ...headers, ...typeHeaders(path), 'Content-Length': String(length) } })
}

function validators({ oid, modified }: File) {
  return { ETag: `"${oid}"`, 'Last-Modified': new Date(modified * 1000).toUTCString(), 'Accept-Ranges': 'bytes' }
}

/** @throws Problem 416 */
function rangeOf(request: Request, file: File): ByteRange | undefined {
  if (request.method === 'HEAD') return undefined
  const { ETag, 'Last-Modified': date } = validators(file)
  if (!mayBePart(request, ETag, date)) return undefined
  const range = parseRange(request.headers.get('range'), file.size)
  if (range === 'none') throw new Problem(416, 'The requested range is outside the file', { headers: { 'Content-Range': `bytes */${file.size}` } })
  return range
}

/** The shortest beginning of the path that is a branch, else a tag, else a commit; otherwise it is all path, in the default branch. */
function splitRef(context: Pick<Context, 'db' | 'git'>, repo: RepoAccess, path: string): { ref: string; path: string } {
  const parts = path.split('/')
  for (const kind of ['branch', 'tag', 'commit'] as const) {
    for (let n = 1; n < Math.min(parts.length, 16); n++) {
      const ref = parts.slice(0, n).join('/')
      if (findRevision(context, repo.row, ref)?.kind === kind) return { ref, path: parts.slice(n).join('/') }
    }
  }
  return { ref: repo.row.default_branch, path }
}

/** @param data absent for a file too large to look into: bytes to save, unless it is a picture */
function typeHeaders(path: string, data?: Uint8Array, charset = 'utf-8'): Record<string, string> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const picture = pictures[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
  const type = picture ?? (data === undefined || isBinary(data) ? 'application/octet-stream' : `text/plain; charset=${charset}`)
  const disposition = type === 'application/octet-stream' ? 'attachment' : 'inline'
  return { 'Content-Type': type, 'Content-Disposition': `${disposition}; ${fileNames(name)}` }
}
