import { nameOf, pair, pairIdentical, type RenameSource, type RenameTarget } from '../diff/rename-candidates.ts'
import { pairBest, scoreOf } from '../diff/similar-pairs.ts'
import { MAX_SCORE, Similarity } from '../diff/similarity.ts'
import type { Oid } from '../objects/oid.ts'
import { DirectoryCounts } from './directory-counts.ts'
import { type BytePath, baseNameOf, directoryOf, type Side } from './entry.ts'
import type { FilePair, MergeState, SideChanges } from './merge-state.ts'

/** What a merge's renames need at least, and those that are looked for by name first. */
const LEAST_SCORE = MAX_SCORE / 2
const LEAST_SCORE_BY_NAME = LEAST_SCORE + (MAX_SCORE - LEAST_SCORE) / 2
/** Most pairs are told apart by their sizes alone. */
const PAIRS_PER_STEP = 16
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' as Oid

/**
 * Finds out which of the files that a side added are ones it removed elsewhere, as far as the merge needs to know, in steps, so that it can be
 * interrupted. Source: `diffcore_rename_extended` of git's `diffcore-rename.c` as `merge-ort.c` calls it.
 */
export function* detectSideRenames(state: MergeState, side: Side): Generator<void, void, undefined> {
  const changes = state.changes[side]
  if (changes.relevantSources.size === 0) return
  const candidates = changes.pairs.filter(({ oid }) => oid !== EMPTY_BLOB)
  const sources = new Map(candidates.filter(({ status }) => status === 'removed').map((file) => [file, sourceOf(file)]))
  const targets = new Map(candidates.filter(({ status }) => status === 'added').map((file) => [file, targetOf(file)]))
  if (sources.size === 0 || targets.size === 0) return
  yield* new SideRenames(state, changes).run([...sources.values()], [...targets.values()])
  changes.pairs = settle(changes.pairs, sources, targets)
}

function sourceOf({ oldPath, mode, oid }: FilePair): RenameSource {
  return { path: oldPath, side: { mode, oid }, uses: 0 }
}

function targetOf({ newPath, mode, oid }: FilePair): RenameTarget {
  return { path: newPath, side: { mode, oid } }
}

/** Removed files that were found elsewhere go; those that they are now are renamed ones. */
function settle(pairs: readonly FilePair[], sources: ReadonlyMap<FilePair, RenameSource>, targets: ReadonlyMap<FilePair, RenameTarget>): FilePair[] {
  return pairs
    .filter((file) => (sources.get(file)?.uses ?? 0) === 0)
    .map((file) => {
      const from = targets.get(file)?.from
      return from === undefined ? file : { ...file, status: 'renamed', oldPath: from.source.path }
    })
}

class SideRenames {
  readonly #state: MergeState
  readonly #changes: SideChanges
  readonly #counts: DirectoryCounts
  readonly #similarity: Similarity

  constructor(state: MergeState, changes: SideChanges) {
    this.#state = state
    this.#changes = changes
    this.#counts = new DirectoryCounts(changes)
    this.#similarity = new Similarity(state.store)
  }

  *run(all: RenameSource[], targets: RenameTarget[]): Generator<void, void, undefined> {
    pairIdentical(all, targets, false)
    for (const target of targets) if (target.from !== undefined) this.#counts.count(target.from.source.path, target.path)
    const open = all.filter(isOpen)
    yield* this.#pairByName(open, targets)
    const relevant = open.filter((source) => isOpen(source) && this.#changes.relevantSources.has(source.path))
    const sources = this.#counts.withoutSettled(relevant)
    yield* this.#pairByContent(
      sources,
      targets.filter(({ from }) => from === undefined),
    )
    this.#counts.finish()
  }

  /** Files that alone have their name, wherever they lie; others where their directory seems to have gone. Source: `find_basename_matches`. */
  *#pairByName(sources: readonly RenameSource[], all: readonly RenameTarget[]): Generator<void, void, undefined> {
    const guesses = this.#counts.guesses()
    const targets = all.filter(({ from }) => from === undefined)
    const byPath = new Map(targets.map((target) => [target.path, target]))
    const [sourceNames, targetNames] = [uniqueNames(sources), uniqueNames(targets)]
    for (const source of sources) {
      const name = nameOf(source.path)
      if (!this.#changes.relevantSources.has(source.path) || !targetNames.has(name)) continue
      const alone = sourceNames.get(name) === undefined ? undefined : targetNames.get(name)
      const target = alone ?? byPath.get(guessedPath(source.path, guesses) ?? '')
      if (target === undefined || target.from !== undefined) continue
      const score = scoreOf(this.#similarity, source, target, LEAST_SCORE_BY_NAME)
      if (score >= LEAST_SCORE_BY_NAME) this.#pair(source, target, score)
      yield
    }
  }

  #pair(source: RenameSource, target: RenameTarget, score: number): void {
    pair(target, source, score)
    this.#counts.count(source.path, target.path)
  }

  *#pairByContent(sources: RenameSource[], targets: RenameTarget[]): Generator<void, void, undefined> {
    const { renameLimit } = this.#state.settings
    if (sources.length * targets.length > renameLimit * renameLimit) return
    let count = 0
    for (const _ of pairBest({ sources, targets, similarity: this.#similarity, least: LEAST_SCORE, copies: false, limit: renameLimit })) {
      if (++count % PAIRS_PER_STEP === 0) yield
    }
    for (const { from, path } of targets) if (from !== undefined) this.#counts.count(from.source.path, path)
  }
}

function isOpen({ uses }: RenameSource): boolean {
  return uses === 0
}

function guessedPath(path: BytePath, guesses: ReadonlyMap<BytePath, BytePath>): BytePath | undefined {
  const directory = guesses.get(directoryOf(path))
  return directory === undefined ? undefined : `${directory}/${baseNameOf(path)}`
}

function uniqueNames<T extends { path: string }>(files: readonly T[]): Map<string, T | undefined> {
  const unique = new Map<string, T | undefined>()
  for (const file of files) {
    const name = nameOf(file.path)
    unique.set(name, unique.has(name) ? undefined : file)
  }
  return unique
}
