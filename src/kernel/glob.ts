import type { RE2JS } from 're2js'
import { LruMap } from './lru-map.ts'

/** Compiled globs, those asked for last. */
const MAX_KEPT = 1000
const kept = new LruMap<string, RE2JS>(MAX_KEPT)

/** Whether a text has anything in it that makes it a glob, as Gitea tells it. */
export function isGlob(text: string): boolean {
  return /[*?\\[\]{}]/.test(text)
}

/**
 * How long testing a character of a text takes by these globs at most, where one without anything special takes 1: whatever may stand for more
 * than one text is tried with every character.
 */
export function weightOf(globs: readonly string[]): number {
  return globs.reduce((sum, glob) => sum + 1 + (glob.match(/[*?[{,]/g)?.length ?? 0), 0)
}

/**
 * Tests texts against one of Gitea's globs: `*` and `?` stand for anything but separators, `**` for those too, `[a-z]` and `[!a-z]` for one of a set,
 * `{a,b}` for either, `\` before a character for itself. A glob that is none stands for itself. It takes time linear in the text's length whatever
 * the glob, which is RE2's.
 */
export function globMatcher(glob: string, separators = ''): (text: string) => boolean {
  const compiled = compileGlob(glob, separators)
  return (text) => compiled.matches(text)
}

function compileGlob(glob: string, separators: string): RE2JS {
  return kept.getOrInsertComputed(`${separators} ${glob}`, () => compile(glob, separators))
}

function compile(glob: string, separators: string): RE2JS {
  // Loaded with the first glob: few repositories have any, and every start would pay for it.
  const { RE2JS: Re2 }: typeof import('re2js') = require('re2js')
  try {
    return Re2.compile(globSource(glob, separators), Re2.DOTALL)
  } catch {
    return Re2.compile(quoted(glob), Re2.DOTALL)
  }
}

/** What stands for one of a set of characters. */
const setOfCharacters = /\[(!?)((?:\\.|[^\]\\])+)\]/suy

/** The regular expression that a glob stands for. */
export function globSource(glob: string, separators = ''): string {
  const any = separators === '' ? '.' : `[^${separators.replace(/[\\^\]-]/g, '\\$&')}]`
  let source = ''
  let depth = 0
  // Where one set does not end none does that begins behind it: that is not looked for again.
  let isUnclosed = false
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] as string
    setOfCharacters.lastIndex = at
    const set: RegExpExecArray | null = char === '[' && !isUnclosed ? setOfCharacters.exec(glob) : null
    isUnclosed ||= char === '[' && !set && glob[at + 1] !== ']'
    if (set) {
      source += `[${set[1] ? '^' : ''}${(set[2] as string).replace(/[\^[]/g, '\\$&')}]`
      at += set[0].length - 1
    } else if (char === '\\' && at + 1 < glob.length) source += quoted(glob[++at] as string)
    else if (char === '*' && glob[at + 1] === '*') {
      source += '.*'
      at++
    } else if (char === '*') source += `${any}*`
    else if (char === '?') source += any
    else if (char === '{') {
      depth++
      source += '(?:'
    } else if (char === '}' && depth > 0) {
      depth--
      source += ')'
    } else if (char === ',' && depth > 0) source += '|'
    else source += quoted(char)
  }
  return source
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
