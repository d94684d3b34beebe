import { breathe, isDue } from '#kernel/breathe.ts'
import { defaultLimits } from '../limits.ts'
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

const DEFAULT_MAX_PATHS = 200_000

interface OpenDirectory {
  oid: Oid
  prefix: string
  depth: number
}

/**
 * The paths of all files of a tree, a directory's own before those below it; `isCut` where there are more than `most`. Directories count as well: a
 * dozen trees may unfold into ten billion of them.
 */
export async function listPaths(store: ObjectReader, tree: Oid, most = DEFAULT_MAX_PATHS): Promise<FoundPaths> {
  const paths: string[] = []
  const open: OpenDirectory[] = [{ oid: tree, prefix: '', depth: 0 }]
  let left = most
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (left <= 0) return { paths: paths.slice(0, most), isCut: true }
    const { files, directories } = readDirectory(store, next)
    for (const path of files) paths.push(path)
    for (const directory of directories) open.push(directory)
    left -= files.length + 1
    if (isDue()) await breathe()
  }
  return { paths, isCut: false }
}

/** The directories in it come in reverse, to be taken from the end. */
function readDirectory(store: ObjectReader, { oid, prefix, depth }: OpenDirectory): { files: string[]; directories: OpenDirectory[] } {
  if (oid === store.format.emptyTree || depth > defaultLimits.maxTreeDepth) return { files: [], directories: [] }
  const entries = parseTree(store.get(oid, 'tree', defaultLimits.maxParsedBytes).data, defaultLimits, store.format.rawLength)
  const [directories, files] = [entries.filter(({ mode }) => mode === TREE_MODE), entries.filter(({ mode }) => mode !== TREE_MODE)]
  return {
    files: files.map(({ name }) => prefix + name),
    directories: directories.map((entry) => ({ oid: entry.oid, prefix: `${prefix}${entry.name}/`, depth: depth + 1 })).reverse(),
  }
}

/** Those of some paths that are like a query: letters next to each other, at beginnings of words and in the file's own name count most. */
export async function rankPaths(paths: readonly string[], { query, limit }: FindPathsOptions): Promise<string[]> {
  const letters = query.toLowerCase().replace(/\s+/g, '')
  if (letters === '') return paths.slice(0, limit)
  const best: { path: string; score: number }[] = []
  for (const [i, path] of paths.entries()) {
    if (i % 1000 === 0 && isDue()) await breathe()
    const score = scoreOf(path, letters)
    if (score === undefined) continue
    best.push({ path, score })
    if (best.length >= 4 * limit) cut(best, limit)
  }
  cut(best, limit)
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
