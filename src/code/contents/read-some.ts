import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { BadRequest, Problem } from '#kernel/errors.ts'
import { parseTreePath } from './paths.ts'
import { type Includes, placeOf, readContents, readContentsAt } from './read-contents.ts'
import type { ContentsExtResponse, ContentsResponse } from './schema.ts'

/**
 * Several files at once, in the order asked for; null for what is not there. Ends after a page of files, or where their contents
 * together would be larger than `api.DEFAULT_MAX_RESPONSE_SIZE`, as Gitea's does.
 * @throws NotFound when the ref is absent
 */
export async function readSome(context: Context, repo: RepoAccess, paths: readonly string[], ref: string | undefined): Promise<(ContentsResponse | null)[]> {
  const { DEFAULT_PAGING_NUM: most, DEFAULT_MAX_RESPONSE_SIZE: mostBytes } = context.config.api
  const place = placeOf(context, repo, ref || repo.row.default_branch)
  const files: (ContentsResponse | null)[] = []
  let bytes = 0
  for (const path of paths.slice(0, most)) {
    const file = await orNull(async () => readContentsAt(context, place, parseTreePath(path)))
    const one = file === null || Array.isArray(file) ? null : file
    bytes += one?.content?.length ?? 0
    if (bytes > mostBytes) break
    files.push(one)
  }
  return files
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    // A directory with too many entries is no file either.
    if (error instanceof Problem && (error.status === 404 || error.status === 413)) return null
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

const parts: Record<string, keyof Includes> = { file_content: 'content', lfs_metadata: 'lfs', commit_metadata: 'commit', commit_message: 'message' }

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
export async function readExtended(
  context: Context,
  repo: RepoAccess,
  path: string,
  ref: string | undefined,
  includes: Includes,
): Promise<ContentsExtResponse> {
  const found = await readContents(context, repo, path, ref, includes)
  const trim = (one: ContentsResponse) => trimmed(one, includes)
  return Array.isArray(found) ? { dir_contents: found.map(trim) } : { file_contents: trim(found) }
}

/** The commit and its message come from one look; what was not asked for goes. */
function trimmed({ last_commit_sha, last_committer_date, last_author_date, last_commit_message, ...rest }: ContentsResponse, { commit, message }: Includes) {
  return { ...rest, ...(commit ? { last_commit_sha, last_committer_date, last_author_date } : {}), ...(message ? { last_commit_message } : {}) }
}
