import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { issueWithComments } from '../../../test/worlds.ts'
import { viewerPlaying } from './made-up.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser
const visitor = () => new TestBrowser(forge)

beforeAll(async () => {
  ada = await forge.person('ada')
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
  for (const [name, isPrivate] of [
    ['open', false],
    ['hidden', true],
  ] as const)
    await asAda.post('/user/repos', { name, private: isPrivate, auto_init: true })
  await issueWithComments(asAda, { repo: 'ada/open', title: 'Talk', comments: ['words'] })
})
afterAll(() => forge[Symbol.asyncDispose]())

/** How many commits there are is told by the page that is asked for next. */
const mainOf = ({ text }: { text: string }) => text.slice(text.indexOf('<main'), text.indexOf('</main>')).replace(/History|\d+ commits?/g, '')
/** Without the line above it, and with its links led back. */
const plain = (reply: { text: string }, role: string) =>
  mainOf(reply)
    .replace(/<aside class="notice".*?<\/aside>/, '')
    .replaceAll(`/-/as/${role}/`, '/')

test('an administrator sees a page as a visitor is shown it, and stays there by its links', async () => {
  for (const page of ['', '/issues/1', '/commits/branch/main', '/src/branch/main/README.md']) {
    const shown = await hers.get(`/-/as/visitor/ada/open${page}`)
    expect([page, shown.status, shown.headers.get('cache-control')]).toEqual([page, 200, 'no-store'])
    expect(plain(shown, 'visitor')).toBe(mainOf(await visitor().get(`/ada/open${page}`)))
    expect(shown.text).toContain(`<a href="/ada/open${page}">Back to your own view</a>`)
  }
  const { text } = await hers.get('/-/as/visitor/ada/open')
  expect([text.includes('href="/-/as/visitor/ada/open/issues"'), text.includes('<script'), text.includes('Settings')]).toEqual([true, false, false])
})

test('what visitors do not see is not there, and where they are asked to sign in is said', async () => {
  const { status, text } = await hers.get('/-/as/visitor/ada/hidden')
  expect([status, text.includes('This page does not exist'), text.includes('Back to your own view')]).toEqual([404, true, true])
  expect((await hers.get('/-/as/visitor/ada/open/issues/new')).text).toContain('Sign-in required')
  expect((await hers.get('/-/as/signed-in/ada/hidden')).status).toBe(404)
})

test('a role shows what it may do, with forms that cannot be sent', async () => {
  const read = (await hers.get('/-/as/read/ada/hidden')).text
  const write = (await hers.get('/-/as/write/ada/hidden')).text
  expect([read.includes('_new'), write.includes('_new'), write.includes('hidden/settings"')]).toEqual([false, true, false])
  const issue = mainOf(await hers.get('/-/as/write/ada/open/issues/1'))
  const forms = issue.match(/<form[^>]*method="dialog"[^>]*>/g) ?? []
  expect([forms.length > 2, issue.includes('method="post"')]).toEqual([true, false])
  expect(forms.filter((form) => !form.includes('inert') || form.includes('action='))).toEqual([])
  expect((await hers.get('/-/as/write/ada/hidden/settings')).status).toBe(403)
})

test('it is for administrators of the repository alone, for pages alone, and for reading alone', async () => {
  expect([(await his.get('/-/as/write/ada/open')).status, (await his.get('/-/as/write/ada/hidden')).status]).toEqual([403, 404])
  expect((await visitor().get('/-/as/write/ada/hidden')).status).toBe(404)
  expect((await hers.post('/-/as/write/ada/open/issues/1/comments', { body: 'x' })).status).toBe(405)
  expect((await hers.get('/-/as/admin/ada/open')).status).toBe(422)
  expect((await hers.get('/-/as/visitor/ada/open/raw/branch/main/README.md')).status).toBe(404)
  const asked = await forge.app.handle(
    new Request('http://localhost/-/as/write/ada/hidden', { headers: { Authorization: `token ${ada.token}`, Accept: 'text/html' } }),
  )
  expect(asked.status).toBe(404)
})

test('no page of somebody who is played is kept for anybody, nor another one shown in its place', async () => {
  for (const _ of [1, 2]) {
    for (const role of ['write', 'read', 'signed-in', 'visitor']) await hers.get(`/-/as/${role}/ada/open`)
    const seen = [mainOf(await visitor().get('/ada/open')), mainOf(await his.get('/ada/open')), mainOf(await hers.get('/ada/open'))]
    expect(seen.map((text) => [text.includes('_new'), text.includes('Back to your own view')])).toEqual([
      [false, false],
      [false, false],
      [true, false],
    ])
    const write = (await hers.get('/-/as/write/ada/open')).text
    expect([write.includes('_new'), (await visitor().get('/ada/hidden')).status]).toEqual([true, 404])
  }
})

test('pictures are asked for as whoever is played, too, and none with the administrator’s own cookie', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  for (const name of ['open', 'hidden']) await asAda.post(`/repos/ada/${name}/contents/a.png`, { content: pixel, message: 'x' })
  const body = ['/ada/open/raw/branch/main/a.png', 'http://localhost/ada/hidden/raw/branch/main/a.png', '/attachments/x']
    .map((at) => `![of it](${at})`)
    .join(' ')
  const { body: named } = await asAda.post('/repos/ada/open/issues', { title: 'Named' })
  const { body: made } = await asAda.post('/repos/ada/open/issues', { title: 'Pictures', body: `${body} #${named.number}` })
  const { text } = await hers.get(`/-/as/visitor/ada/open/issues/${made.number}`)
  const pictures = [...text.matchAll(/<img [^>]*>/g)].map(([one]) => /src="([^"]*)"/.exec(one)?.[1]).filter((src) => !src?.startsWith('/avatars/'))
  expect(pictures).toEqual(['/-/as/visitor/ada/open/raw/branch/main/a.png', undefined, '/-/as/visitor/ada/open/attachments/x'])
  expect(text).toContain(`<a href="/-/as/visitor/ada/open/issues/${named.number}" class="ref-issue"`)
  const shown = async (path: string) => {
    const { status, headers } = await hers.get(path)
    return [status, headers.get('content-type'), headers.get('cache-control'), headers.get('content-security-policy')?.includes('sandbox')]
  }
  expect(await shown('/-/as/visitor/ada/open/raw/branch/main/a.png')).toEqual([200, 'image/png', 'no-store', true])
  expect((await shown('/-/as/visitor/ada/hidden/raw/branch/main/a.png'))[0]).toBe(404)
  expect((await shown('/-/as/read/ada/hidden/raw/branch/main/a.png'))[0]).toBe(200)
})

test('what stands above the page, of the site and of an account that nobody has, leads nowhere', async () => {
  for (const role of ['visitor', 'write']) {
    const { text } = await hers.get(`/-/as/${role}/ada/open`)
    expect([role, /<header class="top"[^>]*inert/.test(text)]).toEqual([role, true])
  }
})

test('whose account is restricted plays nobody who sees more', () => {
  expect(viewerPlaying('signed-in', { ...ada.row, is_restricted: 1 }, 1)?.user?.is_restricted).toBe(1)
})

test('an address cannot lead out of the repository under somebody else’s name', async () => {
  await forge.asUser('bob').post('/user/repos', { name: 'secret', private: true, auto_init: true })
  for (const way of ['/../../bob/secret', '/%2e%2e/%2e%2e/bob/secret', '/..%2f..%2fbob/secret', '//bob/secret']) {
    const { text } = await hers.get(`/-/as/write/ada/open${way}`)
    expect([way, text.includes('_new') && text.includes('bob/secret')]).toEqual([way, false])
  }
})
