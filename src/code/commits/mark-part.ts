import type { Part } from './changed-words.ts'

const [TAG, TAG_END, ENTITY, ENTITY_END] = [60, 62, 38, 59]

/**
 * Marks a part of a line of code in colours: `<mark>` stands within each of the elements that the part goes through, so that all stay nested.
 * @param html escaped text and `<span>`s
 * @param part counted in characters of what is read, in UTF-16 units; not empty
 */
export function markPart(html: string, [start, end]: Part): string {
  const from = indexOf(html, 0, start)
  const to = indexOf(html, from, end - start)
  const marked = html.slice(from, to).replace(/[^<]+(?=<|$)|<[^>]*>/g, (piece) => (piece[0] === '<' ? piece : `<mark>${piece}</mark>`))
  return html.slice(0, from) + marked + html.slice(to)
}

/** Where `count` characters that are read lie behind `at`; before any tag that follows them. */
function indexOf(html: string, at: number, count: number): number {
  let left = count
  let now = at
  while (left > 0 && now < html.length) {
    const code = html.charCodeAt(now)
    if (code === TAG) now = behind(html, now, TAG_END)
    else {
      now = code === ENTITY ? behind(html, now, ENTITY_END) : now + 1
      left--
    }
  }
  return now
}

function behind(html: string, from: number, sign: number): number {
  let at = from
  while (at < html.length && html.charCodeAt(at) !== sign) at++
  return at + 1
}
