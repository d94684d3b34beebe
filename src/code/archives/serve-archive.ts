import type { RepoAccess } from '#access/index.ts'
import { findRevision, getNamedCommit, type Revision, streamCall } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { ArchiveBuild } from '#git/archive/archive-cache.ts'
import { GitError } from '#git/errors.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import type { StreamCall } from '#git/workers/pool.ts'
import { type Connections, pacedStream } from '#kernel/answers/paced-stream.ts'
import { answerHead, fileNames, isKnown, serveContent } from '#kernel/answers/serve-content.ts'
import { BadRequest, ClientGone, NotFound } from '#kernel/errors.ts'
import { decodePath, queryOf, rawHeaders } from '#kernel/http.ts'
import { findRef } from '#repositories/refs/index.ts'
import { repoApiUrl } from '#repositories/repos/index.ts'
import { type ArchiveKind, contentTypes, parseArchiveName } from './archive-name.ts'
import { archiveCache } from './cache.ts'
import { parsePaths } from './paths.ts'

export interface Asked {
  repo: RepoAccess
  request: Request
  server: Connections
}

export interface AskedArchive extends Asked {
  /** A branch, tag or commit. */
  revision: string
  kind: ArchiveKind
}

/** One by its address. */
export interface AskedByPath extends Asked {
  params: { '*': string }
}

/**
 * Answers with one that is called like a file: `v1.0.zip`.
 * @param name as it stands in the address
 * @throws BadRequest for an ending that names no kind of archive, and what `serveArchive` throws
 */
export function serveNamed(context: Context, name: string, asked: Asked): Promise<Response> {
  return serveArchive(context, { ...asked, ...parseArchiveName(decodePath(name)) })
}

/**
 * Answers with an archive of a branch, a tag or a commit: from a file that all who ask for the same share, or, where it is larger than
 * all such files may be together, as it is made.
 * @throws NotFound for what names no commit and for paths that are not there; BadRequest for paths that lead anywhere else
 */
export function serveArchive(context: Context, asked: AskedArchive): Promise<Response> {
  return asked.kind === 'bundle' ? serveBundle(context, asked) : serveFile(context, asked, asked.kind)
}

async function serveFile(context: Context, asked: AskedArchive, kind: Exclude<ArchiveKind, 'bundle'>): Promise<Response> {
  const { repo, request } = asked
  const oid = await getCommit(context, repo, asked.revision)
  const tag = tagOf(context, asked, oid)
  const archive = context.git.archive(repo.row.id, oid, { format: kind, prefix: `${repo.row.name}/`, paths: parsePaths(request.url), tag })
  const headers = headersOf(context, asked, oid, tag)
  const etag = `"${archive.tag}"`
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: { ...headers, ETag: etag } })
  const name = `${repo.row.id}-${archive.tag}.${kind}`
  // It is not made to say how long it is.
  if (request.method === 'HEAD') return answerHead(request, { ...headers, ETag: etag, 'Accept-Ranges': 'bytes' }, await archiveCache(context).sizeOf(name))
  const file = await inTime(context, request, (signal) => archiveCache(context).open(name, () => buildOf(archive.open()), signal))
  if (file === undefined) return stream(context, asked, () => archive.open(true), { ...headers, ETag: etag })
  let isOpened = false
  const open = (from: number, to: number) => {
    isOpened = true
    return pacedStream(context, file.stream(from, to), { request: asked.request, server: asked.server })
  }
  const response = await serveContent(request, { size: file.size, etag, headers, open })
  if (!isOpened) await file[Symbol.asyncDispose]()
  return response
}

/**
 * The tag that an archive of a commit was requested by, whose name files with `export-subst` show. The immutable link of such an archive is
 * that of the commit with the tag as a parameter, so that it leads to the same bytes. @throws NotFound when that tag is of another commit by now
 */
function tagOf(context: Context, { repo: { row }, request, revision }: AskedArchive, oid: Oid): string | undefined {
  const found = findRevision(context, row, revision)
  if (found?.kind === 'tag') return found.name
  const name = new URLSearchParams(queryOf(request.url)).get('tag')
  if (found?.kind !== 'commit' || name === null) return undefined
  const ref = findRef(context.db, row.id, TAGS + name)
  if ((ref?.peeled ?? ref?.oid) !== oid) throw new NotFound(`tag "${name.slice(0, 200)}" does not point to commit ${oid}`)
  return name
}

/** @throws GitError `limit` when `work` takes longer than a request may; ClientGone */
async function inTime<T>({ config: { git } }: Pick<Context, 'config'>, request: Request, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(git.REQUEST_SECONDS * 1000)
  try {
    return await work(AbortSignal.any([request.signal, late]))
  } catch (cause) {
    if (request.signal.aborted) throw new ClientGone({ cause })
    if (late.aborted) throw new GitError('limit', `The archive took longer than ${git.REQUEST_SECONDS} seconds`, { cause })
    throw cause
  }
}

/** The same refs make a bundle of the same objects, but not always of the same bytes, which upkeep may pack anew: there are no parts of one. */
async function serveBundle(context: Context, asked: AskedArchive): Promise<Response> {
  const { repo, request } = asked
  if (parsePaths(request.url) !== undefined) throw new BadRequest('path parameters are not supported for bundles')
  const oid = await getCommit(context, repo, asked.revision)
  const ref = findRevision(context, repo.row, asked.revision) ?? { oid, kind: 'commit', name: oid }
  const headers = headersOf(context, asked, oid)
  const etag = `W/"${ref.oid}-${ref.kind}-${Bun.hash(ref.name).toString(16)}"`
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: { ...headers, ETag: etag } })
  if (request.method === 'HEAD') return answerHead(request, { ...headers, ETag: etag })
  const refs = [...refOf(ref), { name: 'HEAD', oid }]
  return stream(context, asked, () => context.git.bundle(repo.row.id, refs), { ...headers, ETag: etag })
}

/** Under which name the bundle holds it beside `HEAD`, which git checks out after cloning, and which is all that a commit has. */
function refOf({ kind, name, oid }: Revision): { name: string; oid: Oid }[] {
  if (kind === 'branch') return [{ name: HEADS + name, oid }]
  return kind === 'tag' ? [{ name: TAGS + name, oid }] : []
}

/** @throws NotFound as Gitea says it */
async function getCommit(context: Pick<Context, 'db' | 'git'>, repo: RepoAccess, text: string): Promise<Oid> {
  try {
    return await getNamedCommit(context, repo.row, text)
  } catch (cause) {
    if (!(cause instanceof NotFound)) throw cause
    throw new NotFound(`unrecognized repository reference: ${text.slice(0, 200)}`, { cause })
  }
}

function headersOf(context: Pick<Context, 'rootUrl'>, { repo, revision, kind }: AskedArchive, oid: Oid, tag?: string): Record<string, string> {
  const fileName = `${repo.row.name}-${revision.replaceAll('/', '-')}.${kind}`
  const immutable = `${repoApiUrl(context, repo.owner, repo.row)}/archive/${oid}.${kind}?rev=${oid}${tag === undefined ? '' : `&tag=${encodeURIComponent(tag)}`}`
  return {
    ...rawHeaders,
    'Content-Type': contentTypes[kind],
    'Content-Disposition': `attachment; ${fileNames(fileName)}`,
    Link: `<${immutable}>; rel="immutable"`,
    'Access-Control-Expose-Headers': 'Content-Disposition, Link',
  }
}

function buildOf(call: StreamCall<void>): ArchiveBuild {
  return { outgoing: call.outgoing, result: call.result, abort: () => call.abort() }
}

/** Sends it as it is made. */
async function stream(
  context: Pick<Context, 'answerBroke' | 'config' | 'services'>,
  asked: Asked,
  start: () => StreamCall<void>,
  headers: Record<string, string>,
): Promise<Response> {
  const { request, server } = asked
  return new Response(await pacedStream(context, () => streamCall(start, request.signal), { request, server }), { headers })
}
