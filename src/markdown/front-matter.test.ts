import { expect, test } from 'bun:test'
import { cpuMeter } from '../../test/cpu-time.ts'
import { placeOf } from './place.ts'
import { render } from './render.ts'

const rootUrl = 'http://localhost:3000/'

function html(text: string, keepsLineBreaks = false): string {
  return render({ text, rootUrl, keepsLineBreaks, place: placeOf('gfm', { path: '', filePath: '', fallbackRef: '' }, rootUrl), known: undefined }).trim()
}

const row = (cells: string[], tag = 'td') => `<tr>${cells.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${cell}</${tag}>`).join('')}</tr>`
const table = (names: string[], values: string[]) => `<table><thead>${row(names, 'th')}</thead><tbody>${row(values)}</tbody></table>`
const list = (...values: string[]) => `<table><tbody>${row(values)}</tbody></table>`

test.each<[claim: string, text: string, html: string]>([
  [
    'a value is shown as it is written',
    '---\ntitle: A & b\ndate: 2026-01-02\nversion: 1.10\n---\n# Text',
    table(['title', 'date', 'version'], ['A &amp; b', '2026-01-02', '1.10']),
  ],
  [
    'lists and maps are tables in the table',
    '---\ntags: [a, b]\nby:\n  name: Ada\n---\n# Text',
    table(['tags', 'by'], [list('a', 'b'), table(['name'], ['Ada'])]),
  ],
  ['an empty value is an empty cell', '---\r\na:\r\n---\r\n# Text', table(['a'], [''])],
  ['dots end it, too', '---\na: 1\n...\n# Text', table(['a'], ['1'])],
  ['an alias is not followed', '---\na: &x [1]\nb: *x\n---\n# Text', table(['a', 'b'], [list('1'), '*x'])],
  ['no markup in a value comes into effect', '---\na: "<b>x</b> **y** @ada"\n---\n# Text', table(['a'], ['&lt;b&gt;x&lt;/b&gt; **y** @ada'])],
  [
    'TOML is a table',
    '+++\ntitle = "A"\ndate = 2026-01-02\nn = 7\n[by]\nname = "Ada"\n+++\n# Text',
    table(['title', 'date', 'n', 'by'], ['A', '2026-01-02', '7', table(['name'], ['Ada'])]),
  ],
  ['YAML that cannot be read is shown as its source', '---\ntitle: a: b\n---\n# Text', '<pre><code class="language-yaml">title: a: b\n</code></pre>'],
  ['TOML that cannot be read is shown as its source', '+++\ntitle = \n+++\n# Text', '<pre><code class="language-toml">title = \n</code></pre>'],
])('front matter: %s', (_, text, expected) => {
  expect(html(text)).toBe(`${expected}\n<h1 id="user-content-text">Text</h1>`)
})

test.each([
  ['prose between two rules', '---\nSome words\n---\n'],
  ['two rules', '---\n---\n'],
  ['a rule alone', '---\na: 1\n'],
  ['dashes below a text', 'a\n---\nb: 1\n---\n'],
  ['four dashes', '----\na: 1\n---\n'],
  ['front matter longer than anybody writes', `---\na: ${'b'.repeat(20_000)}\n---\n`],
])('%s is no front matter', (_, text) => {
  expect(html(text)).not.toContain('<table>')
})

test('a comment has no front matter', () => {
  expect(html('---\na: 1\n---\n', true)).toBe('<hr />\n<h2 id="user-content-a-1">a: 1</h2>')
})

const many = (part: string) => part.repeat(16_000 / part.length)

test.each([
  ['brackets', `a: ${many('[')}`],
  ['braces', `a: ${many('{a: ')}`],
  ['comments', `a: b\n${many('#\n')}`],
  ['keys', `a: b\n${many('? ')}`],
  ['wrong quotes', many("a: 'b\n")],
  ['the same key', many('a: b\n')],
])('YAML front matter of very many %s costs little', (_, text) => {
  const spent = cpuMeter()
  expect(html(`---\n${text}\n---\nText`)).toContain('Text')
  expect(spent()).toBeLessThan(3000)
})

test('TOML front matter of very many brackets costs little', () => {
  const spent = cpuMeter()
  expect(html(`+++\na = ${many('[')}\n+++\nText`)).toContain('Text')
  expect(spent()).toBeLessThan(3000)
})
