import { breathe, isDue } from '#kernel/breathe.ts'
import { openPath } from '../browse/open-path.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { treeOf } from './changed-files.ts'
import { type DiffFilesOptions, diffFiles, type FileHunk } from './diff-files.ts'
import { lineCountOf } from './lines.ts'

/** A line that somebody speaks of: of the new side from 1 on, of the old one below zero; 0 is the file as a whole. */
export interface PlaceInDiff {
  path: string
  line: number
}

export interface PlaceFound {
  /** The lines of the diff up to it, as a patch has them; empty where the diff does not show it. */
  hunk: string
  /** Whether that side has such a line. */
  isThere: boolean
}

/** Lines of a hunk shown with the one that is spoken of. */
const SHOWN_LINES = 4
const MAX_FILE_BYTES = 8 << 20

/** What a diff shows at each place, in their order. @throws GitError `missing` or `corrupt` */
export async function findPlaces(
  store: ObjectReader,
  ends: { from: Oid | undefined; to: Oid },
  places: readonly PlaceInDiff[],
  options: DiffFilesOptions = {},
): Promise<PlaceFound[]> {
  const paths = [...new Set(places.map(({ path }) => path))]
  const shown = { ...options, renames: false, detail: 'lines', decodes: true, paths } as const
  const { files } = await diffFiles(store, ends.from, ends.to, shown)
  const finders = new Map(files.map((file) => [file.path, new HunkFinder(file.hunks ?? [])]))
  const counts = new Map<string, number | undefined>()
  const found: PlaceFound[] = []
  for (const { path, line } of places) {
    const tree = line < 0 ? ends.from : ends.to
    const key = `${line < 0 ? 'old' : 'new'} ${path}`
    if (!counts.has(key)) counts.set(key, tree === undefined ? undefined : countLines(store, tree, path))
    const count = counts.get(key)
    found.push({ hunk: finders.get(path)?.cut(line) ?? '', isThere: count !== undefined && Math.abs(line) <= count })
    if (isDue()) await breathe()
  }
  return found
}

/** Undefined when there is no such file, or it is too large to look into. */
function countLines(store: ObjectReader, commit: Oid, path: string): number | undefined {
  const data = openPath(store, treeOf(store, commit), path, MAX_FILE_BYTES)?.data
  return data && lineCountOf(data)
}

/** Finds lines in the hunks of a file. */
export class HunkFinder {
  readonly #hunks: readonly CountedHunk[]
  readonly #spots = { old: new Map<number, Spot>(), new: new Map<number, Spot>() }

  constructor(hunks: readonly FileHunk[]) {
    this.#hunks = hunks.map(counted)
    for (const hunk of this.#hunks) {
      for (const [index, text] of hunk.lines.entries()) {
        if (text[0] === ' ' || text[0] === '-') this.#spots.old.set(hunk.old[index] as number, { hunk, index })
        if (text[0] === ' ' || text[0] === '+') this.#spots.new.set(hunk.new[index] as number, { hunk, index })
      }
    }
  }

  /**
   * Returns the last lines of a hunk up to one of its lines, or '' when no hunk has the line. As in Gitea, a beginning that is short enough to be
   * shown whole keeps the header of the hunk as git prints it; a later part gets a header of its own.
   */
  cut(line: number): string {
    const spot = line < 0 ? this.#spots.old.get(-line) : this.#spots.new.get(line)
    if (spot === undefined) return ''
    const { hunk, index } = spot
    const [first, end] = [Math.max(0, index + 1 - SHOWN_LINES), index + 1]
    const header = first === 0 ? hunk.header : `@@ -${range(hunk.old, first, end)} +${range(hunk.new, first, end)} @@`
    return [header, ...hunk.lines.slice(first, end)].join('\n')
  }
}

interface Spot {
  hunk: CountedHunk
  index: number
}

interface CountedHunk {
  /** The first line of the hunk in git's patch. */
  header: string
  lines: readonly string[]
  /** The number on each side that a line has or, where that side lacks it, the next one has; one more behind the last. */
  old: readonly number[]
  new: readonly number[]
}

function counted({ oldStart, oldLines, newStart, newLines, section, lines }: FileHunk): CountedHunk {
  // A side without lines is counted from the line before it.
  const old = [oldLines === 0 ? oldStart + 1 : oldStart]
  const now = [newLines === 0 ? newStart + 1 : newStart]
  for (const [at, text] of lines.entries()) {
    old.push((old[at] as number) + Number(text[0] === ' ' || text[0] === '-'))
    now.push((now[at] as number) + Number(text[0] === ' ' || text[0] === '+'))
  }
  const side = (start: number, count: number) => (count === 1 ? `${start}` : `${start},${count}`)
  const header = `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@${section === '' ? '' : ` ${section}`}`
  return { header, lines, old, new: now }
}

function range(numbers: readonly number[], first: number, end: number): string {
  const [start, next] = [numbers[first] as number, numbers[end] as number]
  return start === next ? `${start - 1},0` : `${start},${next - start}`
}
