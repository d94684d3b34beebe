import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

let now = 1_750_000_000
const forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
forge.repo(ada, 'engine')
const api = '/repos/ada/engine'
await forge.asUser(ada).post(`${api}/issues`, { title: 'one' })
for (const body of ['old', 'middle', 'new']) {
  now += 100
  await forge.asUser(ada).post(`${api}/issues/1/comments`, { body })
}
const at = (seconds: number) => encodeURIComponent(new Date(seconds * 1000).toISOString())
const [middle, newest] = [at(now - 100), at(now)]

const paths = [`${api}/issue/1/comments`, `${api}/issues/1/comments`, `${api}/issues/comments`]
const queries: [query: string, bodies: string[]][] = [
  ['string=', ['old', 'middle', 'new']],
  [`string=${middle}`, ['middle', 'new']],
  [`string=${middle}&before=${middle}`, ['middle']],
  [`string=${middle}&since=${newest}`, ['new']],
  [`string=${newest}&since=${middle}`, ['new']],
]
test.each(paths)('%s takes the time of the last update as `string`', async (path) => {
  for (const [query, bodies] of queries) {
    const reply = await forge.get<{ body: string }[]>(`${path}?${query}`)
    expect([query, reply.body.map(({ body }) => body)]).toEqual([query, bodies])
  }
  const refused = await forge.get(`${path}?string=yesterday`)
  expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('[string]')])
})
