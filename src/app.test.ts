import { expect, test } from 'bun:test'
import { testForge } from '../test/harness.ts'

test('hosts of any length lead to the same routes', async () => {
  await using forge = testForge()
  for (const origin of ['http://localhost', 'http://pi', 'http://x', 'http://nas:3000', 'http://a.very.long.name.example.org:65535']) {
    const response = await forge.app.handle(new Request(`${origin}/api/v1/version`))
    expect([origin, response.status]).toEqual([origin, 200])
  }
})

test('a body that is no JSON is 422 and one over the limit 413, whatever the route does with bodies', async () => {
  await using forge = testForge({ api: { MAX_BODY_SIZE: 2000, MAX_ANONYMOUS_BODY_SIZE: 1024 } })
  const ada = await forge.person('ada')
  const send = async (method: string, path: string, body: string, signed: boolean) => {
    const headers = { 'Content-Type': 'application/json', ...(signed ? { Authorization: `token ${ada.token}` } : {}) }
    return (await forge.app.handle(new Request(`http://localhost/api/v1${path}`, { method, headers, body }))).status
  }
  for (const [method, path] of [
    ['POST', '/user/repos'],
    ['PATCH', '/user/settings'],
    ['DELETE', '/repos/ada/absent'],
  ]) {
    expect([path, await send(method, path, '{{', true)]).toEqual([path, 422])
    expect([path, await send(method, path, '['.repeat(1900), true)]).toEqual([path, 422])
    expect([path, await send(method, path, ' '.repeat(2001), true)]).toEqual([path, 413])
    expect([path, await send(method, path, ' '.repeat(1025), false)]).toEqual([path, 413])
  }
})

test('only who can sign in may send a large body', async () => {
  await using forge = testForge({ api: { MAX_BODY_SIZE: 5000, MAX_ANONYMOUS_BODY_SIZE: 1024 } })
  const ada = await forge.person('ada')
  const body = { name: 'engine', description: 'x'.repeat(1500) }
  const send = async (authorization?: string) =>
    (await forge.call('POST /user/repos', { body, headers: authorization ? { Authorization: authorization } : {} })).status
  expect(await send()).toBe(413)
  expect(await send(`token ${'0'.repeat(40)}`)).toBe(401)
  expect(await send('nonsense')).toBe(401)
  expect(await send(`token ${ada.token}`)).toBe(201)
})
