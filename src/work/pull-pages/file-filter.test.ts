import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TestBrowser } from '../../../test/browser.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

let house: ReviewForge
let address: string
let his: TestBrowser

beforeAll(async () => {
  house = await reviewForge()
  his = house.browserOf('bob')
  const pull = await house.pullOf({ as: 'bob', path: 'src/one.ts' })
  for (const path of ['src/two.ts', 'docs/Guide.md', 'Makefile']) await house.commit({ branch: pull.branch, path, text: `${path}\n` }, 'bob')
  await house.review(pull.number, 'rita', 'COMMENT', { comments: [{ path: 'src/two.ts', body: 'Hm', new_position: 1 }] })
  address = `/ada/engine/pulls/${pull.number}/files`
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

/** Files that are shown with their lines, and those that are listed. */
async function shown(query: string): Promise<{ files: string[]; listed: string[]; text: string }> {
  const { text } = await his.get(address + query)
  const files = [...text.matchAll(/<h3 class="code">([^<]+)<\/h3>/g)].map(([, path = '']) => path)
  const [, list = ''] = /<ol class="changed-files">(.*?)<\/ol>/s.exec(text) ?? []
  return { files, listed: [...list.matchAll(/<a [^>]+>([^<]+)<\/a>/g)].map(([, path = '']) => path), text }
}

test.each<[string, string, string[]]>([
  ['all of them', '', ['Makefile', 'docs/Guide.md', 'src/one.ts', 'src/two.ts']],
  ['by words of their path, whatever the case', '?find=guide', ['docs/Guide.md']],
  ['by a directory', '?find=src/', ['src/one.ts', 'src/two.ts']],
  ['by their ending', '?ext=.ts', ['src/one.ts', 'src/two.ts']],
  ['without an ending', '?ext=none', ['Makefile']],
  ['with comments', '?commented=1', ['src/two.ts']],
  ['by several of it', '?ext=.ts&find=one', ['src/one.ts']],
  ['by what none has', '?find=nowhere', []],
])('files are shown %s', async (_, query, expected) => {
  const { files, listed, text } = await shown(query)
  expect([files, listed]).toEqual([expected, expected])
  expect(text.includes('No files match the filter')).toBe(expected.length === 0)
})

test('files that were viewed are left out when that is asked for, and the list tells how much was said', async () => {
  const { text } = await shown('')
  expect(text).toMatch(/src\/two\.ts<\/a> <span class="counts">.*?<span class="faint"> 1 comment<\/span>/)
  const [, side = ''] = /name="path" value="Makefile">.*?name="new_side" value="([^"]+)"/.exec(text) ?? []
  await his.post(address.replace('/files', '/viewed'), { path: 'Makefile', old_side: '', new_side: side, viewed: 'true' })
  expect((await shown('?unviewed=1')).files).toEqual(['docs/Guide.md', 'src/one.ts', 'src/two.ts'])
  expect((await shown('')).files).toHaveLength(4)
})

test('a filter stays while lines are asked for otherwise', async () => {
  const { text } = await shown('?ext=.ts')
  expect(text).toContain(`href="${address}?ext=.ts&amp;style=split"`)
  expect((await shown('?ext=.ts&style=split')).text).toContain('<input type="hidden" name="style" value="split">')
})
