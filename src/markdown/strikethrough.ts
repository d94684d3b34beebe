import type { MarkdownIt, StateInline, Token } from 'markdown-it'

const TILDE = 0x7e
/** A single tilde only pairs with a single tilde, so the engine sees it as another character. */
const ONE_TILDE = 0x1007e

/** Parses `~a~` and `~~a~~`, as on GitHub. Three or more tildes are text. Replaces the engine's rules, which accept two tildes only. */
export function strikethrough(engine: MarkdownIt): void {
  engine.inline.ruler.at('strikethrough', readTildes)
  engine.inline.ruler2.at('strikethrough', (state: StateInline) => {
    for (const delimiters of [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters ?? [])]) markPairs(state, delimiters)
  })
}

function readTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true)
  state.push('text', '', 0).content = '~'.repeat(length)
  state.pos += length
  if (length <= 2) state.delimiters.push({ marker: length === 1 ? ONE_TILDE : TILDE, length: 0, token: state.tokens.length - 1, end: -1, open, close })
  return true
}

function markPairs(state: StateInline, delimiters: StateInline['delimiters']): void {
  for (const { marker, token, end } of delimiters) {
    const closing = delimiters[end]
    if ((marker !== TILDE && marker !== ONE_TILDE) || closing === undefined) continue
    Object.assign(state.tokens[token] as Token, { type: 's_open', tag: 's', nesting: 1, content: '' })
    Object.assign(state.tokens[closing.token] as Token, { type: 's_close', tag: 's', nesting: -1, content: '' })
  }
}
