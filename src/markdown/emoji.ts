import type { MarkdownIt, RendererRule, StateCore, Token } from 'markdown-it'
import pictures from 'markdown-it-emoji/lib/data/full.mjs'

/** The colon at its end may begin the next. */
const name = /:([\w+-]+)(?=:)/g

/** `:smile:` as its picture. The plugin whose names these are copies all of a paragraph for each of its words with one. */
export function emoji(engine: MarkdownIt): void {
  engine.core.ruler.after('linkify', 'emoji', (state: StateCore) => {
    for (const token of state.tokens) if (token.type === 'inline' && token.children) token.children = replaceAll(token.children, state)
  })
  engine.renderer.rules.emoji = emojiSpan
}

/** But in addresses that stand for themselves. */
function replaceAll(tokens: Token[], state: StateCore): Token[] {
  let depth = 0
  return tokens.flatMap((token) => {
    if (token.info === 'auto') depth += token.nesting
    return token.type === 'text' && depth === 0 ? split(token, state) : token
  })
}

function split(token: Token, state: StateCore): Token[] | Token {
  const parts: Token[] = []
  const add = (type: string, content: string, markup = '') => parts.push(Object.assign(new state.Token(type, '', 0), { content, markup }))
  let end = 0
  for (const { 0: found, 1: word = '', index } of token.content.matchAll(name)) {
    if (index < end || !Object.hasOwn(pictures, word)) continue
    if (index > end) add('text', token.content.slice(end, index))
    add('emoji', pictures[word] as string, word)
    end = index + found.length + 1
  }
  if (end === 0) return token
  if (end < token.content.length) add('text', token.content.slice(end))
  return parts
}

/** As Gitea marks them. */
const emojiSpan: RendererRule = (tokens, index) => {
  const { markup, content } = tokens[index] as Token
  return `<span class="emoji" aria-label="${markup.replaceAll('_', ' ')}">${content}</span>`
}
