import { Parser } from 'htmlparser2'

/** What says nothing to who reads text: ways to other pages, what is filled in or clicked, pictures of numbers that are told beside; */
const leftOut = new Set(['nav', 'form', 'button', 'svg', 'script', 'style', 'select', 'textarea', 'datalist', 'template'])
/** The same by class: counts beside buttons, links in the form of buttons, menus. */
const notTold = new Set(['interest', 'button', 'menu', 'switch', 'file-tree'])
/** Classes of what the style sheet sets apart in one line. */
const inLine = new Set(['row', 'main', 'end'])
const spaced = new Set(['row', 'head-commit', 'meta', 'end', 'line', 'bar', 'roles'])
const blocks = new Set(
  'address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header label li main ol p pre section summary table tr ul'.split(
    ' ',
  ),
)
/** Between which an empty line stands. */
const apart = new Set('h1 h2 h3 h4 h5 h6 p pre table ul ol section article blockquote figure dl'.split(' '))
const voids = new Set('br hr img input wbr link meta col area source'.split(' '))
const underlines: Record<string, string> = { h1: '=', h2: '-' }

/**
 * A page of ours as text for a terminal: what stands in its `<main>`, headings underlined, lists with dashes, code as it is. Nothing in it
 * moves a cursor or changes a colour, whatever people wrote. Undefined for what is no such page.
 */
export function textOfPage(html: string): string | undefined {
  if (!html.includes('<main id="content">')) return undefined
  const text = textWith(new PageText(false), html)
  // A page that is a form alone, as the one that signs in, says at least what it is for.
  return text === '\n' ? textWith(new PageText(true), html) : text
}

function textWith(writer: PageText, html: string): string {
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.text(text),
    onclosetag: (name) => writer.close(name),
  })
  parser.end(html)
  return writer.finish()
}

interface OpenElement {
  name: string
  isHidden: boolean
  /** Whether whitespace is kept: `<pre>`, and cells of code. */
  isKept: boolean
  /** Lists around it. */
  lists: number
  /** Whether it stands in a table of code, whose cells make up lines. */
  isCode: boolean
  /** Whether a line begins with it and ends. */
  isBlock: boolean
  /** Whether a space stands between its children. */
  isSpaced: boolean
  /** Where a link to another server leads. */
  href: string | undefined
}

const outside: OpenElement = { name: '', isHidden: true, isKept: false, lists: 0, isCode: false, isBlock: false, isSpaced: false, href: undefined }

class PageText {
  readonly #lines: string[] = []
  #line = ''
  /** Whitespace that is written once a word follows. */
  #isSpaced = false
  readonly #open: OpenElement[] = []
  readonly #tellsForms: boolean

  constructor(tellsForms: boolean) {
    this.#tellsForms = tellsForms
  }

  open(name: string, attributes: Record<string, string>): void {
    const around = this.#open.at(-1) ?? outside
    if (name === 'svg' && !around.isHidden && attributes['aria-label']) this.text(`[${attributes['aria-label']}] `)
    if (!around.isHidden) this.#box(name, attributes)
    const element = elementIn(around, name, attributes, this.#tellsForms)
    if (!voids.has(name)) this.#open.push(element)
    if (element.isHidden) return
    if (around.isSpaced) this.#isSpaced = true
    if (element.isBlock) this.#break(apart.has(name) && around.lists === 0)
    if (name === 'li') this.#line = `${'  '.repeat(element.lists - 1)}- `
    if (name === 'br') this.#break(false)
    if (name === 'hr') this.#rule()
    if (name === 'img' && attributes.alt) this.text(`[${attributes.alt}]`)
    if ((name === 'td' || name === 'th') && !element.isCode && this.#line !== '') this.#line += '  '
  }

  /** Of a list of tasks, in both its forms: what can be ticked is a button. */
  #box(name: string, { type, disabled, checked, role, 'aria-checked': ticked }: Record<string, string>): void {
    if (name === 'input' && type === 'checkbox' && disabled !== undefined) this.text(checked === undefined ? '[ ]' : '[x]')
    if (name === 'button' && role === 'checkbox') this.text(ticked === 'true' ? '[x]' : '[ ]')
  }

  close(name: string): void {
    if (voids.has(name)) return
    const element = this.#open.pop()
    if (element === undefined || element.isHidden) return
    if (element.href !== undefined) this.text(` <${element.href}>`)
    const underline = underlines[name]
    if (underline !== undefined && this.#line !== '') this.#underline(underline)
    if (element.isBlock) this.#break(apart.has(name) && element.lists <= 1 && (this.#open.at(-1)?.lists ?? 0) === 0)
  }

  text(text: string): void {
    const around = this.#open.at(-1) ?? outside
    if (around.isHidden) return
    const safe = harmless(text)
    if (around.isKept) return this.#keep(safe)
    const words = safe.split(/\s+/).filter((word) => word !== '')
    if (/^\s/.test(safe)) this.#isSpaced = true
    if (words.length === 0) return
    if (this.#isSpaced && this.#line !== '' && !this.#line.endsWith(' ')) this.#line += ' '
    this.#line += words.join(' ')
    this.#isSpaced = /\s$/.test(safe)
  }

  finish(): string {
    this.#break(false)
    const text = this.#lines.join('\n').replace(/\n{3,}/g, '\n\n')
    return `${text.replace(/^\n+/, '').trimEnd()}\n`
  }

  /** Lines as they are. */
  #keep(text: string): void {
    const [first = '', ...rest] = text.split('\n')
    this.#line += first
    for (const line of rest) {
      this.#lines.push(this.#line)
      this.#line = line
    }
  }

  #take(): string {
    const line = this.#line.trimEnd()
    this.#line = ''
    this.#isSpaced = false
    return line
  }

  #break(isApart: boolean): void {
    if (this.#line !== '' && this.#line.trim() !== '-') this.#lines.push(this.#take())
    if (isApart && this.#lines.at(-1) !== '') this.#lines.push('')
    this.#isSpaced = false
  }

  #underline(sign: string): void {
    const title = this.#take()
    this.#lines.push(title, sign.repeat(Math.min(72, title.length)))
  }

  #rule(): void {
    this.#break(true)
    this.#lines.push('-'.repeat(40), '')
  }
}

function elementIn(around: OpenElement, name: string, attributes: Record<string, string>, tellsForms: boolean): OpenElement {
  const isMain = name === 'main'
  const classes = attributes.class?.split(' ') ?? []
  const isCode = around.isCode || classes.includes('blob')
  const isLeftOut = leftOut.has(name) && !(tellsForms && name === 'form')
  return {
    name,
    isHidden: (around.isHidden && !isMain) || isLeftOut || classes.some((one) => notTold.has(one)) || (isCode && classes.includes('n')),
    isKept: around.isKept || name === 'pre' || (isCode && name === 'td'),
    lists: around.lists + Number(name === 'ul' || name === 'ol'),
    isCode,
    isBlock: blocks.has(name) && (name === 'li' || !classes.some((one) => inLine.has(one))),
    isSpaced: classes.some((one) => spaced.has(one)),
    href: name === 'a' && /^https?:/.test(attributes.href ?? '') ? attributes.href : undefined,
  }
}

/** Without the characters that command a terminal, and those that turn the direction of text. */
function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu, '�')
}
