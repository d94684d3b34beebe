import { EditableTree } from '../edit/editable-tree.ts'
import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { type Choice, solveParts } from './conflict-parts.ts'
import { type CommitText, writeCommit } from './made-commit.ts'
import type { Merger } from './merge-commits.ts'
import { type ConflictSide, listOpen, type OpenConflict } from './open-conflicts.ts'

/**
 * What of a path is kept: what one side has there, which may be nothing; `neither`; `both`, theirs under a name of its own; for a file that
 * a directory's renaming moved, it `elsewhere`, where it was put. `done` takes what the merge came to.
 */
export type WholeChoice = 'ours' | 'theirs' | 'neither' | 'both' | 'elsewhere' | 'done'

/** What somebody decided for a path: a choice for each of its conflicts, with the mode of a side (by default ours), or for the whole. */
export type Solution = { path: string; choices: Choice[]; mode?: 'ours' | 'theirs' } | { path: string; side: WholeChoice }

export type Solved = { status: 'done'; commit: Oid } | { status: 'clean' }

/** A merge, and what a second file of one name is called after. */
interface Request {
  ours: Oid
  theirs: Oid
  solutions: readonly Solution[]
  label?: string
}

/**
 * The commit that merges `theirs` into `ours` with every conflict solved; `clean` when there is none to solve.
 * @throws GitError `refused` when one is not, or as `openConflicts` does
 */
export function* solveConflicts(merger: Merger, { ours, theirs, solutions, label = 'theirs' }: Request, text: CommitText): Generator<void, Solved, undefined> {
  const merged = yield* merger.mergeCommits(ours, theirs)
  const open = yield* listOpen(merger, ours, merged)
  if (open.length === 0) return { status: 'clean' }
  const tree = new EditableTree(merger.store, merged.tree)
  const chosen = open.map((conflict) => ({ conflict, solution: solutionFor(conflict, solutions) }))
  // Nothing of what is decided may be in the way of something else that is.
  for (const { conflict } of chosen) if (!conflict.isDone) tree.remove(conflict.path)
  for (const { conflict, solution } of chosen) place(merger, tree, conflict, solution, label)
  return { status: 'done', commit: writeCommit(merger.store, tree.write(), [ours, theirs], text) }
}

function solutionFor({ path, isDone }: OpenConflict, solutions: readonly Solution[]): Solution {
  const solution = solutions.find((one) => one.path === path)
  const fits = solution && isDone === ('side' in solution && solution.side === 'done')
  if (!fits) throw new GitError('refused', `Cannot merge: no resolution was chosen for "${path}"`)
  return solution
}

function place(merger: Merger, tree: EditableTree, conflict: OpenConflict, solution: Solution, label: string): void {
  if ('side' in solution) return placeWhole(tree, conflict, solution.side, label)
  const { path, parts, ours, theirs } = conflict
  const count = parts?.filter((part) => 'ours' in part).length
  if (parts === undefined || count !== solution.choices.length) throw new GitError('refused', `Cannot merge: not all conflicts in "${path}" are resolved`)
  const mode = (solution.mode === 'theirs' ? theirs : ours)?.mode as number
  tree.put(path, { mode, oid: merger.store.write('blob', solveParts(parts, solution.choices)) })
}

function placeWhole(tree: EditableTree, { path, ours, theirs, elsewhere }: OpenConflict, side: WholeChoice, label: string): void {
  const put = (at: string, what: ConflictSide | undefined) => what && tree.put(at, what)
  if (side === 'ours') put(path, ours)
  else if (side === 'theirs') put(path, theirs)
  else if (side === 'both') {
    if (!ours || !theirs) throw new GitError('refused', `Cannot merge: "${path}" exists on one side only`)
    put(path, ours)
    put(freePath(tree, `${path}~${label.replaceAll('/', '_')}`), theirs)
  } else if (side === 'elsewhere') {
    if (elsewhere === undefined || tree.find(elsewhere)) throw new GitError('refused', `Cannot merge: "${path}" cannot be renamed`)
    put(elsewhere, theirs ?? ours)
  }
}

function freePath(tree: EditableTree, wanted: string): string {
  let path = wanted
  for (let i = 0; tree.find(path); i++) path = `${wanted}_${i}`
  return path
}
