import type { MarkdownIt, StateInline } from 'markdown-it'
import type { JobEnv } from './references.ts'

/** `[[Page]]` and `[[what it says|Page]]`, on one line. */
const pattern = /\[\[([^[\]|\n]{1,200})(?:\|([^[\]|\n]{1,200}))?\]\]/y
const picture = /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i

export function wikiLinks(engine: MarkdownIt): void {
  engine.inline.ruler.before('link', 'wiki_link', (state: StateInline, silent: boolean) => {
    if (!(state.env as unknown as JobEnv).job.place.isWiki || !state.src.startsWith('[[', state.pos)) return false
    pattern.lastIndex = state.pos
    const found = pattern.exec(state.src)
    if (!found) return false
    const [whole, target = '', text = target] = found
    if (!silent) push(state, target.trim(), text.trim())
    state.pos += whole.length
    return true
  })
}

function push(state: StateInline, text: string, page: string): void {
  const address = encodeURI(page.replaceAll(' ', '-'))
  state.push('link_open', 'a', 1).attrSet('href', address)
  if (picture.test(page)) {
    const image = state.push('html_inline', '', 0)
    image.content = `<img src="${state.md.utils.escapeHtml(address)}" alt="${state.md.utils.escapeHtml(text)}">`
  } else state.push('text', '', 0).content = text
  state.push('link_close', 'a', -1)
}
