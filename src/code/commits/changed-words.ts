/** A part of a line, from and to counted in UTF-16 units. */
export type Part = readonly [start: number, end: number]

/** Longer lines are not looked into. */
const MAX_LENGTH = 1000
/** Where more of a line than this is new, it says nothing to mark it. */
const MOST_CHANGED = 0.7

/** What differs between a line and the one that took its place, where the most of them is the same; undefined otherwise. */
export function changedParts(before: string, after: string): { before: Part; after: Part } | undefined {
  const shorter = Math.min(before.length, after.length)
  if (shorter === 0 || Math.max(before.length, after.length) > MAX_LENGTH) return undefined
  const prefix = sameStart(before, after, shorter)
  const start = prefix - (isWordAt(before, prefix) || isWordAt(after, prefix) ? wordBefore(before, prefix) : 0)
  const suffix = sameEnd(before, after, shorter - prefix)
  const [oldAt, newAt] = [before.length - suffix, after.length - suffix]
  const more = isWordAt(before, oldAt - 1) || isWordAt(after, newAt - 1) ? wordBehind(before, oldAt) : 0
  const [oldEnd, newEnd] = [oldAt + more, newAt + more]
  const isTooMuch = Math.max(oldEnd - start, newEnd - start) > MOST_CHANGED * Math.max(before.length, after.length)
  return isTooMuch ? undefined : { before: [start, oldEnd], after: [start, newEnd] }
}

function sameStart(a: string, b: string, most: number): number {
  let at = 0
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

function sameEnd(a: string, b: string, most: number): number {
  let count = 0
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++
  return count
}

/** How much of a word stands before `at`: half a word, or half a sign, is never marked. */
function wordBefore(text: string, at: number): number {
  let count = 0
  while (isWordAt(text, at - 1 - count)) count++
  return count
}

function wordBehind(text: string, at: number): number {
  let count = 0
  while (isWordAt(text, at + count)) count++
  return count
}

/** Letters, digits, `_`, and all beyond ASCII. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code > 127 || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
