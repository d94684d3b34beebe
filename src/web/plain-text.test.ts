import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../../test/harness.ts'
import { answerInText } from './answers.ts'
import { textOfPage } from './plain-text.ts'

const page = (content: string) => `<!DOCTYPE html><html><head><title>no</title></head><body><nav>no</nav><main id="content">${content}</main></body></html>`

test.each([
  ['<h1>One</h1><p>two <b>three</b>\n four</p>', 'One\n===\n\ntwo three four\n'],
  ['<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>d</p>', '- a\n- b\n  - c\n\nd\n'],
  ['<pre>  a\n\tb  c</pre>', '  a\n\tb  c\n'],
  ['<p>see <a href="https://example.org/">there</a> and <a href="/here">here</a></p>', 'see there <https://example.org/> and here\n'],
  ['<form><label>Name<input></label></form><button>Go</button><svg><text>x</text></svg><p>left</p>', 'left\n'],
  ['<form><h1>Sign in</h1><label>Name<input></label><label>Password<input></label><button>Go</button></form>', 'Sign in\n=======\n\nName\nPassword\n'],
  ['<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a  b\n1  2\n'],
  ['<div class="blob"><table><tr><td class="n">1</td><td>  const <b>a</b></td></tr><tr><td class="n">2</td><td></td></tr></table></div>', '  const a\n'],
  ['<p>\u001b[31mred\u0007 \u202ebidi</p>', '�[31mred� �bidi\n'],
  ['<ul><li><input type="checkbox" disabled> a</li><li><input type="checkbox" disabled checked> b</li></ul>', '- [ ] a\n- [x] b\n'],
  ['<ul><li><button role="checkbox" aria-checked="true"></button> a</li></ul><input type="checkbox" name="x">', '- [x] a\n'],
  ['<p>&lt;b&gt; &amp; &#x27;</p>', "<b> & '\n"],
])('%j reads %j', (html, text) => {
  expect(textOfPage(page(html))).toBe(text)
})

test('what has no content of ours is no page', () => {
  expect(textOfPage('<p>hello</p>')).toBeUndefined()
})

test('a page of megabytes is written as text while others get their turns', async () => {
  const html = page('<p>a &amp; b <code>c</code></p>'.repeat(100_000))
  const answer = answerInText(new Response(html, { headers: { 'Content-Type': 'text/html' } }), 'somebody')
  let turns = 0
  let isDone = false
  const text = answer.then((answer) => answer.text()).finally(() => (isDone = true))
  for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect(await text).toBe('a & b c\n\n'.repeat(100_000).slice(0, -1))
  expect(turns).toBeGreaterThan(100)
})

const forge = testForge()
let ada: Person
beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.asUser(ada).post('/user/repos', { name: 'secret', private: true, auto_init: true, readme: 'Default' })
  await forge.asUser(ada).post('/repos/ada/secret/issues', { title: 'It \u001b[31mbreaks', body: '**here**' })
})
afterAll(() => forge[Symbol.asyncDispose]())

async function curl(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string; type: string | null }> {
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers: { 'User-Agent': 'curl/8.5.0', Accept: '*/*', ...headers } }))
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

test('curl gets the text of what its token may read, and no more', async () => {
  const headers = { Authorization: `token ${ada.token}` }
  const pages = {
    '/ada/secret': 'README.md',
    '/ada/secret/src/branch/main/README.md': 'secret\n------',
    '/ada/secret/commits/branch/main': 'Initial commit',
    '/ada/secret/issues': '- [Open issue] It �[31mbreaks',
    '/ada/secret/issues/1': 'here',
    '/ada/secret/releases': 'No releases yet',
  }
  for (const [path, part] of Object.entries(pages)) {
    const { status, text, type } = await curl(path, headers)
    expect([path, status, type]).toEqual([path, 200, 'text/plain; charset=utf-8'])
    expect(text).toContain(part)
    expect(text).not.toMatch(/<\w|\u001b/)
    expect((await curl(path)).status).toBe(404)
    expect((await curl(path, { Authorization: `token ${forge.token(ada, 'read:user')}` })).status).toBe(403)
  }
})

test("a token opens no account's own pages as text, and none as HTML", async () => {
  const headers = { Authorization: `token ${ada.token}` }
  expect((await curl('/user/settings/applications', headers)).status).not.toBe(200)
  expect((await curl('/ada/secret/issues', { ...headers, Accept: 'text/html' })).status).toBe(404)
})

test('programs that ask for something else get what they always got', async () => {
  const request = (headers: Record<string, string>) => forge.app.handle(new Request('http://localhost/explore/repos', { headers }))
  expect((await request({})).headers.get('content-type')).toContain('text/html')
  expect((await request({ Accept: 'text/plain' })).headers.get('content-type')).toContain('text/plain')
  expect((await request({ Accept: 'text/html', 'User-Agent': 'curl/8' })).headers.get('content-type')).toContain('text/html')
})
