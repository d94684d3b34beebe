import type { MarkdownIt, StateCore, Token } from 'markdown-it'

const mark = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** `> [!NOTE]`: a quotation with a title, in the classes that Gitea gives it. */
export function alerts(engine: MarkdownIt): void {
  engine.core.ruler.after('block', 'alerts', (state: StateCore) => {
    state.tokens = state.tokens.flatMap((token, index, all) => {
      if (token.type !== 'inline' || all[index - 1].type !== 'paragraph_open' || all[index - 2]?.type !== 'blockquote_open') return token
      const found = mark.exec(token.content)
      if (!found) return token
      const kind = found[1].toLowerCase()
      all[index - 2].attrJoin('class', `attention-header attention-${kind}`)
      all[index - 1].attrJoin('class', 'attention-title')
      return titled(token, kind, token.content.slice(found[0].length), state)
    })
  })
}

/** The title, then the rest of the paragraph as one of its own. */
function titled(inline: Token, kind: string, rest: string, state: StateCore): Token[] {
  const title = new state.Token('html_block', '', 0)
  title.content = `<strong class="attention-${kind}">${kind[0].toUpperCase()}${kind.slice(1)}</strong>`
  if (rest === '') return [title]
  inline.content = rest
  return [title, new state.Token('paragraph_close', 'p', -1), new state.Token('paragraph_open', 'p', 1), inline]
}
