/** What is used of highlight.js. By `require`, as its own types would bring a browser's into every file of ours. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void
  getLanguage(name: string): { name: string } | undefined
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string }
}

const hljs: Highlighter = require('highlight.js/lib/common')

/** Grammars besides the 36 common ones. */
const more: Record<string, unknown> = {
  clojure: require('highlight.js/lib/languages/clojure'),
  cmake: require('highlight.js/lib/languages/cmake'),
  dart: require('highlight.js/lib/languages/dart'),
  dockerfile: require('highlight.js/lib/languages/dockerfile'),
  elixir: require('highlight.js/lib/languages/elixir'),
  erlang: require('highlight.js/lib/languages/erlang'),
  groovy: require('highlight.js/lib/languages/groovy'),
  haskell: require('highlight.js/lib/languages/haskell'),
  http: require('highlight.js/lib/languages/http'),
  nginx: require('highlight.js/lib/languages/nginx'),
  ocaml: require('highlight.js/lib/languages/ocaml'),
  powershell: require('highlight.js/lib/languages/powershell'),
  protobuf: require('highlight.js/lib/languages/protobuf'),
  scala: require('highlight.js/lib/languages/scala'),
}
for (const [name, grammar] of Object.entries(more)) hljs.registerLanguage(name, grammar)

/** Longer code is shown without colours: the slowest block takes some 30 ms then, as measured over all grammars. */
const MAX_LENGTH = 4096
/** By the grammar's name, where expressions run on over line ends: of those, a block costs the square of its length. */
const MAX_LENGTHS: Record<string, number> = { 'C#': 2048, Haskell: 2048, Java: 2048, 'TOML, also INI': 2048 }
/** Words, gaps and lines longer than people write; expressions take the square of their length. */
const outsized = /\w{129}|[^\S\n]{129}|[^\n]{501}/
/** In milliseconds, for all the code in one text. */
const BUDGET = 100

/** For one text: makes code HTML with class names, or '' where it is shown as it is: its language is not known, or it would take too long. */
export function highlighter(budget = BUDGET): (code: string, language: string) => string {
  let left = budget
  return (code, language) => {
    if (left <= 0 || !isColourable(code, language)) return ''
    const began = performance.now()
    const { value } = hljs.highlight(code, { language, ignoreIllegals: true })
    left -= performance.now() - began
    return value
  }
}

/** Code of any length as HTML with class names, where its language is known and its lines are such as people write. */
export function highlightWhole(code: string, language: string): string | undefined {
  if (hljs.getLanguage(language) === undefined || outsized.test(code)) return undefined
  return hljs.highlight(code, { language, ignoreIllegals: true }).value
}

function isColourable(code: string, language: string): boolean {
  const grammar = hljs.getLanguage(language)
  return grammar !== undefined && code.length <= (MAX_LENGTHS[grammar.name] ?? MAX_LENGTH) && !outsized.test(code)
}
