import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

let house: ReviewForge
let number: number

beforeAll(async () => {
  house = await reviewForge()
  await house.commit({ branch: 'main', path: '.gitattributes', text: '*.svg -diff\nschema/* linguist-generated\n' })
  const pull = await house.pullOf({ as: 'bob', path: 'logo.svg' })
  number = pull.number
  const more = ['schema/a.sql', 'schema/b.sql', 'Cargo.lock', 'own.c', 'plain.txt']
  for (const path of more) await house.commit({ branch: pull.branch, path, text: `${path}\n` }, 'bob')
  // What comes with the changes hides none of them.
  await house.commit({ branch: pull.branch, path: 'own.c', text: 'changed\n' }, 'bob')
  await house.commit({ branch: pull.branch, path: 'sub/.gitattributes', text: '* -diff linguist-generated\n' }, 'bob')
  await house.commit({ branch: pull.branch, path: 'sub/hidden.c', text: 'all of it\n' }, 'bob')
  await house.review(number, 'rita', 'COMMENT', { comments: [{ path: 'schema/b.sql', body: 'Hm', new_position: 1 }] })
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

/** Of each file whether it is open, and what is said of it. */
async function filesOn(query = ''): Promise<Map<string, { isOpen: boolean; text: string }>> {
  const { text } = await house.browserOf('rita').get(`/ada/engine/pulls/${number}/files${query}`)
  const parts = text.split('<details class="diff-file"').slice(1)
  return new Map(parts.map((part) => [/<h3 class="code">([^<]+)/.exec(part)?.[1] ?? '', { isOpen: /^[^>]* open/.test(part), text: part }]))
}

test('what programs make is folded, as the attributes of the base or Linguist say, unless something was said of it', async () => {
  const files = await filesOn()
  const open = [...files].flatMap(([path, { isOpen }]) => (isOpen ? path : []))
  expect(open).toEqual(['logo.svg', 'own.c', 'plain.txt', 'schema/b.sql', 'sub/.gitattributes', 'sub/hidden.c'])
  expect(files.get('Cargo.lock')?.text).toContain('<span class="mark">Generated</span>')
  expect((await filesOn('?only=Cargo.lock')).get('Cargo.lock')?.isOpen).toBe(true)
})

test('what attributes call binary has no lines, here and in the diff for programs; what comes with the change hides nothing', async () => {
  const files = await filesOn()
  expect(files.get('logo.svg')?.text).not.toContain('+one')
  expect(files.get('sub/hidden.c')?.text).toContain('all of it')
  const { text } = await house.browserOf('rita').get(`/ada/engine/pulls/${number}.diff`)
  expect(text).toContain('Binary files /dev/null and b/logo.svg differ')
  expect(text).toContain('+all of it')
})
