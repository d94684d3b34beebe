import { expect, test } from 'bun:test'
import { testForge } from '../../test/harness.ts'
import { favicon, icons, stylesheet } from './assets.ts'
import { iconNames } from './icon-names.ts'

test('style and icons stay within what a first visit may load', () => {
  expect(stylesheet.compressed.length).toBeLessThanOrEqual(12_000)
  expect(icons.compressed.length).toBeLessThanOrEqual(7000)
})

test('the sprite holds each icon once and nothing that runs or loads', () => {
  const ids = [...icons.text.matchAll(/<symbol id="([a-z-]+)" viewBox="0 0 16 16"><path[ >]/g)].map(([, id]) => id)
  expect(ids).toEqual(['pocketforge', ...iconNames])
  expect(icons.text).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"><symbol ')
  expect(icons.text).not.toMatch(/href|script|style|\son/)
})

test('a page names them by their content, and they are kept for ever', async () => {
  await using forge = testForge()
  const ask = (path: string, headers: Record<string, string> = {}) => forge.app.handle(new Request(`http://localhost${path}`, { headers }))
  const page = await (await ask('/explore/repos', { Accept: 'text/html' })).text()
  for (const { name, text, type } of [stylesheet, icons, favicon]) {
    expect(page).toContain(`/assets/web/${name}`)
    const plain = await ask(`/assets/web/${name}`)
    expect([plain.headers.get('content-type'), plain.headers.get('content-encoding'), await plain.text()]).toEqual([type, null, text])
    const small = await ask(`/assets/web/${name}`, { 'Accept-Encoding': 'br, gzip' })
    expect([small.headers.get('content-encoding'), small.headers.get('cache-control')]).toEqual(['gzip', 'public, max-age=31536000, immutable'])
    expect(new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(await small.arrayBuffer())))).toBe(text)
  }
  expect((await ask('/assets/web/pages-0.css')).status).toBe(404)
  expect(await (await ask('/favicon.ico')).text()).toBe(favicon.text)
})
