import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { environmentName, loadConfig, settings } from '#config.ts'
import { type GuidePage, guideTitles } from '#web/index.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { guideText } from './texts.ts'

const root = join(import.meta.dir, '../../..')
const files = join(root, 'assets/guide')
const names = Object.keys(guideTitles) as GuidePage[]
/** The pages without generated tables, and the README, which links to them. */
const documents = [...names.map((name) => `assets/guide/${name}.md`), 'README.md'].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const forge = testForge()
let cookie: string
let ada: Person
beforeAll(async () => {
  ada = await forge.person('ada', { isAdmin: true })
  cookie = forge.context.authenticator.sessions.begin(ada.row, new Request('http://localhost/')).split(';')[0] as string
})
afterAll(() => forge[Symbol.asyncDispose]())

async function read(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers: { Accept: 'text/html', ...headers } }))
  return { status: response.status, text: await response.text() }
}

test('lists every file of assets/guide, with its first heading as the title', () => {
  expect(readdirSync(files).sort()).toEqual(names.map((name) => `${name}.md`).sort())
  const headings = names.map((name) => [name, guideText(name).split('\n')[0]])
  expect(headings).toEqual(Object.entries(guideTitles).map(([name, title]) => [name, `# ${title}`]))
})

test('shows every page to visitors, with links to all others', async () => {
  for (const name of names) {
    const { status, text } = await read(`/-/guide/${name}`)
    expect([name, status]).toEqual([name, 200])
    expect(text).toContain(`<h1>${guideTitles[name]}</h1>`)
    expect(text).toContain('<div class="text document">')
    for (const other of names) expect(text).toContain(`href="/-/guide/${other}"`)
  }
  expect((await read('/-/guide')).text).toContain(`<h1>${guideTitles['getting-started']}</h1>`)
  expect((await read('/-/guide/none')).status).toBe(404)
})

test('asks visitors to sign in where the whole server does', async () => {
  await using closed = testForge({ service: { REQUIRE_SIGNIN_VIEW: true } })
  const response = await closed.app.handle(new Request('http://localhost/-/guide', { headers: { Accept: 'text/html' } }))
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toStartWith('/user/login')
})

test('leads to pages and headings that exist', async () => {
  const dead: string[] = []
  for (const name of names) {
    const { text } = await read(`/-/guide/${name}`, { Cookie: cookie })
    const article = text.slice(text.indexOf('<div class="text document">'), text.indexOf('</main>'))
    for (const [, href = ''] of article.matchAll(/ href="([^"]+)"/g)) {
      const { pathname, search, hash, origin } = new URL(href.replaceAll('&amp;', '&'), `http://localhost/-/guide/${name}`)
      if (origin !== 'http://localhost') continue
      const target = await read(pathname + search, { Cookie: cookie })
      const isThere = target.status < 400 && (hash === '' || target.text.includes(` id="${hash.slice(1)}"`))
      if (!isThere) dead.push(`${name}.md: ${href}`)
    }
  }
  expect(dead).toEqual([])
})

test('links to the administration only for site administrators', async () => {
  const path = '/-/guide/administration'
  expect((await read(path)).text).not.toContain('href="http://localhost/-/admin')
  expect((await read(path)).text).toContain('<code>/-/admin/doctor</code>')
  expect((await read(path, { Cookie: cookie })).text).toContain('href="http://localhost/-/admin/doctor"')
})

test('is linked from every page, and from the settings that it explains', async () => {
  const links: [path: string, page: string][] = [
    ['/', ''],
    ['/user/settings/keys', '/tokens'],
    ['/user/settings/applications', '/tokens'],
    ['/user/settings/security', '/second-factors'],
    ['/-/admin', '/administration'],
    ['/-/admin/auths', '/authentication'],
    ['/-/admin/config', '/settings'],
  ]
  for (const [path, page] of links) expect((await read(path, { Cookie: cookie })).text).toContain(`href="/-/guide${page}"`)
  forge.repo(ada, 'engine')
  expect((await read('/ada/engine/settings/branches', { Cookie: cookie })).text).toContain('href="/-/guide/repositories"')
})

test('names settings that exist, in the text, in examples of the settings file, and as environment variables', () => {
  const known = Object.entries(settings).flatMap(([section, keys]) => Object.keys(keys).map((key) => [section, key] as const))
  const keys = new Set(known.map(([section, key]) => `${section}.${key}`))
  const variables = new Set([...known.map(([section, key]) => environmentName(section, key)), 'POCKETFORGE_DATA', 'POCKETFORGE_CONFIG'])
  const wrong = documents.flatMap(({ path, text }) => [
    ...[...text.matchAll(/`([a-z][a-z_.-]*\.[A-Z][A-Z0-9_]+)\b/g)].filter(([, name = '']) => !keys.has(name)).map(([, name]) => `${path}: ${name}`),
    ...[...text.matchAll(/\bPOCKETFORGE_[A-Z_]*[A-Z]\b/g)].filter(([name]) => !variables.has(name)).map(([name]) => `${path}: ${name}`),
  ])
  expect(wrong).toEqual([])
  for (const { text } of documents) {
    for (const [, example = ''] of text.matchAll(/```toml\n(.*?)```/gs)) {
      const flags = parseToml(example) as Record<string, Record<string, unknown>>
      expect(() => loadConfig('/nowhere', {}, flatten(flags))).not.toThrow()
    }
  }
})

/** `[repository.release]` is a table in a table, and a section of its own. */
function flatten(tables: Record<string, Record<string, unknown>>, within = ''): Record<string, Record<string, unknown>> {
  const sections: Record<string, Record<string, unknown>> = {}
  for (const [name, table] of Object.entries(tables)) {
    const inner = Object.entries(table).filter(([, value]) => typeof value === 'object' && !Array.isArray(value)) as [string, Record<string, unknown>][]
    const own = Object.entries(table).filter(([, value]) => typeof value !== 'object' || Array.isArray(value))
    if (own.length > 0) sections[within + name] = Object.fromEntries(own)
    Object.assign(sections, flatten(Object.fromEntries(inner), `${within}${name}.`))
  }
  return sections
}

test('lists every setting with its default', async () => {
  const { text } = await read('/-/guide/settings')
  const missing = Object.values(settings).flatMap((keys) =>
    Object.keys(keys).filter((key) => !text.replaceAll('<wbr />', '').includes(`<td><code>${key}</code></td>`)),
  )
  expect(missing).toEqual([])
  expect(text).toContain('<code>"127.0.0.1"</code>')
  // Addresses in descriptions are examples, not links.
  expect(text).not.toContain('href="http://localhost"')
})

test('has pages of at most 250 lines', () => {
  const long = names.filter((name) => readFileSync(join(files, `${name}.md`), 'utf8').split('\n').length > 251)
  expect(long).toEqual([])
})

test('quotes messages that the source has, in the headings of the troubleshooting page', () => {
  const sources = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)]
    .filter((path) => !path.includes('.test.') && !path.includes('.fixture.'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
  const messages = [...guideText('troubleshooting').matchAll(/^### "(.*)"/gm)].map(([, message = '']) => message)
  expect(messages.length).toBeGreaterThan(10)
  // The source has an expression in place of an ellipsis.
  const partsOf = (message: string) => message.split(/[^\w)]*…[^\w(]*/).filter((part) => part !== '')
  expect(messages.filter((message) => !sources.some((source) => partsOf(message).every((part) => source.includes(part))))).toEqual([])
})
