import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { soak } from '../soak.ts'
import { addressOf } from './page-addresses.ts'
import { formsOf, type PageForm } from './page-fields.ts'
import { attributeOf, elementsIn, faultsOf, readPage } from './page-judge.ts'
import { makePageWorld, type PageWorld, pageRoutes, type ViewerName, viewerNames } from './page-world.ts'
import { someOf } from './some-of.ts'

/** Every form that there is, sent by programs rather than by browsers: bodies of any kind, parts and files of any name, by people of any standing. */

setDefaultTimeout(120_000)

const BOUNDARY = 'XbX'
const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const END = `--${BOUNDARY}--\r\n`
/** What forms that people write into call their fields. */
const names = ['title', 'name', 'body', 'content', 'user_name', 'password', 'email', 'labels', 'issues', 'id', 'attachment', '__proto__', 'constructor']

function part(name: string, value: string, more = ''): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
}
const parts = (more: string) => names.map((name) => part(name, 'x', more)).join('')
const many = (count: number, one: (i: number) => string, between = '') => Array.from({ length: count }, (_, i) => one(i)).join(between)

const bodies: [what: string, type: string, body: string | Uint8Array][] = [
  ['no boundary', 'multipart/form-data', parts('') + END],
  ['another boundary', 'multipart/form-data; boundary=other', parts('') + END],
  ['a boundary of 5,000 characters', `multipart/form-data; boundary=${'x'.repeat(5000)}`, parts('') + END],
  ['no end', MULTIPART, parts('')],
  ['nothing', MULTIPART, ''],
  ['the end alone', MULTIPART, END],
  ['parts in another charset', MULTIPART, parts('\r\nContent-Type: text/plain; charset=utf-16') + END],
  ['parts in base64', MULTIPART, parts('\r\nContent-Transfer-Encoding: base64') + END],
  ['files where texts are expected', MULTIPART, parts('; filename="x"') + END],
  ['900 parts of one name', MULTIPART, many(900, () => part('title', 'x')) + END],
  ['5,000 parts', MULTIPART, many(5000, (i) => part(`a${i}`, 'x')) + END],
  ['20,000 parts without a name', MULTIPART, many(20_000, () => `--${BOUNDARY}\r\n\r\n\r\n`) + END],
  ['a header in a name', MULTIPART, part('a"\r\nX-Pwn: 1\r\n\r\nx', 'x') + END],
  ['100,000 fields', URLENCODED, many(100_000, () => 'a=', '&').slice(0, 262_000)],
  ['a deep name', URLENCODED, `a${'[b]'.repeat(30_000)}=1&title[a][b]=1&title[]=2&__proto__[x]=1&constructor.prototype.x=1`],
  ['each name four times', URLENCODED, names.flatMap((name) => [`${name}=a`, `${name}=b`, `${name}[]=c`, `${name.toUpperCase()}=d`]).join('&')],
  ['no names', URLENCODED, '=&=&&&==&%00=%00&'],
  ['no UTF-8', URLENCODED, Buffer.from([...Buffer.from('title=%ff%fe%00&body=%ed%a0%80&name=%&'), 0xff, 0xfe, 0, 0x3d, 0])],
  ['another charset', `${URLENCODED}; charset=utf-16`, Buffer.from('title=x', 'utf16le')],
  ['a compressed body', URLENCODED, Bun.gzipSync('title=x')],
  ['JSON', 'application/json', '{"__proto__":{"x":1},"title":{"a":1},"name":[1]}'],
  ['deep JSON', 'application/json', '['.repeat(100_000)],
  ['null', 'application/json', 'null'],
  ['XML', 'text/xml', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'],
  ['plain text', 'text/plain', 'title=x'],
  ['no type', '', 'title=x'],
]
/** As programs name files; browsers leave directories out, and quotes. */
const fileNames = [
  '../../x',
  '..\\..\\x.png',
  '/etc/x.png',
  'C:\\x.png',
  '.git/config',
  '.GIT/x',
  'git~1',
  'a\u200c.png',
  '<img src=x onerror=pwn()>.png',
  `'><x-pwn>.png`,
  'x.png\\r\\nX-Pwn: 1',
  'nul\0.png',
  `${'n'.repeat(10_000)}.png`,
  '\u202egnp.png',
  '\u001b]0;pwn\u0007.png',
  'con.txt',
  'x.',
  ' ',
  '',
  '.',
  '..',
  '%2e%2e%2fx.png',
  '"; filename="y.png',
  '-rf',
  '__proto__',
  'x.svg',
  'x.html',
]

let world: PageWorld
let forms: (PageForm & { files: string[] })[]
// What is sent changes the world, and deletes much of it.
beforeEach(async () => {
  world = await makePageWorld()
  await world.forge.asUser('owner').delete('/repos/owner/engine/branch_protections/main')
  const found = new Map<string, (typeof forms)[number]>()
  for (const route of (await pageRoutes(world.forge)).filter(({ method }) => method === 'GET')) {
    const page = addressOf(world, route, 'root')
    const { text, headers } = await world.browsers.root.get(page)
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    const files = filesIn(page, text)
    for (const form of formsOf(page, text)) if (form.method === 'post') found.set(form.action, { ...form, files: files.get(form.action) ?? [] })
  }
  forms = [...found.values()].sort((a, b) => Number(endsMuch(a)) - Number(endsMuch(b)))
})
afterEach(() => world[Symbol.asyncDispose]())

/** What the others may be about, or who sends them is known by, goes last. */
const endsMuch = ({ action }: PageForm) => /delete|remove|danger|transfer|logout|revoke|disable|rename|private|archive/.test(action)

/** Names of the fields for files, by where their form leads. */
function filesIn(page: string, html: string): Map<string, string[]> {
  const all = readPage(html).elements.filter(({ tagName }) => tagName === 'form')
  return new Map(
    all.map((form) => {
      const fields = elementsIn(form).filter((one) => attributeOf(one, 'type') === 'file')
      return [attributeOf(form, 'action') ?? page, fields.flatMap((one) => attributeOf(one, 'name') ?? [])]
    }),
  )
}

interface Sent {
  status: number
  harm: string[]
}

/** What became of a body, and what of it should not have. */
async function send(action: string, type: string, body: string | Uint8Array, viewer: ViewerName): Promise<Sent> {
  const headers = { Accept: 'text/html', Origin: 'http://localhost', 'Content-Type': type, ...world.browsers[viewer].headers }
  const answer = await world.forge.app.handle(new Request(`http://localhost${action}`, { method: 'POST', body: body as string, headers }))
  const { status } = answer
  const text = await answer.text()
  const harm = status >= 500 ? [`${status} ${text.slice(0, 200)}`] : []
  const location = answer.headers.get('location')
  if (location !== null && URL.parse(location, 'http://localhost/')?.host !== 'localhost') harm.push(`leads to ${location}`)
  if (answer.headers.has('x-pwn')) harm.push('a header of theirs')
  if (text === '' || !answer.headers.get('content-type')?.startsWith('text/html')) return { status, harm }
  if (/<x-pwn|<img src=x/.test(text)) harm.push('an element of theirs')
  return { status, harm: [...harm, ...faultsOf(text)] }
}

/** Who may do it sends each; the others take turns. */
function sendersOf(i: number): ViewerName[] {
  const other = i % 2 === 0 ? viewerNames[(i / 2) % viewerNames.length] : undefined
  return [...new Set<ViewerName>(['root', other ?? 'root'])]
}

test('no file’s name becomes a path, a part of a page or of a header', async () => {
  const wrong: string[] = []
  let taken = 0
  for (const { action, fields, files } of forms.filter((form) => form.files.length > 0 && !endsMuch(form))) {
    const texts = Object.entries(fields).flatMap(([name, values]) => (files.includes(name) ? [] : values.map((value) => [name, value] as const)))
    for (const [i, name] of fileNames.entries()) {
      const filled = texts.map(([field, value]) => part(field, field === 'new_branch' ? `b${i}` : value || `x${i}`)).join('')
      const { status, harm } = await send(
        action,
        MULTIPART,
        `${filled}${part('attachment', '<x-pwn>', `; filename="${name}"\r\nContent-Type: text/html`)}${END}`,
        'root',
      )
      if (status === 303) taken++
      wrong.push(...harm.map((one) => `${action} with ${name.slice(0, 30)}: ${one}`))
    }
  }
  expect(wrong).toEqual([])
  expect(taken).toBeGreaterThan(80)
  const { body } = await world.forge.asUser('owner').get<{ name: string }[]>('/repos/owner/engine/releases/1/assets')
  expect(body.map(({ name }) => name).filter((name) => /[/\\\0-\x1f\u202e\u200c]/.test(name))).toEqual([])
  const { body: branches } = await world.forge.asUser('owner').get<{ name: string }[]>('/repos/owner/engine/branches')
  for (const { name } of branches.filter((branch) => branch.name.startsWith('b'))) {
    const { body: tree } = await world.forge.asUser('owner').get<{ tree: { path: string }[] }>(`/repos/owner/engine/git/trees/${name}?recursive=true`)
    expect(tree.tree.filter(({ path }) => /(^|\/)(\.\.?|\.git|git~1)(\/|$)|\0/i.test(path))).toEqual([])
  }
  expect(branches.length).toBeGreaterThan(10)
})

test('no body that a browser would not send harms the server, or the page that answers it, whoever sends it', async () => {
  const wrong: string[] = []
  const statuses = new Set<number>()
  let sent = 0
  for (const [turn, form] of forms.entries()) {
    for (const [i, [what, type, body]] of someOf(bodies.entries(), 5, turn)) {
      for (const viewer of sendersOf(i)) {
        const { status, harm } = await send(form.action, type, body, viewer)
        sent++
        statuses.add(status)
        wrong.push(...harm.map((one) => `${form.action} with ${what} by ${viewer}: ${one}`))
      }
    }
  }
  expect([...new Set(wrong)]).toEqual([])
  expect(({} as { x?: unknown }).x).toBeUndefined()
  expect([...statuses].sort()).toEqual(expect.arrayContaining([303, 413, 422]))
  expect(sent).toBeGreaterThan(soak(800, 4000))
})
