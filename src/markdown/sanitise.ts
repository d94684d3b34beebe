import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html'
import { HtmlBudget, TooMuch } from './bounds.ts'
import type { Place } from './job.ts'
import { linkSchemes, mediaSchemes, prefixed, resolveLink } from './links.ts'

/** What GitHub lets through, https://github.com/gjtorikian/html-pipeline: nothing that runs, frames, draws or is filled in. */
const tags = (
  'a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ' +
  'ol p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
).split(' ')

/** Of these the text goes too: it is no text for people. */
const textless = ['script', 'style', 'textarea', 'option', 'noscript', 'xmp', 'iframe', 'noembed', 'noframes', 'template', 'title']

const attributes: Record<string, string[]> = {
  '*': ['id', 'align', 'valign', 'dir', 'lang', 'title', 'width', 'height', 'aria-label', 'aria-hidden'],
  a: ['href', 'name', 'rel'],
  del: ['datetime'],
  details: ['open'],
  img: ['src', 'alt', 'border', 'hspace', 'vspace'],
  input: ['type', 'checked', 'disabled', 'data-task'],
  ins: ['datetime'],
  li: ['value'],
  ol: ['start', 'reversed', 'type'],
  source: ['srcset', 'media', 'type'],
  table: ['border', 'cellpadding', 'cellspacing', 'summary'],
  td: ['colspan', 'rowspan', 'headers', 'abbr', 'axis'],
  th: ['colspan', 'rowspan', 'headers', 'abbr', 'axis', 'scope'],
  time: ['datetime'],
}

const alertClass = /^attention-(?:header|title|note|tip|important|warning|caution)$/
const classes: Record<string, (string | RegExp)[]> = {
  a: ['mention', 'ref-issue', 'commit', 'footnote-backref'],
  blockquote: [alertClass],
  code: [/^language-[\w+#.:-]{1,40}$/],
  hr: ['footnotes-sep'],
  li: ['task-list-item', 'footnote-item'],
  ol: ['footnotes-list'],
  p: [alertClass],
  section: ['footnotes'],
  span: ['emoji', 'math', /^hljs-[\w-]{1,40}$/, /^[a-z]{1,20}_{1,2}$/],
  strong: [alertClass],
  sup: ['footnote-ref'],
}

/** Deeper elements are left out, and their content with them: browsers' parsers have limits of their own, and differ in what they do there. */
const MAX_DEPTH = 128
/** The parser looks through all that are open for each that is closed. */
const MAX_OPEN = 4096

/**
 * HTML that a browser can be given whoever wrote it; what is relative in it becomes absolute.
 * @throws TooMuchHtml when that makes it very long; TooMuch for very many elements one inside another
 */
export function sanitise(html: string, place: Place): string {
  return sanitizeHtml(html, { ...rules, ...boundOpen(), transformTags: transforms(place) })
}

function boundOpen(): Pick<IOptions, 'onOpenTag' | 'onCloseTag'> {
  let open = 0
  return {
    onOpenTag: () => {
      if (++open > MAX_OPEN) throw new TooMuch(`it has more than ${MAX_OPEN} nested elements`)
    },
    onCloseTag: () => {
      open--
    },
  }
}

const rules: IOptions = {
  allowedTags: tags,
  nonTextTags: textless,
  allowedAttributes: attributes,
  allowedClasses: classes,
  allowedSchemes: linkSchemes,
  allowedSchemesByTag: { img: mediaSchemes, source: mediaSchemes },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  selfClosing: ['br', 'hr', 'img', 'input', 'source', 'wbr'],
  enforceHtmlBoundary: false,
  nestingLimit: MAX_DEPTH,
  exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs.type !== 'checkbox',
}

type Change = (attribs: Attributes) => Attributes

function transforms(place: Place): IOptions['transformTags'] {
  const changes: Record<string, Change> = {
    a: (attribs) => withLink(attribs, place),
    img: (attribs) => replaced(attribs, 'src', (src) => resolveLink(src, place.media, mediaSchemes)),
    source: (attribs) => replaced(attribs, 'srcset', (srcset) => resolveSet(srcset, place)),
    td: withAlignment,
    th: withAlignment,
    // Who does not see the box is told what it says.
    input: ({ 'data-task': task, ...attribs }) => ({
      ...attribs,
      ...(task !== undefined && /^\d{1,6}$/.test(task) ? { 'data-task': task } : {}),
      disabled: '',
      'aria-label': attribs['aria-label'] ?? ('checked' in attribs ? 'Completed task' : 'Incomplete task'),
    }),
  }
  const budget = new HtmlBudget()
  const counted = (attribs: Attributes) => {
    for (const name in attribs) budget.spend(attribs[name]?.length ?? 0)
    return attribs
  }
  const each = Object.entries(changes).map(([name, change]) => [
    name,
    (tagName: string, attribs: Attributes) => ({ tagName, attribs: counted(change(attribs)) }),
  ])
  return { ...Object.fromEntries(each), '*': (tagName, attribs) => ({ tagName, attribs: withOwnNames(attribs) }) }
}

function withLink({ rel: _, ...attribs }: Attributes, { links }: Place): Attributes {
  const resolved = replaced(attribs, 'href', (href) => resolveLink(href, links, linkSchemes))
  return resolved.href === undefined || resolved.href.startsWith('#') ? resolved : { ...resolved, rel: 'nofollow' }
}

/** Of a `srcset`; the sanitiser's own parser prints what it finds odd. */
const density = /^(?:\d{1,5}(?:\.\d{1,3})?[wx])?$/

function resolveSet(srcset: string, { media }: Place): string | undefined {
  const candidates = srcset.split(/,\s+/).map((candidate) => {
    const [address = '', size = ''] = candidate.trim().split(/\s+/)
    const resolved = resolveLink(address, media, mediaSchemes)
    return resolved === undefined || !density.test(size) ? '' : `${resolved} ${size}`.trim()
  })
  return candidates.filter(Boolean).join(', ') || undefined
}

/** Of a cell's style its alignment stays, as the attribute that GitHub gives it. */
function withAlignment({ style, ...rest }: Attributes): Attributes {
  const found = /^text-align:(left|center|right)$/.exec(style ?? '')
  return found?.[1] === undefined ? rest : { ...rest, align: found[1] }
}

/** Ids and names get a prefix, so that none takes the place of one that a page's own scripts look for. */
function withOwnNames(attribs: Attributes): Attributes {
  const own = (name: string) => (name === '' ? undefined : prefixed(name))
  return replaced(replaced(attribs, 'id', own), 'name', own)
}

/** In the order they are in, with one changed, or left out where it becomes undefined. */
function replaced(attribs: Attributes, name: string, change: (value: string) => string | undefined): Attributes {
  if (attribs[name] === undefined) return attribs
  const entries = Object.entries(attribs).map(([key, value]): [string, string | undefined] => [key, key === name ? change(value) : value])
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
