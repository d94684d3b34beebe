import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { pairIdentical, type RenameSource, type RenameTarget } from './rename-candidates.ts'
import { pairSimilar } from './similar-pairs.ts'
import { MAX_SCORE, Similarity } from './similarity.ts'
import type { TreeChange, TreeSide } from './tree-diff.ts'

/** A file that came from another one. */
export interface MovedFile {
  status: 'renamed' | 'copied'
  path: string
  oldPath: string
  old: TreeSide
  new: TreeSide
  /** Percent, rounded down. */
  similarity: number
  /** The paths' bytes, when the texts alone would not give them back. */
  rawPath?: Uint8Array
  rawOldPath?: Uint8Array
}

export type FileChange = TreeChange | MovedFile

export interface RenameOptions {
  /** Percent from which on files are similar; 100 finds only files whose content is the same. Default: 50. */
  threshold?: number
  /** Whether modified files can be where an added one was copied from (`-C`). Default: false. */
  copies?: boolean
  /** Contents are compared while there are no more pairs than the square of this; 0 is no limit. Default: 1000, as `diff.renameLimit`. */
  limit?: number
  /** What is left of such pairs for all who are asked about together. Default: as many as each may have. */
  left?: { pairs: number }
  /** Whether an empty file can be a renamed one. Default: true, as in diffs; merges say false. */
  renameEmpty?: boolean
  /** Memory for what is known about contents, in bytes. */
  maxBytes?: number
  /** Files larger than this are not compared, in bytes. */
  maxFileBytes?: number
  /** What attributes say of files. */
  told?: SideTeller
}

interface SideTeller {
  side(side: TreeSide, path: string | Uint8Array): TreeSide
}

export interface Renames {
  changes: FileChange[]
  /** Whether there were too many candidates for contents to be compared. */
  isLimited: boolean
}

/**
 * Finds out which added files are renamed or copied ones: what `git diff-tree -M` (with `copies`: `-C`) says of the
 * same changes, in the same order. Same content first, then similar content under the same name, then the most similar.
 * Source: git's `diffcore-rename.c`. @throws GitError `missing` or `corrupt` when a blob is
 */
export function* detectRenames(store: ObjectReader, changes: readonly TreeChange[], options: RenameOptions = {}): Steps<Renames> {
  const { threshold = 50, copies = false, limit = 1000, left } = options
  const bySource = sourcesOf(store, changes, options)
  const byTarget = targetsOf(store, changes, options)
  if (bySource.size === 0 || byTarget.size === 0) return { changes: [...changes], isLimited: false }
  const [sources, targets] = [[...bySource.values()], [...byTarget.values()]]
  pairIdentical(sources, targets, copies)
  const least = Math.trunc((threshold * MAX_SCORE) / 100)
  const isLimited = threshold < 100 && (yield* pairSimilar({ sources, targets, similarity: new Similarity(store, options), least, copies, limit, left }))
  return { changes: settle(changes, bySource, byTarget), isLimited }
}

function sourcesOf(store: ObjectReader, changes: readonly TreeChange[], { copies, renameEmpty = true, told }: RenameOptions): Map<TreeChange, RenameSource> {
  const sources = new Map<TreeChange, RenameSource>()
  for (const change of changes) {
    if (change.old === undefined || (change.new !== undefined && !copies) || (!renameEmpty && isEmpty(store, change.old.oid))) continue
    sources.set(change, {
      path: pathKey(change),
      side: told?.side(change.old, change.rawPath ?? change.path) ?? change.old,
      uses: change.new === undefined ? 0 : 1,
    })
  }
  return sources
}

function targetsOf(store: ObjectReader, changes: readonly TreeChange[], { renameEmpty = true, told }: RenameOptions): Map<TreeChange, RenameTarget> {
  const targets = new Map<TreeChange, RenameTarget>()
  for (const change of changes) {
    if (change.status !== 'added' || (!renameEmpty && isEmpty(store, change.new.oid))) continue
    targets.set(change, { path: pathKey(change), side: told?.side(change.new, change.rawPath ?? change.path) ?? change.new })
  }
  return targets
}

function isEmpty(store: ObjectReader, oid: Oid): boolean {
  return store.findHeader(oid)?.size === 0
}

/** Bytes that are not UTF-8 tell paths apart, too. */
function pathKey({ path, rawPath }: TreeChange): string {
  return rawPath === undefined ? path : Buffer.from(rawPath).toString('latin1')
}

/** Of several that came from one file that is gone, the last is the renamed one and the others are copies. */
function settle(changes: readonly TreeChange[], sources: ReadonlyMap<TreeChange, RenameSource>, targets: ReadonlyMap<TreeChange, RenameTarget>): FileChange[] {
  const changeOf = new Map([...sources].map(([change, source]) => [source, change]))
  const isUsedUp = (change: TreeChange): boolean => change.status === 'deleted' && (sources.get(change)?.uses ?? 0) > 0
  const kept = changes.filter((change) => !isUsedUp(change))
  return kept.map((change) => {
    const from = targets.get(change)?.from
    return from === undefined ? change : moved(change, changeOf.get(from.source) as TreeChange, from.score, --from.source.uses > 0)
  })
}

function moved(target: TreeChange, source: TreeChange, score: number, isCopy: boolean): MovedFile {
  const file: MovedFile = {
    status: isCopy ? 'copied' : 'renamed',
    path: target.path,
    oldPath: source.path,
    old: source.old as TreeSide,
    new: target.new as TreeSide,
    similarity: Math.trunc((score * 100) / MAX_SCORE),
  }
  if (target.rawPath !== undefined) file.rawPath = target.rawPath
  if (source.rawPath !== undefined) file.rawOldPath = source.rawPath
  return file
}
