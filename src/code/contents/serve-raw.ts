import type { RepoAccess } from '#access/index.ts'
import { findRevision, getCommitRevision, MAX_WHOLE_BYTES, readBlob, streamBlob } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { FoundPath } from '#git/browse/open-path.ts'
import { isBinary } from '#git/diff/line-stats.ts'
import { parseCommit } from '#git/objects/commit.ts'
import { NotFound } from '#kernel/errors.ts'
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

/**
 * A file's bytes, with headers under which no browser runs them.
 * @param ref empty: the path may begin with a branch, tag or commit (`/raw/main/src/x`), as older clients send it
 * @throws NotFound when ref or path are absent, or it is no file
 */
export async function serveRaw(context: Context, repo: RepoAccess, rawPath: string, ref: string | undefined, request: Request): Promise<Response> {
  const { id } = repo.row
  const place = ref ? { ref, path: parseTreePath(rawPath) } : splitRef(context, repo, parseTreePath(rawPath))
  const { oid: commit } = getCommitRevision(context, repo.row, place.ref)
  const { tree } = parseCommit(context.git.storeOf(id).get(commit, 'commit').data)
  const found = await context.git.run('openPath', id, { tree, path: place.path, maxBytes: 0 })
  const type = found && contentType(found.mode)
  if (!found || (type !== 'file' && type !== 'symlink')) throw new NotFound()
  const headers = {
    ...rawHeaders,
    'X-Gitea-Object-Type': type,
    ETag: `"${found.oid}"`,
    'Access-Control-Expose-Headers': 'Content-Disposition, X-Gitea-Object-Type',
  }
  if (matches(request.headers.get('if-none-match'), found.oid)) return new Response(null, { status: 304, headers })
  if (found.size > MAX_WHOLE_BYTES) return serveLarge(context, id, found, { ...headers, ...typeHeaders(place.path) })
  const data = await readBlob(context, id, found.oid, found.size, MAX_WHOLE_BYTES)
  return new Response(data as Uint8Array<ArrayBuffer>, { headers: { ...headers, ...typeHeaders(place.path, data) } })
}

function serveLarge(context: Context, repoId: number, { oid, size }: FoundPath, headers: Record<string, string>): Response {
  return new Response(streamBlob(context, repoId, oid), { headers: { ...headers, 'Content-Length': String(size) } })
}

/** The shortest beginning of the path that is a branch, else a tag, else a commit; otherwise it is all path, in the default branch. */
function splitRef(context: Context, repo: RepoAccess, path: string): { ref: string; path: string } {
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
function typeHeaders(path: string, data?: Uint8Array): Record<string, string> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const picture = pictures[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
  const type = picture ?? (data === undefined || isBinary(data) ? 'application/octet-stream' : 'text/plain; charset=utf-8')
  const disposition = type === 'application/octet-stream' ? 'attachment' : 'inline'
  return { 'Content-Type': type, 'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name)}` }
}

function matches(header: string | null, oid: string): boolean {
  return header?.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${oid}"` || one.trim() === '*') ?? false
}
