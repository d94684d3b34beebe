import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../test/browser.ts'
import { type Person, testForge } from '../../test/harness.ts'
import { repositoryWithPeople } from '../../test/worlds.ts'
import { readForm } from './form-values.ts'
import { settleForm } from './settle-form.ts'
import { unescapeHtml } from './unescape-html.ts'

const forge = testForge()
let ada: Person
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  const people = await repositoryWithPeople(forge, { bob: 'admin' }, { description: 'It runs' })
  ada = people.ada
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, people.bob)
  await forge.asUser(ada).post('/orgs', { username: 'mill', description: 'A mill', website: 'https://old.example' })
  for (const name of ['bug', 'slow']) await forge.asUser(ada).post('/repos/ada/engine/labels', { name, color: '#ff0000' })
  await forge.asUser(ada).post('/repos/ada/engine/issues', { title: 'One' })
  await hers.post('/ada/engine/wiki/_new', { title: 'Page', content: 'one\ntwo' })
})
afterAll(() => forge[Symbol.asyncDispose]())

type Fields = Record<string, string[]>

/** What a browser would send of the form to `action`, were nothing changed. */
function formOn(html: string, action: string): Fields {
  const actions = [...html.matchAll(/<form\b[^>]*>/g)].map(([tag]) => / action="([^"]*)"/.exec(tag)?.[1])
  const at = actions.lastIndexOf(action)
  const fields = Object.fromEntries([...readForm(html, at)].map(([name, { values }]) => [name, values]))
  const form = html.split(/<form\b/)[at + 1] as string
  return { ...fields, made_from: [unescapeHtml(/name="made_from" value="([^"]*)"/.exec(form)?.[1] ?? '')] }
}

const opened = async (browser: TestBrowser, page: string, action = page) => formOn((await browser.get(page)).text, action)

/** @param page undefined where the browser does not say it */
const send = (browser: TestBrowser, action: string, fields: Fields, page: string | undefined = action) =>
  browser.post(action, fields, undefined, page === '' ? {} : { Referer: `http://localhost${page}` })

const repo = async () => (await forge.asUser(ada).get<{ description: string; website: string; has_wiki: boolean; private: boolean }>('/repos/ada/engine')).body

test.each([
  ['where the browser says which page it was', '/ada/engine/settings'],
  ['where the browser does not', ''],
])('a stale form keeps what others have changed in fields that it did not change, %s', async (_, page) => {
  await forge.asUser(ada).patch('/repos/ada/engine', { description: 'It runs', website: '', has_wiki: true })
  const [one, other] = [await opened(hers, '/ada/engine/settings'), await opened(his, '/ada/engine/settings')]
  const { has_wiki: _wiki, ...withoutWiki } = one
  expect((await send(hers, '/ada/engine/settings', { ...withoutWiki, description: ['It flies'] }, page)).status).toBe(303)
  expect((await send(his, '/ada/engine/settings', { ...other, website: ['https://engine.example'] }, page)).status).toBe(303)
  expect(await repo()).toMatchObject({ description: 'It flies', website: 'https://engine.example', has_wiki: false })
  await forge.asUser(ada).patch('/repos/ada/engine', { has_wiki: true })
})

test('a field that both have changed is refused with both texts, and replaced by the second try', async () => {
  const [one, other] = [await opened(hers, '/ada/engine/settings'), await opened(his, '/ada/engine/settings')]
  await send(hers, '/ada/engine/settings', { ...one, description: ['Hers & more'], website: ['https://hers.example'] })
  const refused = await send(his, '/ada/engine/settings', { ...other, description: ['His'] })
  expect([refused.status, (await repo()).description]).toEqual([409, 'Hers & more'])
  expect(refused.text).toMatch(/role="alert">Someone else changed these fields since you opened the page: Description\./)
  expect(refused.text).toContain('\nHers &amp; more</textarea>')
  const again = formOn(refused.text, '/ada/engine/settings')
  expect([again.description, again.website]).toEqual([['His'], ['https://hers.example']])
  expect((await send(his, '/ada/engine/settings', again)).status).toBe(303)
  expect(await repo()).toMatchObject({ description: 'His', website: 'https://hers.example' })
})

test('a form that is refused for something else is still compared with what its sender saw first', async () => {
  const [one, other] = [await opened(hers, '/ada/engine/settings'), await opened(his, '/ada/engine/settings')]
  await send(hers, '/ada/engine/settings', { ...one, website: ['https://newer.example'] })
  const refused = await send(his, '/ada/engine/settings', { ...other, name: ['no name'], description: ['Mended'] })
  expect(refused.status).toBe(422)
  const again = { ...formOn(refused.text, '/ada/engine/settings'), name: ['engine'] }
  expect((await send(his, '/ada/engine/settings', again)).status).toBe(303)
  expect(await repo()).toMatchObject({ description: 'Mended', website: 'https://newer.example' })
})

test('a wiki page that two people edit loses neither text', async () => {
  const [page, action] = ['/ada/engine/wiki/_edit/Page', '/ada/engine/wiki/Page']
  const [one, other] = [await opened(hers, page, action), await opened(his, page, action)]
  const content = (text: string) => ({ content: [text.replaceAll('\n', '\r\n')] })
  const replies = await Promise.all([
    send(hers, action, { ...one, ...content('one\ntwo, says she') }, page),
    send(his, action, { ...other, ...content('one\ntwo, says he') }, page),
  ])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 409])
  const refused = replies.find(({ status }) => status === 409)?.text ?? ''
  expect([refused.includes('two, says she</textarea>'), refused.includes('two, says he</textarea>')]).toEqual([true, true])
  const stale = await opened(hers, page, action)
  await send(his, action, { ...(await opened(his, page, action)), ...content('newest') }, page)
  expect((await send(hers, action, { ...stale, title: ['Moved'] }, page)).status).toBe(303)
  expect((await hers.get('/ada/engine/wiki/Moved')).text).toContain('newest')
})

test('boxes that two people tick are all ticked', async () => {
  const [page, action] = ['/ada/engine/issues/1', '/ada/engine/issues/1/plan']
  const [one, other] = [await opened(hers, page, action), await opened(his, page, action)]
  expect((await send(hers, action, { ...one, labels: ['1'] }, page)).status).toBe(303)
  expect((await send(his, action, { ...other, labels: ['2'] }, page)).status).toBe(303)
  const { labels } = (await forge.get<{ labels: { name: string }[] }>('/repos/ada/engine/issues/1')).body
  expect(labels.map(({ name }) => name).toSorted()).toEqual(['bug', 'slow'])
})

test('settings of an organization are not overwritten by a stale form', async () => {
  const action = '/org/mill/settings'
  const [one, other] = [await opened(hers, action), await opened(hers, action)]
  await send(hers, action, { ...one, description: ['A windmill'] })
  await send(hers, action, { ...other, website: ['https://new.example'] })
  const { body } = await forge.get<object>('/orgs/mill')
  expect(body).toMatchObject({ description: 'A windmill', website: 'https://new.example' })
})

test('what is not a page is not read as the page of a form, however long it is', async () => {
  let isCancelled = false
  const endless = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024)),
      cancel: () => {
        isCancelled = true
      },
    })
  const request = new Request('http://localhost/ada/engine/settings', { method: 'POST', headers: { Referer: 'http://localhost/ada/engine/archive/main.zip' } })
  const sent = new Map([['made_from', ['']]])
  const ask = () => new Response(endless(), { headers: { 'Content-Type': 'application/zip' } })
  expect(await settleForm(forge.context, request, sent, ask)).toBe(sent)
  expect(isCancelled).toBe(true)
})
