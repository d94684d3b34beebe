import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import {
  ALL_BITS,
  BASE,
  BASE_BIT,
  type BytePath,
  bitOf,
  DIRECTORY_MODE,
  isSameVersion,
  MergeEntry,
  NOTHING,
  OURS,
  OURS_BIT,
  type Side,
  sides,
  THEIRS,
  THEIRS_BIT,
  type Version,
} from './entry.ts'
import { inHashOrder } from './hash-order.ts'
import { ASKED_FOR_ANCESTOR, ASKED_FOR_SELF, type MergeState, UNASKED } from './merge-state.ts'
import { itemsByName, type NamedItems, readTree } from './read-tree.ts'

type Versions = [Version, Version, Version]
type TreeIds = readonly [Oid | undefined, Oid | undefined, Oid | undefined]

/** A directory in which only one side changed anything: it is gone into only if renames may concern what is inside. */
interface Deferred {
  path: BytePath
  entry: MergeEntry
  renameMask: number
  depth: number
}

/**
 * Finds every path at which the three trees are not all the same, and what could be renamed. Subtrees that are the same everywhere are not
 * read, and those that one side alone changed only where renames matter. Source: `collect_merge_info` of git's `merge-ort.c`.
 */
export class Collector {
  readonly #state: MergeState
  /** By side; those in which that side alone changed something. */
  readonly #deferred: [Deferred[], Deferred[], Deferred[]] = [[], [], []]
  readonly #mayDefer = [false, true, true]
  /** For which side's additions to the current directory its new place on the other side is asked for; 7 once there are some. */
  #renameMask = 0

  constructor(state: MergeState) {
    this.#state = state
  }

  collect(trees: TreeIds): void {
    this.#enter('', trees, 0)
    for (const side of sides) this.#settleDeferred(side)
  }

  #enter(directory: BytePath, trees: TreeIds, depth: number): void {
    if (depth > defaultLimits.maxTreeDepth) throw new GitError('limit', `Cannot merge: directories lie more than ${defaultLimits.maxTreeDepth} deep`)
    const base = readTree(this.#state.store, trees[BASE])
    const readSide = (side: Side) => (trees[side] === trees[BASE] ? base : readTree(this.#state.store, trees[side], base))
    const items = itemsByName([base, readSide(OURS), readSide(THEIRS)])
    if (this.#renameMask === 0 || this.#renameMask === ALL_BITS) for (const named of items) this.#meet(directory, named, depth)
    else
      this.#enterRemoved(
        directory,
        Array.from(items, (named): NamedItems => [...named]),
        depth,
      )
  }

  /** One side has removed the directory: whether the other one has put files into it has to be known first. */
  #enterRemoved(directory: BytePath, items: NamedItems[], depth: number): void {
    for (const named of items) if (masksOf(named).files === this.#renameMask) this.#renameMask = ALL_BITS
    for (const named of items) this.#meet(directory, named, depth)
  }

  #meet(directory: BytePath, named: NamedItems, depth: number): void {
    const name = (named[0] ?? named[1] ?? named[2])?.name as BytePath
    const path = directory === '' ? name : `${directory}/${name}`
    if (named[0] !== undefined && named[0] === named[1] && named[0] === named[2]) {
      this.#state.entries.set(path, MergeEntry.resolved(named[0]))
      return
    }
    const versions: Versions = [named[0] ?? NOTHING, named[1] ?? NOTHING, named[2] ?? NOTHING]
    const { files, directories } = masksOf(named)
    const matching = matchingOf(versions)
    const resolved = resolve(versions, matching, files)
    if (resolved !== undefined) this.#state.entries.set(path, MergeEntry.resolved(resolved))
    else this.#meetChanged(directory, MergeEntry.of(path, versions, files, directories), matching, depth)
  }

  #meetChanged(directory: BytePath, entry: MergeEntry, matching: number, depth: number): void {
    const maskBefore = this.#renameMask
    const [path] = entry.paths
    this.#noteRenames(directory, entry, matching)
    entry.hasDirectoryConflict = entry.files !== 0 && entry.directories !== 0
    entry.matching = matching
    entry.isGone = entry.directories !== 0
    this.#state.entries.set(path, entry)
    if (entry.directories !== 0) this.#meetDirectory(path, entry, depth)
    this.#renameMask = maskBefore
  }

  #meetDirectory(path: BytePath, entry: MergeEntry, depth: number): void {
    let side: Side | 0 = entry.matching === (BASE_BIT | OURS_BIT) ? THEIRS : entry.matching === (BASE_BIT | THEIRS_BIT) ? OURS : 0
    if (entry.files === 0 && (entry.directories === OURS_BIT || entry.directories === THEIRS_BIT)) {
      entry.matching = ALL_BITS - entry.directories
      side = entry.directories === OURS_BIT ? OURS : THEIRS
    }
    if (this.#renameMask !== ALL_BITS && side !== 0 && this.#mayDefer[side])
      this.#deferred[side].push({ path, entry, renameMask: this.#renameMask, depth: depth + 1 })
    else this.#descend(path, entry, depth + 1)
  }

  #descend(path: BytePath, entry: MergeEntry, depth: number): void {
    entry.matching &= entry.files
    const idOf = (stage: 0 | 1 | 2) => ((entry.directories & bitOf(stage)) === 0 ? undefined : entry.versions[stage].oid)
    this.#enter(path, [idOf(BASE), idOf(OURS), idOf(THEIRS)], depth)
  }

  /** Takes the directories as they are on the one side that changed them, unless renames out of them, or into them, matter. */
  #settleDeferred(side: Side): void {
    const isSettled = this.#state.changes[side].relevantSources.size === 0
    this.#mayDefer[side] = isSettled
    for (const { path, entry, renameMask, depth } of isSettled ? this.#deferred[side] : inHashOrder(this.#deferred[side], ({ path }) => path)) {
      if (isSettled) takeWhole(entry, side)
      else {
        this.#renameMask = renameMask
        this.#descend(path, entry, depth)
      }
    }
  }

  /** Source: `collect_rename_info`. */
  #noteRenames(directory: BytePath, entry: MergeEntry, matching: number): void {
    const { files, directories } = entry
    const [path] = entry.paths
    const isRemovedByOne = directories === (BASE_BIT | OURS_BIT) || directories === (BASE_BIT | THEIRS_BIT)
    if (this.#renameMask !== ALL_BITS && isRemovedByOne) this.#renameMask = directories & ~BASE_BIT
    if (directories === BASE_BIT || isRemovedByOne) {
      const relevance = this.#renameMask === ALL_BITS ? ASKED_FOR_ANCESTOR : UNASKED
      for (const side of sides) if ((directories & bitOf(side)) === 0) this.#state.changes[side].removedDirectories.set(path, relevance)
    }
    if (this.#renameMask === ALL_BITS && (files === OURS_BIT || files === THEIRS_BIT))
      this.#state.changes[files === OURS_BIT ? THEIRS : OURS].removedDirectories.set(directory, ASKED_FOR_SELF)
    if (files === 0 || files === ALL_BITS) return
    for (const side of sides) this.#notePair(path, entry, side, matching & files)
  }

  #notePair(path: BytePath, { files, versions }: MergeEntry, side: Side, matching: number): void {
    const changes = this.#state.changes[side]
    const isInBase = (files & BASE_BIT) !== 0
    const isInSide = (files & bitOf(side)) !== 0
    if (isInBase === isInSide) return
    if (isInBase && matching === 0) changes.relevantSources.set(path, 'content')
    else if (isInBase && this.#renameMask === ALL_BITS) changes.relevantSources.set(path, 'location')
    const { mode, oid } = versions[isInBase ? BASE : side]
    changes.pairs.push({ status: isInBase ? 'removed' : 'added', oldPath: path, newPath: path, mode, oid, side })
  }
}

function masksOf(named: NamedItems): { files: number; directories: number } {
  let [files, directories] = [0, 0]
  for (let stage = 0; stage < 3; stage++) {
    const item = named[stage]
    if (item === undefined) continue
    if (item.mode === DIRECTORY_MODE) directories |= 1 << stage
    else files |= 1 << stage
  }
  return { files, directories }
}

function matchingOf([base, ours, theirs]: Versions): number {
  const oursIsBase = ours !== NOTHING && base !== NOTHING && isSameVersion(ours, base)
  const theirsIsBase = theirs !== NOTHING && base !== NOTHING && isSameVersion(theirs, base)
  if (oursIsBase) return theirsIsBase ? ALL_BITS : BASE_BIT | OURS_BIT
  if (theirsIsBase) return BASE_BIT | THEIRS_BIT
  return ours !== NOTHING && theirs !== NOTHING && isSameVersion(ours, theirs) ? OURS_BIT | THEIRS_BIT : 0
}

/** What a path holds when that takes no thought: nobody changed it, or it is a file in all three that one side changed, or both alike. */
function resolve(versions: Versions, matching: number, files: number): Version | undefined {
  if (matching === ALL_BITS) return versions[BASE]
  if (files !== ALL_BITS || matching === 0) return undefined
  return matching === (BASE_BIT | OURS_BIT) ? versions[THEIRS] : versions[OURS]
}

function takeWhole(entry: MergeEntry, side: Side): void {
  entry.result = entry.versions[side]
  entry.isGone = entry.result.mode === 0
  entry.matching = 0
  entry.isClean = true
}
