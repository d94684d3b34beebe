import { isBinary } from '../diff/line-stats.ts'
import { EditableTree } from '../edit/editable-tree.ts'
import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { type Choice, type ConflictPart, conflictParts, solveParts } from './conflict-parts.ts'
import { bytesOf, isRegular } from './entry.ts'
import { type CommitText, writeCommit } from './made-commit.ts'
import type { Conflict, ConflictStage, MergeResult, Merger } from './merge-commits.ts'
import { pathRules } from './path-rules.ts'
import { WorkBudget } from './work-budget.ts'

/** A path in conflict as whoever solves it sees it. */
export interface OpenConflict {
  path: string
  /** Undefined where lines cannot be chosen from: then one side is taken whole. */
  parts: ConflictPart[] | undefined
  /** Whether each side still has the file. */
  hasOurs: boolean
  hasTheirs: boolean
}

/** What somebody decided for a path: a choice for each of its conflicts, or a whole side. */
export type Solution = { path: string; choices: Choice[] } | { path: string; side: 'ours' | 'theirs' }

export type Solved = { status: 'done'; commit: Oid } | { status: 'clean' }

/** Others move or rename paths, which nobody can choose line by line. */
const solvable = new Set(['content', 'add/add', 'binary', 'modify/delete'])
/** Larger files, and files of more to choose from, are taken from one side. */
const MAX_FILE_BYTES = 1024 * 1024
const MAX_PATHS = 100
const MAX_STEPS = 1_000_000_000

/**
 * The conflicts that merging `theirs` into `ours` has, none when it has none.
 * @throws GitError `refused` for those that cannot be solved by choosing, `limit` for more than a hundred
 */
export function* openConflicts(merger: Merger, ours: Oid, theirs: Oid): Generator<void, OpenConflict[], undefined> {
  return listOpen(merger, ours, yield* merger.mergeCommits(ours, theirs))
}

function listOpen(merger: Merger, ours: Oid, { isClean, conflicts, notes }: MergeResult): OpenConflict[] {
  if (isClean) return []
  const isHard = conflicts.length === 0 || notes.some(({ kind }) => !solvable.has(kind)) || conflicts.some(({ rawPath }) => rawPath !== undefined)
  if (isHard) throw new GitError('refused', `These conflicts cannot be solved here: ${notes[0]?.message ?? 'paths were moved'}`)
  if (conflicts.length > MAX_PATHS) throw new GitError('limit', `Cannot solve conflicts in more than ${MAX_PATHS} files here`)
  const budget = new WorkBudget(MAX_STEPS, 'show the conflicts')
  const rulesOf = pathRules(merger.store, merger.treeOf(ours))
  return conflicts.map((conflict) => {
    const isText = rulesOf(bytesOf(conflict.path)).driver === 'text'
    return { path: conflict.path, parts: isText ? partsOf(merger, conflict, budget) : undefined, hasOurs: has(conflict, 2), hasTheirs: has(conflict, 3) }
  })
}

function partsOf({ store }: Merger, conflict: Conflict, budget: WorkBudget): ConflictPart[] | undefined {
  if (!has(conflict, 2) || !has(conflict, 3) || conflict.stages.some(({ mode }) => !isRegular(mode))) return undefined
  const sizes = conflict.stages.map(({ oid }) => store.findHeader(oid)?.size ?? 0)
  if (sizes.some((size) => size > MAX_FILE_BYTES)) return undefined
  const [base, ours, theirs] = ([1, 2, 3] as const).map((stage) => {
    const found = stageOf(conflict, stage)
    return found ? store.get(found.oid, 'blob').data : new Uint8Array()
  }) as [Uint8Array, Uint8Array, Uint8Array]
  return [base, ours, theirs].some(isBinary) ? undefined : conflictParts({ base, ours, theirs }, budget)
}

function stageOf({ stages }: Conflict, stage: ConflictStage['stage']): ConflictStage | undefined {
  return stages.find((one) => one.stage === stage)
}

function has(conflict: Conflict, stage: ConflictStage['stage']): boolean {
  return stageOf(conflict, stage) !== undefined
}

/**
 * The commit that merges `theirs` into `ours` with every conflict solved; `clean` when there is none to solve.
 * @throws GitError `refused` when one is not, or as `openConflicts` does
 */
export function* solveConflicts(
  merger: Merger,
  { ours, theirs, solutions }: { ours: Oid; theirs: Oid; solutions: readonly Solution[] },
  text: CommitText,
): Generator<void, Solved, undefined> {
  const merged = yield* merger.mergeCommits(ours, theirs)
  const open = listOpen(merger, ours, merged)
  if (open.length === 0) return { status: 'clean' }
  const tree = new EditableTree(merger.store, merged.tree)
  for (const [i, conflict] of open.entries()) {
    const solution = solutions.find(({ path }) => path === conflict.path)
    if (solution === undefined) throw new GitError('refused', `Cannot merge: nothing was chosen for ${conflict.path}`)
    place(merger, tree, merged.conflicts[i] as Conflict, conflict, solution)
  }
  return { status: 'done', commit: writeCommit(merger.store, tree.write(), [ours, theirs], text) }
}

function place(merger: Merger, tree: EditableTree, conflict: Conflict, { path, parts }: OpenConflict, solution: Solution): void {
  if ('side' in solution) {
    const taken = stageOf(conflict, solution.side === 'ours' ? 2 : 3)
    if (taken) tree.put(path, { mode: taken.mode, oid: taken.oid })
    else tree.remove(path)
    return
  }
  const count = parts?.filter((part) => 'ours' in part).length
  if (parts === undefined || count !== solution.choices.length) throw new GitError('refused', `Cannot merge: not every conflict in ${path} is solved`)
  const mode = stageOf(conflict, 2)?.mode as number
  tree.put(path, { mode, oid: merger.store.write('blob', solveParts(parts, solution.choices)) })
}
