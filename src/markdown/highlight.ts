/** What is used of highlight.js. By `require`, as its own types would bring a browser's into every file of ours. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void
  getLanguage(name: string): unknown
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

/** Longer code is shown without colours: colouring is the slowest part of rendering. */
const MAX_LENGTH = 65_536

/** Code as HTML with class names, or '' where it is shown as it is: the language is not known, or the code too long. */
export function highlight(code: string, language: string): string {
  if (code.length > MAX_LENGTH || hljs.getLanguage(language) === undefined) return ''
  return hljs.highlight(code, { language, ignoreIllegals: true }).value
}
