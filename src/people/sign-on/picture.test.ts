import { afterEach, beforeEach, expect, test } from 'bun:test'
import { putSource } from '#people/sources/sources.fixture.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { followPicture } from './picture.ts'
import type { ExternalIdentity } from './protocol.ts'
import type { OAuthSource } from './recognise.ts'

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

let forge: TestForge
let site: ReturnType<typeof Bun.serve>
let canary: ReturnType<typeof Bun.serve>
let asked: string[]
beforeEach(async () => {
  asked = []
  canary = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      asked.push(`canary ${url}`)
      return new Response(PNG)
    },
  })
  site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname } = new URL(url)
      asked.push(pathname)
      if (pathname === '/inside') return Response.redirect(`http://127.0.0.1:${canary.port}/admin`)
      if (pathname === '/metadata') return Response.redirect('http://169.254.169.254/latest')
      if (pathname === '/html') return new Response('<html>')
      if (pathname === '/large') return new Response(new Uint8Array(2_000_000))
      return pathname === '/right' ? new Response(PNG) : new Response('', { status: 404 })
    },
  })
  forge = testForge({ oauth2_client: { UPDATE_AVATAR: true } })
})
afterEach(async () => {
  await Promise.all([site.stop(true), canary.stop(true), forge[Symbol.asyncDispose]()])
})

async function take(address: string): Promise<string> {
  const { row } = await forge.person('ada')
  putSource(forge.context, 'oauth2', { discovery_url: `http://127.0.0.1:${site.port}/.well-known/openid-configuration` }, { name: 'op' })
  const { findSource } = await import('#people/sources/index.ts')
  const picture = address.startsWith('/') ? `http://127.0.0.1:${site.port}${address}` : address.replace(':PORT', `:${canary.port}`)
  await followPicture(forge.context, findSource(forge.context, 1) as OAuthSource, { picture } as ExternalIdentity, row)
  return forge.context.db.find<{ avatar: string }>('SELECT avatar FROM user')?.avatar ?? ''
}

test('the picture that somebody has at the source becomes theirs here', async () => {
  expect(await take('/right')).toEndWith('.png')
})

test.each([
  '/inside',
  '/metadata',
  '/html',
  '/large',
  '/absent',
  'http://127.0.0.1:PORT/admin',
  'http://localhost:PORT/',
  'file:///etc/passwd',
  'javascript:1',
  '',
])('the picture %j is left, and nothing inside is asked for it', async (address) => {
  expect(await take(address)).toBe('')
  expect(asked.filter((one) => one.startsWith('canary'))).toEqual([])
})
