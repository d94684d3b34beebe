import { breathe, isDue } from '#kernel/breathe.ts'
import { trimSlashes } from '../diff/path-filter.ts'
import { TreeCursor } from '../diff/tree-cursor.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { keysOf, ownKeyOf, type PathKey } from './changed-paths.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'
import { PathFinder } from './path-finder.ts'

const noNames: Set<string> = new Set()

export interface LastCommitsOptions {
  /** How many commits to look at before giving up on the entries that are left. Default: all. */
  maxCommits?: number
  /** For how many milliseconds to look before giving up on the entries that are left. Default: as long as it takes. */
  milliseconds?: number
  /** Only these entries of the directory; default: all of them. */
  names?: readonly string[]
}

/**
 * For each entry of directory `dir` ('' for the root) in `tip`: the commit that last changed it, which is what
 * `git log -1 tip -- dir/entry` prints, for all of them in one walk. Entries whose commit lies beyond `maxCommits`, or was not
 * reached in time, are absent from the answer.
 * @throws GitError `absent` when `tip` has no directory `dir`
 */
export async function lastCommits(source: CommitSource, tip: Oid, dir: string, options: LastCommitsOptions = {}): Promise<Map<string, Oid>> {
  const walk = new LastCommitsWalk(source, dir)
  walk.start(source.idOf(tip), options.names)
  const end = performance.now() + (options.milliseconds ?? Infinity)
  let left = options.maxCommits ?? Infinity
  while (left-- > 0 && walk.step()) {
    if (performance.now() > end) break
    if (isDue()) await breathe()
  }
  return walk.found
}

/**
 * Each name follows a line of its own through history, always to the first parent that has the same under it, until a
 * commit differs from all its parents. Names that wait at the same commit go on together.
 */
class LastCommitsWalk {
  readonly found = new Map<string, Oid>()
  readonly #source: CommitSource
  readonly #finder: PathFinder
  readonly #dir: string
  readonly #queue = new CommitQueue()
  readonly #waiting = new Map<number, Set<string>>()
  readonly #dirKeys: PathKey[] | undefined
  /** By name, the key of its path alone; undefined where filters cannot tell. */
  readonly #nameKeys = new Map<string, PathKey | undefined>()

  constructor(source: CommitSource, dir: string) {
    this.#source = source
    this.#dir = trimSlashes(dir)
    this.#dirKeys = keysOf(this.#dir)
    this.#finder = new PathFinder(source.store, dir)
  }

  start(tip: number, names: readonly string[] | undefined): void {
    const tree = this.#directory(tip)
    if (tree === undefined) throw new GitError('absent', `Cannot find directory "${this.#dir}" in commit ${this.#source.oid(tip)}`)
    const present = namesIn(this.#source.store, tree)
    const wanted = names === undefined ? present : new Set(names).intersection(present)
    for (const name of wanted) this.#nameKeys.set(name, ownKeyOf(this.#dir === '' ? name : `${this.#dir}/${name}`))
    this.#wait(tip, wanted)
  }

  /** Takes one commit's names further; false when none is left. */
  step(): boolean {
    const id = this.#queue.pop()
    if (id < 0) return false
    let names = this.#waiting.get(id) as Set<string>
    this.#waiting.delete(id)
    const parents = [...this.#source.parents(id)]
    for (let i = 0; i < parents.length && names.size > 0; i++) {
      const changed = i === 0 && !this.#mayHaveChanged(id, names) ? noNames : this.#split(id, parents[i] as number, names)
      this.#wait(parents[i] as number, names)
      names = changed
    }
    for (const name of names) this.found.set(name, this.#source.oid(id))
    return true
  }

  /** Takes the names under which `parent` has something else out of `names`, and gives them. */
  #split(id: number, parent: number, names: Set<string>): Set<string> {
    const changed = new Set<string>()
    if (this.#source.tree(id) === this.#source.tree(parent)) return changed
    for (const { path } of diffTrees(this.#source.store, this.#directory(parent), this.#directory(id), { recursive: false })) {
      if (names.delete(path)) changed.add(path)
    }
    return changed
  }

  #mayHaveChanged(id: number, names: Set<string>): boolean {
    if (this.#dirKeys !== undefined && !this.#source.mayHaveChanged(id, this.#dirKeys)) return false
    for (const name of names) {
      const key = this.#nameKeys.get(name)
      if (key === undefined || this.#source.mayHaveChanged(id, [key])) return true
    }
    return false
  }

  /** Sets are handed on and not copied: on a long line of commits they are mostly the same. */
  #wait(id: number, names: Set<string>): void {
    if (names.size === 0) return
    const already = this.#waiting.get(id)
    if (already === undefined) this.#queue.push(id, this.#source.date(id), this.#source.generation(id))
    const [larger, smaller] = already !== undefined && already.size > names.size ? [already, names] : [names, already ?? noNames]
    for (const name of smaller) larger.add(name)
    this.#waiting.set(id, larger)
  }

  #directory(id: number): Oid | undefined {
    const entry = this.#finder.find(this.#source.tree(id))
    return entry?.mode === 0o040000 ? entry.oid : undefined
  }
}

function namesIn(store: ObjectReader, tree: Oid): Set<string> {
  const names = new Set<string>()
  if (tree === store.format.emptyTree) return names
  const { data } = store.get(tree, 'tree', defaultLimits.maxParsedBytes)
  for (const cursor = new TreeCursor(data, store.format.rawLength); !cursor.isAtEnd; cursor.next()) {
    names.add(Buffer.prototype.utf8Slice.call(data, cursor.nameStart, cursor.nameEnd))
  }
  return names
}
