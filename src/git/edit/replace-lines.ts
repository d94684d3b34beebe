import { Lines } from '../diff/lines.ts'
import { GitError } from '../errors.ts'

/** Lines that take the place of others. */
export interface LineReplacement {
  /** Counted from 1; `last` belongs to them. */
  first: number
  last: number
  /** Without line breaks; none takes the lines away. */
  lines: readonly string[]
}

const LF = 10
const CRLF = '\r\n'

/**
 * A text with lines of it replaced, all at once. New lines end as those in whose place they come, so CRLF stays CRLF; where the last line of
 * the text had no line break, what comes in its place has none either.
 * @throws GitError `refused` when the text has no such lines, and for replacements that touch the same ones
 */
export function replaceLines(data: Uint8Array, replacements: readonly LineReplacement[]): Uint8Array {
  const text = new Lines(data)
  const parts: Uint8Array[] = []
  let done = 0
  for (const one of replacements.toSorted((a, b) => a.first - b.first)) {
    const { first, last } = one
    if (first < 1 || last < first || last > text.count)
      throw new GitError('refused', `there are no lines ${first} to ${last}: the file has ${text.count} lines`)
    if (first - 1 < done) throw new GitError('refused', `two changes affect line ${first}`)
    parts.push(data.subarray(text.starts[done], text.starts[first - 1]), newLines(text, one))
    done = last
  }
  parts.push(data.subarray(text.starts[done]))
  return Buffer.concat(parts)
}

function newLines(text: Lines, { first, last, lines }: LineReplacement): Uint8Array {
  if (lines.length === 0) return new Uint8Array()
  const end = endOf(text.bytes(first - 1)) || endOf(text.bytes(Math.max(0, first - 2))) || '\n'
  const isOpen = endOf(text.bytes(last - 1)) === ''
  return Buffer.from(lines.join(end) + (isOpen ? '' : end))
}

/** The line break of a line; empty for a last one without. */
function endOf(line: Uint8Array): '' | '\n' | '\r\n' {
  if (line.at(-1) !== LF) return ''
  return Buffer.from(line.subarray(-2)).toString('latin1') === CRLF ? CRLF : '\n'
}
