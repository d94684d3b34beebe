import { breathe, isDue } from '#kernel/breathe.ts'
import { openPath } from '../browse/open-path.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { treeOf } from './changed-files.ts'
import { type DiffFilesOptions, diffFiles, type FileHunk } from './diff-files.ts'
import { Lines } from './lines.ts'

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
  const shown = { ...options, renames: false, detail: 'lines', paths } as const
  const { files } = await diffFiles(store, ends.from, ends.to, shown)
  const hunks = new Map(files.map((file) => [file.path, file.hunks ?? []]))
  const counts = new Map<string, number | undefined>()
  const found: PlaceFound[] = []
  for (const { path, line } of places) {
    const tree = line < 0 ? ends.from : ends.to
    const key = `${line < 0 ? 'old' : 'new'} ${path}`
    if (!counts.has(key)) counts.set(key, tree === undefined ? undefined : countLines(store, tree, path))
    const count = counts.get(key)
    found.push({ hunk: cutHunk(hunks.get(path) ?? [], line), isThere: count !== undefined && Math.abs(line) <= count })
    if (isDue()) await breathe()
  }
  return found
}

/** Undefined when there is no such file, or it is too large to look into. */
function countLines(store: ObjectReader, commit: Oid, path: string): number | undefined {
  const data = openPath(store, treeOf(store, commit), path, MAX_FILE_BYTES)?.data
  return data && new Lines(data).count
}

/** The last lines of a hunk up to one of its lines, below a header that says which they are; empty when no hunk has it. */
export function cutHunk(hunks: readonly FileHunk[], line: number): string {
  for (const hunk of hunks) {
    let [oldAt, newAt] = [hunk.oldStart, hunk.newStart]
    for (const [index, text] of hunk.lines.entries()) {
      const [isOld, isNew] = [text[0] === ' ' || text[0] === '-', text[0] === ' ' || text[0] === '+']
      if ((line < 0 && isOld && oldAt === -line) || (line > 0 && isNew && newAt === line)) return headed(hunk, index)
      oldAt += Number(isOld)
      newAt += Number(isNew)
    }
  }
  return ''
}

function headed(hunk: FileHunk, last: number): string {
  const first = Math.max(0, last + 1 - SHOWN_LINES)
  const count = (lines: readonly string[], sign: string) => lines.filter((text) => text[0] === ' ' || text[0] === sign).length
  const [above, shown] = [hunk.lines.slice(0, first), hunk.lines.slice(first, last + 1)]
  const range = (start: number, sign: '-' | '+') => {
    const lines = count(shown, sign)
    const from = start + count(above, sign)
    return `${sign}${lines === 0 ? Math.max(0, from - 1) : from},${lines}`
  }
  return [`@@ ${range(hunk.oldStart, '-')} ${range(hunk.newStart, '+')} @@`, ...shown].join('\n')
}
