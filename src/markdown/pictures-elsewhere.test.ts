import { expect, test } from 'bun:test'
import { TestBrowser } from '../../test/browser.ts'
import { testForge } from '../../test/harness.ts'
import { linkPicturesElsewhere } from './pictures-elsewhere.ts'

const ROOT = 'http://localhost/'
const there = 'https://example.org/a.png'

test.each([
  ['a picture of ours', `<p><img src="${ROOT}ada/a.png" alt="x" /></p>`, undefined],
  ['one without an address', '<img alt="x" />', undefined],
  ['one from elsewhere', `<img src="${there}" alt="A &amp; B" />`, `<a href="${there}" rel="nofollow noreferrer">A &amp; B</a>`],
  ['one that says nothing', `<img src="${there}" />`, `<a href="${there}" rel="nofollow noreferrer">image at example.org</a>`],
  [
    'one whose words look like an address',
    `<img alt="src=&quot;${ROOT}&quot;" src="${there}" />`,
    `<a href="${there}" rel="nofollow noreferrer">src=&quot;${ROOT}&quot;</a>`,
  ],
  [
    'a server whose name begins as ours',
    '<img src="http://localhost.example/a" />',
    '<a href="http://localhost.example/a" rel="nofollow noreferrer">image at localhost.example</a>',
  ],
  ['a badge', `<a href="https://ci.example/"><img src="${there}" alt="passing" /></a>`, '<a href="https://ci.example/">passing</a>'],
  ['one after a link', `<a href="x">y</a> <img src="${there}" alt="z" />`, `<a href="x">y</a> <a href="${there}" rel="nofollow noreferrer">z</a>`],
  ['choices', `<picture><source srcset="${there} 2x" /><img src="${ROOT}a" /></picture>`, `<picture><img src="${ROOT}a" /></picture>`],
  ['choices of ours', `<picture><source srcset="${ROOT}b 2x, ${ROOT}c" /><img src="${ROOT}a" /></picture>`, undefined],
])('%s', (_, html, expected) => {
  expect(linkPicturesElsewhere(html, ROOT)).toBe(expected ?? html)
})

test('no text brings a page to ask another server for anything, and the API answers pictures as they were written', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  const text = `![shown](${there}) [![badge](${there})](https://ci.example/) <img src="${there}">`
  await forge.asUser(ada).post('/repos/ada/engine/issues', { title: 'Pictures', body: text })
  const page = (await new TestBrowser(forge).get('/ada/engine/issues/1')).text
  expect(page).toContain(`<a href="${there}" rel="nofollow noreferrer">shown</a>`)
  const asked = [...page.matchAll(/<(?:img|source)\b[^>]*\s(?:src|srcset)="([^"]*)"/g)].map(([, address = '']) => new URL(address, ROOT).host)
  expect([...new Set(asked)]).toEqual(['localhost'])
  const rendered = await forge.asUser(ada).post<string>('/markdown', { Text: text, Mode: 'gfm', Context: 'ada/engine' })
  expect(rendered.body).toContain(`<img src="${there}" alt="shown" />`)
})
