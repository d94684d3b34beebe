import { expect, test } from 'bun:test'
import { cpuMeter } from '../../test/cpu-time.ts'
import type { Random } from '../../test/generate-history.ts'
import { PATIENCE, property } from '../../test/seeds.ts'
import { soak } from '../../test/soak.ts'
import { TooMuch } from './bounds.ts'
import { placeOf } from './place.ts'
import { render } from './render.ts'

const rootUrl = 'http://localhost:3000/'
const whole = {
  names: new Set(['ada']),
  teams: new Set(['ada/t']),
  commits: new Set(['abcdef1']),
  trackers: new Set(['ada/engine']),
  histories: new Set(['ada/engine']),
}
const place = placeOf('wiki', { path: 'ada/engine', filePath: '', fallbackRef: '' }, rootUrl)

/** Milliseconds of a processor, which other programs of the machine do not lengthen. */
function costOf(text: string): number {
  const spent = cpuMeter()
  try {
    render({ text, rootUrl, keepsLineBreaks: false, marksTasks: true, place, known: whole })
  } catch (error) {
    expect(error).toBeInstanceOf(TooMuch)
  }
  return spent()
}

/** A text of about so many characters. */
type Shape = (length: number) => string

const SMALL = soak(4096, 8192)
const LARGE = 8 * SMALL
/** Whatever is done in less is no danger at this length. */
const FREE_MS = soak(350, 700)
/** Of a text eight times as long; it would be 64 where each character is looked at for each other. */
const MOST_TIMES = 20

/** @returns what is wrong with it, if anything */
function excessOf(shape: Shape): string | undefined {
  const least = (length: number, enough: number) => {
    const text = shape(length)
    const first = costOf(text)
    return first <= enough ? first : Math.min(first, costOf(text))
  }
  const large = least(LARGE, FREE_MS)
  if (large <= FREE_MS) return undefined
  const small = least(SMALL, 0)
  return large > MOST_TIMES * small ? `${LARGE} characters took ${large.toFixed()} ms where ${SMALL} took ${small.toFixed()}` : undefined
}

const many = (part: string): Shape => {
  return (length) => part.repeat(length / part.length)
}
const both = (...shapes: Shape[]): Shape => {
  return (length) => shapes.map((shape) => shape(length / shapes.length)).join('')
}
const begun = (start: string, shape: Shape): Shape => {
  return (length) => start + shape(length)
}
const longAddress = (part: string): Shape => {
  return (length) => `[a]: /x${part.repeat(length / 2 / part.length)}\n\n${'[a]'.repeat(length / 6)}`
}
const numbered = (start: string, end: string): Shape => {
  return (length) => Array.from({ length: length / (start.length + end.length + 4) }, (_, i) => start + i + end).join('')
}

const shapes: [what: string, shape: Shape][] = [
  ['references to an address of signs that HTML escapes', longAddress('&')],
  ['references to a long title', (length) => `[a]: /x "${'&'.repeat(length / 2)}"\n\n${'[a]'.repeat(length / 6)}`],
  ['pictures of a long address', (length) => `[a]: /${'"'.repeat(length / 2)}\n\n${'![a]'.repeat(length / 8)}`],
  ['references of many names', both(numbered('[', ']: /b\n'), numbered('[', '] '))],
  ['references that are not there', many('[a][b] ')],
  ['addresses behind signs of emphasis', numbered('@ada', '__https://a.b/c')],
  ['addresses one behind the other', many('https://a.b/c')],
  ['addresses with all that an address can have', many("http://a.b/(c)[d]{e}'f'.g,h;i!j?k-l ")],
  ['addresses of brackets that do not end', many('http://a.b/([{')],
  ['schemes', many('http://')],
  ['slashes', many('//a.b')],
  ['e-mail addresses', many('a@b.c')],
  ['names of sites', many('www.a.b/')],
  ['emoji among signs', many('~~- :smile:')],
  ['emoji', many(':smile:')],
  ['colons', many(':a')],
  ['footnotes that do not end', begun('[^1]: c\n\n', many('[^x'))],
  ['footnotes', begun('[^1]: c\n\n', many('[^1]'))],
  ['notes', both(numbered('[^', ']: a\n'), numbered('[^', '] '))],
  ['opened brackets', many('[')],
  ['brackets', both(many('['), many(']'))],
  ['links in links', both(many('['), many('](b)'))],
  ['opened links', many('[a](')],
  ['opened pictures', many('![a](<')],
  ['quotations', many('> ')],
  ['quotations in lists', many('> - ')],
  ['lists in lists', (length) => Array.from({ length: Math.sqrt(length) }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
  ['empty items', many('-\n')],
  ['tasks', many('- [ ] a\n')],
  ['backticks of all lengths', (length) => Array.from({ length: Math.sqrt(2 * length) }, (_, i) => '`'.repeat(i)).join(' ')],
  ['fences', many('```\n~~~\n')],
  ['dollar signs', many('$')],
  ['formulas that do not end', many('$a $$b $`c ')],
  ['blocks of formulas that do not end', many('$$a\n')],
  ['formulas of backslashes', many('$\\$\\')],
  ['formulas', many('$x_1$ ')],
  ['tildes', many('~a ~~b ~~~c ')],
  ['emphasis', many('*a_ **b__ ~~c~ ')],
  ['emphasis that does not fit', both(many('*_'), many('a**'))],
  ['cells', begun('|a|b|\n|-|-|\n', many('|a|b|\n'))],
  ['columns', (length) => [many('|a'), many('|-'), many('|b')].map((row) => `${row(Math.min(1500, length / 3))}|\n`).join('')],
  ['comments that do not end', many('<!-- ')],
  ['HTML that does not end', many('<a b="')],
  ['elements', many('<div><b>')],
  ['declarations', many('<?a <!A <![CDATA[')],
  ['entities', many('&amp;&#35;&')],
  ['mentions', many('@ada @ada/t ')],
  ['references to issues', many('#1 ada/engine#1 !1 abcdef1 ada/engine@abcdef1 ')],
  ['addresses of this server', many('http://localhost:3000/ada/engine/issues/1 ')],
  ['pages of a wiki', many('[[a|b]]')],
  ['opened pages of a wiki', many('[[a|')],
  ['the same heading', many('# a\n')],
  ['underlined headings', many('a\n=\n')],
  ['alerts', many('> [!NOTE]\n> a\n\n')],
  ['backslashes', many('\\\n')],
  ['spaces', begun('a', both(many(' '), many('\t')))],
  ['letters of other alphabets', many('é👍\u200b\u00a0')],
]

test.each(shapes)(
  '%s take no more time for each character of a long text than of a short one',
  (_, shape) => {
    expect(excessOf(shape)).toBeUndefined()
  },
  PATIENCE,
)

const atoms =
  '[|]|(|)|](b)|![|[a]|[^1]|[^x|*|**|_|~~|`|```\n|> |- |1. |    |\t| |\n|\n\n|:-:|<|<a |</a>|<div>|<!--|-->|<?|<![CDATA[|a="|"|\'|&|&amp;|\\|http://|https://a.b/c|www.a.b|a@b.c|mailto:a|@ada|#1|ada/engine#1|abcdef1|/|.|-|:|:smile:|- [ ] |# |===\n|---\n|a|é|[a]: /b\n|[^1]: c\n|> [!NOTE]\n|[[a|b]]|<td>|<script>|{|}|;|,|!|?|=|~|$|$$|$`|$$\n|\\frac'.split(
    '|',
  )

function madeUp(random: Random): { shape: Shape; parts: string[] } {
  const part = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(atoms)).join('') || '|'
  const parts = [part(), part(), part()] as const
  const [a, b, c] = parts
  const shape = random.pick([many(a), both(many(a), many(b)), begun(a, many(b)), begun(a, both(many(b), many(c))), numbered(a, b), longAddress(a)])
  return { shape, parts: [...parts] }
}

property('so do texts of whatever parts', soak(10, 40), (random) => {
  const { shape, parts } = madeUp(random)
  const excess = excessOf(shape)
  if (excess !== undefined) throw new Error(`${JSON.stringify(parts)}: ${excess}`)
})
