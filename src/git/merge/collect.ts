import { GitError } from '../errors.ts'
import { defaultLimits, MAX_PATH_LENGTH } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import {
  ALL_BITS,
  BASE,
  BASE_BIT,
  type BytePath,
  bitOf,
  DIRECTORY_MODE,
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
import { itemsByName, type NamedItems, readTree, type TreeItem } from './read-tree.ts'
import { SettledItems } from './settled-items.ts'

type Versions = [Version, Version, Version]
type TreeIds = readonly [Oid | undefined, Oid | undefined, Oid | undefined]

/** A directory to go into. */
interface Below {
  path: BytePath
  entry: MergeEntry
  depth: number
}

/** A directory in which only one side changed anything: it is gone into only if renames may concern what is inside. */
interface Deferred extends Below {
  renameMask: number
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
  #met = 0
  /** For which side's additions to the current directory its new place on the other side is asked for; 7 once there are some. */
  #renameMask = 0

  constructor(state: MergeState) {
    this.#state = state
  }

  /** In steps, so that it can be interrupted. @throws GitError `limit` for too many paths */
  *collect(trees: TreeIds): Generator<void, void, undefined> {
    yield* this.#enter('', trees, 0)
    for (const side of sides) yield* this.#settleDeferred(side)
  }

  *#enter(directory: BytePath, trees: TreeIds, depth: number): Generator<void, void, undefined> {
    if (depth > defaultLimits.maxTreeDepth)
      throw new GitError('limit', `Cannot merge: directories are nested more than ${defaultLimits.maxTreeDepth} levels deep`)
    if (directory.length > MAX_PATH_LENGTH) throw new GitError('limit', `Cannot merge: a path has more than ${MAX_PATH_LENGTH} bytes`)
    const { maxPaths } = this.#state.settings
    if (this.#met > maxPaths) throw new GitError('limit', `Cannot merge: more than ${maxPaths} paths may be affected`)
    yield
    const base = readTree(this.#state.store, trees[BASE])
    const readSide = (side: Side) => (trees[side] === trees[BASE] ? base : readTree(this.#state.store, trees[side], base))
    const items = itemsByName([base, readSide(OURS), readSide(THEIRS)])
    const settled = new SettledItems()
    this.#state.settled.set(directory, settled)
    const isRemoved = this.#renameMask !== 0 && this.#renameMask !== ALL_BITS
    for (const named of isRemoved ? this.#allOf(items) : items) {
      const mask = this.#renameMask
      const below = this.#meet(directory, settled, named, depth)
      if (below !== undefined) yield* this.#descend(below)
      this.#renameMask = mask
    }
  }

  /** One side has removed the directory: whether the other one has put files into it has to be known before its entries are looked at. */
  #allOf(items: Iterable<NamedItems>): NamedItems[] {
    const all = Array.from(items, (named): NamedItems => [...named])
    for (const named of all) if (masksOf(named).files === this.#renameMask) this.#renameMask = ALL_BITS
    return all
  }

  /** Returns the directory to go into. */
  #meet(directory: BytePath, settled: SettledItems, named: NamedItems, depth: number): Below | undefined {
    this.#met++
    const [base, ours, theirs] = named
    if (base !== undefined && base === ours && base === theirs) return void settled.add(base)
    const { files, directories } = masksOf(named)
    const matching = matchingOf(named)
    const item = resolve(named, matching, files)
    if (item !== undefined) return void settled.add(item)
    const { name } = (base ?? ours ?? theirs) as TreeItem
    const path = directory === '' ? name : `${directory}/${name}`
    const versions: Versions = [base ?? NOTHING, ours ?? NOTHING, theirs ?? NOTHING]
    return this.#meetChanged(directory, MergeEntry.of(path, versions, files, directories), matching, depth)
  }

  #meetChanged(directory: BytePath, entry: MergeEntry, matching: number, depth: number): Below | undefined {
    const [path] = entry.paths
    this.#noteRenames(directory, entry, matching)
    entry.hasDirectoryConflict = entry.files !== 0 && entry.directories !== 0
    entry.matching = matching
    entry.isGone = entry.directories !== 0
    const { entries, settings } = this.#state
    entries.set(path, entry)
    if (entries.size > settings.maxEntries) throw new GitError('limit', `Cannot merge: the two sides change more than ${settings.maxEntries} paths`)
    return entry.directories === 0 ? undefined : this.#meetDirectory(path, entry, depth + 1)
  }

  #meetDirectory(path: BytePath, entry: MergeEntry, depth: number): Below | undefined {
    let side: Side | 0 = entry.matching === (BASE_BIT | OURS_BIT) ? THEIRS : entry.matching === (BASE_BIT | THEIRS_BIT) ? OURS : 0
    if (entry.files === 0 && (entry.directories === OURS_BIT || entry.directories === THEIRS_BIT)) {
      entry.matching = ALL_BITS - entry.directories
      side = entry.directories === OURS_BIT ? OURS : THEIRS
    }
    const below = { path, entry, depth }
    if (this.#renameMask === ALL_BITS || side === 0 || !this.#mayDefer[side]) return below
    this.#deferred[side].push({ ...below, renameMask: this.#renameMask })
    return undefined
  }

  *#descend({ path, entry, depth }: Below): Generator<void, void, undefined> {
    entry.matching &= entry.files
    const idOf = (stage: 0 | 1 | 2) => ((entry.directories & bitOf(stage)) === 0 ? undefined : entry.versions[stage].oid)
    yield* this.#enter(path, [idOf(BASE), idOf(OURS), idOf(THEIRS)], depth)
  }

  /** Takes the directories as they are on the one side that changed them, unless renames out of them, or into them, matter. */
  *#settleDeferred(side: Side): Generator<void, void, undefined> {
    const isSettled = this.#state.changes[side].relevantSources.size === 0
    this.#mayDefer[side] = isSettled
    if (isSettled) {
      for (const { entry } of this.#deferred[side]) takeWhole(entry, side)
      return
    }
    for (const deferred of inHashOrder(this.#deferred[side], ({ path }) => path)) {
      this.#renameMask = deferred.renameMask
      yield* this.#descend(deferred)
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

function matchingOf([base, ours, theirs]: NamedItems): number {
  const oursIsBase = isSame(ours, base)
  if (isSame(theirs, base)) return oursIsBase ? ALL_BITS : BASE_BIT | THEIRS_BIT
  if (oursIsBase) return BASE_BIT | OURS_BIT
  return isSame(ours, theirs) ? OURS_BIT | THEIRS_BIT : 0
}

function isSame(a: TreeItem | undefined, b: TreeItem | undefined): boolean {
  return a !== undefined && b !== undefined && (a === b || a.isSameAs(b))
}

/** What a path holds when that takes no thought: nobody changed it, or it is a file in all three that one side changed, or both alike. */
function resolve([base, ours, theirs]: NamedItems, matching: number, files: number): TreeItem | undefined {
  if (matching === ALL_BITS) return base
  if (files !== ALL_BITS || matching === 0) return undefined
  return matching === (BASE_BIT | OURS_BIT) ? theirs : ours
}

function takeWhole(entry: MergeEntry, side: Side): void {
  entry.result = entry.versions[side]
  entry.isGone = entry.result.mode === 0
  entry.matching = 0
  entry.isClean = true
}
