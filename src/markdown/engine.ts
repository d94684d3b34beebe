import MarkdownItEngine, { type Env, type MarkdownIt, type RendererRule, type Token } from 'markdown-it'
import { full as emoji } from 'markdown-it-emoji'
import footnotes from 'markdown-it-footnote'
import { alerts } from './alerts.ts'
import { boundPieces, boundReferences } from './bounds.ts'
import { gatherFootnotes } from './footnotes.ts'
import { headings } from './headings.ts'
import { highlighter } from './highlight.ts'
import type { RenderJob } from './job.ts'
import { type JobEnv, references } from './references.ts'
import { taskLists } from './task-lists.ts'
import { wikiLinks } from './wiki-links.ts'

/** GitHub's Markdown as HTML that is yet to be sanitised: what people write in HTML is in it as they wrote it. */
export function renderUnsafe(job: RenderJob): string {
  beginPieces()
  engine.set({ breaks: job.keepsLineBreaks, highlight: highlighter() })
  return engine.render(job.text, { job } satisfies JobEnv as Env)
}

function makeEngine(): MarkdownIt {
  const made = new MarkdownItEngine({ html: true, linkify: true })
  linkAddresses(made)
  made.use(footnotes).use(emoji, { shortcuts: {} }).use(alerts).use(taskLists).use(headings).use(references).use(wikiLinks).use(boundReferences)
  made.inline.ruler.disable('footnote_inline')
  made.core.ruler.at('footnote_tail', gatherFootnotes)
  // Which addresses may stay is the sanitiser's to say; left to markdown-it, a link it dislikes would be shown as it was typed.
  made.validateLink = () => true
  Object.assign(made.renderer.rules, {
    footnote_anchor_name: footnoteName,
    footnote_caption: footnoteCaption,
    emoji: emojiSpan,
    s_open: () => '<del>',
    s_close: () => '</del>',
  })
  return made
}

const MAX_ADDRESS = 2048

/** As GitHub does: what begins with a scheme or `www.`, and e-mail addresses; not each name with a dot in it. */
function linkAddresses(made: MarkdownIt): void {
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: true })
  made.linkify.add('www.', {
    // As long as the whole address would be, from the name's second label on; 0 when it would be none.
    validate: (text, at, self) => Math.max(0, self.testSchemaAt(`http://www.${text.slice(at, at + MAX_ADDRESS)}`, 'http:', 'http:'.length) - '//www.'.length),
    normalize: (match) => {
      match.url = `http://${match.url}`
    },
  })
}

/** `#fn:user-content-1`, as Gitea names them. */
const footnoteName: RendererRule = (tokens, index) => `:user-content-${metaOf(tokens[index]).id + 1}`
const footnoteCaption: RendererRule = (tokens, index) => String(metaOf(tokens[index]).id + 1)

function metaOf(token: Token | undefined): { id: number } {
  return token?.meta as { id: number }
}

/** As Gitea marks them. */
const emojiSpan: RendererRule = (tokens, index) => {
  const { markup, content } = tokens[index] as Token
  return `<span class="emoji" aria-label="${markup.replaceAll('_', ' ')}">${content}</span>`
}

const engine = makeEngine()
const beginPieces = boundPieces(engine)
