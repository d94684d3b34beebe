import licensesFile from 'spdx-license-list/spdx-full.json' with { type: 'file' }
import { breathe, isDue } from '#kernel/breathe.ts'
import { IntList } from '../packs/select/int-list.ts'

/** What a licence is recognised by: how often each run of three words comes in its text. */
export interface LicensePrint {
  /** SPDX identifier; of licences with one text, what their identifiers begin with: GPL-2.0. */
  id: string
  /** Hashes of the runs, sorted; one that comes again is there again. */
  runs: Uint32Array
}

/** Shorter texts say too little. */
const FEWEST_RUNS = 12

let loading: Promise<readonly LicensePrint[]> | undefined

/** Of all licences that SPDX lists, made with the first text that is looked at on this thread; the texts themselves are not kept. */
export function licensePrints(): Promise<readonly LicensePrint[]> {
  loading ??= load()
  return loading
}

async function load(): Promise<readonly LicensePrint[]> {
  const file = (await Bun.file(licensesFile).json()) as Record<string, { licenseText: string }>
  const byText = new Map<string, { ids: string[]; runs: Uint32Array }>()
  for (const [id, { licenseText }] of Object.entries(file)) {
    // Older names of what is listed without the plus as well.
    if (id.endsWith('+')) continue
    if (isDue()) await breathe()
    const runs = runsOf(termsOf(licenseText))
    if (runs.length < FEWEST_RUNS) continue
    byText.getOrInsertComputed(String(Bun.hash(runs)), () => ({ ids: [], runs })).ids.push(id)
  }
  return [...byText.values()].map(({ ids, runs }) => ({ id: commonId(ids), runs }))
}

/** What comes after them, how to apply them or a licence that they stand on, many copies leave out. */
const afterTerms = /^[ \t\f]*(?:end of terms and conditions|gnu general public license)\b/im
const HEADING = 1000

function termsOf(text: string): string {
  const end = text.slice(HEADING).search(afterTerms)
  return end < 0 ? text : text.slice(0, HEADING + end)
}

/** `GPL-2.0-only` and `GPL-2.0-or-later` are `GPL-2.0`. */
function commonId(ids: readonly string[]): string {
  const [first = '', ...others] = ids.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).map((id) => id.split('-'))
  let shared = 0
  while (shared < first.length && others.every((other) => other[shared] === first[shared])) shared++
  return shared < 2 ? (first as string[]).join('-') : (first as string[]).slice(0, shared).join('-')
}

/** The runs of three words in a text, without what differs from one copy of a licence to the next: who holds the copyright, and layout. */
export function runsOf(text: string): Uint32Array {
  const words = hashWords(text)
  const runs = new Uint32Array(Math.max(0, words.length - 2))
  for (let i = 0; i < runs.length; i++) runs[i] = mix(mix(mix(HASH_START, words.at(i)), words.at(i + 1)), words.at(i + 2))
  return runs.sort()
}

/** Within a line: from each of very many empty ones it would be looked for to the last. */
const copyrightLine = /^[^\w\r\n\u2028\u2029]*(?:copyright\s*(?:\(c\)|©|:|\d|[<[{]|by\b|year\b)|\(c\)|©|all rights reserved\b).*$/gim
const placeholder = /<[^<>\n]{1,100}>|\[[^[\]\n]{1,100}\]|\{[^{}\n]{1,100}\}/g

const letter = /[\p{L}\p{N}]/u
/** FNV-1a's. */
const HASH_START = 0x811c9dc5
const HASH_PRIME = 0x01000193

/** A hash for each word. Not a string for each: those of all licences together are a hundred megabytes of garbage. */
function hashWords(text: string): IntList {
  const plain = text.replace(copyrightLine, ' ').replace(placeholder, ' ').toLowerCase().replaceAll('licence', 'license')
  const words = new IntList()
  let word = HASH_START
  for (let i = 0; i < plain.length; i++) {
    const code = plain.codePointAt(i) as number
    if (code > 0xffff) i++
    if (isLetter(code)) word = mix(word, code)
    else if (word !== HASH_START) {
      words.push(word)
      word = HASH_START
    }
  }
  if (word !== HASH_START) words.push(word)
  return words
}

function isLetter(code: number): boolean {
  return code < 128 ? (code >= 97 && code <= 122) || (code >= 48 && code <= 57) : letter.test(String.fromCodePoint(code))
}

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, HASH_PRIME) >>> 0
}
