import { destinationOf } from './directory-counts.ts'
import { type BytePath, bitOf, directoryOf, MergeEntry, NOTHING, OURS, OURS_BIT, otherSide, type Side, sides, stages, THEIRS } from './entry.ts'
import type { FilePair, MergeState } from './merge-state.ts'

/** A place that directory renames of the other side would give to these files of this side. */
interface Collision {
  from: Set<BytePath>
  isReported: boolean
}

/**
 * Moves files that one side put into a directory to where the other side moved that directory. As git does unless told otherwise, such a file
 * is a conflict all the same: it may belong there. Source: `merge-ort.c`, "directory rename detection".
 */
export class DirectoryRenames {
  readonly #state: MergeState
  #collisions: [Map<BytePath, Collision>, Map<BytePath, Collision>, Map<BytePath, Collision>] = [new Map(), new Map(), new Map()]
  isClean = true

  constructor(state: MergeState) {
    this.#state = state
  }

  /** All renames of both sides, their targets moved along with their directories, in the order of where they came from. */
  collect(): FilePair[] {
    if (this.#state.depth === 0) this.#findDirectories()
    for (const side of sides) this.#findCollisions(side)
    const renames = sides.flatMap((side) => this.#state.changes[side].pairs.filter((file) => this.#isRename(file)))
    return renames.sort((a, b) => (a.oldPath < b.oldPath ? -1 : a.oldPath > b.oldPath ? 1 : 0))
  }

  #findDirectories(): void {
    for (const side of sides) {
      const { directoryCounts, directoryRenames } = this.#state.changes[side]
      for (const [directory, counts] of directoryCounts) {
        const destination = destinationOf(counts)
        if (destination === 'split') this.#noteSplit(directory)
        else if (destination !== undefined) directoryRenames.set(directory, destination)
      }
    }
    this.#dropRenamedByBoth()
  }

  #noteSplit(directory: BytePath): void {
    this.isClean = false
    this.#state.note(
      'directory rename split',
      [directory],
      `The files of ${directory} were moved to several directories, and none of them received the majority`,
    )
  }

  #dropRenamedByBoth(): void {
    const [, { directoryRenames: ours }, { directoryRenames: theirs }] = this.#state.changes
    for (const directory of [...ours.keys()]) if (theirs.delete(directory)) ours.delete(directory)
  }

  #findCollisions(side: Side): void {
    const { directoryRenames } = this.#state.changes[otherSide(side)]
    if (directoryRenames.size === 0) return
    for (const { status, newPath } of this.#state.changes[side].pairs) {
      const directory = status === 'removed' ? undefined : renamedDirectoryOf(newPath, directoryRenames)
      if (directory === undefined) continue
      const moved = movedPath(newPath, directory, directoryRenames.get(directory) as BytePath)
      const collision = this.#collisions[side].get(moved) ?? { from: new Set(), isReported: false }
      collision.from.add(newPath)
      this.#collisions[side].set(moved, collision)
    }
  }

  /** Whether the file counts as renamed, after its directory was looked at. */
  #isRename(file: FilePair): boolean {
    if (file.status === 'removed') return false
    const moved = this.#newPlaceOf(file)
    if (moved !== undefined) this.#move(file, moved)
    return moved !== undefined || file.status === 'renamed'
  }

  #newPlaceOf({ newPath, side }: FilePair): BytePath | undefined {
    const other = otherSide(side)
    const { directoryRenames } = this.#state.changes[other]
    if (directoryRenames.size === 0 || this.#collisions[other].has(newPath)) return undefined
    const directory = renamedDirectoryOf(newPath, directoryRenames)
    if (directory === undefined) return undefined
    const destination = directoryRenames.get(directory) as BytePath
    // Not into a directory that this side itself moved: the file would go on a journey.
    if (this.#state.changes[side].directoryRenames.has(destination)) return undefined
    const moved = movedPath(newPath, directory, destination)
    if (this.#isFree(moved, side)) return moved
    this.isClean = false
    return undefined
  }

  #isFree(path: BytePath, side: Side): boolean {
    const collision = this.#collisions[side].get(path) as Collision
    if (collision.isReported) return false
    const paths = [path, ...collision.from]
    if (this.#isInTheWay(path, side)) {
      collision.isReported = true
      this.#state.note('directory rename in the way', paths, `${path} exists, but a directory rename would move files there`)
    } else if (collision.from.size > 1) {
      collision.isReported = true
      this.#state.note('directory rename collision', paths, `Several files would become ${path} because their directories were renamed`)
    }
    return !collision.isReported
  }

  #isInTheWay(path: BytePath, side: Side): boolean {
    const entry = this.#state.findEntry(path)
    return entry !== undefined && (entry.isClean || ((entry.files | entry.directories) & bitOf(side)) !== 0)
  }

  /** Source: `apply_directory_rename_modifications`. */
  #move(file: FilePair, path: BytePath): void {
    const entry = this.#takeFile(file.newPath)
    this.#makeDirectories(path, entry.files)
    const target = this.#place(entry, path)
    target.hasPathConflict = true
    const from = file.newPath
    const message = `${from} was added in a directory that was renamed in ${this.#state.label(otherSide(file.side))}: it may belong at ${path}`
    this.#state.note('file location', [path, file.newPath], message)
    file.newPath = path
    file.status = 'renamed'
  }

  /** The entry of the file at `path`, which is there no more; a directory of that name stays. */
  #takeFile(path: BytePath): MergeEntry {
    const entry = this.#state.entry(path)
    if (entry.directories === 0) {
      this.#state.entries.delete(path)
      return entry
    }
    const file = entry.copy()
    file.directories = 0
    file.versions[OURS] = NOTHING
    entry.files = 0
    entry.isClean = true
    for (const stage of stages) if ((entry.directories & bitOf(stage)) === 0) entry.versions[stage] = NOTHING
    return file
  }

  #makeDirectories(path: BytePath, bits: number): void {
    for (let directory = directoryOf(path); directory !== '' && this.#state.findEntry(directory) === undefined; directory = directoryOf(directory)) {
      const entry = MergeEntry.of(directory, [NOTHING, NOTHING, NOTHING], 0, bits)
      entry.isGone = true
      this.#state.entries.set(directory, entry)
    }
  }

  #place(entry: MergeEntry, path: BytePath): MergeEntry {
    const there = this.#state.entries.get(path)
    if (there === undefined) {
      this.#state.entries.set(path, entry)
      return entry
    }
    there.files |= entry.files
    if (there.directories !== 0) there.hasDirectoryConflict = true
    const side = entry.files === OURS_BIT ? OURS : THEIRS
    there.paths[side] = entry.paths[side]
    there.versions[side] = entry.versions[side]
    return there
  }
}

/** The innermost directory around `path` that was renamed. */
function renamedDirectoryOf(path: BytePath, renames: ReadonlyMap<BytePath, BytePath>): BytePath | undefined {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) if (renames.has(path.slice(0, at))) return path.slice(0, at)
  return undefined
}

function movedPath(path: BytePath, directory: BytePath, destination: BytePath): BytePath {
  return destination === '' ? path.slice(directory.length + 1) : destination + path.slice(directory.length)
}
