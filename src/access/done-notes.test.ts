import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../test/browser.ts'
import { type TestForge, testForge } from '../../test/harness.ts'
import { DoneNotes } from './done-notes.ts'
import { anonymous } from './viewer.ts'

let now = Date.parse('2026-06-01T12:00:00Z')
let forge: TestForge
let hers: TestBrowser
let herOther: TestBrowser
let his: TestBrowser
beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => Math.floor(now / 1000), millis: () => now } })
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
  herOther = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
})
afterAll(() => forge[Symbol.asyncDispose]())

const LABELS = '/ada/engine/labels'
const create = (name: string) => hers.post(LABELS, { name, color: '#aabbcc' })
const said = ({ text }: { text: string }) => /<p role="status">(.*?)<\/p>/.exec(text)?.[1]

test('the page after a form says what was done, once, to the browser that did it', async () => {
  expect((await create('bug')).status).toBe(303)
  expect([said(await herOther.get(LABELS)), said(await his.get(LABELS))]).toEqual([undefined, undefined])
  expect(said(await hers.get(LABELS))).toBe('Label “bug” created')
  expect(said(await hers.get(LABELS))).toBeUndefined()
})

test('neither pages that are kept nor a browser that has the page already keep it from being said, nor what was said', async () => {
  for (const _ of [1, 2]) await hers.get('/')
  const before = await hers.get(LABELS)
  forge.context.services.get(DoneNotes).leave(sessionOf(hers), { text: 'Something was done' })
  const headers = { Accept: 'text/html', ...hers.headers, 'If-None-Match': before.headers.get('etag') ?? '' }
  const ask = () => forge.app.handle(new Request(`http://localhost${LABELS}`, { headers }))
  const answer = await ask()
  expect([answer.status, answer.headers.get('etag'), said({ text: await answer.text() })]).toEqual([200, null, 'Something was done'])
  expect((await ask()).status).toBe(304)
})

test('a script that asks for a part of a page, and a form that shows its page again, leave it to the next page', async () => {
  await create('part')
  const ask = (dest: string) =>
    forge.app.handle(new Request(`http://localhost${LABELS}`, { headers: { Accept: 'text/html', ...hers.headers, 'Sec-Fetch-Dest': dest } }))
  expect(said({ text: await (await ask('empty')).text() })).toBeUndefined()
  const refused = await hers.post(LABELS, { name: ' ', color: '#aabbcc' })
  expect([refused.status, said(refused)]).toEqual([422, undefined])
  expect(said({ text: await (await ask('document')).text() })).toBe('Label “part” created')
})

test('names in it are shown as text', async () => {
  await create('<img src=x onerror=alert(1)>')
  expect(said(await hers.get(LABELS))).toBe('Label “&lt;img src=x onerror=alert(1)&gt;” created')
})

test('what waits for longer than a minute is said no more', async () => {
  await create('late')
  now += 60_001
  expect(said(await hers.get(LABELS))).toBeUndefined()
})

test('what can be taken back has a form for it, without scripts', async () => {
  const undo = { action: `${LABELS}/undo`, fields: { of: '7"><b>' } }
  forge.context.services.get(DoneNotes).leave(sessionOf(hers), { text: 'Label deleted', undo })
  expect((await hers.get(LABELS)).text).toContain(
    '<p role="status">Label deleted</p><form method="post" action="/ada/engine/labels/undo"><input type="hidden" name="of" value="7&quot;&gt;&lt;b&gt;"><button type="submit">Undo</button></form>',
  )
})

test('visitors are told nothing, and there is an end to what waits', () => {
  const notes = new DoneNotes(forge.context)
  const at = (sessionId: number) => ({ user: undefined, grant: undefined, via: 'session' as const, sessionId, queryToken: false })
  notes.leave(anonymous, { text: 'x' })
  expect([notes.isLeftFor(anonymous), notes.take(anonymous)]).toEqual([false, undefined])
  for (let i = 1; i <= 1001; i++) notes.leave(at(i), { text: 'x'.repeat(10_000) })
  expect([1, 2, 1001].map((i) => notes.take(at(i))?.text.length)).toEqual([undefined, 300, 300])
})

function sessionOf(browser: TestBrowser) {
  return forge.context.authenticator.sessions.viewerOf(new Request('http://localhost/', { headers: browser.headers }))
}
