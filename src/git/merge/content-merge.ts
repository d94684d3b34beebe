import { isDue } from '#kernel/breathe.ts'
import { isBinary } from '../diff/line-stats.ts'
import type { Steps } from '../steps.ts'
import { type ConflictLabels, MergedText } from './conflict-text.ts'
import { type Lines, LineTable } from './line-table.ts'
import { type Hunk, threeWayHunks } from './three-way.ts'
import type { WorkBudget } from './work-budget.ts'

/**
 * How the content of a path is merged: line by line with conflicts, line by line with both sides' lines where they conflict, never but
 * by choosing a side, or by keeping ours. What `.gitattributes` call `merge`.
 */
export type MergeDriver = 'text' | 'union' | 'binary' | 'ours'

export interface ContentMergeOptions {
  driver: MergeDriver
  labels: ConflictLabels
  markerSize: number
  diff3?: boolean
  /** Whether the result is no more than the base of another merge: then the base stands in for what cannot be merged. */
  isVirtual: boolean
  budget: WorkBudget
}

export interface MergedContent {
  data: Uint8Array
  /** Binary conflicts leave ours as it is. */
  outcome: 'clean' | 'conflict' | 'binary-conflict'
}

/** The three contents; the base is empty when both sides added the file. */
export interface Contents {
  base: Uint8Array
  ours: Uint8Array
  theirs: Uint8Array
}

/** Larger files count as binary. git's own limit is 1023 MiB. */
export const MAX_TEXT_BYTES = 32 * 1024 * 1024
/** What a line costs before anything is compared. */
const STEPS_PER_LINE = 400

/** Merges the contents of one file. Source: `ll-merge.c`. @throws GitError `limit` when it costs too much */
export function* mergeContents(contents: Contents, options: ContentMergeOptions): Steps<MergedContent> {
  const { driver } = options
  if (driver === 'ours') return { data: contents.ours, outcome: 'clean' }
  if (driver === 'binary' || Object.values(contents).some(isBinary)) return mergeBinary(contents, options)
  return yield* mergeText(contents, options)
}

function mergeBinary({ base, ours }: Contents, { isVirtual }: ContentMergeOptions): MergedContent {
  return isVirtual ? { data: base, outcome: 'clean' } : { data: ours, outcome: 'binary-conflict' }
}

function* mergeText(contents: Contents, options: ContentMergeOptions): Steps<MergedContent> {
  const { table, files } = yield* splitContents(contents)
  options.budget.spend(STEPS_PER_LINE * (files.base.count + files.ours.count + files.theirs.count))
  const ids = { base: files.base.ids, ours: files.ours.ids, theirs: files.theirs.ids, ids: table.size }
  const hunks = yield* threeWayHunks(ids, { keepWhole: options.diff3, budget: options.budget })
  const taken = options.driver === 'union' ? hunks.map(takeBoth) : hunks
  const outcome = taken.some(({ take }) => take === 'conflict') ? 'conflict' : 'clean'
  return { data: new MergedText(files, options).write(taken), outcome }
}

/** The lines of all three, numbered by one table. */
export function* splitContents({ base, ours, theirs }: Contents): Steps<{ table: LineTable; files: Record<keyof Contents, Lines> }> {
  const table = new LineTable()
  const first = table.split(base)
  if (isDue()) yield
  const second = table.split(ours, first)
  if (isDue()) yield
  const third = table.split(theirs, first)
  if (isDue()) yield
  return { table, files: { base: first, ours: second, theirs: third } }
}

function takeBoth(hunk: Hunk): Hunk {
  return hunk.take === 'conflict' ? { ...hunk, take: 'both' } : hunk
}
