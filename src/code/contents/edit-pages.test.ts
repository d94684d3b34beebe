import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.person('bob')
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

const contentOf = async (path: string, repo = 'engine') => (await asAda.get<string>(`/repos/ada/${repo}/raw/${path}`)).body
const shaIn = (text: string) => /name="sha" value="([0-9a-f]{40})"/.exec(text)?.[1] ?? ''

test('a repository is made in the browser, and its first file is written there', async () => {
  const made = await hers.post('/repo/create', { owner: 'ada', name: 'engine', description: 'It runs' })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/ada/engine'])
  expect((await hers.get('/ada/engine')).text).toContain('href="/ada/engine/_new/main"')
  const saved = await hers.post('/ada/engine/_new/main', { path: 'README.md', content: '# Engine\r\n\r\nIt runs.\r\n', message: '' })
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/ada/engine/src/branch/main/README.md'])
  expect(await contentOf('README.md')).toBe('# Engine\n\nIt runs.\n')
})

test('a text is looked at as it would read, and beside what it changes, before it is committed; nothing typed is lost by that', async () => {
  await asAda.post('/user/repos', { name: 'looked-at' })
  const begun = { path: 'notes.md', content: '# Notes\r\n\r\n*first*\r\n', message: 'Take <notes>', new_branch: 'aside' }
  const fresh = await hers.post('/ada/looked-at/_new/main', { ...begun, action: 'preview' })
  expect(fresh.text).toMatch(/<section aria-label="Preview">.*<em>first<\/em>.*<\/section>/s)
  for (const kept of ['value="notes.md"', '# Notes\n\n*first*\n</textarea>', 'Take &lt;notes&gt;</textarea>', 'value="aside"'])
    expect(fresh.text).toContain(kept)
  expect((await hers.post('/ada/looked-at/_new/main', { ...begun, path: 'a.txt', action: 'preview' })).text).toContain(
    'Preview is available for Markdown files only',
  )
  const added = await hers.post('/ada/looked-at/_new/main', { ...begun, action: 'changes' })
  expect([added.status, added.text.includes('<td>+*first*</td>')]).toEqual([200, true])
  const saves = await Promise.all([1, 2].map(() => hers.post('/ada/looked-at/_new/main', { ...begun, new_branch: '', action: 'commit' })))
  expect(saves.map(({ status, headers }) => [status, headers.get('location')])).toEqual([1, 2].map(() => [303, '/ada/looked-at/src/branch/main/notes.md']))

  const edit = '/ada/looked-at/_edit/main/notes.md'
  const sha = shaIn((await hers.get(edit)).text)
  const typed = { path: 'notes.md', content: '# Notes\r\n\r\n*second* </textarea><script>\r\n', message: '', new_branch: '', sha }
  const { text } = await hers.post(edit, { ...typed, action: 'changes' })
  const changes = /<section aria-label="Changes">.*?<\/section>/s.exec(text)?.[0].replaceAll(/<\/?mark>/g, '') ?? ''
  expect([changes.includes('<td>-*first*</td>'), changes.includes('<td>+*second* &lt;/textarea&gt;&lt;script&gt;</td>')]).toEqual([true, true])
  expect([shaIn(text), text.includes('*second* &lt;/textarea&gt;&lt;script&gt;\n</textarea>')]).toEqual([sha, true])
  expect((await hers.post(edit, { ...typed, content: '# Notes\n\n*first*\n', action: 'changes' })).text).toContain('No changes.')
  expect(await contentOf('notes.md', 'looked-at')).toBe('# Notes\n\n*first*\n')
  await hers.post('/ada/looked-at/_delete/main/notes.md', { sha, message: '' })
  const gone = await hers.post(edit, { ...typed, action: 'changes' })
  expect([gone.status, gone.text.includes('*second*')]).toEqual([200, true])
})

test('the page of who owns repositories leads to making one more of theirs', async () => {
  await asAda.post('/orgs', { username: 'guild' })
  const offered = async (who: TestBrowser, name: string) =>
    /href="([^"]+)"><svg[^>]*>(?:<use [^>]*>)?<\/svg>New repository/.exec((await who.get(`/${name}`)).text.split('<main')[1] ?? '')?.[1]
  expect(await offered(hers, 'guild')).toBe('/repo/create?owner=guild')
  expect((await hers.get('/repo/create?owner=guild')).text).toContain('<option value="guild" selected>')
  expect([await offered(hers, 'ada'), await offered(hers, 'bob'), await offered(new TestBrowser(forge), 'guild')]).toEqual([
    '/repo/create?owner=ada',
    undefined,
    undefined,
  ])
})

test('a repository begins with what was chosen, and on the branch that was named', async () => {
  const offered = (await hers.get('/repo/create')).text
  const licences = [...(/<select name="license">.*?<\/select>/s.exec(offered)?.[0].matchAll(/value="([^"]+)"/g) ?? [])].map(([, name]) => name)
  for (const name of licences) expect([name, (await forge.get(`/licenses/${name}`)).status]).toEqual([name, 200])
  const begun = { owner: 'ada', name: 'begun', description: '', gitignores: 'Node', license: 'MIT', issue_labels: 'Default', default_branch: 'trunk' }
  expect((await hers.post('/repo/create', begun)).status).toBe(303)
  const { text } = await hers.get('/ada/begun/src/branch/trunk')
  for (const file of ['.gitignore', 'LICENSE']) expect(text).toContain(`/trunk/${file}"`)
  expect((await hers.get('/ada/begun/labels')).text).toContain('help wanted')
  const wrong = await hers.post('/repo/create', { ...begun, name: 'wrong', default_branch: 'a..b' })
  expect([wrong.status, wrong.text.includes('value="a..b"'), wrong.text.includes('<option value="MIT" selected')]).toEqual([422, true, true])
})

test('a name that is taken is told with what was typed, and nobody makes repositories for others', async () => {
  const taken = await hers.post('/repo/create', { owner: 'ada', name: 'engine', description: 'my <words>' })
  expect([taken.status, taken.text.includes('value="my &lt;words&gt;"')]).toEqual([409, true])
  expect((await hers.post('/repo/create', { owner: 'bob', name: 'x' })).status).toBe(403)
  expect((await new TestBrowser(forge).get('/repo/create')).headers.get('location')).toContain('/user/login')
})

test('what is no text is offered to be deleted, but not to be edited', async () => {
  for (const [path, content, isEditable] of [
    ['shot.png', btoa('\x89PNG\0'), false],
    ['data.bin', btoa('a\0b'), false],
    ['drawing.svg', btoa('<svg xmlns="http://www.w3.org/2000/svg"/>'), true],
    ['plain.txt', btoa('text'), true],
  ] as const) {
    await asAda.post(`/repos/ada/engine/contents/${path}`, { content, message: `Add ${path}`, branch: 'main' })
    const { text } = await hers.get(`/ada/engine/src/branch/main/${path}`)
    expect([path, text.includes(`/_edit/main/${path}"`), text.includes(`/_delete/main/${path}"`)]).toEqual([path, isEditable, true])
  }
})

test('a file is edited, renamed with it, and keeps its line ends', async () => {
  await hers.post('/ada/engine/_new/main/doc', { path: 'doc/dos.txt', content: 'one\r\ntwo\r\n', is_crlf: 'true' })
  const { text } = await hers.get('/ada/engine/_edit/main/doc/dos.txt')
  expect(text).toContain('name="is_crlf"')
  const saved = await hers.post('/ada/engine/_edit/main/doc/dos.txt', { path: 'doc/win.txt', content: 'one\r\n2\r\n', sha: shaIn(text), is_crlf: 'true' })
  expect(saved.headers.get('location')).toBe('/ada/engine/src/branch/main/doc/win.txt')
  expect(await contentOf('doc/win.txt')).toBe('one\r\n2\r\n')
  expect((await hers.get('/ada/engine/src/branch/main/doc/dos.txt')).status).toBe(404)
})

test('what somebody else changed meanwhile is not overwritten, and the typed text stays', async () => {
  const sha = shaIn((await hers.get('/ada/engine/_edit/main/README.md')).text)
  await hers.post('/ada/engine/_edit/main/README.md', { path: 'README.md', content: 'first\n', sha })
  const late = await hers.post('/ada/engine/_edit/main/README.md', { path: 'README.md', content: 'my long work\n', sha })
  expect([late.status >= 400 && late.status < 500, late.text.includes('my long work')]).toEqual([true, true])
  expect(await contentOf('README.md')).toBe('first\n')
  expect([late.status, late.text.includes('someone else changed this file')]).toEqual([409, true])
  expect(late.text.replaceAll(/<\/?mark>/g, '')).toContain('<td>-first</td>')
  const after = await hers.post('/ada/engine/_edit/main/README.md', { path: 'README.md', content: 'first\nmy long work\n', sha: shaIn(late.text) })
  expect([after.status, await contentOf('README.md')]).toEqual([303, 'first\nmy long work\n'])
})

test('what was typed into a file that is deleted or elsewhere meanwhile can be committed as a new one', async () => {
  await hers.post('/ada/engine/_new/main/', { path: 'doc/short-lived.txt', content: 'one\n' })
  const sha = shaIn((await hers.get('/ada/engine/_edit/main/doc/short-lived.txt')).text)
  await hers.post('/ada/engine/_delete/main/doc/short-lived.txt', { sha })
  const late = await hers.post('/ada/engine/_edit/main/doc/short-lived.txt', { path: 'doc/short-lived.txt', content: 'my long work\n', sha })
  expect([late.status, late.text.includes('was deleted after you opened it'), late.text.includes('my long work')]).toEqual([409, true, true])
  const [, action = ''] = /<form class="fields" method="post" action="([^"]*)"/.exec(late.text) ?? []
  const after = await hers.post(action, { path: 'doc/short-lived.txt', content: 'my long work\n' })
  expect([action, after.status, await contentOf('doc/short-lived.txt')]).toEqual(['/ada/engine/_new/main/', 303, 'my long work\n'])
  expect((await hers.get('/ada/engine')).text).toContain('Deleted doc/short-lived.txt')
})

test('a change can go to a new branch, which leads to a pull request', async () => {
  const sha = shaIn((await hers.get('/ada/engine/_edit/main/README.md')).text)
  const saved = await hers.post('/ada/engine/_edit/main/README.md', { path: 'README.md', content: 'better\n', sha, new_branch: 'better/readme' })
  expect(saved.headers.get('location')).toBe('/ada/engine/compare/main...better/readme')
  expect((await hers.get('/ada/engine/compare/main...better/readme')).text).toContain('+better')
})

test('the editor explains why a commit to a protected branch is refused, and keeps the typed text', async () => {
  await asAda.post('/repos/ada/engine/branch_protections', { rule_name: 'main' })
  const refused = await hers.post('/ada/engine/_new/main/', { path: 'kept.txt', content: 'my text\n' })
  await asAda.delete('/repos/ada/engine/branch_protections/main')
  expect([refused.status, refused.text.includes('my text')]).toEqual([403, true])
  expect(refused.text).toContain('Cannot commit to main: the branch is protected. Commit to a new branch instead.')
})

test('a slash before the path of a file is none of its name', async () => {
  const made = await hers.post('/ada/engine/_new/main/', { path: ' /top.txt', content: 'x\n' })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/ada/engine/src/branch/main/top.txt'])
})

test('files are uploaded into a directory, whatever their bytes and names', async () => {
  const binary = new Uint8Array([0, 255, 13, 10, 0])
  const files = [new File([binary], 'a.bin'), new File(['text'], '../../etc/über.txt')]
  const saved = await hers.post('/ada/engine/_upload/main/doc', {}, files)
  expect(saved.status).toBe(303)
  expect(await contentOf('doc/%C3%BCber.txt')).toBe('text')
  const raw = await forge.app.handle(new Request('http://localhost/ada/engine/raw/branch/main/doc/a.bin'))
  expect(new Uint8Array(await raw.arrayBuffer())).toEqual(binary)
  expect((await hers.post('/ada/engine/_upload/main/doc', {}, [])).status).toBe(422)
  expect((await hers.get('/ada/engine/_edit/main/doc/a.bin')).status).toBe(422)
})

test('a file is deleted only as it was seen', async () => {
  const sha = shaIn((await hers.get('/ada/engine/_delete/main/doc/win.txt')).text)
  expect((await hers.post('/ada/engine/_delete/main/doc/win.txt', { sha: 'f'.repeat(40) })).status).toBe(422)
  expect((await hers.post('/ada/engine/_delete/main/doc/win.txt', { sha })).status).toBe(303)
  expect((await hers.get('/ada/engine/src/branch/main/doc/win.txt')).status).toBe(404)
})

test('hostile paths are refused, and strangers and readers have no forms', async () => {
  for (const path of ['../x', '.git/config', 'a//b', '/', 'a\0b', '.']) {
    expect([path, (await hers.post('/ada/engine/_new/main', { path, content: 'x' })).status]).toEqual([path, 422])
  }
  const his = new TestBrowser(forge, await forge.person('carl'))
  expect((await his.get('/ada/engine/_new/main')).status).toBe(403)
  expect((await his.post('/ada/engine/_new/main', { path: 'x', content: 'x' })).status).toBe(403)
  expect((await his.get('/ada/engine')).text).not.toContain('_new')
  expect((await hers.post('/ada/engine/_new/main', { path: 'x', content: 'x' }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
})

test('blame tells which commit each line comes from, and passes over those that only reformat', async () => {
  await hers.post('/ada/engine/_new/main', { path: 'blamed.txt', content: 'one\ntwo\n', message: 'Begin <b>' })
  const edit = async (content: string, message: string) => {
    const sha = shaIn((await hers.get('/ada/engine/_edit/main/blamed.txt')).text)
    expect((await hers.post('/ada/engine/_edit/main/blamed.txt', { path: 'blamed.txt', content, sha, message })).status).toBe(303)
    return (await asAda.get<{ commit: { id: string } }>('/repos/ada/engine/branches/main')).body.commit.id
  }
  const second = await edit('one\n  two\n', 'Indent')
  const { text } = await hers.get('/ada/engine/blame/branch/main/blamed.txt')
  expect(text.match(/>Begin &lt;b&gt;<\/a>/g)).toHaveLength(1)
  expect(text.match(/>Indent<\/a>/g)).toHaveLength(1)
  expect(text).toMatch(/aria-label="Blame prior to this change"/)
  await hers.post('/ada/engine/_new/main', { path: '.git-blame-ignore-revs', content: `# reformatted\n${second}\nnonsense\n` })
  expect((await hers.get('/ada/engine/blame/branch/main/blamed.txt')).text).not.toContain('>Indent</a>')
  expect((await hers.get('/ada/engine/blame/branch/main/blamed.txt?bypass-blame-ignore=true')).text).toContain('>Indent</a>')
  expect((await hers.get('/ada/engine/blame/branch/main/absent.txt')).status).toBe(404)
  expect((await hers.get('/ada/engine/blame/branch/main/doc/a.bin')).status).toBe(422)
})
