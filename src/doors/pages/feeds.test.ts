import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, testForge } from '../../../test/harness.ts'
import { ed25519Key } from '../../../test/ssh-keys.ts'
import { adaKey } from '../../people/gpg/vectors.fixture.ts'

const ATTACK = '<script>alert(1)</script>]]>&"\u0001'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.person('bob')
  await asAda.post('/user/repos', { name: 'engine', auto_init: true })
  await asAda.post('/user/repos', { name: 'secret', private: true, auto_init: true })
  await asAda.post('/repos/ada/engine/issues', { title: `Broken ${ATTACK}` })
  await asAda.post('/repos/ada/engine/releases', { tag_name: 'v1', name: ATTACK, body: `**new** ${ATTACK}` })
})
afterAll(() => forge[Symbol.asyncDispose]())

async function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string; type: string; location: string | null }> {
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers }))
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, text: await response.text(), type, location: response.headers.get('location') }
}

const titlesOf = (text: string) => [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title)

test.each(['rss', 'atom'])('feeds in %s tell what happened, and nothing that their reader does not see', async (form) => {
  for (const path of [`/ada.${form}`, `/ada/engine.${form}`, `/ADA/engine.${form}`]) {
    const { status, text, type } = await ask(path)
    expect([path, status, type]).toEqual([path, 200, `application/${form}+xml; charset=utf-8`])
    expect(titlesOf(text)).toContain('ada opened issue ada/engine#1')
    expect(text).not.toMatch(/<script|secret|\u0001/)
  }
  expect((await ask(`/ada/secret.${form}`)).status).toBe(404)
})

test('a token reads what its holder sees, with the scopes that the API asks for', async () => {
  const basic = (token: string) => ({ Authorization: `Basic ${btoa(`ada:${token}`)}` })
  expect((await ask('/ada/secret.rss', basic(ada.token))).text).toContain('ada created ada/secret')
  expect((await ask('/ada/secret.rss', basic(forge.token(ada, 'read:issue')))).status).toBe(403)
  expect((await ask('/ada.rss', basic(forge.token(ada, 'read:user')))).text).not.toContain('ada/secret')
  expect((await ask('/ada.rss', basic(ada.token))).text).toContain('ada/secret')
})

test.each([
  ['/ada/engine/releases', `<pre>`],
  ['/ada/engine/tags', 'v1'],
])('%s has feeds', async (path, part) => {
  for (const form of ['rss', 'atom']) {
    const { status, text } = await ask(`${path}.${form}`)
    expect([status, text.includes('v1'), text.includes(part) || text.includes('&lt;strong&gt;new')]).toEqual([200, true, true])
    expect(text).not.toContain('<script')
  }
})

test('branches and files have feeds of their commits', async () => {
  expect(titlesOf((await ask('/ada/engine/rss/branch/main')).text)).toEqual(['Commits in main, ada/engine', 'Initial commit'])
  expect(titlesOf((await ask('/ada/engine/atom/branch/main/README.md')).text)).toContain('Initial commit')
  for (const path of ['/ada/engine/rss/branch/none', '/ada/engine/rss/tag/v1', '/ada/secret/rss/branch/main']) expect((await ask(path)).status).toBe(404)
})

test('an account is asked for its keys and its picture by its name', async () => {
  await asAda.post('/user/keys', { title: 'laptop', key: `${ed25519Key(1)} ada@laptop` })
  expect(await ask('/ada.keys')).toMatchObject({ status: 200, text: `${ed25519Key(1)}\n`, type: 'text/plain; charset=utf-8' })
  expect((await ask('/bob.keys')).text).toBe('')
  expect((await ask('/bob.gpg')).text).toContain("hasn't uploaded any GPG keys")
  expect((await ask('/ada.png')).location).toBe(`/avatars/${ada.row.id}`)
  for (const ending of ['keys', 'gpg', 'png', 'rss']) expect((await ask(`/nobody.${ending}`)).status).toBe(404)
})

test.skipIf(Bun.which('gpg') === null)('gpg imports the keys of an account', async () => {
  await asAda.post('/user/gpg_keys', { armored_public_key: adaKey })
  const home = mkdtempSync(join(tmpdir(), 'pf-gpg-'))
  const child = Bun.spawnSync(['gpg', '--homedir', home, '--batch', '--import'], { stdin: Buffer.from((await ask('/ada.gpg')).text), stderr: 'pipe' })
  rmSync(home, { recursive: true, force: true })
  expect([child.exitCode, child.stderr.toString().includes('imported')]).toEqual([0, true])
})

test('the go command is told where to clone, the same of what is there, hidden and absent', async () => {
  const answers = await Promise.all(['/ada/engine', '/ada/secret', '/ada/absent', '/ada/absent/src/x'].map((path) => ask(`${path}?go-get=1`)))
  const told = answers.map(({ status, text }) => [status, text.replaceAll(/engine|secret/g, 'absent')])
  expect(new Set(told.map(String)).size).toBe(1)
  expect(answers[0]?.text).toContain('<meta name="go-import" content="localhost/ada/engine git http://localhost/ada/engine.git">')
  expect((await ask('/api/v1/version?go-get=1')).type).toContain('json')
})

test('robots are kept from what costs much, browsers are told how to search', async () => {
  const robots = await ask('/robots.txt')
  expect([robots.status, robots.type]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(robots.text).toContain('Disallow: /*/*/blame/\n')
  expect(await ask('/.well-known/change-password')).toMatchObject({ status: 303, location: '/user/settings/change_password' })
  expect((await ask('/opensearch.xml')).text).toContain('template="http://localhost/explore/repos?q={searchTerms}"')
})

test('comparisons are diffs and patches, too', async () => {
  await asAda.post('/repos/ada/secret/contents/a.txt', { content: btoa('a'), new_branch: 'topic', message: 'Add a' })
  const headers = { Authorization: `token ${ada.token}` }
  expect((await ask('/ada/secret/compare/main...topic.diff', headers)).text).toContain('+++ b/a.txt')
  expect((await ask('/ada/secret/compare/main...topic.patch', headers)).text).toContain('Subject: [PATCH] Add a')
  expect((await ask('/ada/secret/compare/main...topic.diff')).status).toBe(404)
})

test.skipIf(Bun.which('python3') === null)(
  'every feed is well-formed to an XML parser, whatever people wrote',
  async () => {
    const paths = ['/ada', '/ada/engine', '/ada/engine/releases', '/ada/engine/tags'].flatMap((path) => [`${path}.rss`, `${path}.atom`])
    const texts = await Promise.all([...paths, '/ada/engine/rss/branch/main', '/opensearch.xml'].map(async (path) => (await ask(path)).text))
    const parser = 'import sys, json; from xml.etree import ElementTree; print(*[ElementTree.fromstring(text).tag for text in json.load(sys.stdin)], sep="\\n")'
    const child = Bun.spawnSync(['python3', '-c', parser], { stdin: Buffer.from(JSON.stringify(texts.map((text) => text.replace(/^<\?xml[^>]*>/, '')))) })
    expect(child.stdout.toString().trim().split('\n')).toHaveLength(texts.length)
  },
  20_000,
)
