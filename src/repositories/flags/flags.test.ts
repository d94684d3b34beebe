import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
await forge.person('bob')
await forge.person('root1', { isAdmin: true })
for (const name of ['engine', 'crowded']) forge.repo(ada, name, { private: true })

const flags = '/repos/ada/engine/flags'
const ask = (line: string, body?: unknown, as: string | undefined = 'root1') => forge.call<string[] & { message?: string }>(line, { as, body })
const listed = async (path = flags) => (await ask(`GET ${path}`)).body

test('flags are replaced, added, asked for and taken away, again and again', async () => {
  expect((await ask(`PUT ${flags}`, { flags: ['b', 'a', 'a'] })).status).toBe(204)
  const list = await ask(`GET ${flags}`)
  expect([list.status, list.body, list.headers.get('x-total-count')]).toEqual([200, ['a', 'b'], '2'])
  for (const _ of 'xx') expect((await ask(`PUT ${flags}/c`)).status).toBe(204)
  expect([(await ask(`GET ${flags}/c`)).status, (await ask(`GET ${flags}/C`)).status]).toEqual([204, 404])
  for (const _ of 'xx') expect((await ask(`DELETE ${flags}/a`)).status).toBe(204)
  expect(await listed()).toEqual(['b', 'c'])
  for (const _ of 'xx') expect((await ask(`DELETE ${flags}`)).status).toBe(204)
  expect(await listed()).toEqual([])
})

test.each([
  ['/', encodeURIComponent('a/b')],
  ['a blank', 'a%20b'],
  ['a script', encodeURIComponent('<script>')],
  ['101 letters', 'x'.repeat(101)],
])('a flag with %s is refused', async (_, name) => {
  expect((await ask(`PUT ${flags}/${name}`)).status).toBe(422)
  expect((await ask(`PUT ${flags}`, { flags: ['ok', decodeURIComponent(name)] })).status).toBe(422)
  expect(await listed()).toEqual([])
})

test('a repository has a hundred flags at most', async () => {
  const hundred = Array.from({ length: 100 }, (_, i) => `f${i}`)
  const crowded = '/repos/ada/crowded/flags'
  expect((await ask(`PUT ${crowded}`, { flags: [...hundred, 'more'] })).status).toBe(422)
  expect((await ask(`PUT ${crowded}`, { flags: hundred })).status).toBe(204)
  expect([(await ask(`PUT ${crowded}/more`)).status, (await ask(`PUT ${crowded}/f1`)).status]).toEqual([422, 204])
  expect((await listed(crowded)).length).toBe(100)
})

test('nobody but site administrators meets flags, owners neither', async () => {
  for (const [as, status] of [
    ['ada', 403],
    ['bob', 403],
    [undefined, 401],
  ] as const)
    for (const line of [`GET ${flags}`, `DELETE ${flags}`, `GET ${flags}/f1`, `PUT ${flags}/x`, `DELETE ${flags}/f1`])
      expect((await forge.call(line, { as })).status).toBe(status)
  expect((await ask('GET /repos/ada/nothing/flags')).status).toBe(404)
})
