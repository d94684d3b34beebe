import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rememberSent } from '#kernel/bodies/sent-form.ts'
import { type TestForge, testForge } from '../../test/harness.ts'
import { fillInAgain, sentInVain } from './form-again.ts'
import { addTyped } from './typed.tsx'

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

test('what was typed is not looked for where the page itself says it, as beside what can be taken away from a list', () => {
  const item = form('<input type="hidden" name="other" value="ada/engine#1">')
  const filled = fillInAgain(item + form('<input name="other">'), '/save', sent({ other: '#2', action: 'add' }))
  expect(filled).toBe(item + form('<input name="other" value="#2">'))
})

test('a page without the form stays what it is', () => {
  expect(fillInAgain(form('<input name="a">', '/other'), '/save', sent({ a: 'x' }))).toBeUndefined()
})

describe('what was filled in', () => {
  let forge: TestForge
  beforeAll(() => {
    forge = testForge()
  })
  afterAll(() => forge[Symbol.asyncDispose]())

  const words = { body: 'Two words', other: '1' }
  const posted = (body: FormData | URLSearchParams | string, headers: Record<string, string> = { Origin: 'http://localhost' }) =>
    new Request('http://localhost/', { method: 'POST', body, headers })

  test('is given back whatever refused the form, and not when it was taken', async () => {
    const request = posted('')
    rememberSent(request, () => sent({ a: 'x' }))
    for (const status of [400, 401, 403, 404, 409, 413, 422, 429, 500, 503]) expect(await sentInVain(forge.context, request, status)).toEqual(sent({ a: 'x' }))
    for (const status of [200, 303]) expect(await sentInVain(forge.context, request, status)).toBeUndefined()
    rememberSent(request, () => Promise.reject(new Error('no form')))
    expect(await sentInVain(forge.context, request, 422)).toBeUndefined()
  })

  test('is read where nobody had read it: in either form, up to a limit, files left out, and never what another site sent', async () => {
    expect(await sentInVain(forge.context, posted(new URLSearchParams(words)), 404)).toEqual(sent(words))
    const parts = new FormData()
    parts.append('body', words.body)
    parts.append('attachment', new File(['x'.repeat(3_000_000)], 'a.bin'))
    parts.append('other', 'behind what is read')
    expect(await sentInVain(forge.context, posted(parts), 403)).toEqual(sent({ body: words.body }))
    const long = await sentInVain(forge.context, posted(new URLSearchParams({ body: 'y'.repeat(3_000_000) })), 404)
    expect(long?.get('body')?.[0]?.length).toBe(1_048_576 - 'body='.length)
    for (const headers of [{}, { Origin: 'http://evil.example' }, { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://localhost' }])
      expect(await sentInVain(forge.context, posted(new URLSearchParams(words), headers as Record<string, string>), 404)).toBeUndefined()
    expect(await sentInVain(forge.context, posted('{"a":1}', { Origin: 'http://localhost', 'Content-Type': 'application/json' }), 404)).toBeUndefined()
  })
})

test('what no field of a page holds is added to it as text, and nothing that is secret, a machine wrote, or is there already', () => {
  const page = addTyped(
    '<main><textarea name="a">\nhere\n</textarea><input name="b" value="one"></main>',
    sent({ a: 'here\r\n', b: ['one', '<b>'], token: 'x', sha: 'a'.repeat(40), action: 'go' }),
  )
  expect(page).toContain('&lt;b&gt;</textarea>')
  expect(page.match(/<textarea/g)?.length).toBe(2)
})

test.each([
  ['body', 'Text'],
  ['new_branch_name', 'New branch name'],
  ['form-field-steps-taken', 'Steps taken'],
  ['toString', 'ToString'],
])('a text of the field %s stands beneath “%s”', (name, label) => {
  expect(addTyped('<main></main>', sent({ [name]: 'two words' }))).toContain(`<label>${label}<textarea`)
})
