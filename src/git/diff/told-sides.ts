import { attributesOf } from '../attributes/tree-attributes.ts'
import { GitError, isLoss } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { isFile } from './rename-candidates.ts'
import type { FileChange } from './renames.ts'
import type { TreeSide } from './tree-diff.ts'

type Path = string | Uint8Array

/** What attributes say of paths. Those that are beyond measure say nothing. */
class Told<Name extends string> {
  #question: { ask(path: Path): Record<Name, string | boolean | undefined> } | undefined

  constructor(store: ObjectReader, tree: Oid, names: readonly Name[]) {
    this.#try(() => void (this.#question = attributesOf(store, tree).question(names)))
  }

  ask(path: Path): Partial<Record<Name, string | boolean | undefined>> {
    return this.#try(() => this.#question?.ask(path)) ?? {}
  }

  #try<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof GitError) || isLoss(error)) throw error
      this.#question = undefined
      return undefined
    }
  }
}

/** What the `.gitattributes` of a tree say of how changes are shown. */
export class ToldSides {
  readonly #told: Told<'diff' | 'linguist-generated' | 'working-tree-encoding'> | undefined

  /** @param tree undefined: nothing is told */
  constructor(store: ObjectReader, tree: Oid | undefined) {
    this.#told = tree === undefined ? undefined : new Told(store, tree, ['diff', 'linguist-generated', 'working-tree-encoding'])
  }

  /** The side of a change at a path, with `isBinary` where `-diff` (or `binary`) or `diff` says it. Source: `diff_filespec_load_driver` of git's `diff.c`. */
  side<Side extends TreeSide | undefined>(side: Side, path: Path): Side {
    if (side === undefined || this.#told === undefined || !isFile(side)) return side
    const { diff } = this.#told.ask(path)
    return typeof diff === 'boolean' ? { ...side, isBinary: !diff } : side
  }

  /** A change with both sides like that. */
  change<Change extends FileChange>(change: Change): Change {
    if (this.#told === undefined) return change
    const path = change.rawPath ?? change.path
    const oldPath = 'oldPath' in change ? (change.rawOldPath ?? change.oldPath) : path
    return { ...change, old: this.side(change.old, oldPath), new: this.side(change.new, path) }
  }

  /** The encoding that the file has in a checkout. */
  encoding(path: Path): string | boolean | undefined {
    return this.#told?.ask(path)['working-tree-encoding']
  }

  /** Whether a program made the file; undefined where nothing says. */
  isGenerated({ path, rawPath }: Pick<FileChange, 'path' | 'rawPath'>): boolean | undefined {
    const told = this.#told?.ask(rawPath ?? path)['linguist-generated']
    return told === undefined ? undefined : told !== false && told !== 'false'
  }
}
