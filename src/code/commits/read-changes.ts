import type { Context } from '#context.ts'
import type { DiffFilesOptions, FileDiffs } from '#git/diff/diff-files.ts'
import type { IgnoredSpace } from '#git/diff/lines.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Where } from '#git/workers/service.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { diffLimits } from './serve-patch.ts'

/** Two trees, commits or tags that are compared. */
export interface DiffEnds {
  where: Where
  /** Undefined for the empty tree. */
  from: Oid | undefined
  to: Oid
}

/** Files whose names and numbers are told. */
const MAX_LISTED = 1000
/** A page of a diff ends after so many files or lines; what goes beyond by itself is shown when it is asked for, up to another limit. */
const PAGE_FILES = 20
const PAGE_LINES = 3000
const MAX_FILE_LINES = 20_000
/** Of both sides of the files that are looked into for one page. */
const MAX_BYTES = 16 * 1024 * 1024
/** What is kept of those that were shown, in characters. */
const MOST_KEPT = 12 * 1024 * 1024
const FILE_SIZE = 300

/** Between two ids nothing changes: what many look at is made once. */
class KnownChanges extends KeptWork<FileDiffs> {
  constructor() {
    super(MOST_KEPT, sizeOf)
  }
}

function sizeOf({ files }: FileDiffs): number {
  return files.reduce(
    (sum, { hunks = [] }) => sum + FILE_SIZE + hunks.reduce((part, { lines }) => part + lines.reduce((all, line) => all + line.length + 20, 0), 0),
    0,
  )
}

/** What changed, file by file, in numbers. */
export function listChanges(context: Pick<Context, 'config' | 'git' | 'services'>, ends: DiffEnds, ignoredSpace?: IgnoredSpace): Promise<FileDiffs> {
  return read(context, ends, { detail: 'numbers', limit: MAX_LISTED, totals: true, ignoredSpace })
}

/** A page of what changed, with lines; `next` is how many files there are before the next page. @param paths of the only files that count, old names too */
export async function readChanges(
  context: Pick<Context, 'config' | 'git' | 'services'>,
  ends: DiffEnds,
  { skip, ...asked }: { skip: number; ignoredSpace?: IgnoredSpace | undefined; paths?: readonly string[] | undefined },
): Promise<{ found: FileDiffs; next: number | undefined }> {
  const found = await read(context, ends, { detail: 'lines', skip, limit: PAGE_FILES, maxTotalLines: PAGE_LINES, maxTotalBytes: MAX_BYTES, ...asked })
  // A file for which there was no room left begins the next page; one that has a page to itself is simply too large.
  const full = found.files.findIndex((file, i) => i > 0 && file.isTooLarge && !file.isBinary)
  const files = full < 0 ? found.files : found.files.slice(0, full)
  const next = skip + files.length
  return { found: { ...found, files }, next: next < found.count ? next : undefined }
}

/** One file by itself, with as many lines as are ever shown. @param paths its name, and the one that it had before */
export function readFileChanges(
  context: Pick<Context, 'config' | 'git' | 'services'>,
  ends: DiffEnds,
  paths: readonly string[],
  ignoredSpace?: IgnoredSpace,
): Promise<FileDiffs> {
  return read(context, ends, { detail: 'lines', paths, limit: 2, maxTotalLines: MAX_FILE_LINES, maxTotalBytes: MAX_BYTES, ignoredSpace })
}

function read(
  context: Pick<Context, 'config' | 'git' | 'services'>,
  { where, from, to }: DiffEnds,
  asked: Omit<DiffFilesOptions, 'signal'>,
): Promise<FileDiffs> {
  const options = { ...diffLimits(context), decodes: true, ...asked }
  const key = JSON.stringify([where, from, to, options])
  return context.services.get(KnownChanges).answer(key, () => context.git.run('diffFiles', where, { from, to, options }))
}
