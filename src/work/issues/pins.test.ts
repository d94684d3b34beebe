import { afterAll, expect, test } from 'bun:test'
import { type TestForge, testForge } from '../../../test/harness.ts'

const forge: TestForge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
await forge.person('ada')
const ada = <T = unknown>(line: string, body?: unknown) => forge.call<T>(line, { as: 'ada', body })
for (const name of ['engine', 'other']) await ada('POST /user/repos', { name })
const issues = '/repos/ada/engine/issues'
const pinned = async () => (await ada<{ title: string; pin_order: number }[]>(`GET ${issues}/pinned`)).body.map(({ title, pin_order }) => [title, pin_order])

test('those that stay pinned are numbered from one on when another is deleted or moved away', async () => {
  for (const [at, title] of ['one', 'two', 'three'].entries()) {
    await ada(`POST ${issues}`, { title })
    await ada(`POST ${issues}/${at + 1}/pin`)
  }
  expect((await ada(`DELETE ${issues}/1`)).status).toBe(204)
  expect(await pinned()).toEqual([
    ['two', 1],
    ['three', 2],
  ])
  expect((await ada(`POST ${issues}/2/move`, { owner: 'ada', repo: 'other' })).status).toBe(201)
  expect(await pinned()).toEqual([['three', 1]])
})
