import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
const root1 = forge.asUser('root1')
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
await forge.person('bob')
await forge.person('root1', { isAdmin: true })
for (const name of ['engine', 'crowded']) forge.repo(ada, name, { private: true })

const flags = '/repos/ada/engine/flags'

test('flags are replaced, added, asked for and taken away, again and again', async () => {
  expect((await root1.put(flags, { flags: ['b', 'a', 'a'] })).status).toBe(204)
  const list = await root1.get<string[] & { message?: string }>(flags)
  expect([list.status, list.body, list.headers.get('x-total-count')]).toEqual([200, ['a', 'b'], '2'])
  for (const _ of 'xx') expect((await root1.put(`${flags}/c`)).status).toBe(204)
  expect([(await root1.get(`${flags}/c`)).status, (await root1.get(`${flags}/C`)).status]).toEqual([204, 404])
  for (const _ of 'xx') expect((await root1.delete(`${flags}/a`)).status).toBe(204)
  expect((await root1.get<string[] & { message?: string }>(flags)).body).toEqual(['b', 'c'])
  for (const _ of 'xx') expect((await root1.delete(flags)).status).toBe(204)
  expect((await root1.get<string[] & { message?: string }>(flags)).body).toEqual([])
})

test.each([
  ['/', encodeURIComponent('a/b')],
  ['a blank', 'a%20b'],
  ['a script', encodeURIComponent('<script>')],
  ['101 letters', 'x'.repeat(101)],
])('a flag with %s is refused', async (_, name) => {
  expect((await root1.put(`${flags}/${name}`)).status).toBe(422)
  expect((await root1.put(flags, { flags: ['ok', decodeURIComponent(name)] })).status).toBe(422)
  expect((await root1.get<string[] & { message?: string }>(flags)).body).toEqual([])
})

test('a repository has a hundred flags at most', async () => {
  const hundred = Array.from({ length: 100 }, (_, i) => `f${i}`)
  const crowded = '/repos/ada/crowded/flags'
  expect((await root1.put(crowded, { flags: [...hundred, 'more'] })).status).toBe(422)
  expect((await root1.put(crowded, { flags: hundred })).status).toBe(204)
  expect([(await root1.put(`${crowded}/more`)).status, (await root1.put(`${crowded}/f1`)).status]).toEqual([422, 204])
  expect((await root1.get<string[] & { message?: string }>(crowded)).body.length).toBe(100)
})

test('nobody but site administrators meets flags, owners neither', async () => {
  for (const [as, status] of [
    ['ada', 403],
    ['bob', 403],
    [undefined, 401],
  ] as const)
    for (const line of [`GET ${flags}`, `DELETE ${flags}`, `GET ${flags}/f1`, `PUT ${flags}/x`, `DELETE ${flags}/f1`])
      expect((await forge.asUser(as).send(line)).status).toBe(status)
  expect((await root1.get('/repos/ada/nothing/flags')).status).toBe(404)
})
