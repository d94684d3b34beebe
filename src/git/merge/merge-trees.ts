import type { Oid } from '../objects/oid.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { applyRenames } from './apply-renames.ts'
import { Collector } from './collect.ts'
import type { ConflictLabels } from './conflict-text.ts'
import { DirectoryRenames } from './directory-renames.ts'
import { sides } from './entry.ts'
import { type MergeSettings, MergeState } from './merge-state.ts'
import { resolveEntries } from './resolve-entries.ts'
import { detectSideRenames } from './side-renames.ts'
import type { WorkBudget } from './work-budget.ts'

/** A tree; undefined stands for the empty one. */
export interface TreeMerge {
  base: Oid | undefined
  ours: Oid
  theirs: Oid
  labels: ConflictLabels
  /** How many merges of merge bases this one is inside. */
  depth: number
}

export interface MergedTrees {
  /** Where there are conflicts, with their markers, and one side of what cannot be merged. */
  tree: Oid
  isClean: boolean
  state: MergeState
}

/** Merges two trees with one base, in steps. Source: `merge_ort_nonrecursive_internal` of git's `merge-ort.c`. */
export function* mergeTreesSteps(
  store: ScratchStore,
  { base, ours, theirs, labels, depth }: TreeMerge,
  settings: MergeSettings,
  budget: WorkBudget,
): Generator<void, MergedTrees, undefined> {
  const state = new MergeState(store, settings, labels, depth, budget)
  yield* new Collector(state).collect([base, ours, theirs])
  let isClean = true
  if (sides.some((side) => state.changes[side].pairs.length > 0 && state.changes[side].relevantSources.size > 0)) {
    for (const side of sides) yield* detectSideRenames(state, side)
    const directories = new DirectoryRenames(state)
    const renames = directories.collect()
    isClean = (yield* applyRenames(state, renames)) && directories.isClean
  }
  const tree = yield* resolveEntries(state)
  return { tree, isClean: isClean && state.conflicted.size === 0, state }
}
