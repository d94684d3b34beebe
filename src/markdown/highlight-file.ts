import { highlightWhole } from './highlight.ts'
import { type CodeJob, MAX_COLOURED } from './job.ts'

/** A file's lines as HTML with class names; undefined where it is shown as it is. Slow on hostile texts: only threads that can be ended call this. */
export function highlightFile({ code, name, runs }: CodeJob): string[] | undefined {
  if (code.length > MAX_COLOURED) return undefined
  const text = typeof code === 'string' ? code : Buffer.from(code.buffer, code.byteOffset, code.length).toString('utf8')
  const html = highlightWhole(text, languageOf(name))
  return html === undefined ? undefined : wanted(splitLines(html), runs)
}

function wanted(lines: string[], runs: readonly number[] | undefined): string[] {
  if (runs === undefined) return lines
  const found: string[] = []
  for (let i = 0; i < runs.length; i += 2) {
    const [first = 1, count = 0] = runs.slice(i, i + 2)
    for (let line = first; line < first + count; line++) found.push(lines[line - 1] ?? '')
  }
  return found
}

function languageOf(name: string): string {
  const lower = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  return lower.slice(lower.lastIndexOf('.') + 1)
}

/** What is open at the end of a line is closed there and opened again on the next. */
function splitLines(html: string): string[] {
  const open: string[] = []
  return html.split('\n').map((line) => {
    const before = open.join('')
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop()
      else open.push(tag)
    }
    return before + line + '</span>'.repeat(open.length)
  })
}
