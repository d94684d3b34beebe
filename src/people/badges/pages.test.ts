import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const AT = '/-/admin/badges'
const forge = testForge()
let root: Person
let hers: TestBrowser

beforeAll(async () => {
  root = await forge.person('root1', { isAdmin: true })
  await forge.person('ada')
  hers = new TestBrowser(forge, root)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a badge is made, given, taken away and deleted', async () => {
  expect((await hers.post(AT, { slug: 'founder', description: ATTACK, image_url: '' })).status).toBe(303)
  const held = async () => (await forge.asUser(root).get<{ slug: string }[]>('/admin/users/ada/badges')).body.map(({ slug }) => slug)
  expect((await hers.post(`${AT}/founder/give`, { name: ' ada ' })).status).toBe(303)
  expect(await held()).toEqual(['founder'])
  for (const path of [AT, `${AT}/founder`]) {
    const { status, text } = await hers.get(path)
    expect([path, status, /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(text), text.match(/<h1[ >]/g)?.length]).toEqual([
      path,
      200,
      false,
      1,
    ])
  }
  expect((await hers.get(`${AT}/founder`)).text).toContain('aria-label="Remove badge: ada"')
  await hers.post(`${AT}/founder/take`, { name: 'ada' })
  expect(await held()).toEqual([])
  await hers.post(`${AT}/founder/delete`)
  expect((await hers.get(`${AT}/founder`)).status).toBe(404)
})

test('what was typed survives a refusal', async () => {
  const refused = await hers.post(AT, { slug: 'No Slug', description: 'Typed', image_url: '' })
  expect([refused.status, refused.text.includes('value="No Slug"'), refused.text.includes('value="Typed"')]).toEqual([422, true, true])
  await hers.post(AT, { slug: 'x', description: '', image_url: '' })
  const nobody = await hers.post(`${AT}/x/give`, { name: 'nobody' })
  expect([nobody.status, nobody.text.includes('value="nobody"')]).toEqual([404, true])
})

test('others and other sites change nothing', async () => {
  const his = new TestBrowser(forge, await forge.person('bob'))
  for (const path of [AT, `${AT}/x/give`, `${AT}/x/take`, `${AT}/x/delete`]) {
    const form = { slug: 'y', description: '', image_url: '', name: 'ada' }
    expect((await his.post(path, form)).status).toBe(403)
    expect((await hers.post(path, form, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  }
  expect([(await his.get(AT)).status, (await his.get(`${AT}/x`)).status]).toEqual([403, 403])
})

test('of very many badges a page shows some, and leads to the next', async () => {
  forge.context.db.tx((tx) => {
    for (let n = 0; n < 60; n++) tx.insert('badge', { slug: `many-${100 + n}`, description: '', image_url: '' })
  })
  const first = (await hers.get(AT)).text
  expect([first.match(/aria-label="Delete: /g)?.length, first.includes('many-159'), first.includes('rel="next"')]).toEqual([50, false, true])
  expect((await hers.get(`${AT}?page=2`)).text).toContain('many-159')
})
