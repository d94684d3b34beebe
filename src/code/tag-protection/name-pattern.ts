import type { RE2JS } from 're2js'
import { globSource } from '#kernel/glob.ts'
import { LruMap } from '#kernel/lru-map.ts'

/** Compiled patterns, those asked for last. */
const MAX_KEPT = 500
const kept = new LruMap<string, RE2JS>(MAX_KEPT)
/** Instructions of an expression: `{1000}` makes thousands of one character, and each may be looked at for every character of a name. */
const MAX_INSTRUCTIONS = 1000

/**
 * Whether a tag's name matches a pattern: a glob in which `*` stands for anything, slashes too, or a regular expression between slashes.
 * It takes time linear in the name's length whatever the pattern: both are RE2's.
 * @throws Error on a pattern that is none
 */
export function matchesName(pattern: string, name: string): boolean {
  return compiledPattern(pattern).matcher(name).find()
}

/** How many steps it takes at most to match a character. @throws Error on a pattern that is none */
export function stepsOf(pattern: string): number {
  return compiledPattern(pattern).programSize()
}

function compiledPattern(pattern: string): RE2JS {
  return kept.getOrInsertComputed(pattern, compilePattern)
}

/** @throws Error with what is wrong with it */
export function compilePattern(pattern: string): RE2JS {
  // Loaded with the first pattern: few repositories have any, and every start would pay for it.
  const re2: typeof import('re2js') = require('re2js')
  const isRegex = pattern.length > 2 && pattern.startsWith('/') && pattern.endsWith('/')
  const compiled = re2.RE2JS.compile(isRegex ? pattern.slice(1, -1) : `^(?:${globSource(pattern)})$`, re2.RE2JS.DOTALL)
  if (compiled.programSize() > MAX_INSTRUCTIONS) throw new Error('the pattern is too complex: use smaller repetition counts')
  return compiled
}
