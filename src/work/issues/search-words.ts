import type { QueryNode, TextTerm } from './query-syntax.ts'

/** Scripts that are written without spaces: each letter is a word to the index, so that any run of them is found. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/gu

/** As much of one text is indexed: each word costs a third of a microsecond, and one that the text had not before three. */
const MAX_INDEXED = 262_144
const MAX_INDEXED_WORDS = 20_000
const MAX_DIFFERENT_WORDS = 4000
/** What is no longer has no more. */
const SHORT = 8000
/** The most words of one term. */
const MAX_WORDS = 16

/** A text as the index takes it: the beginning of one with very many words, as logs and tables have. */
export function indexed(text: string): string {
  const spaced = text.slice(0, MAX_INDEXED).replace(unspaced, ' $& ')
  return spaced.length <= SHORT ? spaced : spaced.slice(0, endOfIndexed(spaced))
}

function endOfIndexed(text: string): number {
  const different = new Set<string>()
  let words = 0
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    different.add(word)
    if (++words > MAX_INDEXED_WORDS || different.size > MAX_DIFFERENT_WORDS) return index
  }
  return text.length
}

/** Words as queries of FTS5. Source: https://sqlite.org/fts5.html#full_text_query_syntax */
export interface Words {
  /** Each word as it stands; letters of scripts without spaces in the order they stand. */
  whole: string
  /** Each word, or what begins with it: dearer, as the index has no list of those. */
  begun: string
}

/** Words and phrases, joined by AND (`all`) and OR (`any`). */
export type TextNode = TextTerm | { kind: 'all' | 'any'; parts: readonly TextNode[] }

export function isTextNode(node: QueryNode): node is QueryNode & TextNode {
  return node.kind === 'text' || ((node.kind === 'all' || node.kind === 'any') && node.parts.every(isTextNode))
}

/** Undefined when it holds nothing that could be found. */
export function matching(node: TextNode): Words | undefined {
  if (node.kind === 'text') return node.isPhrase ? phrase(node.text) : words(node.text)
  const parts = node.parts.map(matching).filter((part) => part !== undefined)
  const joined = (form: keyof Words) => parts.map((part) => `(${part[form]})`).join(node.kind === 'all' ? ' AND ' : ' OR ')
  return parts.length === 0 ? undefined : { whole: joined('whole'), begun: joined('begun') }
}

function words(typed: string): Words | undefined {
  const found = wordsIn(typed).map((word) => spellings(word).map(quoted))
  const joined = (end: string) => found.map((one) => `(${one.map((word) => word + end).join(' OR ')})`).join(' AND ')
  return found.length === 0 ? undefined : { whole: joined(''), begun: joined('*') }
}

/** A phrase matches whole words only. */
function phrase(typed: string): Words | undefined {
  const found = wordsIn(typed)
  if (found.length === 0) return undefined
  const whole = spellings(found.join(' ')).map(quoted).join(' OR ')
  return { whole, begun: whole }
}

function wordsIn(typed: string): string[] {
  return typed
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{M}\p{Co}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
}

function quoted(text: string): string {
  return `"${text.replace(unspaced, ' $& ').trim()}"`
}

/** The index folds case letter by letter, and knows no `ß`: with it and without it is the same word. */
function spellings(word: string): string[] {
  return /ss|ß/i.test(word) ? [word.replace(/ß/gi, 'ss'), word.replace(/ss/gi, 'ß')] : [word]
}
