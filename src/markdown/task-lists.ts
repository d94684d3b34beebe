import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import type { JobEnv } from './references.ts'

const mark = /^\[([ xX])\][ \t\u00a0]/

/** `- [x] done`: a box that shows its state and takes no clicks. */
export function taskLists(engine: MarkdownIt): void {
  engine.core.ruler.after('inline', 'task_lists', (state: StateCore) => {
    for (const [index, token] of state.tokens.entries()) {
      const item = state.tokens[index - 2]
      if (token.type !== 'inline' || state.tokens[index - 1]?.type !== 'paragraph_open' || item?.type !== 'list_item_open') continue
      if (setBox(token, state)) item.attrJoin('class', 'task-list-item')
    }
  })
}

function setBox(inline: Token, state: StateCore): boolean {
  const first = inline.children?.[0]
  const found = first?.type === 'text' ? mark.exec(first.content) : null
  if (!first || !found) return false
  const box = new state.Token('html_inline', '', 0)
  const { marksTasks } = (state.env as unknown as JobEnv).job
  const line = marksTasks && inline.map ? ` data-task="${inline.map[0]}"` : ''
  box.content = `<input type="checkbox" disabled${found[1] === ' ' ? '' : ' checked'}${line}> `
  first.content = first.content.slice(found[0].length)
  inline.children?.unshift(box)
  return true
}
