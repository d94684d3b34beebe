import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const AT = '/ada/engine/settings/topics'
const forge = testForge()
let ada: Person
let hers: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('topics are what was typed, in whatever way they were told apart, and what is none is said with all that was typed', async () => {
  expect((await hers.post(AT, { topics: ' steam, Brass\tcogs  steam' })).status).toBe(303)
  expect((await forge.get<{ topics: string[] }>('/repos/ada/engine/topics')).body.topics).toEqual(['brass', 'cogs', 'steam'])
  expect((await hers.get(AT)).text).toContain('value="brass cogs steam"')
  const refused = await hers.post(AT, { topics: 'good <script>' })
  expect([refused.status, refused.text.includes('value="good &lt;script&gt;"')]).toEqual([422, true])
  expect((await hers.post(AT, { topics: 'x' }, undefined, { Origin: 'null' })).status).toBe(403)
  expect((await new TestBrowser(forge, await forge.person('bob')).post(AT, { topics: 'x' })).status).toBe(403)
  await hers.post(AT, { topics: '' })
  expect((await forge.get<{ topics: string[] }>('/repos/ada/engine/topics')).body.topics).toEqual([])
})
