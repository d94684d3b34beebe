import { breathe, isDue } from '#kernel/breathe.ts'
import { defaultLimits, MAX_PATH_LENGTH } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE } from '../objects/tree.ts'
import type { ObjectReader } from '../store/types.ts'

export interface FindPathsOptions {
  /** Letters that a path must have in this order, whatever their case; blanks count for nothing. '' finds all. */
  query: string
  /** The best so many. */
  limit: number
}

export interface FoundPaths {
  paths: string[]
  /** Whether there are more files than were looked at. */
  isCut: boolean
}

/** What is looked through, and may be kept: characters, too, for paths may have thousands. */
const DEFAULT_MOST: Most = { paths: 200_000, characters: 16 * 1024 * 1024 }
/** A piece of a list is ranked in a moment. */
const PIECE = 1000

interface Most {
  paths: number
  characters: number
}

interface OpenDirectory {
  oid: Oid
  prefix: string
  depth: number
}

interface Listed extends FoundPaths {
  /** Whose it is. */
  of: string
}

/**
 * Finds files by letters of their paths. The paths of the tree that was looked through last are at hand for the next letter that somebody types.
 * While several trees are looked through those of one are noted: a list can take tens of megabytes.
 */
export class FileFinder {
  #listed: Listed | undefined
  #isNoting = false

  /** @param of says which repository it is */
  async find(of: string, store: ObjectReader, tree: Oid, options: FindPathsOptions): Promise<FoundPaths> {
    const name = `${of} ${tree}`
    if (this.#listed?.of === name) return { paths: await rankPaths(piecesOf(this.#listed.paths), options), isCut: this.#listed.isCut }
    const listing = new PathListing(store, tree)
    if (this.#isNoting) return { paths: await rankPaths(listing, options), isCut: listing.isCut }
    this.#isNoting = true
    try {
      return await this.#findAndNote(name, listing, options)
    } finally {
      this.#isNoting = false
    }
  }

  async #findAndNote(of: string, listing: PathListing, options: FindPathsOptions): Promise<FoundPaths> {
    // What was noted before is not needed any longer, and both would be there at once.
    this.#listed = undefined
    const noted: string[] = []
    const paths = await rankPaths(noting(listing, noted), options)
    this.#listed = { of, paths: noted, isCut: listing.isCut }
    return { paths, isCut: listing.isCut }
  }
}

/**
 * The paths of all files of a tree, a directory's own before those below it, one directory after another; `isCut` then tells whether there are more
 * than `most`. Directories count as well: a dozen trees may unfold into ten billion of them.
 */
export class PathListing implements Iterable<readonly string[]> {
  isCut = false
  readonly #store: ObjectReader
  readonly #tree: Oid
  readonly #most: Most

  constructor(store: ObjectReader, tree: Oid, most: Partial<Most> = {}) {
    this.#store = store
    this.#tree = tree
    this.#most = { ...DEFAULT_MOST, ...most }
  }

  *[Symbol.iterator](): Generator<readonly string[]> {
    const open: OpenDirectory[] = [{ oid: this.#tree, prefix: '', depth: 0 }]
    const left = { ...this.#most }
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { files, directories } = readDirectory(this.#store, next)
      const paths = files.slice(0, left.paths)
      left.paths -= files.length + 1
      left.characters -= (next.prefix.length + 1) * (files.length + 1)
      yield paths.map((file) => next.prefix + file)
      for (const directory of directories) open.push(directory)
      this.isCut = paths.length < files.length || (open.length > 0 && (left.paths <= 0 || left.characters <= 0))
      if (this.isCut) return
    }
  }
}

/** The directories in it come in reverse, to be taken from the end. */
function readDirectory(store: ObjectReader, { oid, prefix, depth }: OpenDirectory): { files: string[]; directories: OpenDirectory[] } {
  const isTooDeep = depth > defaultLimits.maxTreeDepth || prefix.length > MAX_PATH_LENGTH
  if (oid === store.format.emptyTree || isTooDeep) return { files: [], directories: [] }
  const entries = parseTree(store.get(oid, 'tree', defaultLimits.maxParsedBytes).data, defaultLimits, store.format.rawLength)
  const [directories, files] = [entries.filter(({ mode }) => mode === TREE_MODE), entries.filter(({ mode }) => mode !== TREE_MODE)]
  return {
    files: files.map(({ name }) => name),
    directories: directories.map((entry) => ({ oid: entry.oid, prefix: `${prefix}${entry.name}/`, depth: depth + 1 })).reverse(),
  }
}

function* noting(listing: PathListing, noted: string[]): Generator<readonly string[]> {
  for (const paths of listing) {
    for (const path of paths) noted.push(path)
    yield paths
  }
}

function* piecesOf(paths: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < paths.length; at += PIECE) yield paths.slice(at, at + PIECE)
}

/** Those of some paths that are like a query: letters next to each other, at beginnings of words and in the file's own name count most. */
export async function rankPaths(pieces: Iterable<readonly string[]>, { query, limit }: FindPathsOptions): Promise<string[]> {
  const letters = query.toLowerCase().replace(/\s+/g, '')
  const best: { path: string; score: number }[] = []
  for (const paths of pieces) {
    for (const path of paths) {
      const score = letters === '' ? undefined : scoreOf(path, letters)
      if (score !== undefined || (letters === '' && best.length < limit)) best.push({ path, score: score ?? 0 })
      if (best.length >= 4 * limit) cut(best, limit)
    }
    if (isDue()) await breathe()
  }
  if (letters !== '') cut(best, limit)
  return best.map(({ path }) => path)
}

function cut(best: { path: string; score: number }[], limit: number): void {
  best.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
  best.length = Math.min(best.length, limit)
}

/** Higher is better; undefined when the letters are not there in this order. */
function scoreOf(path: string, letters: string): number | undefined {
  const text = path.toLowerCase()
  const name = text.slice(text.lastIndexOf('/') + 1)
  if (name === letters || text === letters) return 10_000
  if (text.includes(letters)) return 1000 + (name.startsWith(letters) ? 500 : name.includes(letters) ? 300 : 0) - text.length / 10
  // Of the file's own name if it has them all, else of the whole path from its end, where what people mean mostly is.
  const inName = spread(name, letters)
  return inName === undefined ? spread(text, letters) : inName + 200
}

/** How close together the letters stand, matched from the end. */
function spread(text: string, letters: string): number | undefined {
  let at = text.length
  let score = 0
  for (let i = letters.length - 1; i >= 0; i--) {
    const found = text.lastIndexOf(letters[i] as string, at - 1)
    if (found < 0 || at === 0) return undefined
    if (found === at - 1 && i < letters.length - 1) score += 10
    if (found === 0 || /[/._\- ]/.test(text[found - 1] as string)) score += 8
    at = found
  }
  return score - text.length / 10
}
