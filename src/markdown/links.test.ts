import { expect, test } from 'bun:test'
import { linkSchemes, mediaSchemes, resolveLink } from './links.ts'
import { type Mode, placeOf } from './place.ts'

const rootUrl = 'http://forge.local/git/'
const BRANCH = '/ada/engine/src/branch/feature/x'

const links: [mode: Mode, path: string, filePath: string, link: string, resolved: string | undefined][] = [
  ['markdown', '', '', 'a.md', 'a.md'],
  ['markdown', 'ada/engine', '', 'a.md', 'ada/engine/a.md'],
  ['comment', 'ada/engine', '', 'a.md', 'ada/engine/a.md'],
  ['comment', '/git/ada/engine', '', 'a.md', 'ada/engine/a.md'],
  ['comment', 'http://forge.local/git/ada/engine', '', 'issues/1', 'ada/engine/issues/1'],
  ['wiki', 'ada/engine', '', 'Page', 'ada/engine/wiki/Page'],
  ['gfm', BRANCH, '', 'a.md', 'ada/engine/src/branch/feature/x/a.md'],
  ['file', `${BRANCH}/doc`, 'doc/b.md', 'a.md', 'ada/engine/src/branch/feature/x/doc/a.md'],
  ['file', `${BRANCH}/doc`, 'doc/b.md', '/a.md', 'ada/engine/src/branch/feature/x/a.md'],
  ['file', `${BRANCH}/doc`, 'doc/b.md', '../a.md#l', 'ada/engine/src/branch/feature/x/a.md#l'],
  ['file', BRANCH, 'b.md', '/git/ada/engine/src/branch/feature/x/a.md', 'ada/engine/src/branch/feature/x/a.md'],
  ['file', BRANCH, 'b.md', '?plain=1', 'ada/engine/src/branch/feature/x/?plain=1'],
  ['gfm', '/ada/engine/src/tag/v1', '', 'a b.md', 'ada/engine/src/tag/v1/a%20b.md'],
  ['gfm', 'ada/engine', '', 'a.md', 'ada/engine/src/branch/main/a.md'],
  ['gfm', '/ada/en"g/src/branch/<m>', '', 'a.md', 'ada/en%22g/src/branch/%3Cm%3E/a.md'],
  ['gfm', '/../../ada', '', 'a.md', 'a.md'],
  ['gfm', BRANCH, '', '//e.org/a', undefined],
  ['gfm', BRANCH, '', '\\\\e.org/a', undefined],
]

test.each(links)('in mode %s at %s, file %p, the link %s goes to %s', (mode, path, filePath, link, resolved) => {
  const { links } = placeOf(mode, { path, filePath, fallbackRef: 'branch/main' }, rootUrl)
  expect(resolveLink(link, links, linkSchemes)).toBe(resolved === undefined ? undefined : rootUrl + resolved)
})

test('pictures of a file come from media/', () => {
  const { media } = placeOf('file', { path: `${BRANCH}/doc`, filePath: 'doc/b.md', fallbackRef: '' }, rootUrl)
  expect(resolveLink('a.png', media, mediaSchemes)).toBe(`${rootUrl}ada/engine/media/branch/feature/x/doc/a.png`)
})

const { links: anywhere } = placeOf('markdown', { path: '', filePath: '', fallbackRef: '' }, rootUrl)

test.each(['https://e.org/a', 'mailto:a@e.org', 'tel:+1', 'HTTP://e.org', '#user-content-a', '#fn:user-content-1'])('%s stays', (link) => {
  expect(resolveLink(link, anywhere, linkSchemes)).toBe(link)
})

test.each(['javascript:1', 'JAVA\tSCRIPT:1', 'data:text/html,x', '\u200bvbscript:1', 'file:///etc/passwd', 'unknown:x', 'http:'])('%p goes nowhere', (link) => {
  expect(resolveLink(link, anywhere, linkSchemes)).toBeUndefined()
})
