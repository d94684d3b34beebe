/** What a comment on a line would have in its place. */
export interface Suggestion {
  /** Lines above and below the comment's own that it takes the place of as well. */
  above: number
  below: number
  /** None takes the lines away. */
  lines: string[]
}

/** More lines around the comment's own are not replaced at once. */
const MAX_AROUND = 200

const opener = /^( {0,3})(`{3,}|~{3,})(.*)/s
const asked = /^suggestion(?::-(\d{1,3})\+(\d{1,3}))?$/

/**
 * The suggestions in a comment, in their order: blocks of code marked ```` ```suggestion ````, and ```` ```suggestion:-1+2 ```` for one that
 * replaces a line above and two below as well. Blocks inside of quotes and lists are text.
 * Source: https://spec.commonmark.org/0.31.2/#fenced-code-blocks; the range as GitLab has it.
 */
export function findSuggestions(body: string): Suggestion[] {
  const found: Suggestion[] = []
  const lines = body.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence = '', spaced = ''] = opener.exec(lines[at] as string) ?? []
    const info = spaced.trim()
    if (fence === '' || (fence[0] === '`' && info.includes('`'))) continue
    const content: string[] = []
    for (at++; at < lines.length && !closes(lines[at] as string, fence); at++) content.push(withoutIndent(lines[at] as string, indent.length))
    // At the end of a text a line break is not a line.
    if (at >= lines.length && content.at(-1) === '') content.pop()
    const [, above = '0', below = '0'] = asked.exec(info) ?? []
    if (asked.test(info) && Number(above) + Number(below) <= MAX_AROUND) found.push({ above: Number(above), below: Number(below), lines: content })
  }
  return found
}

function closes(line: string, fence: string): boolean {
  const [, end = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  return end[0] === fence[0] && end.length >= fence.length
}

function withoutIndent(line: string, most: number): string {
  let at = 0
  while (at < most && line[at] === ' ') at++
  return line.slice(at)
}

/** A suggestion as it is written into a comment. */
export function writeSuggestion({ above, below, lines }: Suggestion): string {
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)))
  const fence = '`'.repeat(longest + 1)
  const range = above + below > 0 ? `:-${above}+${below}` : ''
  return [`${fence}suggestion${range}`, ...lines, fence].join('\n')
}

/** Returns the line of the new file that a comment was written on: the last one in its hunk. Undefined for a hunk without lines of the new file. */
export function lineIn(hunk: string): number | undefined {
  const [head = '', ...lines] = hunk.split('\n')
  const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(head) ?? []
  const count = lines.filter((line) => line[0] === ' ' || line[0] === '+').length
  return start === undefined || count === 0 ? undefined : Number(start) + count - 1
}
