import { afterAll, expect, test } from 'bun:test'
import { type TestForge, testForge } from '../../../test/harness.ts'

const forge: TestForge = testForge()
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
await forge.person('ada')
for (const name of ['engine', 'other']) await ada.post('/user/repos', { name })
const issues = '/repos/ada/engine/issues'
const pinned = async () => (await ada.get<{ title: string; pin_order: number }[]>(`${issues}/pinned`)).body.map(({ title, pin_order }) => [title, pin_order])

test('those that stay pinned are numbered from one on when another is deleted or moved away', async () => {
  for (const [at, title] of ['one', 'two', 'three'].entries()) {
    await ada.post(issues, { title })
    await ada.post(`${issues}/${at + 1}/pin`)
  }
  expect((await ada.delete(`${issues}/1`)).status).toBe(204)
  expect(await pinned()).toEqual([
    ['two', 1],
    ['three', 2],
  ])
  expect((await ada.post(`${issues}/2/move`, { owner: 'ada', repo: 'other' })).status).toBe(201)
  expect(await pinned()).toEqual([['three', 1]])
})
