import type { RE2JS } from 're2js'
import { globSource } from '#kernel/glob.ts'

/** Compiled patterns, those asked for last. */
const MAX_KEPT = 500
const kept = new Map<string, RE2JS>()

/**
 * Whether a tag's name matches a pattern: a glob in which `*` stands for anything, slashes too, or a regular expression between slashes.
 * It takes time linear in the name's length whatever the pattern: both are RE2's.
 * @throws Error on a pattern that is none
 */
export function matchesName(pattern: string, name: string): boolean {
  const compiled = kept.get(pattern) ?? compilePattern(pattern)
  kept.delete(pattern)
  kept.set(pattern, compiled)
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string)
  return compiled.matcher(name).find()
}

/** @throws Error with what is wrong with it */
export function compilePattern(pattern: string): RE2JS {
  // Loaded with the first pattern: few repositories have any, and every start would pay for it.
  const re2: typeof import('re2js') = require('re2js')
  const isRegex = pattern.length > 2 && pattern.startsWith('/') && pattern.endsWith('/')
  return re2.RE2JS.compile(isRegex ? pattern.slice(1, -1) : `^(?:${globSource(pattern)})$`, re2.RE2JS.DOTALL)
}
