import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import {
  BASE,
  BASE_BIT,
  type BytePath,
  bitOf,
  DIRECTORY_MODE,
  isGitlink,
  isRegular,
  isSameType,
  type MergeEntry,
  NOTHING,
  OURS,
  OURS_BIT,
  type Side,
  THEIRS,
  THEIRS_BIT,
  type Version,
} from './entry.ts'
import type { MergeState } from './merge-state.ts'
import { mergeVersions } from './merge-versions.ts'
import { TreeWriter } from './tree-writer.ts'

const BOTH_SIDES = OURS_BIT | THEIRS_BIT

/** Decides what each path holds in the end, and writes the trees, in steps. Returns the root. Source: `process_entries` of git's `merge-ort.c`. */
export function* resolveEntries(state: MergeState): Steps<Oid> {
  const trees = new TreeWriter(state.store)
  // As if every name ended in a slash, a directory comes right before what is in it; backwards, right behind.
  const paths = [...state.entries.keys()].map((path) => `${path}/`).sort()
  for (let i = paths.length - 1; i >= 0; i--) {
    const path = (paths[i] as string).slice(0, -1)
    const entry = state.entry(path)
    const tree = trees.finish(path, state.settledIn(path))
    if (tree !== undefined) {
      entry.isGone = false
      entry.result = { mode: DIRECTORY_MODE, oid: tree }
    }
    if (entry.isClean) record(trees, path, entry)
    else {
      yield* new EntryResolver(state, trees).resolve(path, entry)
      yield
    }
  }
  return trees.finish('', state.settledIn('')) ?? state.store.write('tree', new Uint8Array(0))
}

function record(trees: TreeWriter, path: BytePath, { isGone, result }: MergeEntry): void {
  if (!isGone) trees.add(path, result)
}

class EntryResolver {
  readonly #state: MergeState
  readonly #trees: TreeWriter
  /** Which side's file had to make way for a directory. */
  #movedSide: Side | undefined

  constructor(state: MergeState, trees: TreeWriter) {
    this.#state = state
    this.#trees = trees
  }

  *resolve(path: BytePath, entry: MergeEntry): Steps<void> {
    if (entry.directories !== 0) {
      record(this.#trees, path, entry)
      if (entry.files === 0) return
    }
    if (!entry.hasDirectoryConflict) yield* this.#resolveFile(path, entry)
    else if (entry.result.mode === 0) {
      entry.hasDirectoryConflict = false
      entry.isGone = false
      entry.keepFilesOnly()
      yield* this.#resolveFile(path, entry)
    } else yield* this.#moveAside(path, entry)
  }

  /** The directory stays where it is; a file that is still wanted goes next to it. */
  *#moveAside(path: BytePath, entry: MergeEntry): Steps<void> {
    const { files, directories } = entry
    if (files !== BASE_BIT) {
      const file = entry.copy()
      file.result = NOTHING
      file.isGone = false
      file.keepFilesOnly()
      this.#movedSide = (directories & OURS_BIT) !== 0 ? THEIRS : OURS
      const label = this.#state.label(this.#movedSide)
      const free = freePath(this.#state, path, label)
      this.#state.entries.set(free, file)
      this.#state.note('file/directory', [free, path], `${path} is a file in ${label} and a directory on the other side: the file was moved to ${free}`)
      yield* this.#resolveFile(free, file)
    }
    entry.files = 0
  }

  *#resolveFile(path: BytePath, entry: MergeEntry): Steps<void> {
    const at = yield* this.#decide(path, entry)
    if (!entry.isClean) this.#state.conflicted.set(at, entry)
    record(this.#trees, at, entry)
  }

  /** Returns the path at which the entry is in the end. */
  *#decide(path: BytePath, entry: MergeEntry): Steps<BytePath> {
    const [, ours, theirs] = entry.versions
    const isOnBoth = entry.files >= BOTH_SIDES
    if (entry.matching !== 0) takeDifferent(entry)
    else if (isOnBoth && !isSameType(ours.mode, theirs.mode)) return this.#splitTypes(path, entry)
    else if (isOnBoth) yield* this.#mergeContent(path, entry)
    else if (entry.files === (BASE_BIT | OURS_BIT)) this.#modifiedOrDeleted(path, entry, OURS)
    else if (entry.files === (BASE_BIT | THEIRS_BIT)) this.#modifiedOrDeleted(path, entry, THEIRS)
    else if (entry.files === BASE_BIT) {
      entry.isGone = true
      entry.isClean = !entry.hasPathConflict
    } else {
      entry.result = entry.versions[entry.files === THEIRS_BIT ? THEIRS : OURS]
      entry.isClean = isFree(entry)
    }
    return path
  }

  *#mergeContent(path: BytePath, entry: MergeEntry): Steps<void> {
    const { version, isClean } = yield* mergeVersions(this.#state, path, entry, 2 * this.#state.depth)
    entry.isClean = isClean && isFree(entry)
    entry.result = version
    entry.isGone = version.mode === 0
    if (isClean && entry.hasDirectoryConflict && this.#movedSide !== undefined) {
      entry.files = bitOf(this.#movedSide)
      entry.versions[this.#movedSide] = version
    }
    if (isClean) return
    const kind = isGitlink(version.mode) ? 'submodule' : entry.files === BOTH_SIDES ? 'add/add' : 'content'
    this.#state.note(kind, [path], `Both sides changed ${path}`)
  }

  #modifiedOrDeleted(path: BytePath, entry: MergeEntry, side: Side): void {
    const { versions } = entry
    entry.result = versions[this.#state.depth > 0 ? BASE : side]
    entry.isClean = false
    if (entry.hasPathConflict && versions[BASE].oid === versions[side].oid) return
    const [keeper, remover] = [this.#state.label(side), this.#state.label(side === OURS ? THEIRS : OURS)]
    this.#state.note('modify/delete', [path], `${path} was deleted in ${remover} and changed in ${keeper}`)
  }

  /** A file on one side, a link or submodule on the other: each gets a path of its own. */
  #splitTypes(path: BytePath, entry: MergeEntry): BytePath {
    entry.isClean = false
    const [base, ours, theirs] = entry.versions
    if (this.#state.depth > 0) {
      entry.result = base
      entry.isGone = base.mode === 0
      return path
    }
    const movesOurs = isRegular(ours.mode) || !isRegular(theirs.mode)
    const movesTheirs = !isRegular(ours.mode)
    const oursPath = movesOurs ? freePath(this.#state, path, this.#state.labels.ours) : path
    const theirsPath = movesTheirs ? freePath(this.#state, path, this.#state.labels.theirs) : path
    this.#state.note('distinct types', [path, oursPath, theirsPath], `${path} has a different type on each side`)
    const other = entry.copy()
    keepSide(other, THEIRS, base)
    keepSide(entry, OURS, base)
    if (movesOurs && movesTheirs) this.#state.entries.delete(path)
    this.#state.entries.set(oursPath, entry)
    this.#state.entries.set(theirsPath, other)
    this.#state.conflicted.set(theirsPath, other)
    record(this.#trees, theirsPath, other)
    return oursPath
  }
}

/** Two versions are the same: the third is what became of them. */
function takeDifferent(entry: MergeEntry): void {
  entry.isClean = isFree(entry)
  if (entry.matching === BOTH_SIDES) {
    entry.result = entry.versions[OURS]
    return
  }
  entry.result = entry.versions[entry.matching === (BASE_BIT | OURS_BIT) ? THEIRS : OURS]
  entry.isGone = entry.result.mode === 0
  if (entry.isGone) entry.isClean = true
}

function isFree({ hasDirectoryConflict, hasPathConflict }: MergeEntry): boolean {
  return !hasDirectoryConflict && !hasPathConflict
}

function keepSide(entry: MergeEntry, side: Side, base: Version): void {
  const own = entry.versions[side]
  const hasBase = isSameType(own.mode, base.mode)
  entry.result = own
  entry.versions = [hasBase ? base : NOTHING, NOTHING, NOTHING]
  entry.versions[side] = own
  entry.files = bitOf(side) | (hasBase ? BASE_BIT : 0)
}

/** A path next to `path` that nothing else has. Source: `unique_path`. */
function freePath(state: MergeState, path: BytePath, label: string): BytePath {
  const wanted = `${path}~${label.replaceAll('/', '_')}`
  let free = wanted
  for (let suffix = 0; state.findEntry(free) !== undefined; suffix++) free = `${wanted}_${suffix}`
  return free
}
