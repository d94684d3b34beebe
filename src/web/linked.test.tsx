import { expect, test } from 'bun:test'
import { Linked } from './linked.tsx'

const link = (href: string) => `<a href="${href}" rel="nofollow noopener">${href}</a>`

test.each([
  ['An engine', 'An engine'],
  ['See https://a.example/b.', `See ${link('https://a.example/b')}.`],
  ['(http://a.example/), https://b.example/x_(y)!', `(${link('http://a.example/')}), ${link('https://b.example/x_(y)')}!`],
  ['javascript:alert(1) <b> data:text/html,x', 'javascript:alert(1) &lt;b&gt; data:text/html,x'],
  ['https://a.example/"><script>', `${link('https://a.example/')}&quot;&gt;&lt;script&gt;`],
  ['https://[', 'https://['],
])('%j reads %j', (text, html) => {
  expect((<Linked text={text} />).text).toBe(html)
})

test('a text of nothing but brackets is read in no time', () => {
  const text = `https://a.example/${')'.repeat(2000)}${'.'.repeat(2000)}`
  expect((<Linked text={text} />).text).toContain('https://a.example/</a>')
})
