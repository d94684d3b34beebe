import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { TestBrowser } from '../../test/browser.ts'
import { type TestForge, testForge } from '../../test/harness.ts'
import { bundleScript } from './script.ts'

let forge: TestForge

beforeAll(() => {
  forge = testForge()
})
afterAll(() => forge[Symbol.asyncDispose]())

/** The script's address, as a page names it. */
const named = async () => /<script type="module" src="([^"]+)"/.exec((await new TestBrowser(forge).get('/explore/repos')).text)?.[1] ?? ''
const ask = async (path: string, encoding = '') => forge.app.handle(new Request(`http://localhost${path}`, { headers: { 'Accept-Encoding': encoding } }))

test('the script has at most 15 kB as it is sent', async () => {
  expect(gzipSync(await bundleScript(), { level: 9 }).length).toBeLessThan(15_000)
})

test('the script that pages name is kept for ever, compressed for who takes that', async () => {
  const path = await named()
  const plain = await ask(path)
  expect([plain.status, plain.headers.get('content-type'), plain.headers.get('cache-control')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ])
  const zipped = await ask(path, 'br, gzip')
  expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip'])
  expect(gunzipSync(await zipped.bytes()).toString()).toBe(await plain.text())
  expect((await ask(path, 'gzip;q=0')).headers.get('content-encoding')).toBeNull()
  expect((await ask('/assets/web/pages-000000000000.js')).status).toBe(404)
})

test('pages run that script alone, and let none make markup of texts', async () => {
  const { text, headers } = await new TestBrowser(forge).get('/explore/repos')
  const policy = headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain("trusted-types 'none'")
  expect(text.match(/<script/g)).toHaveLength(1)
})

test('who has to sign in first for what they sent comes back to the page that it was sent from', async () => {
  const visitor = new TestBrowser(forge)
  const leadTo = async (referrer: string) => (await visitor.post('/repo/create', { name: 'x' }, undefined, { Referer: referrer })).headers.get('location')
  expect(await leadTo('http://localhost/repo/create?a=b')).toBe('/user/login?redirect_to=%2Frepo%2Fcreate%3Fa%3Db')
  expect(await leadTo('https://elsewhere.example/repo/create')).toBe('/user/login')
})
