import { GitError } from '../errors.ts'
import type { CommitGraph } from '../history/commit-graph.ts'
import { CommitSource } from '../history/commit-source.ts'
import { mergeBaseSteps } from '../history/merge-base.ts'
import type { Oid } from '../objects/oid.ts'
import { ScratchStore } from '../store/scratch-store.ts'
import type { ObjectReader } from '../store/types.ts'
import { type BytePath, bitOf, bytesOf, type MergeEntry, pathText, stages } from './entry.ts'
import type { MergeNote, MergeSettings } from './merge-state.ts'
import { type MergedTrees, mergeTreesSteps } from './merge-trees.ts'
import { type PathRules, pathRules } from './path-rules.ts'
import { WorkBudget } from './work-budget.ts'

/** What the sides of a merge are called. */
export interface MergeLabels {
  ours: string
  theirs: string
}

export interface MergeOptions {
  /** For conflict markers, messages, and names of files that one path cannot hold. Default: `ours` and `theirs`. */
  labels?: MergeLabels
  /** Conflicts show the base, too. Default: false. */
  diff3?: boolean
  /** Contents are compared for renames while there are no more pairs than the square of this. Default: 7000, as git's. */
  renameLimit?: number
  /** How many paths may have to be looked at, those next to changed ones included. Default: half a million. */
  maxPaths?: number
  /** How many of them, directories included, may have to be kept until it is known what becomes of them. Default: 200,000. */
  maxEntries?: number
  /** Whether the `.gitattributes` of our side say how paths are merged, as they do in a checkout of it. Default: true. */
  attributes?: boolean
  /** Memory for what the merge writes, in bytes. */
  maxBytes?: number
  /** How much work may be done on texts, which cannot be interrupted; see WorkBudget. */
  maxSteps?: number
}

/** A version of a path in conflict. */
export interface ConflictStage {
  /** 1: the base's, 2: ours, 3: theirs. */
  stage: 1 | 2 | 3
  mode: number
  oid: Oid
}

export interface Conflict {
  path: string
  /** The path's bytes, when `path` alone would not give them back. */
  rawPath?: Uint8Array
  stages: ConflictStage[]
}

export interface MergeResult {
  /** With conflict markers where there are conflicts. */
  tree: Oid
  isClean: boolean
  /** In the order of their paths. A merge may have none and not be clean: then `notes` says why. */
  conflicts: Conflict[]
  notes: MergeNote[]
}

const DEFAULT_RENAME_LIMIT = 7000
const DEFAULT_MAX_PATHS = 500_000
const DEFAULT_MAX_ENTRIES = 200_000
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024
/** Some seconds. */
const DEFAULT_MAX_STEPS = 4_000_000_000
const SHORT_ID = 7
/** Merge bases have merge bases; nobody's history goes on like that for long. */
const MAX_DEPTH = 1000

const asText: PathRules = { driver: 'text', markerSize: 7 }

/** Merges commits and trees of one repository; what it makes is in `store` until somebody keeps it. */
export class Merger {
  readonly store: ScratchStore
  /** The history that it merges, what it has made itself included. */
  readonly source: CommitSource
  readonly #settings: MergeSettings
  readonly #hasAttributes: boolean
  readonly #budget: WorkBudget

  constructor(store: ObjectReader, graph: CommitGraph | undefined, options: MergeOptions = {}) {
    this.store = new ScratchStore(store, options.maxBytes ?? DEFAULT_MAX_BYTES)
    this.source = new CommitSource(this.store, graph)
    this.#budget = new WorkBudget(options.maxSteps ?? DEFAULT_MAX_STEPS, 'merge')
    this.#settings = {
      labels: { ours: bytesOf(options.labels?.ours ?? 'ours'), theirs: bytesOf(options.labels?.theirs ?? 'theirs') },
      diff3: options.diff3 ?? false,
      renameLimit: options.renameLimit ?? DEFAULT_RENAME_LIMIT,
      maxPaths: options.maxPaths ?? DEFAULT_MAX_PATHS,
      maxEntries: options.maxEntries ?? DEFAULT_MAX_ENTRIES,
      rulesOf: () => asText,
    }
    this.#hasAttributes = options.attributes ?? true
  }

  /**
   * Merges two commits: what `git merge-tree --write-tree` makes of them. Several merge bases are merged with each other first; unrelated
   * histories have the empty tree as their base.
   * @param found their merge bases, newest first, where the caller knows them
   * @throws GitError `limit`, `missing`, `corrupt`
   */
  *mergeCommits(ours: Oid, theirs: Oid, found?: readonly Oid[]): Generator<void, MergeResult, undefined> {
    const bases = (found ?? (yield* mergeBaseSteps(this.source, ours, theirs))).toReversed()
    const base = yield* this.#virtualBase(bases, this.#settingsFor(this.treeOf(ours)), 1)
    return yield* this.mergeTrees({ base, ours: this.treeOf(ours), theirs: this.treeOf(theirs) }, labelOf(bases))
  }

  /** Merges two trees with a base that the caller knows. @param baseLabel what conflicts call the base */
  *mergeTrees(trees: { base: Oid | undefined; ours: Oid; theirs: Oid }, baseLabel: string): Generator<void, MergeResult, undefined> {
    const labels = { ...this.#settings.labels, base: bytesOf(baseLabel) }
    return presentResult(yield* mergeTreesSteps(this.store, { ...trees, labels, depth: 0 }, this.#settingsFor(trees.ours), this.#budget))
  }

  /** Attributes are those of our side, read once a content is merged. */
  #settingsFor(ours: Oid): MergeSettings {
    if (!this.#hasAttributes) return this.#settings
    let rules: MergeSettings['rulesOf'] | undefined
    return { ...this.#settings, rulesOf: (path) => (rules ??= pathRules(this.store, ours))(path) }
  }

  treeOf(commit: Oid): Oid {
    return this.source.tree(this.source.idOf(commit))
  }

  /** One base out of several: the second is merged into the first, the third into both, each with bases of their own. */
  *#virtualBase(bases: readonly Oid[], settings: MergeSettings, depth: number): Generator<void, Oid | undefined, undefined> {
    if (depth > MAX_DEPTH) throw new GitError('limit', `Cannot merge: merge bases have merge bases more than ${MAX_DEPTH} deep`)
    if (bases.length === 0) return undefined
    let tree = this.treeOf(bases[0] as Oid)
    for (let i = 1; i < bases.length; i++) {
      const inner = (yield* mergeBaseSteps(this.source, bases[i] as Oid, bases.slice(0, i))).reverse()
      const base = yield* this.#virtualBase(inner, settings, depth + 1)
      const merge = { base, ours: tree, theirs: this.treeOf(bases[i] as Oid), labels: { ...virtualLabels, base: labelOf(inner) }, depth }
      tree = (yield* mergeTreesSteps(this.store, merge, settings, this.#budget)).tree
    }
    return tree
  }
}

const virtualLabels = { ours: 'Temporary merge branch 1', theirs: 'Temporary merge branch 2' }

function labelOf(bases: readonly Oid[]): string {
  if (bases.length === 0) return 'empty tree'
  return bases.length === 1 ? (bases[0] as Oid).slice(0, SHORT_ID) : 'merged common ancestors'
}

function presentResult({ tree, isClean, state }: MergedTrees): MergeResult {
  const paths = [...state.conflicted.keys()].sort()
  const conflicts = paths.map((path) => presentConflict(path, state.conflicted.get(path) as MergeEntry))
  return { tree, isClean, conflicts, notes: state.notes }
}

function presentConflict(path: BytePath, entry: MergeEntry): Conflict {
  const found = stages.filter((stage) => (entry.files & bitOf(stage)) !== 0)
  const versions = found.map((stage) => ({ stage: (stage + 1) as ConflictStage['stage'], mode: entry.versions[stage].mode, oid: entry.versions[stage].oid }))
  const conflict: Conflict = { path: pathText(path), stages: versions }
  if (conflict.path.includes('\ufffd')) conflict.rawPath = Buffer.from(path, 'latin1')
  return conflict
}
