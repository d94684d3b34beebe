import { type PathPattern, parsePathPattern } from './path-pattern.ts'
import { unquote } from './unquote.ts'

/** `attr` is true, `-attr` false, `attr=text` the text, `!attr` (and what nothing mentions) undefined. */
export type AttributeValue = boolean | string | undefined

export interface AttributeState {
  name: string
  value: AttributeValue
}

/** A line of `.gitattributes`: what it sets on the paths that match, or what a macro stands for. */
export type AttributeRule = { pattern: PathPattern; states: AttributeState[] } | { macro: string; states: AttributeState[] }

/** Longer lines are passed over, as git does (`ATTR_MAX_LINE_LENGTH`). */
const MAX_LINE_BYTES = 2048
const MACRO_PREFIX = '[attr]'
const BLANK = /[ \t\r\n]/
const isName = /^[A-Za-z0-9_.][-A-Za-z0-9_.]*$/

/**
 * The lines of a `.gitattributes` file that say something. Those that git finds wrong count for nothing: it warns and goes on.
 * Source: `parse_attr_line` of git's `attr.c`, `Documentation/gitattributes.txt`.
 * @param allowMacros macros are defined at the root alone
 */
export function parseAttributes(data: Uint8Array, allowMacros: boolean): AttributeRule[] {
  const nul = data.indexOf(0)
  const text = Buffer.prototype.latin1Slice.call(data, 0, nul < 0 ? data.length : nul)
  const rules: AttributeRule[] = []
  for (const line of text.split('\n')) {
    const rule = line.length < MAX_LINE_BYTES ? parseLine(line, allowMacros) : undefined
    if (rule !== undefined) rules.push(rule)
  }
  return rules
}

function parseLine(line: string, allowMacros: boolean): AttributeRule | undefined {
  const content = line.replace(/^[ \t\r]+/, '')
  if (content === '' || content.startsWith('#')) return undefined
  const { first, rest } = splitFirst(content)
  const states = parseStates(rest)
  if (states === undefined) return undefined
  if (first.length > MACRO_PREFIX.length && first.startsWith(MACRO_PREFIX)) return allowMacros ? parseMacro(first, states) : undefined
  if (first.startsWith('!')) return undefined
  return { pattern: parsePathPattern(first), states }
}

/** The pattern, which may be quoted as in C, and what follows it. */
function splitFirst(content: string): { first: string; rest: string } {
  const quoted = content.startsWith('"') ? unquote(content) : undefined
  if (quoted !== undefined) return { first: quoted.text.replace(/\0.*$/s, ''), rest: content.slice(quoted.end) }
  const end = content.search(BLANK)
  return end < 0 ? { first: content, rest: '' } : { first: content.slice(0, end), rest: content.slice(end) }
}

function parseMacro(first: string, states: AttributeState[]): AttributeRule | undefined {
  const [macro = ''] = first.slice(MACRO_PREFIX.length).trimStart().split(BLANK, 1)
  return isAttributeName(macro) ? { macro, states } : undefined
}

/** Undefined when one of them has no good name. */
function parseStates(text: string): AttributeState[] | undefined {
  const states: AttributeState[] = []
  for (const word of text.split(BLANK)) {
    if (word === '') continue
    const state = parseState(word)
    if (!isAttributeName(state.name)) return undefined
    states.push(state)
  }
  return states
}

function parseState(word: string): AttributeState {
  const equals = word.indexOf('=')
  const name = equals < 0 ? word : word.slice(0, equals)
  if (name.startsWith('-')) return { name: name.slice(1), value: false }
  if (name.startsWith('!')) return { name: name.slice(1), value: undefined }
  return { name, value: equals < 0 ? true : Buffer.from(word.slice(equals + 1), 'latin1').toString() }
}

/** Names that begin with `builtin_` are git's own. */
function isAttributeName(name: string): boolean {
  return isName.test(name) && !name.startsWith('builtin_')
}
