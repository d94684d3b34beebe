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

/** What somebody typed, as queries of FTS5. Source: https://sqlite.org/fts5.html#full_text_query_syntax */
export interface Words {
  /** Each word as it stands; letters of scripts without spaces in the order they stand. */
  whole: string
  /** Each word, or what begins with it: dearer, as the index has no list of those. */
  begun: string
}

/** Undefined when it holds nothing that could be found. */
export function matching(typed: string): Words | undefined {
  const words = typed
    .normalize('NFC')
    .slice(0, 1000)
    .split(/[^\p{L}\p{N}\p{M}\p{Co}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => spellings(word).map((one) => `"${one.replace(unspaced, ' $& ').trim()}"`))
  const joined = (end: string) => words.map((one) => `(${one.map((word) => word + end).join(' OR ')})`).join(' AND ')
  return words.length === 0 ? undefined : { whole: joined(''), begun: joined('*') }
}

/** The index folds case letter by letter, and knows no `ß`: with it and without it is the same word. */
function spellings(word: string): string[] {
  return /ss|ß/i.test(word) ? [word.replace(/ß/gi, 'ss'), word.replace(/ss/gi, 'ß')] : [word]
}
