import { expect, test } from 'bun:test'
import { cpuMeter } from '../../test/cpu-time.ts'
import { placeOf } from './place.ts'
import { render } from './render.ts'

const rootUrl = 'http://localhost:3000/'

function html(text: string): string {
  return render({
    text,
    rootUrl,
    keepsLineBreaks: false,
    onPage: { within: '' },
    place: placeOf('gfm', { path: '', filePath: '', fallbackRef: '' }, rootUrl),
    known: undefined,
  })
    .trim()
    .replaceAll(' dir="auto"', '')
}

const X = '<math><mi>x</mi></math>'
const blockOf = (inside: string) => `<span class="math"><math display="block">${inside}</math></span>`
const SUM = '<mrow><mi>a</mi><mo>=</mo><mi>b</mi></mrow>'

test.each<[claim: string, text: string, html: string]>([
  ['one dollar sign on each side', 'is $x$, ($x$).', `<p>is ${X}, (${X}).</p>`],
  ['signs of emphasis inside', '$a_1*b*c_1$', expect.stringContaining('<mo>∗</mo><mi>b</mi><mo>∗</mo>')],
  ['emphasis around', '**$x$**', `<p><strong>${X}</strong></p>`],
  ['backticks inside', '$`x`$', `<p>${X}</p>`],
  ['a heading', '## $x$', `<h3 id="user-content-x">${X}</h3>`],
  ['a cell', '|$x$|\n|-|', expect.stringContaining(`<th>${X}</th>`)],
  ['the words for a picture', '![$x$](/y)', expect.stringContaining('alt="$x$"')],
  ['two dollar signs in a line', 'a $$x$$ b', `<p>a ${blockOf('<mi>x</mi>')} b</p>`],
  ['two dollar signs around lines', 'a\n$$\na\n= b\n$$\nb', `<p>a</p>\n<p>${blockOf(SUM)}</p>\n<p>b</p>`],
  ['a quotation', '> $$\n> a=b\n> $$', `<blockquote>\n<p>${blockOf(SUM)}</p>\n</blockquote>`],
  ['a block of code in math', '```math\na=b\n```', `<p>${blockOf(SUM)}</p>`],
  ['a color, as an attribute', '$\\color{red}x$', '<p><math><mrow><mi mathcolor="#ff0000">x</mi></mrow></math></p>'],
  ['a rule in the color of the text', '$\\rule{1em}{1em}$', '<p><math><mspace mathbackground="currentcolor" width="1em" height="1em"></mspace></math></p>'],
  ['text with markup', '$\\text{<b>}$', '<p><math><mtext>&lt;b&gt;</mtext></math></p>'],
  ['a wrong formula as its source', '$x_$', '<p><code>$x_$</code></p>'],
  ['a formula with a link as its source', '$\\href{javascript:x}{y}$', '<p><code>$\\href{javascript:x}{y}$</code></p>'],
  ['a wrong block as its source', '$$\n<i>_\n$$', '<p class="faint">LaTeX formula (source):</p>\n<pre><code class="language-math">&lt;i&gt;_</code></pre>'],
])('a formula is shown: %s', (_, text, expected) => expect(html(text)).toEqual(expected))

test.each(['I have $5 and $6', 'it is $5-$10, or US$20', '$HOME and $PATH', 'a$x$b', '$ x $', '$$ $$', '$$$x$$$', '$$x', '$x\n\ny$'])(
  '%j has no formula',
  (text) => {
    expect(html(text)).not.toMatch(/<math|<code/)
  },
)

test('dollar signs with a backslash or in code are text', () => {
  expect(html('\\$x$ `$x$`')).toBe('<p>$x$ <code>$x$</code></p>')
})

test('MathML that people write goes, and so does what looks like the mark of a formula', () => {
  expect(html('<math><mi>y</mi></math> <b title="\x000\x000">&#0;0&#0;</b> $x$')).toBe(`<p>y <b title="\ufffd0\ufffd0">\ufffd0\ufffd</b> ${X}</p>`)
})

test('a formula that an attribute of HTML swallows does not end the attribute', () => {
  const swallowed = html("<div title='a\n\n$\\color{red}x$\n\nb'>c</div>\n\n$x$")
  expect(swallowed).not.toContain('mathcolor')
  expect(swallowed).toMatch(/^<div title="[^"<>]*">/)
  expect(swallowed).toContain(X)
})

test('a formula that is long, deep or multiplies itself is shown as its source', () => {
  const tens = Array.from('abcdefgh', (name, i) => `\\def\\${name}{${i === 0 ? 'x' : `\\${'abcdefgh'[i - 1]}`.repeat(10)}}`).join('')
  for (const tex of [`x${'+x'.repeat(3000)}`, `${'x^{'.repeat(400)}x${'}'.repeat(400)}`, `${tens}\\h`]) expect(html(`$${tex}$`)).toStartWith('<p><code>$')
})

test('very many formulas come to no more than a page holds', () => {
  const spent = cpuMeter()
  expect(html(`$${'é'.repeat(1000)}$ `.repeat(500)).length).toBeLessThan(4_000_000)
  expect(spent()).toBeLessThan(10_000)
})
