import { breathe, isDue } from '#kernel/breathe.ts'
import type { AttributeQuestion } from '../attributes/attribute-question.ts'
import { attributesOf } from '../attributes/tree-attributes.ts'
import { diffTrees, type TreeSide } from '../diff/tree-diff.ts'
import { GitError } from '../errors.ts'
import { defaultLimits, MAX_PATH_LENGTH } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE } from '../objects/tree.ts'
import { getHeader } from '../store/rules.ts'
import type { ObjectReader } from '../store/types.ts'
import { detectLanguage } from './detect-language.ts'
import { isGenerated, mayTell } from './generated.ts'
import { type Language, type LinguistData, linguistData } from './linguist-data.ts'

const ATTRIBUTES = '.gitattributes'
const asked = ['linguist-vendored', 'linguist-generated', 'linguist-documentation', 'linguist-detectable', 'linguist-language'] as const
type Attributes = Partial<Record<(typeof asked)[number], string | boolean>>

/** More files than in any repository known. */
const MAX_FILES = 500_000
/** Characters that the path of each may have, on the average: all patterns there are look through it. */
const PATH_LENGTH = 100
/** As much of a text is looked at. */
const HEAD_BYTES = 16 * 1024
/** Larger files go by their names alone. */
const MAX_READ_BYTES = 1024 * 1024
/** What of all files together is read; the rest goes by name. */
const MAX_TOTAL_BYTES = 2 * 1024 * 1024 * 1024
/** Git looks as far for the NUL that tells binary files from text. */
const BINARY_PROBE = 8000

/** Bytes of each language, the most first. */
export type Languages = readonly (readonly [name: string, bytes: number])[]

/**
 * What a tree is written in, counted as Linguist counts: code and markup of one's own, without what is vendored, made by programs or
 * documentation, as paths, texts and the `linguist-*` attributes tell.
 * @param maxFiles as many are looked at: trees can unfold without end
 * @returns `isWhole`: whether all was looked at that had to be
 * @throws GitError `missing` or `corrupt` when a tree is
 */
export async function countLanguages(store: ObjectReader, tree: Oid, maxFiles = MAX_FILES): Promise<{ languages: Languages; isWhole: boolean }> {
  const count = new LanguageCount(store, tree, await linguistData(), maxFiles)
  await count.directory(tree, '', 0)
  return { languages: count.languages, isWhole: count.isWhole }
}

/**
 * The same from what another tree was found to be written in, when all of that was looked at: only files that differ are.
 * @returns undefined where `tree` has to be counted by itself
 * @throws GitError `missing` or `corrupt`, `limit` when the trees cannot be compared
 */
export async function recountLanguages(store: ObjectReader, before: { tree: Oid; languages: Languages }, tree: Oid): Promise<Languages | undefined> {
  const count = new LanguageCount(store, tree, await linguistData(), MAX_FILES, before.languages)
  for (const { path, old, new: now } of diffTrees(store, before.tree, tree)) {
    if (isDue()) await breathe()
    // What it says may hold for files that are the same in both.
    if (path === ATTRIBUTES || path.endsWith(`/${ATTRIBUTES}`)) return undefined
    count.change(path, old, now)
    if (!count.isWhole) return undefined
  }
  return count.languages
}

class LanguageCount {
  /** Of what was to be looked at nothing was left out. */
  isWhole = true
  readonly #bytes: Map<string, number>
  readonly #store: ObjectReader
  readonly #data: LinguistData
  #question: AttributeQuestion<(typeof asked)[number]> | undefined
  #filesLeft: number
  #bytesLeft = MAX_TOTAL_BYTES
  #pathsLeft: number

  constructor(store: ObjectReader, tree: Oid, data: LinguistData, maxFiles: number, before: Languages = []) {
    this.#bytes = new Map(before)
    this.#filesLeft = maxFiles
    this.#pathsLeft = PATH_LENGTH * maxFiles
    this.#store = store
    this.#data = data
    this.#question = this.#unlessTooMuch(() => attributesOf(store, tree).question(asked))
  }

  get languages(): Languages {
    return [...this.#bytes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  }

  async directory(tree: Oid, prefix: string, depth: number): Promise<void> {
    if (tree === this.#store.format.emptyTree || depth > defaultLimits.maxTreeDepth || prefix.length > MAX_PATH_LENGTH) return
    for (const { mode, name, oid } of parseTree(this.#store.get(tree, 'tree', defaultLimits.maxParsedBytes).data)) {
      if (!this.#mayGoOn()) return
      if (isDue()) await breathe()
      if (mode === TREE_MODE) await this.directory(oid, `${prefix}${name}/`, depth + 1)
      else this.#file(prefix + name, { mode, oid }, 1)
    }
    // Trees without files can unfold for ever, too.
    this.#filesLeft--
  }

  /** A path that has something else now than it had. */
  change(path: string, old: TreeSide | undefined, now: TreeSide | undefined): void {
    if (!this.#mayGoOn()) return
    if (old) this.#file(path, old, -1)
    if (now) this.#file(path, now, 1)
  }

  #mayGoOn(): boolean {
    const mayGoOn = this.#filesLeft > 0 && this.#pathsLeft > 0
    if (!mayGoOn) this.isWhole = false
    return mayGoOn
  }

  /** @param times how often it counts: once, or once less */
  #file(path: string, { mode, oid }: TreeSide, times: 1 | -1): void {
    if ((mode & 0o170000) !== 0o100000) return
    this.#filesLeft--
    this.#pathsLeft -= path.length
    const attributes = this.#attributesOf(path)
    if (attributes['linguist-detectable'] === false || this.#isOthers(path, attributes)) return
    const size = getHeader(this.#store, oid).size
    if (size === 0) return
    const head = once(() => this.#readHead(oid, size))
    if (attributes['linguist-generated'] === undefined && mayTell(path) && isGenerated(path, head() ?? '')) return
    const language = this.#languageOf(path, attributes, head)
    if (language && this.#counts(language, attributes)) this.#add(language.group, times * size)
  }

  #add(language: string, bytes: number): void {
    const sum = (this.#bytes.get(language) ?? 0) + bytes
    if (sum > 0) this.#bytes.set(language, sum)
    else this.#bytes.delete(language)
    // More goes than was ever there: what was known was not all.
    if (sum < 0) this.isWhole = false
  }

  /** Attributes that are beyond measure say nothing from then on. */
  #attributesOf(path: string): Attributes {
    const told = this.#unlessTooMuch(() => this.#question?.ask(path))
    if (!told) this.#question = undefined
    return told ?? {}
  }

  #unlessTooMuch<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof GitError) || error.kind !== 'limit') throw error
      this.isWhole = false
      return undefined
    }
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
    if (size > MAX_READ_BYTES) return undefined
    if (this.#bytesLeft < size) {
      this.isWhole = false
      return undefined
    }
    this.#bytesLeft -= size
    const { data } = this.#store.get(oid, 'blob', MAX_READ_BYTES)
    if (data.subarray(0, BINARY_PROBE).includes(0)) return undefined
    return Buffer.prototype.latin1Slice.call(data, 0, Math.min(data.length, HEAD_BYTES))
  }
}

/** `linguist-vendored=false` is as much as `-linguist-vendored`. */
function isTrue(value: string | boolean | undefined): boolean {
  return value !== undefined && value !== false && value !== 'false'
}

function once<T>(read: () => T): () => T {
  let known: { value: T } | undefined
  return () => (known ??= { value: read() }).value
}
