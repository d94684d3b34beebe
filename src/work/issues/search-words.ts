/** Scripts that are written without spaces: each letter is a word to the index, so that any run of them is found. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/gu

/** As much of one text is indexed. */
const MAX_INDEXED = 262_144
/** As many words are looked for. */
const MAX_WORDS = 16

/** A text as the index takes it. */
export function indexed(text: string): string {
  return text.slice(0, MAX_INDEXED).replace(unspaced, ' $& ')
}

/**
 * What somebody typed as a query of FTS5: each word, or what it begins with; letters of scripts without spaces in the order they stand.
 * Undefined when it holds nothing that could be found. Source: https://sqlite.org/fts5.html#full_text_query_syntax
 */
export function matching(typed: string): string | undefined {
  const words = typed
    .normalize('NFC')
    .slice(0, 1000)
    .split(/[^\p{L}\p{N}\p{M}\p{Co}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
  return words.length === 0 ? undefined : words.map((word) => `"${word.replace(unspaced, ' $& ').trim()}"*`).join(' AND ')
}
