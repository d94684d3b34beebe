/** Lines of a file, from 1, both ends included. */
export interface LineRange {
  first: number
  last: number
}

/** `3`, `3-9` or, as addresses end, `L3-L9`, in either order; undefined for what is none. */
export function parseLines(text: string | undefined): LineRange | undefined {
  const [, from, to = from] = /^\s*L?(\d{1,7})(?:\s*-\s*L?(\d{1,7}))?\s*$/.exec(text ?? '') ?? []
  const [a, b] = [Number(from), Number(to)]
  return a > 0 && b > 0 ? { first: Math.min(a, b), last: Math.max(a, b) } : undefined
}

/** `3-9`, as `?lines=` has it. */
export function formatLines({ first, last }: LineRange): string {
  return first === last ? String(first) : `${first}-${last}`
}

/** `L3-L9`: where a page with these lines is entered. */
export function lineAnchor({ first, last }: LineRange): string {
  return first === last ? `L${first}` : `L${first}-L${last}`
}
