import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a milestone is made, dated, closed, opened again and deleted', async () => {
  await hers.post('/ada/engine/milestones', { title: `v1 ${ATTACK}`, description: ATTACK, due: '2030-01-31' })
  type Milestone = { id: number; title: string; state: string; due_on: string | null }
  const read = async () => (await forge.get<Milestone[]>('/repos/ada/engine/milestones?state=all')).body
  const [made] = await read()
  expect([made?.title, made?.due_on?.slice(0, 10)]).toEqual([`v1 ${ATTACK}`, '2030-01-31'])
  expect((await his.get('/ada/engine/milestones')).text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror|New milestone/i)
  const address = `/ada/engine/milestones/${made?.id}`
  await hers.post(address, { title: 'v2', description: '', due: '' })
  await hers.post(`${address}/state`, { action: 'close' })
  expect(await read()).toMatchObject([{ title: 'v2', state: 'closed', due_on: null }])
  expect((await hers.get('/ada/engine/milestones?state=closed')).text).toMatch(/> v2<\/a>/)
  expect((await his.post(`${address}/state`, { action: 'delete' })).status).toBe(403)
  await hers.post(`${address}/state`, { action: 'reopen' })
  await hers.post(`${address}/state`, { action: 'delete' })
  expect(await read()).toEqual([])
})

test('a label is made, changed and deleted, and leads to what carries it', async () => {
  type Label = { id: number; name: string; color: string; exclusive: boolean }
  const read = async () => (await forge.get<Label[]>('/repos/ada/engine/labels')).body
  expect((await hers.post('/ada/engine/labels', { name: `kind/${ATTACK.slice(0, 20)}`, color: '#ff0000', exclusive: 'true' })).status).toBe(303)
  const [made] = await read()
  expect([made?.color, made?.exclusive]).toEqual(['ff0000', true])
  await hers.post(`/ada/engine/labels/${made?.id}`, { name: 'big bug', color: '#00ff00', description: 'bad' })
  expect(await read()).toMatchObject([{ name: 'big bug', color: '00ff00', exclusive: false }])
  await asAda.post('/repos/ada/engine/issues', { title: 'Carries it', labels: [made?.id] })
  const [, query = ''] = /href="\/ada\/engine\/issues(\?q=[^"]+)"/.exec((await hers.get('/ada/engine/labels')).text) ?? []
  expect((await his.get(`/ada/engine/issues${query.replaceAll('&amp;', '&')}`)).text).toContain('Carries it')
  expect((await his.post('/ada/engine/labels', { name: 'x', color: '#fff' })).status).toBe(403)
  expect((await hers.post('/ada/engine/labels', { name: 'x', color: '#fff' }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  await hers.post(`/ada/engine/labels/${made?.id}/delete`)
  expect(await read()).toEqual([])
})

test('a milestone has a page with its text as Markdown and what is in it, for whom may read that', async () => {
  const make = async (body: object) => (await asAda.post<{ id: number }>('/repos/ada/engine/milestones', body)).body.id
  const id = await make({ title: 'late', description: `**Bold** ${ATTACK}`, due_on: '2020-01-31T00:00:00Z' })
  for (const title of ['In it', 'Done']) await asAda.post('/repos/ada/engine/issues', { title, milestone: id, closed: title === 'Done' })
  const { text } = await his.get(`/ada/engine/milestone/${id}`)
  for (const part of ['<strong>Bold</strong>', '50% complete', 'overdue since', '>In it</a>', '1 open']) expect(text).toContain(part)
  expect(text).not.toMatch(/>Done<\/a>|onerror=|Edit/)
  expect((await his.get(`/ada/engine/milestone/${id}?state=closed`)).text).toContain('>Done</a>')
  expect((await his.get(`/ada/engine/milestone/${id}?type=pulls`)).text).toContain('No open pull requests in this milestone')
  expect((await his.get('/ada/engine/milestones')).text).toContain('<strong>Bold</strong>')
  expect((await his.get('/ada/engine/issues')).text).toContain(`href="/ada/engine/milestone/${id}"`)
  for (const other of ['0', '999', 'late']) expect([other, (await his.get(`/ada/engine/milestone/${other}`)).status]).toEqual([other, 404])
  forge.repo(ada, 'other')
  expect((await his.get(`/ada/other/milestone/${id}`)).status).toBe(404)
})

test('milestones are searched and sorted, and counted open and closed', async () => {
  forge.repo(ada, 'plan')
  const make = (title: string, due_on?: string, state?: string) => asAda.post('/repos/ada/plan/milestones', { title, due_on, state })
  await make('b undated')
  await make('c soon', '2030-01-01T00:00:00Z')
  await make('a later', '2031-01-01T00:00:00Z')
  await make('d over', '2031-01-01T00:00:00Z', 'closed')
  const titles = async (query: string) =>
    [...(await his.get(`/ada/plan/milestones?${query}`)).text.matchAll(/<\/svg> (\w \w+)<\/a>/g)].map(([, title]) => title)
  expect([await titles(''), await titles('sort=furthestduedate'), await titles('sort=name'), await titles('sort=constructor')]).toEqual([
    ['c soon', 'a later', 'b undated'],
    ['a later', 'c soon', 'b undated'],
    ['a later', 'b undated', 'c soon'],
    ['c soon', 'a later', 'b undated'],
  ])
  for (const sort of ['leastcomplete', 'mostcomplete', 'mostissues', 'leastissues']) expect((await titles(`sort=${sort}`)).length).toBe(3)
  expect([await titles('q=SOON'), await titles('state=closed')]).toEqual([['c soon'], ['d over']])
  expect((await his.get('/ada/plan/milestones?q=nothing')).text).toContain('No open milestones match “nothing”')
  expect((await his.get('/ada/plan/milestones')).text).toMatch(/Open<span class="count">3<.*Closed<span class="count">1</)
})
