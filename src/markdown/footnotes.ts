import type { StateCore, StateInline, Token } from 'markdown-it'

/** As markdown-it-footnote keeps it of each that the text refers to, in that order. */
interface Footnote {
  label: string
  /** How often. */
  count: number
}

/** What markdown-it-footnote knows of a text. */
interface Footnotes {
  /** Where in `list` the footnote of a label is, which has a colon before it here; -1 until it is referred to. */
  refs?: Record<string, number>
  list?: Footnote[]
}

/** Without `[`, as on GitHub: each character is looked at for one label. */
const reference = /\[\^([^\][ \n]+)\]/y

/** `[^label]`. In place of the plugin's own rule of the name `footnote_ref`, which looks for the end of each up to that of the text. */
export function referToFootnote(state: StateInline, silent: boolean): boolean {
  const footnotes = state.env.footnotes as Footnotes | undefined
  if (!footnotes?.refs || !state.src.startsWith('[^', state.pos)) return false
  reference.lastIndex = state.pos
  const label = reference.exec(state.src)?.[1]
  const end = reference.lastIndex
  const known = label === undefined ? undefined : footnotes.refs[`:${label}`]
  if (label === undefined || known === undefined || end > state.posMax) return false
  if (!silent) {
    footnotes.list ??= []
    const id = known < 0 ? footnotes.list.push({ label, count: 0 }) - 1 : known
    footnotes.refs[`:${label}`] = id
    state.push('footnote_ref', '', 0).meta = { id, subId: (footnotes.list[id] as Footnote).count++, label }
  }
  state.pos = end
  return true
}

/**
 * Moves what footnotes say to the end of the text, with a way back to each place that refers to it. In place of the plugin's own rule of the name
 * `footnote_tail`, which copies the whole text for each footnote: of twenty thousand it made minutes and gigabytes.
 */
export function gatherFootnotes(state: StateCore): void {
  const footnotes = state.env.footnotes as Footnotes | undefined
  if (!footnotes) return
  const { text, notes } = takeApart(state.tokens)
  state.tokens = text
  if (!footnotes.list) return
  const add = (type: string, nesting: -1 | 0 | 1, meta: Token['meta'] = null) => {
    const token = new state.Token(type, '', nesting)
    token.meta = meta
    text.push(token)
  }
  add('footnote_block_open', 1)
  for (const [id, { label, count }] of footnotes.list.entries()) {
    add('footnote_open', 1, { id, label })
    for (const token of notes.get(label) ?? []) text.push(token)
    const close = text.at(-1)?.type === 'paragraph_close' ? text.pop() : undefined
    for (let subId = 0; subId < Math.max(1, count); subId++) add('footnote_anchor', 0, { id, subId, label })
    if (close) text.push(close)
    add('footnote_close', -1)
  }
  add('footnote_block_close', -1)
}

/** Separates the text from its footnotes, which are returned by label. The first of two footnotes with the same label counts, as on GitHub. */
function takeApart(tokens: readonly Token[]): { text: Token[]; notes: Map<string, Token[]> } {
  const text: Token[] = []
  const notes = new Map<string, Token[]>()
  let into = text
  for (const token of tokens) {
    if (token.type === 'footnote_reference_open') {
      into = []
      notes.getOrInsert((token.meta as { label: string }).label, into)
    } else if (token.type === 'footnote_reference_close') into = text
    else into.push(token)
  }
  return { text, notes }
}
