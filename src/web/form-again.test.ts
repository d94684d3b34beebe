import { expect, test } from 'bun:test'
import { rememberSent } from '#kernel/sent-form.ts'
import { fillInAgain, sentInVain } from './form-again.ts'

const sent = (fields: Record<string, string | string[]>) => new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat()]))
const form = (inner: string, action = '/save') => `<form method="post" action="${action}">${inner}</form>`

test.each([
  ['<input name="a" value="old">', { a: `new&amp;<"'>` }, `<input name="a" value="new&amp;amp;&lt;&quot;&#x27;&gt;">`],
  ['<textarea name="a">\nold</textarea>', { a: '\n</textarea><b>&lt;' }, '<textarea name="a">\n\n&lt;/textarea&gt;&lt;b&gt;&amp;lt;</textarea>'],
  [
    '<input type="checkbox" name="a" value="1" checked><input type="checkbox" name="a" value="2">',
    { a: '2' },
    '<input type="checkbox" name="a" value="1"><input type="checkbox" name="a" value="2" checked="">',
  ],
  ['<input type="checkbox" name="a" value="1" checked>', {}, '<input type="checkbox" name="a" value="1">'],
  [
    '<select name="a"><option value="x&amp;" selected>X</option><option value="y">Y</option></select>',
    { a: 'y' },
    '<select name="a"><option value="x&amp;">X</option><option value="y" selected="">Y</option></select>',
  ],
  ['<input type="password" name="a">', { a: 'secret' }, '<input type="password" name="a">'],
  ['<input type="hidden" name="a" value="ours">', { a: 'theirs' }, '<input type="hidden" name="a" value="ours">'],
  ['<input name="a" autocomplete="one-time-code">', { a: '123456' }, '<input name="a" autocomplete="one-time-code">'],
])('%s is filled in with %p', (inner, fields, filled) => {
  expect(fillInAgain(form(inner), '/save', sent(fields as Record<string, string>))).toBe(form(filled))
})

test('of several forms to one address the one that was sent is filled in, and says why', () => {
  const row = (name: string, value = '') => `<input type="hidden" name="who" value="${name}"><input name="level" value="${value}">`
  const page = form(row('ada')) + form(row('bob')) + form(row('bob'), '/other')
  const filled = fillInAgain(page, '/save', sent({ who: 'bob', level: 'high' }), 'No <such> level')
  expect(filled).toBe(form(row('ada')) + form(`<p class="error" role="alert">No &lt;such&gt; level</p>${row('bob', 'high')}`) + form(row('bob'), '/other'))
})

test('a page without the form stays what it is', () => {
  expect(fillInAgain(form('<input name="a">', '/other'), '/save', sent({ a: 'x' }))).toBeUndefined()
})

test('only what can be mended is given back', async () => {
  const request = new Request('http://localhost/', { method: 'POST' })
  rememberSent(request, () => sent({ a: 'x' }))
  expect(await sentInVain(request, 422)).toEqual(sent({ a: 'x' }))
  for (const status of [200, 303, 401, 403, 404, 429, 500]) expect(await sentInVain(request, status)).toBeUndefined()
  rememberSent(request, () => Promise.reject(new Error('no form')))
  expect(await sentInVain(request, 422)).toBeUndefined()
})
