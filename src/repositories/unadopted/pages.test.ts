import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { TestBrowser } from '../../../test/browser.ts'
import { makeSite, type Site } from './unadopted.fixture.ts'

const AT = '/-/admin/repos/unadopted'
let site: Site
let hers: TestBrowser
beforeEach(async () => {
  site = await makeSite()
  hers = new TestBrowser(site.forge, site.root)
})
afterEach(() => site[Symbol.asyncDispose]())

test('what waits is listed and taken in', async () => {
  expect((await hers.get(AT)).text).toContain('No unadopted repositories')
  site.drop('ada/engine', 2)
  expect((await hers.get(`${AT}?q=ada/e*`)).text).toContain('aria-label="Adopt repository: ada/engine"')
  expect((await hers.get(`${AT}?q=ada/x*`)).text).toContain('No unadopted repositories')
  const adopted = await hers.post(`${AT}/adopt`, { place: 'ada/engine' })
  expect([adopted.status, adopted.headers.get('location')]).toEqual([303, '/ada/engine'])
  expect((await hers.get('/ada/engine')).status).toBe(200)
  for (const place of ['ada/engine', 'ada', '../x', 'nobody/x', 'ada/../x']) {
    const { status } = await hers.post(`${AT}/adopt`, { place })
    expect([place, status === 404 || status === 422]).toEqual([place, true])
  }
})

test('what waits is removed only by who types its name', async () => {
  const path = site.drop('ada/engine', 1)
  const refused = await hers.post(`${AT}/delete`, { place: 'ada/engine', name: 'engine' })
  expect([refused.status, refused.text.includes('value="engine"'), refused.text.includes('<details open>'), existsSync(path)]).toEqual([422, true, true, true])
  expect((await hers.post(`${AT}/delete`, { place: 'ada/engine', name: 'ada/engine' })).status).toBe(303)
  expect(existsSync(path)).toBe(false)
})

test('others and other sites take in and remove nothing', async () => {
  const path = site.drop('ada/engine', 1)
  const his = new TestBrowser(site.forge, await site.forge.person('bob'))
  for (const [action, form] of [
    ['adopt', { place: 'ada/engine' }],
    ['delete', { place: 'ada/engine', name: 'ada/engine' }],
  ] as const) {
    expect((await his.post(`${AT}/${action}`, form)).status).toBe(403)
    expect((await hers.post(`${AT}/${action}`, form, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  }
  expect([(await his.get(AT)).status, existsSync(path)]).toEqual([403, true])
})
