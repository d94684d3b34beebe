import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** Gives each heading an id made of its text, with `-1`, `-2` … where it occurs again. */
export function headings(engine: MarkdownIt): void {
  engine.core.ruler.push('heading_ids', (state: StateCore) => {
    const taken = new Map<string, number>()
    for (const [index, token] of state.tokens.entries()) {
      if (token.type === 'heading_open') token.attrSet('id', `user-content-${unique(slugOf(textOf(state.tokens[index + 1] as Token)), taken)}`)
    }
  })
}

function unique(slug: string, taken: Map<string, number>): string {
  const count = taken.get(slug) ?? 0
  taken.set(slug, count + 1)
  return count === 0 ? slug : unique(`${slug}-${count}`, taken)
}

function textOf(inline: Token): string {
  return (inline.children ?? [])
    .map((child) => (['text', 'code_inline', 'emoji', 'text_special', 'math_inline'].includes(child.type) ? child.content : ''))
    .join('')
}

/** As GitHub does: letters, digits, `_` and `-` stay, spaces are `-`. */
function slugOf(text: string): string {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  return slug || 'heading'
}
