import { isBinary } from '../diff/line-stats.ts'
import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { type ConflictPart, conflictParts } from './conflict-parts.ts'
import { bytesOf, isRegular } from './entry.ts'
import type { Conflict, ConflictStage, MergeResult, Merger } from './merge-commits.ts'
import { type PathRules, pathRules } from './path-rules.ts'
import { WorkBudget } from './work-budget.ts'

/** What a side has at a path. */
export interface ConflictSide {
  mode: number
  oid: Oid
}

/** A path in conflict as whoever solves it sees it. */
export interface OpenConflict {
  path: string
  /** Undefined where lines cannot be chosen from: then one side is taken whole. */
  parts: ConflictPart[] | undefined
  /** What each side has there; undefined where it has nothing. */
  ours: ConflictSide | undefined
  theirs: ConflictSide | undefined
  /** Where one side put the file before its directory was renamed by the other: it can go there as well. */
  elsewhere: string | undefined
  /** Nothing is at stake at the path itself, but the merge may not be what somebody wants: it can only be taken as it is. */
  isDone: boolean
  /** What is said of it. */
  notes: string[]
}

/** Larger files, and files of more to choose from, are taken from one side. */
const MAX_FILE_BYTES = 1024 * 1024
const MAX_PATHS = 100
const MAX_STEPS = 1_000_000_000

/**
 * The conflicts that merging `theirs` into `ours` has, none when it has none.
 * @throws GitError `refused` for paths that are no text, `limit` for more than a hundred
 */
export function* openConflicts(merger: Merger, ours: Oid, theirs: Oid): Steps<OpenConflict[]> {
  return yield* listOpen(merger, ours, yield* merger.mergeCommits(ours, theirs))
}

/** @throws as `openConflicts` */
export function* listOpen(merger: Merger, ours: Oid, merged: MergeResult): Steps<OpenConflict[]> {
  if (merged.isClean) return []
  const { conflicts, notes } = merged
  if (conflicts.some(({ rawPath }) => rawPath !== undefined))
    throw new GitError('refused', 'Conflicts in files whose names are not valid UTF-8 cannot be resolved here')
  // What both sides moved away, or one moved and the other removed, is nobody's any more.
  const asked = conflicts.filter((conflict) => stageOf(conflict, 2) || stageOf(conflict, 3))
  if (asked.length > MAX_PATHS) throw new GitError('limit', `Cannot resolve conflicts in more than ${MAX_PATHS} files here`)
  const budget = new WorkBudget(MAX_STEPS, 'show the conflicts')
  const rulesOf = pathRules(merger.store, merger.treeOf(ours))
  const open: OpenConflict[] = []
  for (const conflict of asked) open.push(yield* describe(merger, merged, conflict, rulesOf, budget))
  if (open.length > 0) return open
  const nothing = { parts: undefined, ours: undefined, theirs: undefined, elsewhere: undefined }
  return [{ path: notes[0]?.paths[0] ?? '', ...nothing, isDone: true, notes: notes.map(({ message }) => message) }]
}

function* describe(merger: Merger, { notes }: MergeResult, conflict: Conflict, rulesOf: (path: string) => PathRules, budget: WorkBudget): Steps<OpenConflict> {
  const { path } = conflict
  const isText = rulesOf(bytesOf(path)).driver === 'text'
  const moved = notes.find(({ kind, paths }) => kind === 'file location' && paths[0] === path)
  return {
    path,
    parts: isText ? yield* partsOf(merger, conflict, budget) : undefined,
    ours: stageOf(conflict, 2),
    theirs: stageOf(conflict, 3),
    elsewhere: moved?.paths[1],
    isDone: false,
    notes: notes.filter(({ paths }) => paths.includes(path)).map(({ message }) => message),
  }
}

function* partsOf({ store }: Merger, conflict: Conflict, budget: WorkBudget): Steps<ConflictPart[] | undefined> {
  if (!stageOf(conflict, 2) || !stageOf(conflict, 3) || conflict.stages.some(({ mode }) => !isRegular(mode))) return undefined
  const sizes = conflict.stages.map(({ oid }) => store.findHeader(oid)?.size ?? 0)
  if (sizes.some((size) => size > MAX_FILE_BYTES)) return undefined
  const [base, ours, theirs] = ([1, 2, 3] as const).map((stage) => {
    const found = stageOf(conflict, stage)
    return found ? store.get(found.oid, 'blob').data : new Uint8Array()
  }) as [Uint8Array, Uint8Array, Uint8Array]
  return [base, ours, theirs].some(isBinary) ? undefined : yield* conflictParts({ base, ours, theirs }, budget)
}

function stageOf({ stages }: Conflict, stage: ConflictStage['stage']): ConflictSide | undefined {
  const found = stages.find((one) => one.stage === stage)
  return found && { mode: found.mode, oid: found.oid }
}
