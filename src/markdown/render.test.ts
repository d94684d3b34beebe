import { expect, test } from 'bun:test'
import { type Mode, placeOf } from './place.ts'
import { render } from './render.ts'

const rootUrl = 'http://localhost:3000/'
const REPO = `${rootUrl}ada/engine`

function html(text: string, mode: Mode = 'gfm', path = '/ada/engine/src/branch/main'): string {
  const repos = new Set(['ada/engine', 'bob/x', 'bob/x.y'])
  const known = { names: new Set(['ada']), teams: new Set(['mill/core']), commits: new Set(['0123abc', 'f'.repeat(40)]), trackers: repos, histories: repos }
  return render({ text, rootUrl, keepsLineBreaks: mode === 'comment', place: placeOf(mode, { path, filePath: '', fallbackRef: '' }, rootUrl), known }).trim()
}

const link = (href: string, text: string, kind = '') => `<a href="${href}"${kind && ` class="${kind}"`} rel="nofollow">${text}</a>`

const extensions: [name: string, text: string, html: string][] = [
  ['a heading', '## What is *it*? `x`', '<h2 id="user-content-what-is-it-x">What is <em>it</em>? <code>x</code></h2>'],
  ['the same heading again', '# A\n# a\n# a-1', '<h1 id="user-content-a">A</h1>\n<h1 id="user-content-a-1">a</h1>\n<h1 id="user-content-a-1-1">a-1</h1>'],
  ['a heading in another script', '# Überblick 日本', '<h1 id="user-content-überblick-日本">Überblick 日本</h1>'],
  ['strikethrough', '~~x~~ ~y~', '<p><del>x</del> <del>y</del></p>'],
  ['tildes that do not fit', '~a~~ c ~~~d~~~ ~/e ~/f', '<p>~a~~ c ~~~d~~~ ~/e ~/f</p>'],
  [
    'an address between signs of emphasis',
    '_http://e.org/a_b_ *www.e.org* ~http://e.org/a~',
    `<p><em>${link('http://e.org/a_b', 'http://e.org/a_b')}</em> <em>${link('http://www.e.org', 'www.e.org')}</em> <del>${link('http://e.org/a', 'http://e.org/a')}</del></p>`,
  ],
  ['an address before signs of emphasis', 'www.e.org/a_.', `<p>${link('http://www.e.org/a', 'www.e.org/a')}_.</p>`],
  ['an address', 'https://e.org/a?b=1&c.', `<p>${link('https://e.org/a?b=1&amp;c', 'https://e.org/a?b=1&amp;c')}.</p>`],
  ['an address without a scheme', 'see www.e.org/a', `<p>see ${link('http://www.e.org/a', 'www.e.org/a')}</p>`],
  ['a name with a dot', 'see e.org or a.md', '<p>see e.org or a.md</p>'],
  ['an e-mail address', 'ada@e.org', `<p>${link('mailto:ada@e.org', 'ada@e.org')}</p>`],
  ['emoji', ':+1: :nope: :)', '<p><span class="emoji" aria-label="+1">👍</span> :nope: :)</p>'],
  ['an open task', '- [ ] a', '<ul>\n<li class="task-list-item"><input type="checkbox" disabled aria-label="Incomplete task" /> a</li>\n</ul>'],
  ['a task done', '- [X] a', '<ul>\n<li class="task-list-item"><input type="checkbox" disabled checked aria-label="Completed task" /> a</li>\n</ul>'],
  ['brackets that are no task', '- [y] a', '<ul>\n<li>[y] a</li>\n</ul>'],
  ['code of a known language', '```js\nlet a\n```', '<pre><code class="language-js"><span class="hljs-keyword">let</span> a\n</code></pre>'],
  ['code of another', '```abc\na < b\n```', '<pre><code class="language-abc">a &lt; b\n</code></pre>'],
  ['a comment', 'a <!-- b --> c', '<p>a  c</p>'],
]

test.each(extensions)('%s', (_, text, expected) => expect(html(text)).toBe(expected))

test('a table keeps its alignment', () => {
  const table = html('| a | b |\n|---|:-:|\n| 1 | 2 |')
  expect(table).toContain('<th>a</th>\n<th align="center">b</th>')
  expect(table).toContain('<td>1</td>\n<td align="center">2</td>')
})

test('an alert has its kind as class and title', () => {
  expect(html('> [!WARNING]\n> Mind *this*')).toBe(
    '<blockquote class="attention-header attention-warning">\n<p class="attention-title">\n<strong class="attention-warning">Warning</strong></p><p>Mind <em>this</em></p>\n</blockquote>',
  )
  expect(html('> [!OTHER]\n> x')).toStartWith('<blockquote>\n<p>[!OTHER]')
})

test('a footnote links to its text, and that back', () => {
  const text = html('a[^x]\n\n[^x]: b')
  expect(text).toContain('<a href="#fn:user-content-1" id="fnref:user-content-1">1</a>')
  expect(text).toContain('<li id="fn:user-content-1" class="footnote-item">')
  expect(text).toContain('<a href="#fnref:user-content-1" class="footnote-backref">')
})

test('of two footnotes with one label the first counts', () => {
  const text = html('a[^x]\n\n[^x]: first\n[^x]: second')
  expect([text.includes('first'), text.includes('second')]).toEqual([true, false])
})

const references: [text: string, html: string][] = [
  ['#12', link(`${REPO}/issues/12`, '#12', 'ref-issue')],
  ['!12', link(`${REPO}/pulls/12`, '!12', 'ref-issue')],
  ['bob/x.y#3', link(`${rootUrl}bob/x.y/issues/3`, 'bob/x.y#3', 'ref-issue')],
  ['(#12)', `(${link(`${REPO}/issues/12`, '#12', 'ref-issue')})`],
  ['**#12**', `<strong>${link(`${REPO}/issues/12`, '#12', 'ref-issue')}</strong>`],
  ['@ada, @nobody', `${link(`${rootUrl}ada`, '@ada', 'mention')}, @nobody`],
  ['@Ada.', `${link(`${rootUrl}Ada`, '@Ada', 'mention')}.`],
  ['@Mill/Core @mill/other', `${link(`${rootUrl}org/Mill/teams/Core`, '@Mill/Core', 'mention')} @mill/other`],
  ['0123abc 0123abd', `${link(`${REPO}/commit/0123abc`, '<code>0123abc</code>', 'commit')} 0123abd`],
  ['f'.repeat(40), link(`${REPO}/commit/${'f'.repeat(40)}`, '<code>ffffffffff</code>', 'commit')],
  ['bob/x@0123abcdef01', link(`${rootUrl}bob/x/commit/0123abcdef01`, 'bob/x@<code>0123abcdef</code>', 'commit')],
  [`${REPO}/issues/12`, link(`${REPO}/issues/12`, '#12', 'ref-issue')],
  [`${rootUrl}bob/x/pulls/3`, link(`${rootUrl}bob/x/pulls/3`, 'bob/x!3', 'ref-issue')],
  [`${REPO}/commit/${'f'.repeat(40)}`, link(`${REPO}/commit/${'f'.repeat(40)}`, 'ffffffffff', 'commit')],
  ['carl/x#3 carl/x!3 carl/x@0123abcdef01', 'carl/x#3 carl/x!3 carl/x@0123abcdef01'],
  [`${rootUrl}carl/x/issues/3`, link(`${rootUrl}carl/x/issues/3`, `${rootUrl}carl/x/issues/3`)],
  ['\\#12 a#12 #0 #1a @ada/team @ada@e `#12`', '#12 a#12 #0 #1a @ada/team @ada@e <code>#12</code>'],
  ['[see #12](x)', link(`${REPO}/src/branch/main/x`, 'see #12')],
  ['<a href="http://e.org">#12</a>', link('http://e.org', '#12')],
]

test.each(references)('the reference %s is linked where it means something', (text, expected) => expect(html(text)).toBe(`<p>${expected}</p>`))

test('a reference to a number that its repository has not come to stays text', () => {
  const place = placeOf('gfm', { path: '/ada/engine', filePath: '', fallbackRef: '' }, rootUrl)
  const known = { names: new Set(''), teams: new Set(''), commits: new Set(''), trackers: new Set(['ada/engine', 'bob/x']), histories: new Set('') }
  const job = { text: '#2 #3 #9 bob/x#9', rootUrl, keepsLineBreaks: false, place, known: { ...known, absent: { 'ada/engine': 3 } } }
  expect(render(job)).toBe(`<p>${link(`${REPO}/issues/2`, '#2', 'ref-issue')} #3 #9 ${link(`${rootUrl}bob/x/issues/9`, 'bob/x#9', 'ref-issue')}</p>\n`)
})

test('a plain document has no references', () => {
  const place = placeOf('markdown', { path: '', filePath: '', fallbackRef: '' }, rootUrl)
  expect(render({ text: '#12 @ada', rootUrl, keepsLineBreaks: false, place, known: undefined })).toBe('<p>#12 @ada</p>\n')
})

test('line breaks stay in comments only', () => {
  expect([html('a\nb', 'comment'), html('a\nb')]).toEqual(['<p>a<br />\nb</p>', '<p>a\nb</p>'])
})

test('each block of a text on a page has the direction of its own letters', () => {
  const place = placeOf('comment', { path: '/ada/engine', filePath: '', fallbackRef: '' }, rootUrl)
  const text = 'مرحبا\n\n# Title\n\n- one\n\n<p dir="ltr">\n\n> said\n'
  const rendered = render({ text, rootUrl, keepsLineBreaks: true, onPage: { within: '' }, place, known: undefined })
  const tags = [...rendered.matchAll(/<(p|h2|ul|blockquote)\b[^>]*>/g)].map(([tag]) => tag.replace(/ id="[^"]*"/, ''))
  expect(tags).toEqual(['<p dir="auto">', '<h2 dir="auto">', '<ul dir="auto">', '<p dir="ltr">', '<blockquote dir="auto">', '<p dir="auto">'])
})

test('wiki pages are linked in double brackets', () => {
  expect(html('[[The Page]] [[so|Other]]', 'wiki')).toBe(`<p>${link(`${REPO}/wiki/The-Page`, 'The Page')} ${link(`${REPO}/wiki/Other`, 'so')}</p>`)
  expect(html('[[images/a.png]]', 'wiki')).toContain(`<img src="${REPO}/wiki/raw/images/a.png" alt="images/a.png" />`)
  expect(html('[[Page]]')).toBe('<p>[[Page]]</p>')
})

test('HTML that GitHub lets through stays as it is', () => {
  const kept = [
    '<details open><summary>a</summary>b</details>',
    '<kbd>Ctrl</kbd>',
    'H<sub>2</sub>O<sup>2</sup>',
    '<div align="center">x</div>',
    '<img src="http://e.org/a.png" width="10" height="20" align="right" alt="a" />',
    '<picture><source media="(prefers-color-scheme: dark)" srcset="http://e.org/d.png 2x" /><img src="http://e.org/l.png" /></picture>',
    '<table><tr><td colspan="2" align="left">a</td></tr></table>',
    '<ruby>a<rt>b</rt></ruby>',
    '<dl><dt>a</dt><dd>b</dd></dl>',
    '<a href="http://e.org" title="t" rel="nofollow">x</a>',
  ]
  expect(kept.map((one) => html(`<p>\n\n${one}`).includes(one))).toEqual(kept.map(() => true))
})

test('ids and names of a text cannot be those of the page', () => {
  expect(html('<p id="login">x</p>')).toBe('<p id="user-content-login">x</p>')
  expect(html('<a name="top"></a>[x](#top)')).toBe('<p><a name="user-content-top"></a><a href="#user-content-top">x</a></p>')
})

test.each(['#1 ', '@ada '])('as many links as are made of %j count as pieces of the text', (part) => {
  let refusal: unknown
  try {
    html(part.repeat(70_000))
  } catch (error) {
    refusal = error
  }
  expect(String(refusal)).toContain('words, table cells, links and symbols')
})
