import type { Checkpoint } from '../checkpoint.ts'
import { PathFilter } from '../diff/path-filter.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { type Oid, oidAt } from '../objects/oid.ts'
import { eachEntry, entryType } from '../objects/tree.ts'
import type { DiskStore } from '../store/disk.ts'

export interface ArchiveContext {
  limits: GitLimits
  checkpoint: Checkpoint
}

/** More files than in any repository known, and far fewer than a dozen trees can unfold into. */
export const MAX_ENTRIES = 2_000_000

/**
 * Refuses, before anything is written, to unfold `tree` into more than `MAX_ENTRIES`; what `export-ignore` would leave out counts, too.
 * Each distinct directory is read once.
 * @param paths what is asked for of it
 * @throws GitError `limit` when there are more, or they lie too deep; `missing` or `corrupt` when a directory is
 */
export async function refuseTooMany(store: DiskStore, tree: Oid, paths: readonly string[] | undefined, context: ArchiveContext): Promise<void> {
  if ((await new EntryCounter(store, paths, context).asked(tree, '', 0)) > MAX_ENTRIES) throw tooManyEntries()
}

export function tooManyEntries(): GitError {
  return new GitError('limit', `Cannot archive: there are more than ${MAX_ENTRIES} files`)
}

class EntryCounter {
  readonly #store: DiskStore
  readonly #context: ArchiveContext
  readonly #filter: PathFilter
  readonly #counts = new Map<Oid, number>()

  constructor(store: DiskStore, paths: readonly string[] | undefined, context: ArchiveContext) {
    this.#store = store
    this.#context = context
    this.#filter = new PathFilter(paths?.map((path) => Buffer.from(path).toString('latin1')))
  }

  /** How many entries of `tree` are asked for. @param base its path, '' or with a slash at the end */
  async asked(tree: Oid, base: string, depth: number): Promise<number> {
    const { entries, below } = this.#read(tree, depth, (name) => this.#filter.mayHold(base + name))
    let total = entries
    for (const { name, oid } of below) {
      const path = base + name
      total += await (this.#filter.matches(path) ? this.#below(oid, depth + 1) : this.asked(oid, `${path}/`, depth + 1))
    }
    return total
  }

  async #below(tree: Oid, depth: number): Promise<number> {
    const known = this.#counts.get(tree)
    if (known !== undefined) return known
    const wait = this.#context.checkpoint()
    if (wait) await wait
    const { entries, below } = this.#read(tree, depth)
    let total = entries
    for (const { oid } of below) total += await this.#below(oid, depth + 1)
    this.#counts.set(tree, total)
    return total
  }

  /** How many entries are wanted of `tree` itself, and the directories among them. */
  #read(tree: Oid, depth: number, isWanted?: (name: string) => boolean): { entries: number; below: { name: string; oid: Oid }[] } {
    const { maxTreeDepth, maxParsedBytes } = this.#context.limits
    if (depth > maxTreeDepth) throw new GitError('limit', `Cannot archive: directories are nested more than ${maxTreeDepth} levels deep`)
    const below: { name: string; oid: Oid }[] = []
    let entries = 0
    if (tree === this.#store.format.emptyTree) return { entries, below }
    const { data } = this.#store.get(tree, 'tree', maxParsedBytes)
    const { rawLength } = this.#store.format
    eachEntry(
      data,
      (mode, start, end, at) => {
        if (entryType(mode) !== 'tree' && isWanted === undefined) return void entries++
        const name = Buffer.prototype.latin1Slice.call(data, start, end)
        if (isWanted !== undefined && !isWanted(name)) return
        entries++
        if (entryType(mode) === 'tree') below.push({ name, oid: oidAt(data, at, rawLength) })
      },
      rawLength,
    )
    return { entries, below }
  }
}
