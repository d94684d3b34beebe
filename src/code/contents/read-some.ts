import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { LARGE_BYTES, largeJson, largeJsonList } from '#kernel/answers/large-json.ts'
import { type Peer, pacedStream } from '#kernel/answers/paced-stream.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { type Around, uncheckedPages } from '#kernel/http.ts'
import { parseTreePath } from './paths.ts'
import { allIncludes, type Directory, type Includes, type Place, placeOf, readContents, readEntryAt } from './read-contents.ts'
import type { ContentsExtResponse, ContentsResponse } from './schema.ts'

/**
 * Several files and directories at once, in the order asked for, directories without what they hold; null for what is not there. Ends after a page of files, or where their contents
 * together would be larger than `api.DEFAULT_MAX_RESPONSE_SIZE`, as Gitea's does.
 * @throws NotFound when the ref is absent
 */
export async function readSome(
  context: Context,
  repo: RepoAccess,
  { paths, ref, peer }: { paths: readonly string[]; ref: string | undefined; peer: Peer },
): Promise<(ContentsResponse | null)[]> {
  const place = await placeOf(context, repo, ref || repo.row.default_branch)
  const small = await Array.fromAsync(eachOf(context, place, paths, { ...allIncludes, upTo: LARGE_BYTES }), ([one]) => one)
  const largest = Math.max(...small.map((one) => leftOut(context, one)))
  return largest <= 0 ? small : largeJsonList(context, peer, { largest, total: small.length }, eachOf(context, place, paths, allIncludes))
}

async function* eachOf(context: Context, place: Place, paths: readonly string[], includes: Includes): AsyncGenerator<[ContentsResponse | null]> {
  const { DEFAULT_PAGING_NUM: most, DEFAULT_MAX_RESPONSE_SIZE: mostBytes } = context.config.api
  let bytes = 0
  for (const path of paths.slice(0, most)) {
    const one = await orNull(async () => readEntryAt(context, place, parseTreePath(path), includes))
    bytes += one?.content?.length ?? 0
    if (bytes > mostBytes) return
    yield [one]
  }
}

/** How large the content is that was left out only because of its size; 0 for none. */
function leftOut({ config }: Pick<Context, 'config'>, found: ContentsResponse | null): number {
  if (found?.type !== 'file') return 0
  return found.size > LARGE_BYTES && found.size <= config.api.DEFAULT_MAX_BLOB_SIZE ? found.size : 0
}

export interface AskedContents {
  /** As in the address. */
  path: string
  ref: string | undefined
  peer: Peer
}

/** A file, link or submodule with its content, or what a directory holds. @throws as `readContents` does */
export async function answerContents(context: Context, repo: RepoAccess, asked: AskedContents): Promise<ContentsResponse | ContentsResponse[]> {
  const found = await readContents(context, repo, asked.path, asked.ref, { ...allIncludes, upTo: LARGE_BYTES })
  if ('show' in found) return found.count <= PAGE_ENTRIES ? found.show(0, found.count) : answerDirectory(context, asked.peer, found, (one) => one)
  return answerFile(context, repo, asked, allIncludes, found, (one) => one)
}

/** Entries of a directory that are made in one go. */
const PAGE_ENTRIES = 100

function answerDirectory<T>(context: Context, peer: Peer, directory: Directory, present: (one: ContentsResponse) => T, around?: Around): Promise<T[]> {
  return uncheckedPages(pagesOf(directory, present), (source) => pacedStream(context, source, peer), { around, total: () => directory.count })
}

async function* pagesOf<T>({ count, show }: Directory, present: (one: ContentsResponse) => T): AsyncGenerator<T[]> {
  for (let at = 0; at < count; at += PAGE_ENTRIES) {
    if (isDue()) await breathe()
    yield show(at, at + PAGE_ENTRIES).map(present)
  }
}

/** What is large is read again once there is memory for its answer. */
async function answerFile<T>(
  context: Context,
  repo: RepoAccess,
  { path, ref, peer }: AskedContents,
  includes: Includes,
  found: ContentsResponse,
  present: (found: ContentsResponse) => T,
): Promise<T> {
  const bytes = includes.content ? leftOut(context, found) : 0
  return bytes === 0
    ? present(found)
    : largeJson(context, peer, bytes, async () => present((await readContents(context, repo, path, ref, includes)) as ContentsResponse))
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotFound) return null
    throw error
  }
}

/** The `files` of a query's `body`, which holds the JSON that the POST of the same takes. @throws BadRequest when it is none */
export function parseFilesBody(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    const files = typeof value === 'object' && value !== null && 'files' in value ? (value.files ?? []) : []
    if (Array.isArray(files) && files.every((file) => typeof file === 'string')) return files
  } catch (cause) {
    throw new BadRequest('invalid body parameter', { cause })
  }
  throw new BadRequest('invalid body parameter')
}

const parts: Record<string, Exclude<keyof Includes, 'upTo'>> = {
  file_content: 'content',
  lfs_metadata: 'lfs',
  commit_metadata: 'commit',
  commit_message: 'message',
}

/** @param text names of parts, with commas between. @throws BadRequest on any other name */
export function parseIncludes(text = ''): Includes {
  const includes: Includes = { content: false, lfs: false, commit: false, message: false }
  for (const name of text.split(',').map((one) => one.trim())) {
    if (name === '') continue
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) throw new BadRequest(`unknown include option "${name.slice(0, 100)}"`)
    includes[part] = true
  }
  return includes
}

/** A file, or a directory's entries, with what is asked for and nothing more. @throws NotFound; TooLarge as `readContents` does */
export async function readExtended(context: Context, repo: RepoAccess, asked: AskedContents, includes: Includes): Promise<ContentsExtResponse> {
  const trim = (one: ContentsResponse) => trimmed(one, includes)
  const found = await readContents(context, repo, asked.path, asked.ref, { ...includes, upTo: LARGE_BYTES })
  if ('show' in found) return (await answerDirectory(context, asked.peer, found, trim, ['{"dir_contents":[', ']}'])) as never
  return answerFile(context, repo, asked, includes, found, (one) => ({ file_contents: trim(one) }))
}

/** The commit and its message come from one look; what was not asked for goes. */
function trimmed({ last_commit_sha, last_committer_date, last_author_date, last_commit_message, ...rest }: ContentsResponse, { commit, message }: Includes) {
  return { ...rest, ...(commit ? { last_commit_sha, last_committer_date, last_author_date } : {}), ...(message ? { last_commit_message } : {}) }
}
