import { describe, expect, test } from 'bun:test'
import { isReserved, nameInAddress, nameOfPath, nameOfTitle, pathOfName, pathsOfName, titleOf } from './page-names.ts'

/** As Gitea names pages: title, name in addresses, file. */
const pages: [title: string, name: string, path: string][] = [
  ['Home', 'Home', 'Home.md'],
  ['Home Page', 'Home-Page', 'Home-Page.md'],
  ['wiki-name', 'wiki-name.-', 'wiki-name.-.md'],
  ['the wiki-name', 'the+wiki-name.-', 'the wiki-name.-.md'],
  ['2000-01-02 meeting', '2000-01-02+meeting.-', '2000-01-02 meeting.-.md'],
  ['title.md', 'title.md.-', 'title.md.-.md'],
  ['100% Free', '100%25-Free', '100%25-Free.md'],
  ['a+b', 'a%2Bb', 'a%2Bb.md'],
  ['a/b', 'a%2Fb', 'a%2Fb.md'],
  ['../secret', '..%2Fsecret', '..%2Fsecret.md'],
  ['What? (really!)', 'What%3F-%28really%21%29', 'What%3F-%28really%21%29.md'],
  ['Grüße', 'Gr%C3%BC%C3%9Fe', 'Gr%C3%BC%C3%9Fe.md'],
  ['_Sidebar', '_Sidebar', '_Sidebar.md'],
  ['.git', '.git', '.git.md'],
]

test.each(pages)('the page %p is %p in addresses and lies in %p', (title, name, path) => {
  expect([nameOfTitle(title), pathOfName(name), nameOfPath(path), titleOf(name)]).toEqual([name, path, name, title])
})

test('a title that names nothing gets a name', () => {
  for (const title of ['', ' ', '.', '..']) expect(nameOfTitle(title)).toBe('unnamed')
})

describe('an address', () => {
  test('may be escaped in more ways than ours', () => {
    for (const raw of ['Home-Page', 'Home%20Page', 'Home+Page']) expect(pathsOfName(nameInAddress(raw))).toContain('Home-Page.md')
  })

  test('with a slash names the page whose title has one, or the file in a directory', () => {
    expect(pathsOfName(nameInAddress('a/b'))).toEqual(['a%2Fb.md', 'a/b.md'])
  })

  test('leads nowhere outside of the wiki', () => {
    expect(nameInAddress('../../x')).toBe('x')
    expect(pathOfName('..%2F..%2Fx.md')).toBe('x.md')
  })

  test('that ends with .md names the file itself', () => {
    expect(pathOfName('Home%20Page.md')).toBe('Home Page.md')
  })
})

test('a file that is no page has no name', () => {
  for (const path of ['image.png', 'README', '%zz.md']) expect(nameOfPath(path)).toBeUndefined()
})

test('what addresses have in these places is reserved, however it is written', () => {
  for (const name of ['_pages', '_new', '_edit', 'raw', '%72aw']) expect(isReserved(name)).toBe(true)
  for (const name of ['_Sidebar', 'pages', 'rawer']) expect(isReserved(name)).toBe(false)
})
