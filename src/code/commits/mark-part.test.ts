import { expect, test } from 'bun:test'
import { markPart } from './mark-part.ts'

test('a part of a coloured line is marked within the elements that it goes through', () => {
  const html = '<span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;x&amp;y&quot;</span>'
  expect(markPart(html, [6, 7])).toBe(html.replace(' a ', ' <mark>a</mark> '))
  expect(markPart(html, [11, 14])).toBe(html.replace('x&amp;y', '<mark>x&amp;y</mark>'))
  expect(markPart(html, [2, 11])).toBe(
    '<span class="hljs-keyword">co<mark>nst</mark></span><mark> a = </mark><span class="hljs-string"><mark>&quot;</mark>x&amp;y&quot;</span>',
  )
})

test('whatever is marked, the text stays what it was, and the marks hold just that part of it', () => {
  const words = ['if', ' ', '<', '&', '"', '😀', 'x1', '\r']
  const text = Array.from({ length: 40 }, (_, i) => words[(i * 7) % words.length]).join('')
  const html = [...text.matchAll(/.{1,3}/gsu)]
    .map(([part], i) => (i % 2 ? `<span class="a"><span class="b">${Bun.escapeHTML(part)}</span></span>` : Bun.escapeHTML(part)))
    .join('')
  const read = (marked: string) =>
    marked.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (_, name: string) => ({ lt: '<', gt: '>', amp: '&', quot: '"' })[name] ?? name)
  for (let start = 0; start < text.length; start++) {
    for (let end = start + 1; end <= text.length; end += 5) {
      const marked = markPart(html, [start, end])
      expect(read(marked)).toBe(text)
      expect([...marked.matchAll(/<mark>(.*?)<\/mark>/gs)].map(([, part = '']) => read(part)).join('')).toBe(text.slice(start, end))
    }
  }
})
