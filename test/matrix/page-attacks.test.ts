import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { soak } from '../soak.ts'
import { ed25519Key } from '../ssh-keys.ts'
import { addressOf } from './page-addresses.ts'
import { formsOf, type PageForm } from './page-fields.ts'
import { attributeOf, faultsOf, isWritten, readPage } from './page-judge.ts'
import { makePageWorld, PASSWORD, type PageWorld, pageRoutes, type ViewerName } from './page-world.ts'
import { someOf } from './some-of.ts'

/** Every form that there is, with texts in its fields that try to become a part of a page, a header or an address. */

setDefaultTimeout(120_000)

/** As a form's body carries them; `%FF%C0%80` is no UTF-8. */
const corpus: [name: string, encoded: string][] = [
  ['markup', encodeURIComponent(`'" onfocus=pwn() autofocus x="</textarea></title></script><x-pwn onload=a()><script>pwn()</script><!--{{7*7}}`)],
  ['an address', encodeURIComponent(`javascript:pwn()//"'><x-pwn>`)],
  ['a picture', encodeURIComponent('![x](data:image/svg+xml,<svg/onload=pwn()>) <img src=//evil.example/x onerror=pwn()> [x](javascript:pwn())')],
  ['lines', encodeURIComponent('x\r\nX-Pwn: 1\r\nLocation: //evil.example\r\n\r\n<x-pwn>')],
  ['no text', `${encodeURIComponent('a\0\u0001\u001b]0;pwn\u0007\u202e\u2066\u200b\ufeff\ufffe')}%FF%C0%80%ED%A0%80`],
  ['a long word', 'w'.repeat(3000)],
]
/** What no field takes that offers a choice, or that carries a number. */
const outOfRange = ['-1', '99999999999999999999', '1e999', '../../x', corpus[0]?.[1] as string]

const PAYLOAD = `"'><x-pwn onload=a()>`
const addressesOf = (scheme: string) => [`${scheme}://x.example/${PAYLOAD}`, `${scheme}://u:"'><x-pwn>@x.example/?a=${PAYLOAD}#${PAYLOAD}`]
const active = ['javascript:pwn()//', 'data:text/html,', 'vbscript:pwn()//', 'https://x.example/\nhttps://evil.example/'].map((begin) => begin + PAYLOAD)
/** Values that look as those of such a field do, with an attack in them, by the field's name. */
const fitting: [RegExp, string[]][] = [
  [/redirect_uri/, [...addressesOf('https'), 'com.example.app:/x', `http://localhost:1/${PAYLOAD}`, ...active]],
  [/ur[il]|website|homepage/, [...addressesOf('http'), ...addressesOf('https'), 'http://x.example/\r\nX-Pwn: 1', '//evil.example/', ...active]],
  [/^key$/, [51, 52, 53].map((seed) => `${ed25519Key(seed)} ${[PAYLOAD, '\u202e\u001b[2J', '\nssh-rsa AAAA'][seed - 51]}`)],
  [/email/, [`"${PAYLOAD}"@example.org`, 'a@example.org\r\nBcc: b@evil.example', 'a@example.org, b@evil.example', '<a@example.org>', '"a@b"@example.org']],
  [/filter/, [`(&(uid=%s)(cn=${PAYLOAD}))`, '(|(uid=*)(uid=%s', `${'('.repeat(3000)}uid=%s`, '(uid=%s\0)']],
  [/base|dn|attribute|group/, [`cn=${PAYLOAD},dc=example`, 'uid)(uid=*', 'uid\0']],
  [/host|addr|server/, ['ldap.example.org', PAYLOAD, '127.0.0.1\r\nX-Pwn: 1', '169.254.169.254']],
  [/pattern|rule_name/, [PAYLOAD, `{${'a,'.repeat(400)}}`, '**'.repeat(120), '[', `/(${'a+)+'.repeat(5)}$/`]],
  [/color/, ['red"><x-pwn>', '#aa0000;x:url(//evil.example)']],
  [/secret|header|token/, [`Bearer ${PAYLOAD}`, 'x\r\nX-Pwn: 1']],
]

let world: PageWorld
let forms: PageForm[]
let addresses: string[]
beforeAll(async () => {
  world = await makePageWorld()
  const found = new Map<string, PageForm>()
  addresses = (await pageRoutes(world.forge)).filter(({ method }) => method === 'GET').map((route) => addressOf(world, route, 'root'))
  for (const page of addresses) {
    const { text, headers } = await ask(page)
    if (!isHtml(headers)) continue
    for (const form of formsOf(page, text)) found.set(`${form.method} ${form.action} ${Object.keys(form.fields)}`, form)
  }
  // What deletes comes last: the others may be about what it deletes. Buttons that carry no field are not pressed.
  forms = [...found.values()].sort((a, b) => Number(/delete|remove/.test(a.action)) - Number(/delete|remove/.test(b.action)))
  await sendAll()
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

interface Reply {
  status: number
  text: string
  headers: Headers
}

const isHtml = (headers: Headers) => headers.get('content-type')?.startsWith('text/html') === true

type Init = { method?: string; body?: string; headers?: Record<string, string> }

async function ask(address: string, init: Init = {}, viewer: ViewerName = 'root'): Promise<Reply> {
  const headers = { Accept: 'text/html', Origin: 'http://localhost', ...world.browsers[viewer].headers, ...init.headers }
  const answer = await world.forge.app.handle(new Request(new URL(address, 'http://localhost').href, { ...init, headers }))
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

let count = 0
/** What a field that may not be empty is filled in with while another is attacked. */
function harmless(name: string): string {
  count++
  if (/password/.test(name)) return PASSWORD
  if (/email/.test(name)) return `x${count}@example.org`
  if (/ur[il]/.test(name)) return `https://example.org/${count}`
  if (name === 'key') return ed25519Key(count)
  return name === 'color' ? '#aa0000' : `x${count}`
}

/** Presses a form's button. */
function send({ action, page, method, fields, required }: PageForm, attacked: readonly string[], value: string): Promise<Reply> {
  const pairs = Object.entries(fields).flatMap(([name, values]) => {
    if (attacked.includes(name)) return [`${name}=${value}`]
    return values.map((kept) => `${name}=${encodeURIComponent(kept === '' && required.includes(name) ? harmless(name) : kept)}`)
  })
  const body = pairs.join('&')
  if (method === 'get') return ask(`${action.split('?')[0]}?${body}`)
  return ask(action, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded', Referer: `http://localhost${page}` } })
}

/** The form as it stands now: one that was taken may carry another version of what it changes. */
async function again(form: PageForm): Promise<PageForm> {
  const { text } = await ask(form.page)
  return (
    formsOf(form.page, text).find(({ action, method, written }) => action === form.action && method === form.method && `${written}` === `${form.written}`) ??
    form
  )
}

/** What got through of an attack. */
function harmOf({ status, text, headers }: Reply): string[] {
  const found = status >= 500 ? [`${status} ${text.slice(0, 300)}`] : []
  if (headers.has('x-pwn')) found.push('a header of theirs')
  const location = headers.get('location')
  if (location !== null && URL.parse(location, 'http://localhost/x/')?.host.includes('evil')) found.push(`leads to ${location}`)
  if (!isHtml(headers)) return [...found, ...(headers.get('content-type')?.includes('xml') && text.includes('<x-pwn') ? ['an element in a feed'] : [])]
  if (text === '') return found
  const foreign = readPage(text)
    .elements.filter((one) => one.tagName === 'x-pwn' || one.attrs.some(({ name }) => /pwn|["'<>{}]/.test(name)))
    .map(({ tagName }) => `<${tagName}> of theirs`)
  return [...found, ...foreign, ...faultsOf(text)]
}

/** Attacks through all fields that people write into at once, through each alone, and through what else the form carries. */
function* attacksOn(form: PageForm, turn: number): Generator<[what: string, fields: string[], value: string]> {
  const others = Object.keys(form.fields).filter((name) => !form.written.includes(name))
  for (const [name, value] of corpus) {
    if (form.written.length > 1) yield [name, form.written, value]
  }
  for (const [i, field] of form.written.entries()) {
    // Each field by itself gets some of them, all together get all.
    for (const [name, value] of corpus.filter((_, turn) => form.written.length === 1 || (turn + i) % soak(12, 2) === 0)) yield [name, [field], value]
  }
  for (const field of form.written) {
    const values = fitting.find(([name]) => name.test(field))?.[1] ?? []
    for (const value of someOf(values, 3, turn)) yield ['what looks right', [field], encodeURIComponent(value)]
  }
  for (const [i, field] of someOf(others.entries(), 3, turn)) yield ['out of range', [field], outOfRange[i % outOfRange.length] as string]
  if (others.length > 0) yield ['no text', others, corpus[4]?.[1] as string]
  // What is left in them is looked at everywhere afterwards.
  for (const field of form.written) yield ['what stays', [field], encodeURIComponent(PAYLOAD)]
}

const found: string[] = []
let sent = 0
let taken = 0

async function sendAll(): Promise<void> {
  for (const [turn, form] of forms.entries()) {
    let now = form
    for (const [what, fields, value] of attacksOn(form, turn)) {
      const reply = await send(now, fields, value)
      if (reply.status === 303) now = await again(form)
      const location = reply.status === 303 ? URL.parse(reply.headers.get('location') ?? '', 'http://localhost/') : null
      const next = location?.origin === 'http://localhost' ? await ask(location.pathname + location.search) : undefined
      sent++
      if (reply.status < 400 && form.method === 'post') taken++
      const harm = [...harmOf(reply), ...(next ? harmOf(next).map((one) => `${location?.pathname}: ${one}`) : [])]
      found.push(...harm.map((one) => `${form.method} ${form.action} with ${what} in ${fields}: ${one}`))
    }
  }
}

test('nothing that is sent through a form harms the page that answers or the one it leads to', () => {
  expect(found).toEqual([])
  expect(sent).toBeGreaterThan(soak(400, 1000))
  expect(taken).toBeGreaterThan(soak(120, 250))
  const kept = ['badge', 'branch_protection', 'comment', 'deploy_key', 'issue', 'label', 'login_source', 'milestone', 'oauth2_application', 'public_key']
  expect(tablesWith('x-pwn')).toEqual(expect.arrayContaining([...kept, 'release', 'repository', 'team', 'user', 'webhook']))
})

/** Tables in which something of this kind is kept as it was sent. */
function tablesWith(text: string): string[] {
  const { db } = world.forge.context
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
  return tables.flatMap(({ name }) => (JSON.stringify(db.all(`SELECT * FROM "${name}"`)).includes(text) ? [name] : []))
}

test('no page, feed or text of the forge is harmed by what forms left behind', async () => {
  const found: string[] = []
  const seen = new Set(addresses)
  let whole = 0
  let carrying = 0
  for (const address of seen) {
    const reply = await ask(address)
    found.push(...harmOf(reply).map((one) => `${address}: ${one}`))
    if (!isHtml(reply.headers)) continue
    if (reply.status === 200) whole++
    if (reply.text.includes('x-pwn')) carrying++
    const inTerminal = await ask(address, { headers: { Accept: '*/*', 'User-Agent': 'curl/8.0' } })
    if (/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(inTerminal.text)) found.push(`${address}: its text moves a cursor`)
    for (const one of readPage(reply.text).elements.filter((each) => !isWritten(each))) {
      const url = URL.parse(attributeOf(one, 'href') ?? '', `http://localhost${address}`)
      if (url?.origin === 'http://localhost' && seen.size < soak(200, 500)) seen.add(url.pathname + url.search)
    }
  }
  expect([...new Set(found)]).toEqual([])
  expect(whole).toBeGreaterThan(soak(100, 200))
  expect(carrying).toBeGreaterThan(soak(50, 100))
})

test('nor what anybody else is shown of it', async () => {
  const found: string[] = []
  for (const viewer of ['owner', 'reader', 'stranger', 'visitor'] as const) {
    for (const address of addresses) found.push(...harmOf(await ask(address, {}, viewer)).map((one) => `${address} to ${viewer}: ${one}`))
  }
  expect([...new Set(found)]).toEqual([])
})
