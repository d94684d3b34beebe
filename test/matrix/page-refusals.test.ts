import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Problem } from '#kernel/errors.ts'
import { type PageReply, TestBrowser } from '../browser.ts'
import type { PageForm } from './page-fields.ts'
import { faultsOf } from './page-judge.ts'
import { PASSWORD, REPO } from './page-world.ts'
import { heldOn, makeWrittenWorld, type WrittenWorld } from './written-forms.ts'

/** Every form in which something is written, refused in every way that whoever wrote it cannot help: what was written is on the answer. */

setDefaultTimeout(120_000)

let world: WrittenWorld
beforeAll(async () => {
  world = await makeWrittenWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const secret = /pass|secret|token|code|otp|authorization/

function filled({ fields, written }: PageForm): Record<string, string[]> {
  return { ...fields, ...Object.fromEntries(written.map((name, i) => [name, [`Words & <"${i}">\r\nof two lines`]])) }
}

/** What was written and is not there to be taken along. */
function lost({ text, status }: PageReply, sent: Record<string, string[]>, { written }: PageForm): string[] {
  const there = heldOn(text)
  const plain = (value: string) => value.replace(/^\r?\n/, '').replaceAll(/\s+/g, ' ')
  const missing = written.filter((name) => !secret.test(name) && !there.some((value) => plain(value) === plain(sent[name]?.[0] ?? '')))
  return [...missing.map((name) => `${status}: ${name} is lost`), ...faultsOf(text)]
}

/** Sends these forms: what was lost of them, and which were refused, each as its status and address. */
async function lostWhere(some: readonly PageForm[], browser: TestBrowser, files?: readonly File[], addressOf = ({ action }: PageForm) => action) {
  const wrong: string[] = []
  const refused = new Set<string>()
  for (const form of some) {
    const sent = filled(form)
    const reply = await browser.post(addressOf(form), sent, files)
    if (reply.status < 400) continue
    refused.add(`${reply.status} ${form.action}`)
    wrong.push(...lost(reply, sent, form).map((one) => `${form.action}: ${one}`))
  }
  return { wrong, refused }
}

const has = (refused: Set<string>, status: number, part: RegExp) => [...refused].some((one) => one.startsWith(`${status} `) && part.test(one))
const kinds = [/\/issues\/\d+\/comments/, /\/issues\/new/, /\/_edit\//, /\/_new\//, /\/wiki/, /\/releases/, /\/pulls\/\d+/, /\/milestones/, /\/settings\/keys/]

test.each([
  ['as urlencoded', undefined],
  ['with its files', [new File(['x'], 'a.txt')]],
])('it is given back to who may not see the place any more, sent %s', async (_, files) => {
  const { wrong, refused } = await lostWhere(
    world.forms.filter(({ action }) => action.startsWith(REPO) || action.startsWith('/-/admin')),
    world.browsers.stranger,
    files,
  )
  expect(wrong).toEqual([])
  expect(kinds.filter((kind) => !has(refused, 404, kind))).toEqual([])
  expect(has(refused, 403, /admin/)).toBe(true)
})

test('it is given back to who is signed out, beneath the form that signs them in', async () => {
  const out = new TestBrowser(world.forge)
  const { wrong, refused } = await lostWhere(
    world.forms.filter(({ action }) => action.startsWith('/user/settings') || action.startsWith('/-/admin')),
    out,
  )
  expect(wrong).toEqual([])
  expect(has(refused, 401, /settings/)).toBe(true)
  const { text } = await out.post('/user/settings', { description: 'Something about me' })
  expect(text).toContain('action="/user/login"')
})

test('who is signed out and wrote where only others may look signs in there, and comes back to the page', async () => {
  const out = new TestBrowser(world.forge)
  const from = { Referer: `http://localhost${REPO}/issues/1` }
  for (const path of [`${REPO}/issues/1/comments`, '/owner/gone/issues/1/comments']) {
    const { status, text } = await out.post(path, { body: 'Something to say' }, undefined, from)
    expect([path, status, text.includes('action="/user/login"'), text.includes('Something to say')]).toEqual([path, 404, true, true])
    expect(text).toContain(`name="redirect_to" value="${REPO}/issues/1"`)
  }
  const { status, text } = await out.post(`${REPO}/action/star`, {}, undefined, from)
  expect([status, text.includes(`href="/user/login?redirect_to=${encodeURIComponent(`${REPO}/issues/1`)}"`)]).toEqual([404, true])
})

test('it is in its form again once its author has signed in, for them alone', async () => {
  const [out, other] = [new TestBrowser(world.forge), new TestBrowser(world.forge)]
  const page = `${REPO}/issues/1`
  const typed = 'A long comment & no session'
  const { status } = await out.post(`${page}/comments`, { body: typed }, undefined, { Referer: `http://localhost${page}` })
  expect(status).toBe(404)
  for (const browser of [out, other]) await browser.post('/user/login', { user_name: 'owner', password: PASSWORD, redirect_to: page })
  const isThere = async (browser: TestBrowser) => (await browser.get(page)).text.includes('A long comment &amp; no session</textarea>')
  expect([await isThere(other), await isThere(out), await isThere(out)]).toEqual([false, true, false])
})

test('the page with the typed text is readable in a browser that accepts compressed pages', async () => {
  const browser = new TestBrowser(world.forge)
  const page = `${REPO}/issues/1`
  await browser.post(`${page}/comments`, { body: 'A comment without a session' }, undefined, { Referer: `http://localhost${page}` })
  await browser.post('/user/login', { user_name: 'owner', password: PASSWORD, redirect_to: page })
  const headers = { ...browser.headers, Accept: 'text/html', 'Accept-Encoding': 'zstd' }
  const answer = await world.forge.app.handle(new Request(`http://localhost${page}`, { headers }))
  const bytes = await answer.bytes()
  const text = answer.headers.get('content-encoding') === 'zstd' ? Bun.zstdDecompressSync(bytes).toString() : new TextDecoder().decode(bytes)
  expect(text).toContain('A comment without a session</textarea>')
})

test('it is given back when the repository, and what it was about in it, is gone', async () => {
  const inRepo = world.forms.filter(({ action }) => action.startsWith(`${REPO}/`))
  const { wrong, refused } = await lostWhere(inRepo, world.browsers.owner, undefined, ({ action }) => action.replace(REPO, '/owner/gone'))
  const further = await lostWhere(
    inRepo.filter(({ action }) => /\/(?:\d+|main|topic)\b/.test(action)),
    world.browsers.owner,
    undefined,
    ({ action }) => action.replace(/\/(?:\d+|main|topic)\b/, '/987654'),
  )
  expect([...wrong, ...further.wrong]).toEqual([])
  expect(kinds.filter((kind) => !has(refused, 404, kind))).toEqual([])
  expect([/\/issues\//, /\/_edit\//, /\/_new\//, /\/releases/, /\/pulls\//].filter((kind) => !has(further.refused, 404, kind))).toEqual([])
})

test('it is given back when the repository is archived meanwhile, or its branch moved', async () => {
  const { forge } = world
  const as = world.people.owner
  const edit = world.forms.find(({ action }) => action.includes('/_edit/')) as PageForm
  await forge.asUser(as).patch(`/repos${REPO}`, { archived: true })
  const { wrong, refused } = await lostWhere(
    world.forms.filter(({ action }) => action.startsWith(`${REPO}/`) && !action.includes('/settings')),
    world.browsers.owner,
  )
  await forge.asUser(as).patch(`/repos${REPO}`, { archived: false })
  expect(wrong).toEqual([])
  expect(kinds.slice(0, 5).filter((kind) => ![...refused].some((one) => kind.test(one)))).toEqual([])
  const stale = await lostWhere([{ ...edit, fields: { ...edit.fields, sha: ['0'.repeat(40)] } }], world.browsers.owner)
  expect([stale.wrong, stale.refused.size]).toEqual([[], 1])
})

test.each([
  ['has too much to do', 503],
  ['is asked too often', 429],
])('it is given back by a server that %s', async (why, status) => {
  const { db } = world.forge.context
  db.tx = () => {
    throw new Problem(status, `Cannot do that: the server ${why}`)
  }
  try {
    const { wrong, refused } = await lostWhere(world.forms, world.browsers.root)
    expect(wrong).toEqual([])
    expect([/\/issues\/\d+\/comments/, /\/issues\/new/, /\/wiki/, /\/releases/, /\/pulls\/\d+/].filter((kind) => !has(refused, status, kind))).toEqual([])
  } finally {
    Reflect.deleteProperty(db, 'tx')
  }
})

test('it is given back when the conversation is locked meanwhile', async () => {
  const { forge } = world
  const numbers = ['1', world.params.pull as string]
  const lock = (verb: string) =>
    Promise.all(numbers.map((number) => forge.asUser(world.people.owner).send(`${verb} /repos${REPO}/issues/${number}/lock`, { body: {} })))
  await lock('PUT')
  const { wrong, refused } = await lostWhere(
    world.forms.filter(({ action }) => action.startsWith(`${REPO}/`) && numbers.some((number) => action.includes(`/${number}/`))),
    world.browsers.reader,
  )
  await lock('DELETE')
  expect(wrong).toEqual([])
  for (const kind of [/\/issues\/1\/comments/, /\/pulls\/\d+\/comments/]) expect([kind, has(refused, 403, kind)]).toEqual([kind, true])
})
