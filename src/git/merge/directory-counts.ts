import { type BytePath, baseNameOf, directoryOf } from './entry.ts'
import { inHashOrder } from './hash-order.ts'
import { ASKED_FOR_ANCESTOR, ASKED_FOR_SELF, type SideChanges, UNASKED } from './merge-state.ts'

/** Files of a directory that may yet turn out to have gone somewhere; no directory has this name. */
const UNKNOWN = '/'

/**
 * Counts where the files of removed directories went, which tells where the directories went. Source: `diffcore-rename.c`,
 * `update_dir_rename_counts` and what is around it.
 */
export class DirectoryCounts {
  readonly #changes: SideChanges

  constructor(changes: SideChanges) {
    this.#changes = changes
  }

  /** Counts for the directory the file was in, and for those above it as long as their names went along. */
  count(oldPath: BytePath, newPath: BytePath): void {
    const { removedDirectories } = this.#changes
    let [from, to] = [oldPath, newPath]
    for (let isFirst = true; ; isFirst = false) {
      const [oldName, newName] = [baseNameOf(from), baseNameOf(to)]
      from = directoryOf(from)
      const relevance = removedDirectories.get(from)
      if (relevance === undefined) return
      to = directoryOf(to)
      if (!isFirst && oldName !== newName) return
      if (isFirst || relevance === ASKED_FOR_SELF) this.#increment(from, to)
      if (relevance === UNASKED || from === '' || to === '') return
    }
  }

  /** By old directory, the new one with the most files so far. */
  guesses(): Map<BytePath, BytePath> {
    const guesses = new Map<BytePath, BytePath>()
    for (const [directory, counts] of this.#changes.directoryCounts) {
      guesses.set(directory, inHashOrder([...counts], ([to]) => to).reduce((most, next) => (next[1] > most[1] ? next : most))[0])
    }
    return guesses
  }

  /**
   * Removed files that are asked for only because of where their directory went, and whose directory has shown that already, are not looked
   * for any more. Source: `handle_early_known_dir_renames`.
   */
  withoutSettled<T extends { path: BytePath }>(sources: readonly T[]): T[] {
    const { removedDirectories, directoryCounts, relevantSources } = this.#changes
    for (const { path } of sources) this.#countUnknown(path)
    for (const [directory, counts] of directoryCounts) {
      if (removedDirectories.get(directory) === ASKED_FOR_SELF && isDecided(counts)) removedDirectories.set(directory, ASKED_FOR_ANCESTOR)
    }
    return sources.filter(({ path }) => {
      if (relevantSources.get(path) !== 'location' || this.#isAskedFor(path)) return true
      relevantSources.set(path, 'no more')
      return false
    })
  }

  /** Leaves what is known of directories that are asked for. */
  finish(): void {
    const { removedDirectories, directoryCounts } = this.#changes
    for (const [directory, counts] of directoryCounts) {
      counts.delete(UNKNOWN)
      if ((removedDirectories.get(directory) ?? UNASKED) === UNASKED) directoryCounts.delete(directory)
    }
  }

  #countUnknown(path: BytePath): void {
    const { removedDirectories } = this.#changes
    for (let directory = directoryOf(path); directory !== ''; directory = directoryOf(directory)) {
      if ((removedDirectories.get(directory) ?? UNASKED) === UNASKED) return
      this.#increment(directory, UNKNOWN)
    }
  }

  #isAskedFor(path: BytePath): boolean {
    for (let directory = directoryOf(path); ; directory = directoryOf(directory)) {
      const relevance = this.#changes.removedDirectories.get(directory) ?? UNASKED
      if (relevance !== ASKED_FOR_ANCESTOR) return relevance === ASKED_FOR_SELF
      if (directory === '') return false
    }
  }

  #increment(from: BytePath, to: BytePath): void {
    const counts = this.#changes.directoryCounts.get(from) ?? new Map<BytePath, number>()
    this.#changes.directoryCounts.set(from, counts)
    counts.set(to, (counts.get(to) ?? 0) + 1)
  }
}

/** Whether no file that may yet turn up can change which directory has the most. */
function isDecided(counts: ReadonlyMap<BytePath, number>): boolean {
  let [first, second] = [0, 0]
  for (const [directory, count] of counts) {
    if (directory === UNKNOWN) continue
    if (count >= first) [first, second] = [count, first]
    else if (count >= second) second = count
  }
  return first > second + (counts.get(UNKNOWN) ?? 0)
}

/** The one directory to which most files of a removed directory went; `split` when there are several such. */
export function destinationOf(counts: ReadonlyMap<BytePath, number>): BytePath | 'split' | undefined {
  let most = 0
  let best: BytePath | 'split' | undefined
  for (const [directory, count] of counts) {
    if (count === most) best = 'split'
    else if (count > most) [most, best] = [count, directory]
  }
  return best
}
