import type { RepoAccess } from '#access/index.ts'
import { getCommitRevision, parseLfsPointer } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { ListedEntry } from '#git/browse/list-tree.ts'
import type { FoundPath } from '#git/browse/open-path.ts'
import type { EditedFile } from '#git/edit/edit-files.ts'
import type { EditedEntry } from '#git/edit/editable-tree.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound, TooLarge } from '#kernel/errors.ts'
import { findLastCommits, type LastCommits } from './last-commits.ts'
import { parseTreePath } from './paths.ts'
import type { ContentsResponse } from './schema.ts'
import { readSubmodules } from './submodules.ts'
import { contentType, presentContents, type Shown } from './view.ts'

/** A directory with more entries is not listed this way; git/trees pages. */
const MAX_ENTRIES = 5000
/** Targets of links and pointers to large files are no longer. */
const MAX_SMALL_BYTES = 4096
const MAX_LINKS = 200

/** Where contents are read. */
export type Place = Omit<Shown, 'path' | 'entry' | 'last'> & { tree: Oid }

/** What of a path is wanted besides its name and id; the commits that last changed it take a walk through history. */
export interface Includes {
  content: boolean
  lfs: boolean
  commit: boolean
  message: boolean
  /** Content of larger files is left out, in bytes. */
  upTo?: number
}

/** What a directory holds, shown a part at a time: of thousands of entries the whole takes others' time, and memory for each who asks. */
export interface Directory {
  count: number
  show(from: number, to: number): ContentsResponse[]
}

export const allIncludes: Includes = { content: true, lfs: true, commit: true, message: true }

/**
 * A file, link or submodule with its content, or what a directory holds. Files over `api.DEFAULT_MAX_BLOB_SIZE` come without content.
 * @throws NotFound when the ref or the path is absent; TooLarge for a directory of more than some thousand entries
 */
export async function readContents(
  context: Context,
  repo: RepoAccess,
  rawPath: string,
  ref: string | undefined,
  includes = allIncludes,
): Promise<ContentsResponse | Directory> {
  const path = parseTreePath(rawPath)
  const place = await placeOf(context, repo, ref || repo.row.default_branch)
  const found = await openAt(context, place, path, includes)
  return found.mode === 0o040000 ? openDirectory(context, place, path, found.oid, includes) : showEntry(context, place, path, found, includes)
}

/**
 * Reads one entry of a known place. A directory comes without what it holds.
 * @param path as `parseTreePath` gives it
 * @throws NotFound when the path is absent, and for the root, which is not an entry
 */
export async function readEntryAt(context: Context, place: Place, path: string, includes: Includes): Promise<ContentsResponse> {
  if (path === '') throw new NotFound()
  return showEntry(context, place, path, await openAt(context, place, path, includes), includes)
}

async function openAt(context: Context, place: Place, path: string, includes: Includes): Promise<FoundPath> {
  const maxBytes = Math.max(includes.content ? Math.min(context.config.api.DEFAULT_MAX_BLOB_SIZE, includes.upTo ?? Infinity) : 0, MAX_SMALL_BYTES)
  const found = await context.git.run('openPath', place.repo.row.id, { tree: place.tree, path, maxBytes })
  if (!found) throw new NotFound(`object does not exist [id: , rel_path: ${path.slice(0, 200)}]`)
  return found
}

async function showEntry(context: Context, place: Place, path: string, entry: FoundPath, includes: Includes): Promise<ContentsResponse> {
  const { dir, name } = split(path)
  const last = await findLast(context, place, includes, dir, [name])
  return fill(context, place, presentContents(context, { ...place, path, entry, last: last.get(name) }), entry.data, includes)
}

function split(path: string): { dir: string; name: string } {
  const slash = path.lastIndexOf('/')
  return { dir: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) }
}

/** Contents that are fetched at once. */
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Files that a commit has just changed, in the order of `edited`; null for those that it removed. What is known of them is not looked for in
 * directories again, each of which may hold thousands of them. Contents beyond `api.DEFAULT_MAX_RESPONSE_SIZE` together are left out.
 */
export async function readEdited(context: Context, place: Place, made: CommitDetails, edited: readonly EditedFile[]): Promise<(ContentsResponse | null)[]> {
  const entries = new Map<string, EditedEntry>()
  for (const { path, entry } of edited) {
    if (entry) entries.set(path, entry)
    else entries.delete(path)
  }
  const last = await lastOf(context, place, made, edited)
  const { DEFAULT_MAX_BLOB_SIZE: most, DEFAULT_MAX_RESPONSE_SIZE: mostBytes } = context.config.api
  const shown = new Map<string, ContentsResponse>()
  const left = [...entries]
  for (let bytes = 0; left.length > 0; ) {
    const maxBytes = Math.max(bytes < mostBytes ? most : 0, MAX_SMALL_BYTES)
    const asked = { entries: left.map(([, entry]) => entry), maxBytes, mostBytes: BATCH_BYTES }
    const found = await context.git.run('openEntries', place.repo.row.id, asked)
    for (const [i, [path]] of left.splice(0, found.length).entries()) {
      const entry = found[i] as FoundPath
      const one = presentContents(context, { ...place, path, entry, last: last.get(path) })
      shown.set(path, await fill(context, place, one, entry.data, { ...allIncludes, content: bytes < mostBytes }))
      bytes += entry.data?.length ?? 0
    }
  }
  return edited.map(({ path }) => shown.get(path) ?? null)
}

/** By path. What a commit left as it was has another that changed it last. */
async function lastOf(context: Context, place: Place, made: CommitDetails, edited: readonly EditedFile[]): Promise<Map<string, CommitDetails>> {
  const last = new Map(edited.filter(({ isChanged }) => isChanged).map(({ path }) => [path, made]))
  const left = edited.map(({ path }) => path).filter((path) => !last.has(path))
  for (const [dir, paths] of Map.groupBy(left, (path) => split(path).dir)) {
    const found = await findLast(context, place, allIncludes, dir, [...new Set(paths.map((path) => split(path).name))])
    for (const path of paths) {
      const commit = found.get(split(path).name)
      if (commit) last.set(path, commit)
    }
  }
  return last
}

/** @throws NotFound when the ref is absent */
export async function placeOf(context: Pick<Context, 'db' | 'git'>, repo: RepoAccess, ref: string): Promise<Place> {
  const revision = await getCommitRevision(context, repo.row, ref)
  const { tree } = await context.git.look('links', repo.row.id, { oid: revision.oid })
  return { repo, revision, ref, tree }
}

async function openDirectory(
  context: Pick<Context, 'git' | 'services' | 'rootUrl'>,
  place: Place,
  path: string,
  tree: Oid,
  includes: Includes,
): Promise<Directory> {
  const { id } = place.repo.row
  const { entries, total } = await context.git.run('listTree', id, { tree, options: { recursive: false, offset: 0, limit: MAX_ENTRIES } })
  if (total > MAX_ENTRIES) throw new TooLarge(`Cannot list "${path}": it has ${total} entries; the limit is ${MAX_ENTRIES}. Use /git/trees, which has pages`)
  const last = total === 0 ? new Map<string, never>() : await findLast(context, place, includes, path)
  const submodules = entries.some(({ mode }) => contentType(mode) === 'submodule') ? await readSubmodules(context, id, place.tree) : undefined
  const targets = await readTargets(context, id, entries)
  const show = (entry: ListedEntry): ContentsResponse => {
    const shown = presentContents(context, { ...place, path: path === '' ? entry.path : `${path}/${entry.path}`, entry, last: last.get(entry.path) })
    if (shown.type === 'submodule') return { ...shown, submodule_git_url: submodules?.get(shown.path) ?? null }
    const target = targets.get(entry.oid)
    return target === undefined || shown.type !== 'symlink' ? shown : { ...shown, target }
  }
  return { count: total, show: (from, to) => entries.slice(from, to).map(show) }
}

/** Where the links of a directory lead, by the blob that says it. */
async function readTargets({ git }: Pick<Context, 'git'>, repoId: number, entries: readonly ListedEntry[]): Promise<Map<Oid, string>> {
  const links = entries.filter(({ mode, size }) => contentType(mode) === 'symlink' && size <= MAX_SMALL_BYTES).slice(0, MAX_LINKS)
  const oids = links.map(({ oid }) => oid)
  const targets = await git.look('blobs', repoId, { oids, maxBytes: MAX_SMALL_BYTES })
  return new Map(oids.map((oid, i) => [oid, Buffer.from(targets[i] as Uint8Array).toString()]))
}

/** The commits that last changed entries of a directory: a walk through history when nobody has asked lately. */
async function findLast(
  context: Pick<Context, 'git' | 'services'>,
  { repo, revision }: Place,
  { commit, message }: Includes,
  dir: string,
  names?: string[],
): Promise<LastCommits> {
  if (!commit && !message) return new Map()
  return findLastCommits(context, repo.row.id, { tip: revision.oid, dir, names })
}

async function fill(
  context: Pick<Context, 'git'>,
  place: Place,
  shown: ContentsResponse,
  data: Uint8Array | undefined,
  { content, lfs }: Includes,
): Promise<ContentsResponse> {
  if (shown.type === 'submodule') {
    const submodules = await readSubmodules(context, place.repo.row.id, place.tree)
    return { ...shown, submodule_git_url: submodules.get(shown.path) ?? null }
  }
  if (data === undefined) return shown
  if (shown.type === 'symlink') return { ...shown, target: Buffer.from(data.subarray(0, MAX_SMALL_BYTES)).toString() }
  const text = content ? { encoding: 'base64', content: Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64') } : {}
  return { ...shown, ...text, ...(lfs ? parseLfsPointer(data) : {}) }
}
