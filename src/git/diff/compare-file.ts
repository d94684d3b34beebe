import { isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import { GITLINK_MODE } from '../objects/tree.ts'
import type { Steps } from '../steps.ts'
import { getHeader } from '../store/rules.ts'
import type { ObjectReader } from '../store/types.ts'
import { type Contents, contentsOf, withoutCommonTail } from './contents.ts'
import { contentsAsText } from './file-text.ts'
import type { HunkOptions } from './hunks.ts'
import { diffLines, type LineDiff, type LineDiffOptions } from './line-diff.ts'
import { countLines, type LineStats } from './line-stats.ts'
import type { FileChange } from './renames.ts'
import type { TreeSide } from './tree-diff.ts'

export interface CompareOptions extends LineDiffOptions, HunkOptions {
  /** A file with more bytes on a side is not looked into. Default: 64 MiB. */
  maxFileBytes?: number
  /** Whether texts in other encodings than UTF-8 are read as such, for people; to git UTF-16 is binary. Default: false. */
  decodes?: boolean
}

/** What happened to the content of a file. `too-large`: it has too many bytes, or differs in too many lines, to say. */
export type Comparison = { kind: 'same' } | { kind: 'binary'; contents: Contents } | { kind: 'text'; diff: LineDiff } | { kind: 'too-large' }

/** Numbers of a diffstat: lines, or with `isBinary` bytes of the new and the old content. */
export interface FileStats extends LineStats {
  isBinary: boolean
}

export const DEFAULT_MAX_FILE_BYTES = 64 << 20

/** @throws GitError `missing` or `corrupt` when a blob is */
export function* compareFile(store: ObjectReader, change: FileChange, options: CompareOptions): Steps<Comparison> {
  if (change.old?.oid === change.new?.oid) return { kind: 'same' }
  const stored = contentsOf(store, change.old, change.new, options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES)
  const isTold = change.old?.isBinary !== undefined || change.new?.isBinary !== undefined
  const contents = (stored && options.decodes && !isTold && contentsAsText(stored)) || stored
  if (contents === undefined) return { kind: 'too-large' }
  if (contents.isBinary) return { kind: 'binary', contents }
  if (isDue()) yield
  const diff = yield* tryDiff(contents, options)
  return diff === undefined ? { kind: 'too-large' } : { kind: 'text', diff }
}

/** Undefined where that would be too much work. */
export function* tryDiff({ before, after }: Pick<Contents, 'before' | 'after'>, options: CompareOptions): Steps<LineDiff | undefined> {
  try {
    return yield* options.context === 0 ? diffLines(...withoutCommonTail(before, after), options) : diffLines(before, after, options)
  } catch (error) {
    if (error instanceof GitError && error.kind === 'limit') return undefined
    throw error
  }
}

/** What `git diff --numstat` says of a file. */
export function statsOf(store: ObjectReader, change: FileChange, comparison: Comparison, options: CompareOptions): FileStats {
  if (comparison.kind === 'same') return { additions: 0, deletions: 0, isBinary: hasBinary(store, change, options) }
  if (comparison.kind === 'text') return { ...countLines(comparison.diff, options), isBinary: false }
  return { additions: sizeOf(store, change.new), deletions: sizeOf(store, change.old), isBinary: true }
}

/** A file that only moved is binary or not, too. */
function hasBinary(store: ObjectReader, { new: side }: FileChange, { maxFileBytes = DEFAULT_MAX_FILE_BYTES }: CompareOptions): boolean {
  return contentsOf(store, undefined, side, maxFileBytes)?.isBinary ?? true
}

/** Bytes of one side of a file. */
export function sizeOf(store: ObjectReader, side: TreeSide | undefined): number {
  if (side === undefined) return 0
  return side.mode === GITLINK_MODE ? `Subproject commit ${side.oid}\n`.length : getHeader(store, side.oid).size
}
