import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const places = ['/user/settings/avatar', '/org/acme/settings/avatar', '/ada/engine/settings/avatar']
const forge = testForge({ picture: { AVATAR_MAX_FILE_SIZE: 2000 } })
let ada: Person
let hers: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.asUser(ada).post('/orgs', { username: 'acme' })
  forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

const file = (bytes: Uint8Array) => [new File([bytes as Uint8Array<ArrayBuffer>], 'me.gif', { type: 'image/gif' })]

test.each(places)('at %s a picture is chosen, shown, and taken away', async (at) => {
  expect((await hers.get(at)).text).not.toContain(`${at}/delete`)
  const chosen = await hers.post(at, {}, file(gif))
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, at])
  const { text } = await hers.get(at)
  const [, address = ''] = /<img src="([^"]+\.gif)"/.exec(text) ?? []
  expect((await hers.get(address)).headers.get('content-type')).toBe('image/gif')
  expect((await hers.post(`${at}/delete`)).status).toBe(303)
  expect((await hers.get(address)).status).toBe(404)
})

test.each(places)('at %s what is no picture, too large, or absent is refused with a word about it', async (at) => {
  expect((await hers.post(at, {}, file(Buffer.from('<svg onload=alert(1)>')))).status).toBe(422)
  expect((await hers.post(at, {}, file(Buffer.concat([gif, Buffer.alloc(3000)])))).status).toBe(413)
  const none = await hers.post(at, {}, [])
  expect([none.status, none.text.includes('role="alert"')]).toEqual([400, true])
  expect((await hers.post(at, {}, file(gif), { Origin: 'https://evil.example' })).status).toBe(403)
})

test('nobody chooses a picture for others', async () => {
  const his = new TestBrowser(forge, await forge.person('bob'))
  for (const at of places.slice(1)) expect([(await his.get(at)).status, (await his.post(at, {}, file(gif))).status]).toEqual([403, 403])
})
