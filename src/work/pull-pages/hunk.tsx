import { showOddCharacters } from '#code/commits/index.ts'
import { escapeHtml, raw } from '#web/index.ts'

const kinds: Record<string, string> = { '+': ' class="add"', '-': ' class="del"' }

/** The lines that a comment was written below, with the numbers that they had. @param hunk as a patch has them */
export function HunkLines({ hunk }: { hunk: string }) {
  const [head = '', ...lines] = hunk.split('\n')
  const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(head) ?? []
  if (oldStart === undefined || newStart === undefined) return null
  let [old, now] = [Number(oldStart), Number(newStart)]
  const rows = lines.map((line): string => {
    const sign = line[0] ?? ' '
    const before = sign === '+' || sign === '\\' ? '' : old++
    const after = sign === '-' || sign === '\\' ? '' : now++
    return lineRow(before, after, line)
  })
  return (
    <div class="blob code">
      <table>{raw(rows.join(''))}</table>
    </div>
  )
}

/** @param line with its sign */
export function lineRow(before: number | string, after: number | string, line: string): string {
  return `<tr${kinds[line[0] ?? ''] ?? ''}><td class="n">${before}</td><td class="n">${after}</td><td>${showOddCharacters(escapeHtml(line.slice(0, MAX_LINE)))}</td></tr>`
}

/** Of longer lines the rest is left out. */
const MAX_LINE = 2000
