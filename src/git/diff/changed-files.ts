import { GitError } from '../errors.ts'
import { commitLinks } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTag } from '../objects/tag.ts'
import { runSteps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { detectRenames, type FileChange, type RenameOptions } from './renames.ts'
import { ToldSides } from './told-sides.ts'
import { diffTrees, type TreeChange } from './tree-diff.ts'

export interface ChangedFilesOptions extends RenameOptions {
  /** Only files at or below these paths, taken literally. */
  paths?: readonly string[]
  /** Whether renamed files are looked for. Default: true. */
  renames?: boolean
  /**
   * Files beyond this are left out, those whose paths come to more than 16 Mi characters together, and those of which more than 10,000, and ten for
   * each different change, are the same change again. Default: 100,000.
   */
  maxFiles?: number
  /**
   * The tree whose `.gitattributes` tell which files are binary, or what leads to it; absent: their content alone does. It should be what was
   * there before: nobody then hides what they change by attributes that come with it.
   */
  attributes?: Oid | undefined
  signal?: AbortSignal
}

export interface ChangedFiles {
  changes: FileChange[]
  /** Whether there are more than were asked for; what is there is then without renames. */
  isTruncated: boolean
}

const DEFAULT_MAX_FILES = 100_000
const MAX_PATHS_LENGTH = 16 << 20
/** Files that change as others do, more than `REPEATED_EACH` for each change: a few trees of directories that are all the same unfold into any number. */
const MAX_REPEATED = 10_000
const REPEATED_EACH = 10
const MAX_TAG_CHAIN = 64

/**
 * What changed from one tree to another (undefined: the empty tree), files only, in git's order.
 * @param from a tree, or a commit or tag that leads to one
 * @throws GitError `missing` or `corrupt` when a tree or blob is
 */
export async function changedFiles(store: ObjectReader, from: Oid | undefined, to: Oid | undefined, options: ChangedFilesOptions = {}): Promise<ChangedFiles> {
  const { paths, maxFiles = DEFAULT_MAX_FILES, signal } = options
  const changes: TreeChange[] = []
  const steps = collect(diffTrees(store, from && treeOf(store, from), to && treeOf(store, to), { paths }), changes, maxFiles)
  const isTruncated = await runSteps(steps, signal)
  if (isTruncated || options.renames === false) return { changes, isTruncated }
  return { changes: (await runSteps(detectRenames(store, changes, { ...options, told: toldBy(store, options) }), signal)).changes, isTruncated }
}

/** What the attributes say that were asked for. */
export function toldBy(store: ObjectReader, { attributes }: Pick<ChangedFilesOptions, 'attributes'>): ToldSides {
  return new ToldSides(store, attributes && treeOf(store, attributes))
}

function* collect(found: Iterable<TreeChange>, changes: TreeChange[], limit: number): Generator<void, boolean, undefined> {
  let pathsLength = 0
  const different = new Set<string>()
  for (const change of found) {
    pathsLength += change.path.length
    different.add(`${change.old?.oid} ${change.new?.oid}`)
    if (changes.length >= limit || pathsLength > MAX_PATHS_LENGTH || changes.length >= MAX_REPEATED + REPEATED_EACH * different.size) return true
    changes.push(change)
    yield
  }
  return false
}

/** The tree that an object is or leads to. @throws GitError `missing` or `corrupt` */
export function treeOf(store: ObjectReader, oid: Oid): Oid {
  if (oid === store.format.emptyTree) return oid
  let at = oid
  for (let links = 0; links < MAX_TAG_CHAIN; links++) {
    const { type, data } = store.get(at)
    if (type === 'tree') return at
    if (type === 'commit') return commitLinks(data).tree
    if (type === 'blob') break
    at = parseTag(data).object
  }
  throw new GitError('corrupt', `Cannot compare ${oid}: it does not point to a tree`)
}
