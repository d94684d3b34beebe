import { highlightWhole } from './highlight.ts'

/** Larger files are shown without colours. */
const MAX_LENGTH = 262_144

/** A file's lines as HTML with class names; undefined where it is shown as it is. Slow on hostile texts: only threads that can be ended call this. */
export function highlightFile(code: string, name: string): string[] | undefined {
  const html = code.length > MAX_LENGTH ? undefined : highlightWhole(code, languageOf(name))
  return html === undefined ? undefined : splitLines(html)
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
