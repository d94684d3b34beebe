import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'

/** All pages of settings and of the administration, as who may do everything sees them. */

const forge = testForge()
const pages = new Map<string, string>()

const starts = ['/-/admin', '/user/settings', '/acme', '/org/acme/settings', '/acme/engine/settings', '/org/create']
/** Pages that are looked at; what else they link to is only asked for. */
const isOurs = (path: string) => /^\/(-\/admin|user\/settings|org\/|acme\/engine\/(settings|labels))/.test(path)

beforeAll(async () => {
  const root = await forge.person('root1', { isAdmin: true })
  const asRoot = forge.asUser(root)
  await forge.person('ada')
  await asRoot.post('/orgs', { username: 'acme' })
  await asRoot.post('/orgs/acme/repos', { name: 'engine' })
  await asRoot.post('/orgs/acme/teams', { name: 'crew', permission: 'write', units: ['repo.code'] })
  for (const owner of ['/repos/acme/engine', '/orgs/acme', '/user', '/admin']) {
    await asRoot.post(`${owner}/hooks`, { type: 'slack', config: { url: 'https://ci.example.org/', content_type: 'json', channel: 'x' } })
  }
  await asRoot.post('/repos/acme/engine/branch_protections', { rule_name: 'release/*' })
  await asRoot.post('/repos/acme/engine/tag_protections', { name_pattern: 'v*', whitelist_usernames: ['ada'] })
  await asRoot.post('/admin/auths', { type: 'pam', name: 'here', pam: { service_name: 'forge' } })
  const hers = new TestBrowser(forge, root)
  await hers.post('/-/admin/badges', { slug: 'founder', description: '', image_url: '' })
  await hers.post('/acme/engine/labels/sets', { template: 'Default' })
  const seen = new Set(starts)
  for (const path of seen) {
    const { status, text, headers } = await hers.get(path)
    expect([path, status < 400]).toEqual([path, true])
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    if (isOurs(path)) pages.set(path, text)
    if (!isOurs(path) && !starts.includes(path)) continue
    for (const [, href = ''] of text.matchAll(/\s(?:href|src)="([^"#]+)/g)) {
      const local = href.replaceAll('&amp;', '&')
      if (local.startsWith('/') && seen.size < 400) seen.add(local)
    }
  }
}, 60_000)
afterAll(() => forge[Symbol.asyncDispose]())

test('there are many, each with one main heading and none left out below it', () => {
  expect(pages.size).toBeGreaterThan(60)
  for (const [path, text] of pages) {
    const levels = [...text.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))
    expect([path, levels.filter((level) => level === 1).length]).toEqual([path, 1])
    expect([path, levels.every((level, i) => level <= (levels[i - 1] ?? 0) + 1)]).toEqual([path, true])
  }
})

test('every field has a label, and no id is given twice', () => {
  for (const [path, text] of pages) {
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect([path, ids.length - new Set(ids).size]).toEqual([path, 0])
    // What stands outside of all labels says itself what it is.
    const outside = text.replaceAll(/<label[ >].*?<\/label>/gs, '')
    const bare = [...outside.matchAll(/<(?:input|select|textarea)\s[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/type="hidden"|aria-label=/.test(tag))
    expect([path, bare]).toEqual([path, []])
  }
})

test('every form leads to a route that takes it', async () => {
  const routes = (await forge.app.routes()).map(
    ({ method, path }) =>
      [
        method,
        new RegExp(
          `^${path
            .replaceAll(/:\w+\?/g, '[^/]*')
            .replaceAll(/:\w+/g, '[^/]+')
            .replaceAll('*', '.*')}$`,
        ),
      ] as const,
  )
  for (const [path, text] of pages) {
    for (const [tag] of text.matchAll(/<form[^>]*>/g)) {
      const method = /method="([^"]+)"/.exec(tag)?.[1]?.toUpperCase() ?? 'GET'
      const action = (/action="([^"?]+)/.exec(tag)?.[1] ?? path.split('?')[0] ?? '').replaceAll('&amp;', '&')
      expect([path, action, routes.some(([known, pattern]) => known === method && pattern.test(action))]).toEqual([path, action, true])
    }
  }
})

test('nothing is styled or run by a page itself, or asked of another host', () => {
  for (const [path, text] of pages) {
    expect([path, /\s(?:style|on\w+)="|<script(?![^>]+src="\/assets)|(?:src|action)="(?:https?:)?\/\//.exec(text)?.[0]]).toEqual([path, undefined])
  }
})
