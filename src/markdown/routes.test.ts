import { afterAll, expect, spyOn, test } from 'bun:test'
import { DiskStore } from '#git/store/disk.ts'
import { JobThread } from '#kernel/job-thread.ts'
import { eventually, turns } from '../../test/eventually.ts'
import { type CallOptions, testForge } from '../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { rootUrl } = forge.context
const ada = await forge.person('ada')
const bob = await forge.person('bob')
const root = await forge.person('root1', { isAdmin: true })
await forge.person('hidden', { visibility: 'private' })
const author = { name: 'Ada', email: 'ada@example.org', timestamp: 1_700_000_000, timezoneOffset: 0 }
const commits = { open: commitIn(forge.repo(ada, 'open', { private: false }).id), shut: commitIn(forge.repo(ada, 'shut', { private: true }).id) }

function commitIn(repoId: number): string {
  const store = DiskStore.open(forge.context.git.pathOf(repoId))
  const ident = `${author.name} <${author.email}> ${author.timestamp + repoId} +0000`
  const tree = store.write('tree', new Uint8Array())
  return store.write('commit', Buffer.from(`tree ${tree}\nauthor ${ident}\ncommitter ${ident}\n\nfirst\n`))
}

const markdown = (body: unknown, as?: CallOptions['as']) => forge.asUser(as).post<string & { message?: string }>('/markdown', body)
const markup = (body: unknown, as?: CallOptions['as']) => forge.asUser(as).post<string & { message?: string }>('/markup', body)
const raw = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = { 'Content-Type': 'text/plain' }) =>
  forge.app.handle(new Request('http://localhost/api/v1/markdown/raw', { method: 'POST', body, headers }))

test('a text is answered as HTML that no browser runs anything of', async () => {
  const { status, headers, body } = await markdown({ Text: '# Hi <script>alert(1)</script>', Mode: 'markdown' })
  expect([status, body]).toEqual([200, '<h1 id="user-content-hi-alert1">Hi </h1>\n'])
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

const spellings = [
  { Text: '#1', Mode: 'gfm', Context: '/ada/open' },
  { text: '#1', mode: 'gfm', context: '/ada/open' },
  { TEXT: '#1', Mode: 'gfm', cONTEXT: 'ada/open' },
]
test.each(spellings)('%p is understood, whatever the case of its names', async (body) => {
  const link = `<a href="${rootUrl}ada/open/issues/1" class="ref-issue" rel="nofollow">#1</a>`
  expect([(await markdown(body)).body as string, (await markup(body)).body as string]).toEqual([`<p>${link}</p>\n`, `<p>${link}</p>\n`])
})

const modeAnswers: [mode: string | undefined, html: string][] = [
  [undefined, '<p>#1\nx</p>\n'],
  ['', '<p>#1\nx</p>\n'],
  ['markdown', '<p>#1\nx</p>\n'],
  ['comment', `<p><a href="${rootUrl}ada/open/issues/1" class="ref-issue" rel="nofollow">#1</a><br />\nx</p>\n`],
  ['gfm', `<p><a href="${rootUrl}ada/open/issues/1" class="ref-issue" rel="nofollow">#1</a>\nx</p>\n`],
  ['wiki', `<p><a href="${rootUrl}ada/open/issues/1" class="ref-issue" rel="nofollow">#1</a>\nx</p>\n`],
]
test.each(modeAnswers)('mode %p', async (Mode, html) => {
  expect((await markdown({ Text: '#1\nx', Mode, Context: 'ada/open' })).body as string).toBe(html)
})

test('a team becomes a link for who may know of it, where the text is in a repository of its organization', async () => {
  await forge.asUser(ada).post('/orgs', { username: 'mill' })
  await forge.asUser(ada).post('/orgs/mill/repos', { name: 'wheel' })
  await forge.asUser(ada).post('/orgs/mill/teams', { name: 'Grinders', permission: 'read', units: ['repo.code'], visibility: 'private' })
  const text = { Text: '@mill/grinders @mill/none', Mode: 'gfm', Context: 'mill/wheel' }
  const link = `<a href="${rootUrl}org/mill/teams/grinders" class="mention" rel="nofollow">@mill/grinders</a>`
  expect((await markdown(text, ada)).body as string).toBe(`<p>${link} @mill/none</p>\n`)
  expect((await markdown(text, bob)).body as string).toBe('<p>@mill/grinders @mill/none</p>\n')
  expect((await markdown({ ...text, Context: 'ada/open' }, ada)).body as string).toBe('<p>@mill/grinders @mill/none</p>\n')
})

test('the old flag wiki is mode wiki', async () => {
  expect((await markdown({ Text: '[[A]]', Wiki: true, Context: 'ada/open' })).body as string).toContain(`${rootUrl}ada/open/wiki/A`)
})

const bad: [name: string, path: string, body: unknown, message: string][] = [
  ['an unknown mode', '/markdown', { Text: 'x', Mode: 'html' }, 'Unknown mode "html": use one of markdown, gfm, comment, wiki, file'],
  ['a mode of objects', '/markdown', { Text: 'x', Mode: 'constructor' }, 'Unknown mode "constructor": use one of markdown, gfm, comment, wiki, file'],
  ['a number', '/markdown', { Text: 5 }, '[Text]: must be a text of at most 1048576 characters'],
  ['a number in small letters', '/markup', { text: 5 }, '[Text]: must be a text of at most 1048576 characters'],
  ['a list', '/markdown', ['x'], '[body]: expected a JSON object, sent as Content-Type: application/json'],
  ['a context that is none', '/markdown', { Text: 'x', Context: {} }, '[Context]: Expected string'],
  ['a file without a name', '/markup', { Text: 'x', Mode: 'file' }, 'unsupported file to render: ""'],
  ['a file of another kind', '/markup', { Text: '#+INCLUDE: "/etc/passwd"', Mode: 'file', FilePath: 'a/b.org' }, 'unsupported file to render: "a/b.org"'],
]
test.each(bad)('%s is refused', async (_, path, body, message) => {
  const reply = await forge.post<string & { message?: string }>(path, body)
  expect([reply.status, reply.body.message]).toEqual([422, message])
})

test('an empty body is an empty text', async () => {
  expect(await markdown({})).toMatchObject({ status: 200, body: '' })
})

test('a text that is too long is refused', async () => {
  expect((await markdown({ Text: 'a'.repeat(1_048_577) }, ada)).status).toBe(422)
  expect((await raw('a'.repeat(1_048_577))).status).toBe(413)
})

test('a raw text is rendered whatever it is said to be', async () => {
  for (const type of ['text/plain', 'text/x-markdown', 'application/json', 'application/x-www-form-urlencoded']) {
    const response = await raw('*a* #1 @ada', { 'Content-Type': type })
    expect([type, response.status, await response.text()]).toEqual([type, 200, '<p><em>a</em> #1 @ada</p>\n'])
  }
  expect((await raw(new Uint8Array([0x61]), {})).status).toBe(200)
})

test('a raw text that is not UTF-8 is refused', async () => {
  const response = await raw(new Uint8Array([0x61, 0xff]))
  expect([response.status, await response.json()]).toEqual([422, expect.objectContaining({ message: 'Cannot render the text: it is not UTF-8' })])
})

test('a file is rendered as seen from its directory', async () => {
  const { body } = await markup({ Text: '[a](a.md) ![b](b.png)', Mode: 'file', Context: '/ada/open/src/branch/main/doc', FilePath: 'doc/x.md' })
  expect(body as string).toContain(`href="${rootUrl}ada/open/src/branch/main/doc/a.md"`)
  expect(body as string).toContain(`src="${rootUrl}ada/open/media/branch/main/doc/b.png"`)
  const byBranch = await markup({ Text: '[a](a.md)', Mode: 'gfm', Context: 'ada/open', BranchPath: 'branch/next' })
  expect(byBranch.body as string).toContain(`href="${rootUrl}ada/open/src/branch/next/a.md"`)
})

const viewers: [who: string, as: CallOptions['as'], sees: boolean][] = [
  ['anonymous', undefined, false],
  ['a stranger', bob, false],
  ['the owner', ada, true],
  ['a site administrator', root, true],
  ['the owner by a token for other things', forge.token(ada, 'write:misc'), false],
  ['the owner by a token for public things', forge.token(ada, 'write:misc', 'read:repository', 'public-only'), false],
  ['the owner by a token for repositories', forge.token(ada, 'write:misc', 'read:repository'), true],
]

test.each(viewers)('%s learns of commits what they may read', async (_, as, sees) => {
  const text = async (Context: string, id: string) => (await markdown({ Text: id, Mode: 'gfm', Context }, as)).body as string
  const short = commits.shut.slice(0, 10)
  expect((await text('ada/shut', short)).includes('<a ')).toBe(sees)
  expect((await text('ada/shut', commits.shut)).includes('<a ')).toBe(sees)
  expect((await text('ada/shut', '[x](a.md)')).includes('/src/branch/main/')).toBe(sees)
})

test('a commit of a public repository is linked for everyone; a tree, a foreign commit and one that is not there are not', async () => {
  const tree = DiskStore.open(forge.context.git.pathOf(1)).write('tree', new Uint8Array())
  const { body } = await markdown({ Text: `${commits.open} ${tree} ${commits.shut} ${'0'.repeat(40)}`, Mode: 'gfm', Context: 'ada/open' })
  expect((body as string).match(/<a [^>]*>/g)).toEqual([`<a href="${rootUrl}ada/open/commit/${commits.open}" class="commit" rel="nofollow">`])
})

const references = ['ada/shut#1', 'ada/shut!1', `ada/shut@${'0'.repeat(40)}`]
test.each(viewers)('%s finds links to issues and commits of a private repository where they may read it, else text', async (_, as, sees) => {
  for (const text of references) {
    const { body } = await markdown({ Text: text, Mode: 'gfm', Context: 'ada/open' }, as)
    expect([text, (body as string).includes('<a ')]).toEqual([text, sees])
  }
  const inside = (await markdown({ Text: '#1', Mode: 'gfm', Context: 'ada/shut' }, as)).body as string
  expect(inside.includes('<a ')).toBe(sees)
  const address = `${rootUrl}ada/shut/issues/1`
  expect((await markdown({ Text: address, Mode: 'gfm', Context: 'ada/open' }, as)).body as string).toContain(sees ? '>ada/shut#1<' : `>${address}<`)
})

test('names are linked when the viewer may see the account', async () => {
  const links = async (as?: CallOptions['as']) => ((await markdown({ Text: '@ada @hidden @absent', Mode: 'comment' }, as)).body as string).match(/>@\w+/g)
  expect([await links(), await links(root)]).toEqual([['>@ada'], ['>@ada', '>@hidden']])
})

test('a small text, and a user’s of any size, waits for none of the many that visitors bring', async () => {
  const order: string[] = []
  const ask = (who: string, Text: string, as?: CallOptions['as']) => markdown({ Text }, as).then(({ status }) => order.push(`${who} ${status}`))
  const long = 'word '.repeat(2900)
  // All are there before the thread is given the first.
  const { run } = JobThread.prototype
  const begin: (() => void)[] = []
  using running = spyOn(JobThread.prototype, 'run').mockImplementation(function (this: JobThread<unknown, object>, ...job) {
    return new Promise((resolve) => begin.push(() => resolve(run.apply(this, job))))
  })
  const flood = Array.from({ length: 33 }, () => ask('flood', long))
  const all = Promise.all([...flood, ask('small', 'hello'), ask('user', long, ada)])
  await eventually(() => begin.length === 35)
  running.mockRestore()
  for (const one of begin) one()
  await all
  // One too many is refused at once; of the rest, one was under way.
  expect(order.slice(0, 4).sort()).toEqual(['flood 200', 'flood 503', 'small 200', 'user 200'])
})

test('a text whose visitor is gone is not rendered', async () => {
  const gone = new AbortController()
  const body = JSON.stringify({ Text: 'word '.repeat(200_000) })
  const request = () =>
    new Request('http://localhost/api/v1/markdown', { method: 'POST', body, headers: { 'Content-Type': 'application/json' }, signal: gone.signal })
  using running = spyOn(JobThread.prototype, 'run')
  const answers = Promise.all(Array.from({ length: 10 }, () => forge.app.handle(request())))
  await eventually(() => running.mock.calls.length > 0)
  await turns(20)
  gone.abort()
  const statuses = (await answers).map(({ status }) => status)
  expect(statuses.filter((status) => status === 499).length).toBeGreaterThan(5)
})
