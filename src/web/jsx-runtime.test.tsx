import { expect, test } from 'bun:test'
import { raw } from './html.ts'
import { jsx } from './jsx-runtime.ts'
import { safeReturn } from './visit.ts'

const ATTACK = `"><script>alert('1')</script>&`

test('what is put between tags or into attributes is escaped; what is vouched for is not, and is not escaped twice', () => {
  const inner = <b title={ATTACK}>{ATTACK}</b>
  expect((<p>{inner}</p>).text).toBe(
    '<p><b title="&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;</b></p>',
  )
  expect((<p>{raw('<i>x</i>')}</p>).text).toBe('<p><i>x</i></p>')
})

test('what is absent or false shows nothing, zero shows', () => {
  expect((<p hidden={false}>{[null, undefined, false, true, 0, ['a', 'b']]}</p>).text).toBe('<p>0ab</p>')
})

test('addresses that would run something are left out', () => {
  for (const href of ['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x', '\tjavascript:x'])
    expect((<a href={href}>x</a>).text).toBe('<a>x</a>')
  for (const href of ['/a', '#a', '?a', 'https://example.org/', 'mailto:a@example.org']) expect((<a href={href}>x</a>).text).toContain(`href="${href}"`)
})

test('styles and scripts in attributes, and names that are none, cannot be written', () => {
  for (const name of ['onclick', 'style', 'a b', 'x=y']) expect(() => jsx('p', { [name]: 'x' })).toThrow('Cannot write')
})

test('an address to return to is a path of ours', () => {
  expect(safeReturn('/a/b?c=d#e')).toBe('/a/b?c=d#e')
  for (const path of [undefined, '', 'a', '//x', '/\\x', '/.//x', '/a/..//x', 'http://x/']) expect(safeReturn(path)).toBe('/')
})
