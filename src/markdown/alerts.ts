import type { MarkdownIt, StateCore, Token } from 'markdown-it'

const mark = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** `> [!NOTE]`: a quotation with a title, in the classes that Gitea gives it. */
export function alerts(engine: MarkdownIt): void {
  engine.core.ruler.after('block', 'alerts', (state: StateCore) => {
    state.tokens = state.tokens.flatMap((token, index, all) => {
      const [quotation, paragraph] = [all[index - 2], all[index - 1]]
      if (token.type !== 'inline' || paragraph?.type !== 'paragraph_open' || quotation?.type !== 'blockquote_open') return token
      const found = mark.exec(token.content)
      if (!found) return token
      const kind = (found[1] as string).toLowerCase()
      quotation.attrJoin('class', `attention-header attention-${kind}`)
      paragraph.attrJoin('class', 'attention-title')
      return titled(token, kind, token.content.slice(found[0].length), state)
    })
  })
}

/** The title, then the rest of the paragraph as one of its own. */
function titled(inline: Token, kind: string, rest: string, state: StateCore): Token[] {
  const title = new state.Token('html_block', '', 0)
  title.content = `<strong class="attention-${kind}">${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}</strong>`
  if (rest === '') return [title]
  inline.content = rest
  return [title, new state.Token('paragraph_close', 'p', -1), new state.Token('paragraph_open', 'p', 1), inline]
}
