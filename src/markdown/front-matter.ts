import { parse as parseToml, type TomlTable, type TomlValue } from 'smol-toml'
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { escapeHtml } from '#kernel/escape-html.ts'

/** Longer front matter is shown as Markdown, because the parsers take up to 50 µs per character on hostile texts. */
const MAX_LENGTH = 16_384
/** The deepest nesting of tables. Deeper values are left out. */
const MAX_DEPTH = 8

/** A document's metadata and the text below it. */
export interface FrontMatter {
  /** A table as HTML, or the source when it cannot be parsed. */
  html: string
  text: string
}

/** How a value is shown: a text, a row of values, or a row of values with names above. */
type Shown = string | Shown[] | Map<string, Shown>

/** Takes YAML between `---` lines, or TOML between `+++` lines, off the beginning of a document. Undefined when the document has neither. */
export function takeFrontMatter(text: string): FrontMatter | undefined {
  const document = text.replaceAll('\0', '\ufffd')
  const mark = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n/.exec(document)
  if (!mark) return undefined
  const isYaml = mark[1] === '---'
  const end = isYaml ? /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m : /^\+\+\+[ \t]*(?:\r?\n|$)/m
  const start = mark[0].length
  const close = end.exec(document.slice(start, start + MAX_LENGTH))
  if (!close) return undefined
  const source = document.slice(start, start + close.index)
  const html = isYaml ? yamlTable(source) : tomlTable(source)
  return html === undefined ? undefined : { html, text: document.slice(start + close.index + close[0].length) }
}

/** Returns undefined for prose between two horizontal rules, which only looks like YAML. */
function yamlTable(source: string): string | undefined {
  const { contents, errors } = parseDocument(source, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false })
  if (errors.length > 0) return /^\s*(?:#.*\n\s*)*[\w-]+:(?:\s|$)/.test(source) ? sourceOf(source, 'yaml') : undefined
  return isMap(contents) && contents.items.length > 0 ? tableOf(shownYaml(contents, 0)) : undefined
}

/** Numbers and dates are shown as written. Aliases are shown by name, because following them would multiply the text. */
function shownYaml(node: unknown, depth: number): Shown {
  if (depth > MAX_DEPTH) return '…'
  if (isMap(node)) return new Map(node.items.map(({ key, value }) => [plainText(shownYaml(key, MAX_DEPTH)), shownYaml(value, depth + 1)]))
  if (isSeq(node)) return node.items.map((item) => shownYaml(item, depth + 1))
  if (isAlias(node)) return `*${node.source}`
  if (!isScalar(node) || node.value === null) return ''
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}

function plainText(shown: Shown): string {
  return typeof shown === 'string' ? shown : '…'
}

function tomlTable(source: string): string | undefined {
  let table: TomlTable
  try {
    table = parseToml(source, { maxDepth: 100, integersAsBigInt: 'asNeeded' })
  } catch {
    return /^\s*(?:#.*\n\s*)*(?:\[|[\w"'.-]+[ \t]*=)/.test(source) ? sourceOf(source, 'toml') : undefined
  }
  return Object.keys(table).length > 0 ? tableOf(shownToml(table, 0)) : undefined
}

function shownToml(value: TomlValue, depth: number): Shown {
  if (depth > MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => shownToml(item, depth + 1))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return new Map(Object.entries(value).map(([name, item]) => [name, shownToml(item, depth + 1)]))
  return String(value)
}

/** As on GitHub: names above, values below, tables in tables. */
function tableOf(shown: Shown): string {
  if (typeof shown === 'string') return escapeHtml(shown)
  const head = shown instanceof Map ? `<thead><tr>${[...shown.keys()].map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')}</tr></thead>` : ''
  const cells = [...shown.values()].map((value) => `<td>${tableOf(value)}</td>`)
  return `<table>${head}<tbody><tr>${cells.join('')}</tr></tbody></table>`
}

function sourceOf(source: string, language: string): string {
  return `<pre><code class="language-${language}">${escapeHtml(source)}</code></pre>`
}
