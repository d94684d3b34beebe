import { expect, test } from 'bun:test'
import { type TestForge, testForge } from '../../test/harness.ts'

const page = { Origin: 'https://app.example.org' }
const asking = { ...page, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization,content-type' }

async function ask(forge: TestForge, method: string, path: string, headers: Record<string, string>) {
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { method, headers }))
  return { status: response.status, origin: response.headers.get('access-control-allow-origin'), headers: response.headers }
}

test('no other site reads anything unless the settings say so', async () => {
  await using forge = testForge()
  for (const path of ['/api/v1/version', '/login/oauth/keys']) expect((await ask(forge, 'GET', path, page)).origin).toBeNull()
  expect((await ask(forge, 'OPTIONS', '/login/oauth/access_token', asking)).origin).toBeNull()
})

test('where they do, a page asks the API and the endpoints of OAuth2, and no page of ours', async () => {
  await using forge = testForge({ cors: { ENABLED: true } })
  for (const path of ['/api/v1/user', '/api/v1/version', '/login/oauth/access_token', '/login/oauth/userinfo']) {
    const { status, origin, headers } = await ask(forge, 'OPTIONS', path, asking)
    expect([path, status, origin]).toEqual([path, 204, '*'])
    expect(headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  }
  for (const path of ['/api/v1/version', '/.well-known/openid-configuration', '/login/oauth/keys']) {
    expect(await ask(forge, 'GET', path, page)).toMatchObject({ status: 200, origin: '*' })
  }
  for (const path of ['/user/login', '/login/oauth/authorize', '/', '/api']) expect((await ask(forge, 'GET', path, page)).origin).toBeNull()
})

test('what is refused can be read as well, and what is listed keeps its headers', async () => {
  await using forge = testForge({ cors: { ENABLED: true } })
  const refused = await ask(forge, 'GET', '/api/v1/user', page)
  expect([refused.status, refused.origin, refused.headers.get('vary')]).toEqual([401, '*', 'Origin'])
  const listed = await ask(forge, 'GET', '/api/v1/repos/search', page)
  expect(listed.headers.get('access-control-expose-headers')).toContain('X-Total-Count')
})

test.each<[string, string | null]>([
  ['https://app.example.org', 'https://app.example.org'],
  ['http://app.example.org', null],
  ['https://example.org', null],
  ['https://app.example.org.evil.example', null],
  ['https://evil.example/.example.org', null],
  ['https://one.test', 'https://one.test'],
  ['null', null],
])('of sites that are named, and no others: %s', async (origin, allowed) => {
  await using forge = testForge({ cors: { ENABLED: true, ALLOW_DOMAIN: ['https://*.example.org', 'https://one.test'] } })
  const answer = await ask(forge, 'GET', '/api/v1/version', { Origin: origin })
  expect(answer.origin).toBe(allowed)
})

test('a password that a browser has is still not taken from another site', async () => {
  await using forge = testForge({ cors: { ENABLED: true } })
  await forge.person('ada', { password: 'correct horse' })
  const { status } = await ask(forge, 'POST', '/api/v1/user/repos', {
    ...page,
    'Sec-Fetch-Site': 'cross-site',
    Authorization: `Basic ${btoa('ada:correct horse')}`,
  })
  expect(status).toBe(403)
})
