import type { FileDiff, FileHunk } from '#git/diff/diff-files.ts'
import { escapeHtml, type Html } from '#web/index.ts'
import { changedParts, type Part } from './changed-words.ts'
import type { FileColours } from './colour-changes.ts'
import { markPart } from './mark-part.ts'
import { hasOddCharacters, showOddCharacters } from './odd-characters.ts'

/** What stands beside the lines of a diff. A line of the new file is its number; one that is only in the old file is below zero. */
export interface DiffNotes {
  /** Where a line's number leads to. */
  addressOf(path: string, line: number): string
  /** What is shown below a line. */
  below(path: string, line: number): Html | undefined
}

export interface RowOptions {
  isSplit: boolean
  /** What the ids of lines begin with. */
  anchor: string
  notes?: DiffNotes | undefined
  /** What leads to the lines between two hunks. */
  between?(gap: Gap): string
  colours?: FileColours | undefined
  /** Whether a line number of the table is a tab stop already. */
  hasStop?: boolean
}

/** Attribute of a line number that is not a tab stop. */
const notTabbed = ' tabindex="-1"'

/** Lines of the new file that stand above a hunk and are not shown; `shift` is how much less their numbers were in the old one. */
export interface Gap {
  from: number
  to: number
  shift: number
}

/** Longer lines are cut: no one reads them, and browsers suffer. */
const MAX_LINE = 2000

/** A line with its number, and what of it is marked. */
interface Side {
  number: number
  /** With its sign. */
  text: string
  /** The same without it, as HTML in colours. */
  coloured?: string | undefined
  mark?: Part | undefined
  /** What git says of it besides. */
  remark?: string
}

/** The rows of a file's table. A diff can have thousands of lines: they are put together as escaped strings, far faster than as elements. */
export function renderHunks(file: FileDiff, options: RowOptions): string {
  const rows = new DiffRows(file.path, options)
  let shown = 0
  for (const hunk of file.hunks ?? []) {
    rows.hunk(hunk, { from: shown + 1, to: hunk.newStart - Number(hunk.newLines > 0), shift: hunk.newStart - hunk.oldStart })
    shown = hunk.newStart + hunk.newLines - 1
  }
  return rows.out.join('')
}

/** Lines that did not change, as they are asked for by themselves. */
export function renderContext(path: string, lines: readonly string[], { from, shift }: Pick<Gap, 'from' | 'shift'>, options: RowOptions): string {
  const rows = new DiffRows(path, { ...options, hasStop: true })
  for (const [i, line] of lines.entries()) rows.context(from + i - shift, from + i, ` ${line}`)
  return rows.out.join('')
}

/** Returns the row below a line, or '' when there is none. */
export function renderNote(notes: DiffNotes, path: string, line: number, isSplit: boolean): string {
  const note = notes.below(path, line)
  return note === undefined ? '' : `<tr class="note" data-line="${line}"><td colspan="${isSplit ? 4 : 3}">${note.text}</td></tr>`
}

class DiffRows {
  readonly out: string[] = []
  readonly #path: string
  readonly #options: RowOptions
  #deleted: Side[] = []
  #added: Side[] = []
  #hasStop: boolean

  constructor(path: string, options: RowOptions) {
    this.#path = path
    this.#options = options
    this.#hasStop = options.hasStop === true
  }

  hunk({ oldStart, oldLines, newStart, newLines, section, lines }: FileHunk, gap: Gap): void {
    const link = gap.to >= gap.from ? (this.#options.between?.(gap) ?? '') : ''
    const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@ ${escapeHtml(section)}`
    const span = this.#options.isSplit ? ' colspan="3"' : ''
    this.out.push(`<tr class="hunk"><td class="n"${this.#options.isSplit ? '' : ' colspan="2"'}>${link}</td><td${span}>${head}</td></tr>`)
    const { colours } = this.#options
    let [old, now] = [oldStart, newStart]
    for (const line of lines) {
      const sign = line[0]
      if (sign === '-') {
        this.#deleted.push({ number: old, text: line, coloured: colours?.old.get(old) })
        old++
      } else if (sign === '+') {
        this.#added.push({ number: now, text: line, coloured: colours?.now.get(now) })
        now++
      } else if (sign === '\\') this.#remark(line)
      else this.context(old++, now++, line)
    }
    this.#flush()
  }

  context(old: number, now: number, text: string): void {
    this.#flush()
    const shown = cell({ text, coloured: this.#options.colours?.now.get(now) })
    const numbers = [this.#number(old, now, false), this.#number(now, now, true)]
    this.out.push(
      this.#options.isSplit
        ? `<tr>${numbers[0]}<td>${shown}</td>${numbers[1]}<td>${shown}</td></tr>`
        : `<tr id="${this.#options.anchor}R${now}">${numbers.join('')}<td>${shown}</td></tr>`,
    )
    this.#below(now)
  }

  /** That there is no line end at the end of the file. */
  #remark(text: string): void {
    const last = this.#added.at(-1) ?? this.#deleted.at(-1)
    if (last) last.remark = text
  }

  /** What went and what came in its place. */
  #flush(): void {
    const pairs = Math.min(this.#deleted.length, this.#added.length)
    for (let i = 0; i < pairs; i++) markWords(this.#deleted[i] as Side, this.#added[i] as Side)
    if (this.#options.isSplit) this.#flushSplit()
    else {
      for (const side of this.#deleted) this.#changed('del', side)
      for (const side of this.#added) this.#changed('add', side)
    }
    if (this.#deleted.length > 0) this.#deleted = []
    if (this.#added.length > 0) this.#added = []
  }

  #changed(kind: 'add' | 'del', side: Side): void {
    const [letter, at] = kind === 'add' ? ['R', side.number] : ['L', -side.number]
    const number = this.#number(side.number, at as number, true)
    const numbers = kind === 'add' ? `<td class="n"></td>${number}` : `${number}<td class="n"></td>`
    this.out.push(`<tr class="${kind}" id="${this.#options.anchor}${letter}${side.number}">${numbers}<td>${cell(side)}</td></tr>`)
    this.#below(at as number)
  }

  #flushSplit(): void {
    for (let i = 0; i < Math.max(this.#deleted.length, this.#added.length); i++) {
      const [old, now] = [this.#deleted[i], this.#added[i]]
      const left = old ? `${this.#number(old.number, -old.number, true)}<td class="del">${cell(old)}</td>` : '<td class="n"></td><td class="none"></td>'
      const right = now ? `${this.#number(now.number, now.number, true)}<td class="add">${cell(now)}</td>` : '<td class="n"></td><td class="none"></td>'
      this.out.push(`<tr>${left}${right}</tr>`)
      if (old) this.#below(-old.number)
      if (now) this.#below(now.number)
    }
  }

  #number(shown: number, at: number, isLink: boolean): string {
    const { notes, anchor, isSplit } = this.#options
    if (notes) return `<td class="n"><a${this.#stop()} href="${escapeHtml(notes.addressOf(this.#path, at))}">${shown}</a></td>`
    if (!isLink) return `<td class="n">${shown}</td>`
    const id = `${anchor}${at < 0 ? 'L' : 'R'}${Math.abs(at)}`
    return `<td class="n"${isSplit ? ` id="${id}"` : ''}><a${this.#stop()} href="#${id}">${shown}</a></td>`
  }

  /** Makes only the first line number of a file a tab stop. The arrow keys move from it to the other line numbers. */
  #stop(): string {
    if (this.#hasStop) return notTabbed
    this.#hasStop = true
    return ''
  }

  #below(at: number): void {
    if (this.#options.notes) this.out.push(renderNote(this.#options.notes, this.#path, at, this.#options.isSplit))
  }
}

function markWords(old: Side, now: Side): void {
  const found = changedParts(old.text.slice(1), now.text.slice(1))
  if (!found) return
  old.mark = found.before
  now.mark = found.after
}

/** A line's sign, and what it says, with the part of it marked that is new. */
function cell({ text, coloured, mark, remark }: Omit<Side, 'number'>): string {
  const end = remark === undefined ? '' : `\n${escapeHtml(remark)}`
  if (text.length > MAX_LINE) return shown(`${text.slice(0, MAX_LINE)}…`) + end
  const isMarked = mark !== undefined && mark[0] < mark[1]
  if (coloured !== undefined) {
    const html = isMarked ? markPart(coloured, mark) : coloured
    return text[0] + (hasOddCharacters(text) ? showOddCharacters(html) : html) + end
  }
  if (!isMarked) return shown(text) + end
  const [first, last] = [mark[0] + 1, mark[1] + 1]
  return `${shown(text.slice(0, first))}<mark>${shown(text.slice(first, last))}</mark>${shown(text.slice(last))}${end}`
}

function shown(text: string): string {
  return showOddCharacters(escapeHtml(text))
}
