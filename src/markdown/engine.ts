import MarkdownItEngine, { type Env, type MarkdownIt, type RendererRule, type Token } from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { alerts } from './alerts.ts'
import { boundPieces, boundReferences } from './bounds.ts'
import { emoji } from './emoji.ts'
import { gatherFootnotes, referToFootnote } from './footnotes.ts'
import type { Formulas } from './formulas.ts'
import { headings } from './headings.ts'
import { highlighter } from './highlight.ts'
import type { RenderJob } from './job.ts'
import { math } from './math.ts'
import { type JobEnv, references } from './references.ts'
import { strikethrough } from './strikethrough.ts'
import { taskLists } from './task-lists.ts'
import { wikiLinks } from './wiki-links.ts'

/**
 * GitHub's Markdown as HTML that is yet to be sanitised: what people write in HTML is in it as they wrote it.
 * @param formulas gets those of the text, of which marks are in the HTML
 */
export function renderUnsafe(job: RenderJob, formulas: Formulas): string {
  beginPieces()
  engine.set({ breaks: job.keepsLineBreaks, highlight: highlighter() })
  return engine.render(job.text, { job, formulas } satisfies JobEnv as Env)
}

function makeEngine(): MarkdownIt {
  const made = new MarkdownItEngine({ html: true, linkify: true })
  linkAddresses(made)
  made.use(footnotes).use(emoji).use(alerts).use(taskLists).use(headings).use(references).use(wikiLinks).use(boundReferences).use(math).use(strikethrough)
  made.inline.ruler.disable('footnote_inline')
  made.core.ruler.at('footnote_tail', gatherFootnotes)
  made.inline.ruler.at('footnote_ref', referToFootnote)
  // Which addresses may stay is the sanitiser's to say; left to markdown-it, a link it dislikes would be shown as it was typed.
  made.validateLink = () => true
  Object.assign(made.renderer.rules, {
    footnote_anchor_name: footnoteName,
    footnote_caption: footnoteCaption,
    s_open: () => '<del>',
    s_close: () => '</del>',
  })
  return made
}

const MAX_ADDRESS = 2048
/** Runs of characters that may stand anywhere in an address, and single ones of all others. */
const MAX_ADDRESS_PIECES = 1000

/** As GitHub does: what begins with a scheme or `www.`, and e-mail addresses; not each name with a dot in it. */
function linkAddresses(made: MarkdownIt): void {
  // Nor what begins with `//`: the library reads all of such an address before it sees a scheme in front, so of a text of schemes all, over and over.
  made.linkify.add('//', null)
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: true })
  made.linkify.add('www.', {
    // As long as the whole address would be, from the name's second label on; 0 when it would be none.
    validate: (text, at, self) => Math.max(0, self.testSchemaAt(`http://www.${text.slice(at, at + MAX_ADDRESS)}`, 'http:', 'http:'.length) - '//www.'.length),
    normalize: (match) => {
      match.url = `http://${match.url}`
    },
  })
  // The library's expression goes on by one character a turn, up to ten thousand; from some thousand turns on the engine interprets expressions, at 10 µs a turn.
  made.linkify.re.get_path_extra = () => /[\w\\/:%@#&=~*]{1,10000}|/
  made.linkify.re.set({ maxLength: MAX_ADDRESS_PIECES })
  const { match, matchAtStart } = made.linkify
  made.linkify.match = (text) => match.call(made.linkify, text)?.map(withoutSigns) ?? null
  made.linkify.matchAtStart = (text) => {
    const found = matchAtStart.call(made.linkify, text)
    return found && withoutSigns(found)
  }
}

/** Removes trailing emphasis characters from an autolink, so that `_http://x.org/y_` is a link in italics. https://github.github.com/gfm/#extended-autolinks-extension- */
function withoutSigns<Link extends { url: string; text: string; raw: string; lastIndex: number }>(link: Link): Link {
  const { url, text, raw, lastIndex } = link
  let end = raw.length
  while ('?!.,:*_~'.includes(raw[end - 1] ?? ' ')) end--
  const first = raw.slice(end).search(/[*_~]/)
  const signs = first < 0 ? 0 : raw.length - end - first
  return Object.assign(link, {
    url: url.slice(0, url.length - signs),
    text: text.slice(0, text.length - signs),
    raw: raw.slice(0, raw.length - signs),
    lastIndex: lastIndex - signs,
  })
}

/** `#fn:user-content-1`, as Gitea names them. */
const footnoteName: RendererRule = (tokens, index) => `:user-content-${metaOf(tokens[index]).id + 1}`
const footnoteCaption: RendererRule = (tokens, index) => String(metaOf(tokens[index]).id + 1)

function metaOf(token: Token | undefined): { id: number } {
  return token?.meta as { id: number }
}

const engine = makeEngine()
const beginPieces = boundPieces(engine)
