import type { Effort } from './effort.ts'
import { isGlobSpecial, wildmatch } from './wildmatch.ts'

/** A pattern of `.gitattributes`. Texts of bytes: a byte in each character. */
export interface PathPattern {
  /** Without the slash at either end. */
  text: string
  /** How many characters it begins with that are not special. */
  literal: number
  /** What follows the star of a pattern like `*.txt`. */
  suffix: string | undefined
  /** It ended in a slash. */
  isForDirectories: boolean
  /** It has no slash but that: only the last component of a path counts. */
  isForNames: boolean
}

/** A path taken apart once for many patterns. Texts of bytes. */
export interface AskedPath {
  /** Without a slash at the end. */
  path: string
  name: string
  isDirectory: boolean
}

/** Source: `parse_path_pattern` of git's `dir.c`, without negation, which attributes do not know. */
export function parsePathPattern(source: string): PathPattern {
  const isForDirectories = source.endsWith('/')
  const whole = isForDirectories ? source.slice(0, -1) : source
  const isForNames = !whole.includes('/')
  const text = whole.startsWith('/') ? whole.slice(1) : whole
  const suffix = text.startsWith('*') && literalLength(text.slice(1)) === text.length - 1 ? text.slice(1) : undefined
  return { text, literal: literalLength(text), suffix, isForDirectories, isForNames }
}

/** @param base the directory of the pattern's file, without a slash at the end, '' for the root; `asked` lies below it */
export function matchesPath(pattern: PathPattern, asked: AskedPath, base: string, effort: Effort): boolean {
  if (pattern.isForDirectories && !asked.isDirectory) return false
  return pattern.isForNames ? matchesName(pattern, asked.name, effort) : matchesBelow(pattern, asked.path, base, effort)
}

function matchesName({ text, literal, suffix }: PathPattern, name: string, effort: Effort): boolean {
  effort.spend()
  if (suffix !== undefined) return name.endsWith(suffix)
  if (literal === text.length) return name === text
  if (literal > 0 && !name.startsWith(text.slice(0, literal))) return false
  return wildmatch(text, name, false, effort)
}

function matchesBelow({ text, literal }: PathPattern, path: string, base: string, effort: Effort): boolean {
  effort.spend()
  const from = base === '' ? 0 : base.length + 1
  if (literal === text.length) return path.length - from === literal && path.endsWith(text)
  for (let i = 0; i < literal; i++) if (path.charCodeAt(from + i) !== text.charCodeAt(i)) return false
  // One literal character stays, for the matcher to see where a directory begins.
  const skip = Math.max(literal - 1, 0)
  return wildmatch(text.slice(skip), path.slice(from + skip), true, effort)
}

function literalLength(text: string): number {
  let length = 0
  while (length < text.length && !isGlobSpecial(text.charCodeAt(length))) length++
  return length
}
