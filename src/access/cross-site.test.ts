import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../test/harness.ts'

const forge = testForge({ server: { ROOT_URL: 'https://forge.example.org/' } })
afterAll(() => forge[Symbol.asyncDispose]())
const PASSWORD = 'correct horse'
const root = await forge.person('root1', { password: PASSWORD, isAdmin: true })
const basic = { Authorization: `Basic ${btoa(`root1:${PASSWORD}`)}` }

test.each<[string, Record<string, string>, number]>([
  ['a program', {}, 204],
  ['the same site', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://else.example.org' }, 204],
  ['a person’s own doing', { 'Sec-Fetch-Site': 'none' }, 204],
  ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['a neighbour', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['another site, by an old browser', { Origin: 'https://evil.example.org' }, 403],
  ['a file', { Origin: 'null' }, 403],
  ['the same site, by an old browser', { Origin: 'http://localhost' }, 204],
  ['the same site behind a proxy', { Origin: 'https://forge.example.org' }, 204],
])('a change with a cached password, sent by %s', async (_, headers, status) => {
  const answer = await forge.delete('/user/avatar', undefined, { headers: { ...basic, ...headers } })
  expect(answer.status).toBe(status)
})

test('what is signed with a token may come from anywhere, and reading may too', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.org' }
  expect((await forge.asUser(root).delete('/user/avatar', undefined, { headers })).status).toBe(204)
  expect((await forge.get('/user', { headers: { ...basic, ...headers } })).status).toBe(200)
})
