import { breathe, isDue } from '#kernel/breathe.ts'
import { attributesOf } from '../attributes/tree-attributes.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE } from '../objects/tree.ts'
import { getHeader } from '../store/rules.ts'
import type { ObjectReader } from '../store/types.ts'
import { detectLanguage } from './detect-language.ts'
import { isGenerated, mayTell } from './generated.ts'
import { type Language, type LinguistData, linguistData } from './linguist-data.ts'

const asked = ['linguist-vendored', 'linguist-generated', 'linguist-documentation', 'linguist-detectable', 'linguist-language'] as const
type Attributes = Partial<Record<(typeof asked)[number], string | boolean>>

/** More files than in any repository known. */
const MAX_FILES = 500_000
/** As much of a text is looked at. */
const HEAD_BYTES = 16 * 1024
/** Larger files go by their names alone. */
const MAX_READ_BYTES = 1024 * 1024
/** What of all files together is read; the rest goes by name. */
const MAX_TOTAL_BYTES = 2 * 1024 * 1024 * 1024
/** Git looks as far for the NUL that tells binary files from text. */
const BINARY_PROBE = 8000

/**
 * Bytes of each language in a tree, the most first, counted as Linguist counts: code and markup of one's own, without what is vendored, made by
 * programs or documentation, as paths, texts and the `linguist-*` attributes tell.
 * @param maxFiles as many are looked at: trees can unfold without end
 * @throws GitError `missing` or `corrupt` when a tree is
 */
export async function countLanguages(store: ObjectReader, tree: Oid, maxFiles = MAX_FILES): Promise<[name: string, bytes: number][]> {
  const count = new LanguageCount(store, tree, await linguistData(), maxFiles)
  await count.directory(tree, '', 0)
  return [...count.bytes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

class LanguageCount {
  readonly bytes = new Map<string, number>()
  readonly #store: ObjectReader
  readonly #data: LinguistData
  readonly #attributesOf: (path: string) => Attributes
  #filesLeft: number
  #bytesLeft = MAX_TOTAL_BYTES

  constructor(store: ObjectReader, tree: Oid, data: LinguistData, maxFiles: number) {
    this.#filesLeft = maxFiles
    this.#store = store
    this.#data = data
    this.#attributesOf = attributeReader(store, tree)
  }

  async directory(tree: Oid, prefix: string, depth: number): Promise<void> {
    if (tree === this.#store.format.emptyTree || depth > defaultLimits.maxTreeDepth) return
    for (const { mode, name, oid } of parseTree(this.#store.get(tree, 'tree', defaultLimits.maxParsedBytes).data)) {
      if (this.#filesLeft <= 0) return
      if (isDue()) await breathe()
      if (mode === TREE_MODE) await this.directory(oid, `${prefix}${name}/`, depth + 1)
      else if ((mode & 0o170000) === 0o100000) this.#file(prefix + name, oid)
    }
    // Trees without files can unfold for ever, too.
    this.#filesLeft--
  }

  #file(path: string, oid: Oid): void {
    this.#filesLeft--
    const attributes = this.#attributesOf(path)
    if (attributes['linguist-detectable'] === false || this.#isOthers(path, attributes)) return
    const size = getHeader(this.#store, oid).size
    if (size === 0) return
    const head = once(() => this.#readHead(oid, size))
    if (attributes['linguist-generated'] === undefined && mayTell(path) && isGenerated(path, head() ?? '')) return
    const language = this.#languageOf(path, attributes, head)
    if (language && this.#counts(language, attributes)) this.bytes.set(language.group, (this.bytes.get(language.group) ?? 0) + size)
  }

  /** What the attributes say goes before what the path does. */
  #isOthers(path: string, attributes: Attributes): boolean {
    const is = (name: (typeof asked)[number], paths: RegExp) => (attributes[name] === undefined ? paths.test(path) : isTrue(attributes[name]))
    return (
      is('linguist-vendored', this.#data.vendored) || is('linguist-documentation', this.#data.documentation) || is('linguist-generated', this.#data.generated)
    )
  }

  #languageOf(path: string, attributes: Attributes, head: () => string | undefined): Language | undefined {
    const told = attributes['linguist-language']
    const named = typeof told === 'string' ? this.#data.languages.get(told.toLowerCase()) : undefined
    return named ?? detectLanguage(this.#data, path, head)
  }

  #counts({ type }: Language, attributes: Attributes): boolean {
    const told = attributes['linguist-detectable']
    return told === undefined ? type === 'programming' || type === 'markup' : isTrue(told)
  }

  /** A byte in each character; undefined for what is no text, or too much to read. */
  #readHead(oid: Oid, size: number): string | undefined {
    if (size > MAX_READ_BYTES || this.#bytesLeft < size) return undefined
    this.#bytesLeft -= size
    const { data } = this.#store.get(oid, 'blob', MAX_READ_BYTES)
    if (data.subarray(0, BINARY_PROBE).includes(0)) return undefined
    return Buffer.prototype.latin1Slice.call(data, 0, Math.min(data.length, HEAD_BYTES))
  }
}

/** Attributes that are beyond measure say nothing. */
function attributeReader(store: ObjectReader, tree: Oid): (path: string) => Attributes {
  let question: ReturnType<typeof questionOf> | undefined
  try {
    question = questionOf(store, tree)
  } catch (error) {
    if (!isLimit(error)) throw error
  }
  return (path) => {
    try {
      return question?.ask(path) ?? {}
    } catch (error) {
      if (!isLimit(error)) throw error
      question = undefined
      return {}
    }
  }
}

function questionOf(store: ObjectReader, tree: Oid) {
  return attributesOf(store, tree).question(asked)
}

function isLimit(error: unknown): boolean {
  return error instanceof GitError && error.kind === 'limit'
}

/** `linguist-vendored=false` is as much as `-linguist-vendored`. */
function isTrue(value: string | boolean | undefined): boolean {
  return value !== undefined && value !== false && value !== 'false'
}

function once<T>(read: () => T): () => T {
  let known: { value: T } | undefined
  return () => (known ??= { value: read() }).value
}
