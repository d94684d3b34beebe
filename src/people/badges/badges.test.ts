import { afterAll, beforeEach, expect, test } from 'bun:test'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { addBadge, removeBadge } from './change-badges.ts'

let forge: TestForge
let ada: Person
let root: Person
beforeEach(async () => {
  await forge?.[Symbol.asyncDispose]()
  forge = testForge()
  ada = await forge.person('ada')
  root = await forge.person('root1', { isAdmin: true })
  await forge.asUser(ada).post('/orgs', { username: 'acme' })
  for (const slug of ['zeal', 'care']) addBadge(forge.context, { slug, description: `For ${slug}`, image_url: `https://pictures.example/${slug}.png` })
})
afterAll(() => forge?.[Symbol.asyncDispose]())

const path = '/admin/users/ada/badges'
const give = (...slugs: string[]) => forge.asUser(root).post(path, { badge_slugs: slugs })
const take = (...slugs: string[]) => forge.asUser(root).delete(path, { badge_slugs: slugs })
const slugs = async () => (await forge.asUser(root).get<{ slug: string }[]>(path)).body.map(({ slug }) => slug)

test('a badge is given, shown with all it has, and taken', async () => {
  expect((await give('care')).status).toBe(204)
  const { status, body, headers } = await forge.asUser(root).get<unknown>(path)
  expect([status, headers.get('x-total-count')]).toEqual([200, '1'])
  expect(body).toEqual([{ id: 2, slug: 'care', description: 'For care', image_url: 'https://pictures.example/care.png' }])
  expect((await take('care')).status).toBe(204)
  expect(await slugs()).toEqual([])
})

test('giving again and taking what is not there are no mistakes', async () => {
  expect((await give('care', 'zeal', 'care')).status).toBe(204)
  expect((await give('zeal')).status).toBe(204)
  expect(await slugs()).toEqual(['zeal', 'care'])
  expect((await take('missing', 'zeal', 'zeal')).status).toBe(204)
  expect(await slugs()).toEqual(['care'])
  expect([(await give()).status, (await forge.asUser(root).post(path, {})).status]).toEqual([204, 204])
})

test('a badge that does not exist is not given, nor any beside it', async () => {
  const { status, body } = await give('care', 'missing')
  expect([status, body.message]).toEqual([422, 'badge does not exist [slug: missing]'])
  expect(await slugs()).toEqual([])
})

test.each([['care'], { badge_slugs: 'care' }, { badge_slugs: [7] }, { badge_slugs: Array(101).fill('care') }, { badge_slugs: ['x'.repeat(65)] }])(
  'a body like %j is refused',
  async (body) => {
    for (const method of ['POST', 'DELETE']) expect((await forge.asUser(root).send(`${method} ${path}`, { body })).status).toBe(422)
  },
)

test.each(['GET', 'POST', 'DELETE'])('%s is for site administrators, on people', async (method) => {
  const body = method === 'GET' ? undefined : { badge_slugs: ['care'] }
  const asked = async (as: Person | string | undefined, name = 'ada') => (await forge.asUser(as).send(`${method} /admin/users/${name}/badges`, { body })).status
  expect([await asked(undefined), await asked(ada), await asked(ada, 'missing'), await asked(forge.token(root, 'write:user'))]).toEqual([401, 403, 403, 403])
  expect([await asked(root, 'missing'), await asked(root, 'acme')]).toEqual([404, 422])
  expect(await asked(forge.token(root, 'write:admin'))).toBe(method === 'GET' ? 200 : 204)
})

test('a list comes in pages', async () => {
  await give('care', 'zeal')
  const { body, headers } = await forge.asUser(root).get<{ slug: string }[]>(`${path}?limit=1&page=2`)
  expect([body.map(({ slug }) => slug), headers.get('x-total-count')]).toEqual([['care'], '2'])
})

test('who has a badge loses it with the badge, and the badge nothing with its bearer', async () => {
  const { db } = forge.context
  await give('care', 'zeal')
  removeBadge(forge.context, 'zeal')
  expect(await slugs()).toEqual(['care'])
  await forge.asUser(root).delete('/admin/users/ada?purge=true')
  expect([db.all('SELECT * FROM user_badge'), db.all('SELECT slug FROM badge')]).toEqual([[], [{ slug: 'care' }]])
})

test.each([
  ['Care', ''],
  ['', ''],
  ['-x', ''],
  ['a b', ''],
  ['x'.repeat(65), ''],
  ['x', 'javascript:alert(1)'],
  ['x', 'https://a b'],
])('no badge is made of slug %j and picture %j', (slug, image_url) => {
  expect(() => addBadge(forge.context, { slug, description: '', image_url })).toThrow(/^Invalid (slug|image URL) /)
})

test('a slug is used once', () => {
  expect(() => addBadge(forge.context, { slug: 'care', description: '', image_url: '' })).toThrow('badge already exists [slug: care]')
})
