import { expect, test } from 'bun:test'
import { type DefaultTreeAdapterMap, parse, parseFragment, serialize } from 'parse5'
import { cpuMeter } from '../../test/cpu-time.ts'
import { attacks, slow } from '../../test/markdown-attacks.ts'
import { PATIENCE } from '../../test/seeds.ts'
import { isSoak } from '../../test/soak.ts'
import { TooMuch } from './bounds.ts'
import { type Mode, modes, placeOf } from './place.ts'
import { render } from './render.ts'

type Node = DefaultTreeAdapterMap['node']

const rootUrl = 'http://localhost:3000/'

function rendered(text: string, mode: Mode): string {
  const place = placeOf(mode, { path: 'ada/engine/src/branch/main', filePath: 'doc/a.md', fallbackRef: '' }, rootUrl)
  const known = {
    names: new Set(['ada']),
    teams: new Set<string>(),
    commits: new Set<string>(),
    trackers: new Set(['ada/engine']),
    histories: new Set<string>(),
  }
  return render({ text, rootUrl, keepsLineBreaks: mode === 'comment', place, known })
}

function renderedOrRefused(text: string): string {
  try {
    return rendered(text, 'gfm')
  } catch (error) {
    expect(error).toBeInstanceOf(TooMuch)
    return 'refused'
  }
}

/** What a page may show of a stranger's: written anew here, so that the sanitiser's own lists are not their own judge. */
const inert = new Set(
  (
    'html head body a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd ' +
    'li mark ol p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
)
const harmless = new Set(
  (
    'id class align valign dir lang title width height aria-label aria-hidden name rel open alt border hspace vspace type checked disabled datetime value start ' +
    'reversed media cellpadding cellspacing summary colspan rowspan headers abbr axis scope'
  ).split(' '),
)
/** MathML by which a formula is shown; it runs nothing, and holds nothing else. */
const formulas = new Set(
  'math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mpadded mphantom mstyle menclose'.split(' '),
)
const drawing = new Set(
  'class display displaystyle scriptlevel form fence stretchy symmetric lspace rspace minsize maxsize movablelimits mathcolor mathbackground mathvariant width height depth voffset linethickness accent accentunder columnspan rowspan separator largeop mathsize'.split(
    ' ',
  ),
)
const addresses = new Set(['href', 'src', 'cite', 'srcset'])

/** Everything active in a tree, as text. */
function activeIn(node: Node): string[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(activeIn) : []
  if (!('tagName' in node)) return node.nodeName === '#comment' ? [`<!-- -->`, ...children] : children
  if (node.namespaceURI === 'http://www.w3.org/1998/Math/MathML' && formulas.has(node.tagName))
    return [...node.attrs.filter(({ name }) => !drawing.has(name)).map(({ name, value }) => `${name}=${value}`), ...children]
  const isOdd = !inert.has(node.tagName) || node.namespaceURI !== 'http://www.w3.org/1999/xhtml'
  const box =
    node.tagName === 'input' &&
    !(['checkbox', undefined].includes(node.attrs.find(({ name }) => name === 'type')?.value) && node.attrs.some(({ name }) => name === 'disabled'))
  const attributes = node.attrs.filter(({ name, value }) => (addresses.has(name) ? !isInertAddress(value) : !harmless.has(name)))
  const clobbering = node.attrs.filter(({ name, value }) => ['id', 'name'].includes(name) && !/^(fn:|fnref:)?user-content-/.test(value))
  return [...(isOdd || box ? [`<${node.tagName}>`] : []), ...[...attributes, ...clobbering].map(({ name, value }) => `${name}=${value}`), ...children]
}

/** Judged by the platform's own reading of addresses, relative to a page that is none of the forge's. */
function isInertAddress(address: string): boolean {
  if (address.startsWith('#')) return true
  return ['http:', 'https:', 'mailto:', 'tel:', 'ftp:', 'irc:', 'ircs:', 'xmpp:'].includes(URL.parse(address)?.protocol ?? '')
}

/** As a fragment, as a page, and both again once a browser has written them out. */
function readings(html: string): Node[] {
  const fragment = parseFragment(html)
  return [fragment, parse(html), parseFragment(serialize(fragment)), parseFragment(`<table><tr><td>${html}`), parseFragment(`<p>${html}`)]
}

test('the corpus has more than 150 different attacks', () => {
  expect(new Set(attacks.map(([, text]) => text)).size).toBeGreaterThan(150)
})

// In `npm test` every attack is tried in one mode, and each of the other modes with its share of them.
test.each(modes.map((mode) => [mode]))('nothing active comes out of any attack in mode %s', (mode) => {
  const some = attacks.filter((_, i) => isSoak || mode === 'gfm' || (i + modes.indexOf(mode)) % modes.length === 0)
  const broken = some.flatMap(([, text]) => {
    const html = rendered(text, mode)
    const active = readings(html).flatMap(activeIn)
    return active.length > 0 ? [{ text, html, active }] : []
  })
  expect(broken).toEqual([])
})

test('the judge itself finds what is active', () => {
  const examples = [
    '<script>1</script>',
    '<a href="javascript:1">x</a>',
    '<p onclick=1>',
    '<svg></svg>',
    '<img src="data:image/png,x">',
    '<p id="x">',
    '<input type=text>',
  ]
  expect(examples.map((html) => activeIn(parseFragment(html)).length > 0)).toEqual(examples.map(() => true))
})

test('an attack in front leaves the text behind it as it is', () => {
  const lost = attacks
    .filter(([, text]) => !/^(<|\\)/.test(text) && !/script|style|`|---|\]:|\n/.test(text))
    .filter(([, text]) => !rendered(`${text}\n\nend **of** text`, 'gfm').includes('<p>end <strong>of</strong> text</p>'))
  expect(lost).toEqual([])
})

test.each(slow)('%s are read or refused in bounded time', (_, text) => {
  const spent = cpuMeter()
  const html = renderedOrRefused(text)
  expect(spent()).toBeLessThan(5000)
  expect(activeIn(parseFragment(html.slice(0, 100_000).replace(/<[^<>]*$/, '')))).toEqual([])
})

const longAddress = `http://x/${'a'.repeat(8000)}`

test.each([
  ['links', `[a]: ${longAddress}\n\n${'[a]'.repeat(13_000)}`],
  [
    'links under many names',
    `${Array.from({ length: 30 }, (_, i) => `[${i}]: ${longAddress}`).join('\n')}\n\n${Array.from({ length: 9000 }, (_, i) => `[${i % 30}]`).join('')}`,
  ],
  ['pictures', `![a]\n\n[a]: ${longAddress}\n${'![a]'.repeat(10_000)}`],
  ['titles of entities', `[a]: /x "${'&'.repeat(8000)}"\n\n${'[a]'.repeat(3000)}`],
  ['very many links', `[a]: ${longAddress}\n\n${'[a]'.repeat(88_000)}`],
])('references that are %s do not multiply the text', (_, text) => {
  const html = rendered(text, 'gfm')
  expect(html.length).toBeLessThan(3_000_000)
})

test('a text whose links are lengthened by where it stands is refused when that makes very much of it', () => {
  const place = placeOf('gfm', { path: `ada/${'e'.repeat(4000)}/src/branch/main`, filePath: '', fallbackRef: '' }, rootUrl)
  expect(() => render({ text: '[](a)'.repeat(20_000), rootUrl, keepsLineBreaks: false, place, known: undefined })).toThrow('its HTML is longer than')
})

/** Each well under the longest text that is taken. */
test.each([
  ['footnotes', Array.from({ length: 20_000 }, (_, i) => `[^${i}]: a\n`).join('') + Array.from({ length: 20_000 }, (_, i) => `[^${i}] `).join('')],
  ['one footnote', `[^1]: a\n\n${'[^1] '.repeat(60_000)}`],
  ['cells', `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${`${'|a'.repeat(500)}|\n`.repeat(400)}`],
  ['cells that are not there', `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'|\n'.repeat(100_000)}`],
  ['signs', '*a*'.repeat(150_000)],
  ['links', '[a](b) '.repeat(100_000)],
  ['quotes in lists', `${'> - '.repeat(40)}a\n`.repeat(4000)],
  ['elements in elements', '<i></a>'.repeat(140_000)],
  ['foreign elements', '<svg></math>'.repeat(80_000)],
])(
  'a text of very many %s is shown or refused before it takes much time',
  (_, text) => {
    const spent = cpuMeter()
    expect(renderedOrRefused(text)).not.toBe('')
    expect(spent()).toBeLessThan(10_000)
  },
  PATIENCE,
)

test(
  'a text as long as anybody writes is no such text',
  () => {
    const section =
      '## A heading\n\nSome words with `code`, *emphasis*, a [link](https://example.org) and a footnote[^1].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] one\n- two\n\n'
    expect(rendered(`${section.repeat(2000)}[^1]: It.`, 'gfm')).toContain('A heading')
  },
  PATIENCE,
)

test('lines that are in very many quotations are refused, those of a mail that was answered five times are not', () => {
  expect(() => rendered(`${'>'.repeat(1000)}${'\na'.repeat(60_000)}`, 'gfm')).toThrow('quoted lines')
  expect(rendered(`${'>'.repeat(5)} a\n`.repeat(20_000), 'gfm')).toContain('<blockquote>')
})
