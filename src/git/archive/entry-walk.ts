import type { AttributeQuestion } from '../attributes/attribute-question.ts'
import type { AttributeValue } from '../attributes/parse-attributes.ts'
import { PathFilter } from '../diff/path-filter.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { type Oid, oidAt } from '../objects/oid.ts'
import { eachEntry, entryType } from '../objects/tree.ts'
import type { ObjectReader } from '../store/types.ts'
import { MAX_ENTRIES, tooManyEntries } from './count-entries.ts'

/** What archives ask of a path. */
export const archiveAttributes = ['export-ignore', 'export-subst', 'text', 'crlf', 'eol', 'ident', 'working-tree-encoding', 'diff'] as const
export type ArchiveAttributes = Record<(typeof archiveAttributes)[number], AttributeValue>

export type EntryKind = 'directory' | 'submodule' | 'file' | 'symlink'

export interface ArchiveEntry {
  kind: EntryKind
  /** From the root of the tree, a byte in each character; directories and submodules end in a slash. */
  path: string
  oid: Oid
  isExecutable: boolean
  attributes: ArchiveAttributes | undefined
}

interface TreeItem {
  mode: number
  name: string
  oid: Oid
}

/** A directory that is being walked. */
interface Frame {
  /** '' or with a slash at the end. */
  base: string
  items: TreeItem[]
  at: number
  /** The directory itself, until something inside it is met that is no directory. */
  pending: ArchiveEntry | undefined
}

/** What zip can say. */
const MAX_PATH_BYTES = 0xffff

export interface EntryWalkOptions {
  paths: readonly string[] | undefined
  question: AttributeQuestion<(typeof archiveAttributes)[number]>
  limits: GitLimits
}

/**
 * What an archive of `tree` holds, in git's order: a directory comes before the first thing in it that is none, and not at all when
 * there is no such thing. Paths that `export-ignore` names are left out. Source: `queue_or_write_archive_entry` of git's `archive.c`.
 * @throws GitError `missing` or `corrupt` when a tree is; `limit` when there are too many entries, or they lie too deep
 */
export function* walkEntries(store: ObjectReader, tree: Oid, options: EntryWalkOptions): Generator<ArchiveEntry, void, undefined> {
  const walk = new EntryWalk(store, options)
  const stack: Frame[] = [walk.frame(tree, '', undefined)]
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const item = frame.items[frame.at++]
    if (item === undefined) stack.pop()
    else if (entryType(item.mode) === 'tree') {
      const below = walk.directory(item, frame.base, stack.length)
      if (below !== undefined) stack.push(below)
    } else if (walk.isWanted(frame.base + item.name)) {
      if (frame.pending !== undefined) yield* released(stack)
      const entry = walk.leaf(item, frame.base)
      if (entry !== undefined) yield entry
    }
  }
}

function* released(stack: Frame[]): Generator<ArchiveEntry, void, undefined> {
  for (const frame of stack) {
    if (frame.pending !== undefined) yield frame.pending
    frame.pending = undefined
  }
}

class EntryWalk {
  readonly #store: ObjectReader
  readonly #options: EntryWalkOptions
  readonly #filter: PathFilter
  #count = 0

  constructor(store: ObjectReader, options: EntryWalkOptions) {
    this.#store = store
    this.#options = options
    this.#filter = new PathFilter(options.paths?.map((path) => Buffer.from(path).toString('latin1')))
  }

  isWanted(path: string): boolean {
    return this.#filter.matches(path)
  }

  /** Undefined when nothing of it is wanted. */
  directory(item: TreeItem, base: string, depth: number): Frame | undefined {
    const path = `${base}${item.name}`
    if (!this.#filter.mayHold(path)) return undefined
    const entry = this.#entry('directory', item, `${path}/`)
    if (entry.attributes?.['export-ignore'] === true) return undefined
    if (depth >= this.#options.limits.maxTreeDepth)
      throw new GitError('limit', `Cannot archive: directories are nested more than ${this.#options.limits.maxTreeDepth} levels deep`)
    return this.frame(item.oid, `${path}/`, entry)
  }

  /** A file, symbolic link or submodule; undefined when it is not for export. */
  leaf(item: TreeItem, base: string): ArchiveEntry | undefined {
    const isGitlink = entryType(item.mode) === 'commit'
    const kind = isGitlink ? 'submodule' : (item.mode & 0o170000) === 0o120000 ? 'symlink' : 'file'
    const entry = this.#entry(kind, item, base + item.name + (isGitlink ? '/' : ''))
    return entry.attributes?.['export-ignore'] === true ? undefined : entry
  }

  frame(tree: Oid, base: string, pending: ArchiveEntry | undefined): Frame {
    return { base, items: this.#items(tree), at: 0, pending }
  }

  #entry(kind: EntryKind, { mode, oid }: TreeItem, path: string): ArchiveEntry {
    if (++this.#count > MAX_ENTRIES) throw tooManyEntries()
    if (path.length > MAX_PATH_BYTES) throw new GitError('limit', `Cannot archive: a path has more than ${MAX_PATH_BYTES} bytes`)
    const attributes = this.#options.question.ask(Buffer.from(path, 'latin1'))
    return { kind, path, oid, isExecutable: kind === 'file' && (mode & 0o100) !== 0, attributes }
  }

  #items(tree: Oid): TreeItem[] {
    if (tree === this.#store.format.emptyTree) return []
    const { maxParsedBytes, maxTreeEntries } = this.#options.limits
    const { data } = this.#store.get(tree, 'tree', maxParsedBytes)
    const { rawLength } = this.#store.format
    const items: TreeItem[] = []
    eachEntry(
      data,
      (mode, nameStart, nameEnd, at) => {
        if (items.length === maxTreeEntries) throw new GitError('limit', `Cannot archive: a directory has more than ${maxTreeEntries} entries`)
        const name = Buffer.prototype.latin1Slice.call(data, nameStart, nameEnd)
        // Whoever unpacks must not find files where there should be none.
        if (name === '.' || name === '..' || name.includes('/')) throw new GitError('corrupt', `Cannot archive: a file is named "${name}"`)
        items.push({ mode, name, oid: oidAt(data, at, rawLength) })
      },
      rawLength,
    )
    return items
  }
}
