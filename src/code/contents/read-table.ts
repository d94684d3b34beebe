/** What a table may have at most: what goes beyond is left out. */
export interface TableLimits {
  rows: number
  columns: number
  cells: number
  /** Characters of a cell. */
  cellLength: number
}

export interface TableRow {
  /** The line of the file that it begins in, from 1: texts between quotes may have several. */
  line: number
  cells: string[]
}

export interface FileTable {
  rows: TableRow[]
  /** Whether there is more of it. */
  isCut: boolean
}

/** What stands between cells; of files whose name does not say it, the first of those that the first line has most of. */
const separators = [',', ';', '\t', '|']

/**
 * A file of comma-separated values. Reads each character once and no further than the limits reach, since anybody can bring such files: a
 * library would take all of it. What no program would write, as a quote within a cell, is taken as it stands. Source: RFC 4180.
 */
export function readTable(text: string, limits: TableLimits, separator = separatorOf(text)): FileTable {
  const rows: TableRow[] = []
  let [at, line, cells] = [0, 1, 0]
  let isCut = false
  while (at < text.length) {
    if (rows.length === limits.rows || cells >= limits.cells) return { rows, isCut: true }
    const row: TableRow = { line, cells: [] }
    for (let isEnd = false; !isEnd; ) {
      const isBeyond = row.cells.length === limits.columns
      const cell = isBeyond ? readRest(text, at) : readCell(text, at, separator, limits.cellLength)
      at = cell.end + 1
      line += cell.lines
      isEnd = text[cell.end] !== separator
      if (isBeyond) isCut = true
      else row.cells.push(cell.text.length > limits.cellLength ? `${cell.text.slice(0, limits.cellLength)}…` : cell.text)
    }
    line++
    cells += row.cells.length
    rows.push(row)
  }
  return { rows, isCut }
}

function separatorOf(text: string): string {
  const lineEnd = text.indexOf('\n')
  const first = text.slice(0, lineEnd < 0 ? MAX_FIRST_LINE : Math.min(lineEnd, MAX_FIRST_LINE))
  const counts = separators.map((one) => first.split(one).length)
  return separators[counts.indexOf(Math.max(...counts))] as string
}

const MAX_FIRST_LINE = 10_000

/** A cell, where the separator or line end behind it is, and how many line ends are in it. */
interface Cell {
  text: string
  end: number
  lines: number
}

/** @param most characters of a text between quotes that are wanted; it may be longer by one part */
function readCell(text: string, start: number, separator: string, most: number): Cell {
  if (text[start] !== '"') return readPlain(text, start, separator)
  let [quoted, at] = ['', start + 1]
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { text: quoted + text.slice(at), end: text.length, lines: 0 }
    if (quoted.length <= most) quoted += text.slice(at, quote)
    if (text[quote + 1] !== '"') {
      const rest = readPlain(text, quote + 1, separator)
      return { text: quoted + rest.text, end: rest.end, lines: text.slice(start, quote).split('\n').length - 1 }
    }
    if (quoted.length <= most) quoted += '"'
    at = quote + 2
  }
}

/** All that is left of a row, of which nothing is wanted. */
function readRest(text: string, start: number): Cell {
  let [lines, isQuoted] = [0, false]
  const sign = /["\n]/g
  sign.lastIndex = start
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    if (found[0] === '"') isQuoted = !isQuoted
    else if (!isQuoted) return { text: '', end: found.index, lines }
    else lines++
  }
  return { text: '', end: text.length, lines }
}

function readPlain(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end++
  const plain = text.slice(start, end)
  return { text: text[end] === '\n' ? plain.replace(/\r$/, '') : plain, end, lines: 0 }
}
