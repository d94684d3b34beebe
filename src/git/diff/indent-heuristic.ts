import { isSpace, type Lines } from './lines.ts'

/** The weights that git found by experiment; source: `xdiff/xdiffi.c`. */
const START_OF_FILE = 1
const END_OF_FILE = 21
const TOTAL_BLANK = -30
const POST_BLANK = 6
const INDENT = { plain: -4, blank: 10 }
const OUTDENT = { plain: 24, blank: 17 }
const DEDENT = { plain: 23, blank: 17 }
const INDENT_WEIGHT = 60

const MAX_INDENT = 200
const MAX_BLANKS = 20
const MAX_SLIDING = 100
/** The indentation of a line that has nothing but blanks, or of none. */
const NONE = -1

/** How bad it is to split the text at some place; less is better. */
interface Score {
  indent: number
  penalty: number
}

/** Where a run of `length` changed lines, whose end can lie anywhere from `earliest` to `latest`, ends best. */
export function bestEnd(lines: Lines, earliest: number, latest: number, length: number): number {
  let best: Score | undefined
  let bestEnd = latest
  for (let end = Math.max(earliest, latest - length - 1, latest - MAX_SLIDING); end <= latest; end++) {
    const score = { indent: 0, penalty: 0 }
    addSplit(score, lines, end)
    addSplit(score, lines, end - length)
    if (best !== undefined && compare(score, best) > 0) continue
    best = score
    bestEnd = end
  }
  return bestEnd
}

function compare(a: Score, b: Score): number {
  return INDENT_WEIGHT * Math.sign(a.indent - b.indent) + a.penalty - b.penalty
}

/** Adds what a split above line `at` costs. */
function addSplit(score: Score, lines: Lines, at: number): void {
  const here = at < lines.count ? indentOf(lines, at) : NONE
  const before = nearest(lines, at, -1)
  const after = nearest(lines, at, 1)
  if (before.indent === NONE && before.blanks === 0) score.penalty += START_OF_FILE
  if (at >= lines.count) score.penalty += END_OF_FILE
  const postBlanks = here === NONE ? 1 + after.blanks : 0
  const blanks = before.blanks + postBlanks
  score.penalty += TOTAL_BLANK * blanks + POST_BLANK * postBlanks
  const indent = here === NONE ? after.indent : here
  score.indent += indent
  if (indent === NONE || before.indent === NONE || indent === before.indent) return
  const weights = indent > before.indent ? INDENT : after.indent !== NONE && after.indent > indent ? OUTDENT : DEDENT
  score.penalty += blanks > 0 ? weights.blank : weights.plain
}

/** The next line with something on it, from the one beside `at` on: its indentation, and how many blank ones lie between. */
function nearest(lines: Lines, at: number, step: 1 | -1): { indent: number; blanks: number } {
  let blanks = 0
  for (let i = at + step; i >= 0 && i < lines.count; i += step) {
    const indent = indentOf(lines, i)
    if (indent !== NONE) return { indent, blanks }
    if (++blanks === MAX_BLANKS) return { indent: 0, blanks }
  }
  return { indent: NONE, blanks }
}

/** In columns; a tab goes to the next multiple of 8. */
function indentOf({ data, starts }: Lines, index: number): number {
  let columns = 0
  for (let at = starts[index] as number; at < (starts[index + 1] as number); at++) {
    const byte = data[at] as number
    if (!isSpace(byte)) return columns
    if (byte === 32) columns++
    else if (byte === 9) columns += 8 - (columns % 8)
    if (columns >= MAX_INDENT) return MAX_INDENT
  }
  return NONE
}
