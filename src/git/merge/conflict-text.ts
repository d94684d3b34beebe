import type { Lines } from './line-table.ts'
import type { Hunk } from './three-way.ts'

/** The names behind the conflict markers, as byte strings: a character a byte. */
export interface ConflictLabels {
  base: string
  ours: string
  theirs: string
}

export interface ConflictStyle {
  labels: ConflictLabels
  /** Length of a marker: 7, and more in merges of merges. */
  markerSize: number
  /** Whether conflicts show the base, too. */
  diff3?: boolean
}

const LF = 10
const CR = 13

/** Puts a merged file together. Source: `xdl_fill_merge_buffer` of `xdiff/xmerge.c`. */
export class MergedText {
  readonly #base: Lines
  readonly #ours: Lines
  readonly #theirs: Lines
  readonly #style: ConflictStyle
  readonly #parts: Uint8Array[] = []

  constructor(files: { base: Lines; ours: Lines; theirs: Lines }, style: ConflictStyle) {
    this.#base = files.base
    this.#ours = files.ours
    this.#theirs = files.theirs
    this.#style = style
  }

  write(hunks: readonly Hunk[]): Uint8Array {
    let at = 0
    for (const hunk of hunks) {
      if (hunk.take === 'same') continue
      this.#copy(this.#ours, at, hunk.ours)
      this.#writeHunk(hunk)
      at = hunk.ours + hunk.oursCount
    }
    this.#copy(this.#ours, at, this.#ours.count)
    return Buffer.concat(this.#parts)
  }

  #writeHunk(hunk: Hunk): void {
    const [oursEnd, theirsEnd] = [hunk.ours + hunk.oursCount, hunk.theirs + hunk.theirsCount]
    if (hunk.take === 'conflict') this.#writeConflict(hunk)
    else if (hunk.take === 'ours') this.#copy(this.#ours, hunk.ours, oursEnd)
    else if (hunk.take === 'theirs') this.#copy(this.#theirs, hunk.theirs, theirsEnd)
    else {
      this.#copy(this.#ours, hunk.ours, oursEnd)
      this.#endLine(this.#ours, hunk.ours, oursEnd, this.#lineEnd(hunk))
      this.#copy(this.#theirs, hunk.theirs, theirsEnd)
    }
  }

  #writeConflict(hunk: Hunk): void {
    const { labels, diff3 } = this.#style
    const end = this.#lineEnd(hunk)
    this.#marker('<', labels.ours, end)
    this.#copyWhole(this.#ours, hunk.ours, hunk.ours + hunk.oursCount, end)
    if (diff3) {
      this.#marker('|', labels.base, end)
      this.#copyWhole(this.#base, hunk.base, hunk.base + hunk.baseCount, end)
    }
    this.#marker('=', undefined, end)
    this.#copyWhole(this.#theirs, hunk.theirs, hunk.theirs + hunk.theirsCount, end)
    this.#marker('>', labels.theirs, end)
  }

  #marker(sign: string, label: string | undefined, end: string): void {
    this.#parts.push(Buffer.from(`${sign.repeat(this.#style.markerSize)}${label === undefined ? '' : ` ${label}`}${end}`, 'latin1'))
  }

  #copy(lines: Lines, from: number, to: number): void {
    if (to > from) this.#parts.push(lines.data.subarray(lines.starts[from], lines.starts[to]))
  }

  #copyWhole(lines: Lines, from: number, to: number, end: string): void {
    this.#copy(lines, from, to)
    this.#endLine(lines, from, to, end)
  }

  /** Breaks the line when the last one copied has no line break. */
  #endLine(lines: Lines, from: number, to: number, end: string): void {
    if (to > from && lines.data[(lines.starts[to] as number) - 1] !== LF) this.#parts.push(Buffer.from(end))
  }

  /** The line break of the lines around the hunk. */
  #lineEnd(hunk: Hunk): string {
    const hasCr = endsInCr(this.#ours, Math.max(0, hunk.ours - 1)) ?? true
    const alsoTheirs = hasCr && (endsInCr(this.#theirs, Math.max(0, hunk.theirs - 1)) ?? true)
    return alsoTheirs && (endsInCr(this.#base, 0) ?? false) ? '\r\n' : '\n'
  }
}

/** Whether line `i` ends in CR LF; undefined when that cannot be told. */
function endsInCr({ data, starts, count }: Lines, i: number): boolean | undefined {
  if (count === 0) return undefined
  const isBroken = (line: number): boolean => data[(starts[line + 1] as number) - 1] === LF
  const hasCr = (line: number): boolean => (starts[line + 1] as number) - (starts[line] as number) > 1 && data[(starts[line + 1] as number) - 2] === CR
  if (i < count - 1 || isBroken(i)) return hasCr(i)
  return i === 0 ? undefined : hasCr(i - 1)
}
