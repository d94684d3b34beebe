import { escapeHtml, type Html, raw } from '#web/index.ts'
import type { DiffNotes } from './diff-rows.ts'

/** A diff can have thousands of lines: they are put together as escaped strings, far faster than as elements. */
export function renderDiff(text: string, notes?: DiffNotes): Html {
  const view = new DiffView(notes)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) view.add(line)
  return raw(view.end())
}

/** Longer lines are cut: no one reads them, and browsers suffer. */
const MAX_LINE = 2000

/** Reads what `git diff` prints, line by line. Source: `Documentation/diff-format.txt`. */
class DiffView {
  readonly #out: string[] = []
  readonly #notes: DiffNotes | undefined
  #path = ''
  #isOpen = false
  #oldLine = 0
  #newLine = 0
  /** Lines that are left of the hunk: within, nothing else is looked for. */
  #oldLeft = 0
  #newLeft = 0

  constructor(notes: DiffNotes | undefined) {
    this.#notes = notes
  }

  add(line: string): void {
    const isInside = this.#oldLeft > 0 || this.#newLeft > 0
    if (line.startsWith('diff --git ')) this.#begin(line)
    else if (isInside && /^[ +-]/.test(line)) this.#content(line)
    else if (line.startsWith('@@ ')) this.#hunk(line)
    else if (/^(?:index|---|\+\+\+) ?/.test(line)) return
    else this.#row('hunk', '', '', line)
  }

  end(): string {
    this.#close()
    return this.#out.join('')
  }

  #begin(line: string): void {
    this.#close()
    this.#isOpen = true
    this.#oldLeft = 0
    this.#newLeft = 0
    const name = / b\/(.*)$/.exec(line)?.[1] ?? line.slice('diff --git '.length)
    this.#path = name
    this.#out.push(`<section><h3 class="code">${escapeHtml(name)}</h3><div class="blob code"><table>`)
  }

  #close(): void {
    if (this.#isOpen) this.#out.push('</table></div></section>')
    this.#isOpen = false
  }

  #hunk(line: string): void {
    const [, oldStart = '0', oldCount = '1', newStart = '0', newCount = '1'] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    this.#oldLine = Number(oldStart)
    this.#newLine = Number(newStart)
    this.#oldLeft = Number(oldCount)
    this.#newLeft = Number(newCount)
    this.#row('hunk', '', '', line)
  }

  #content(line: string): void {
    const isOld = line[0] !== '+'
    const isNew = line[0] !== '-'
    const kind = isOld && isNew ? '' : isNew ? 'add' : 'del'
    const at = isNew ? this.#newLine : -this.#oldLine
    this.#row(kind, isOld ? this.#number(this.#oldLine, at) : '', isNew ? this.#number(this.#newLine, at) : '', line)
    const note = this.#notes?.below(this.#path, at)
    if (note) this.#out.push(`<tr class="note"><td colspan="3">${note.text}</td></tr>`)
    if (isOld) this.#oldLine++
    if (isNew) this.#newLine++
    this.#oldLeft -= Number(isOld)
    this.#newLeft -= Number(isNew)
  }

  #number(shown: number, at: number): string {
    return this.#notes ? `<a href="${escapeHtml(this.#notes.addressOf(this.#path, at))}">${shown}</a>` : String(shown)
  }

  #row(kind: string, oldLine: string, newLine: string, text: string): void {
    const shown = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
    this.#out.push(`<tr class="${kind}"><td class="n">${oldLine}</td><td class="n">${newLine}</td><td>${escapeHtml(shown)}</td></tr>`)
  }
}
