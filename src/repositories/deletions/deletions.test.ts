import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  const bob = await forge.person('bob')
  forge.repo(ada, 'engine')
  await asAda.post('/orgs', { username: 'acme' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
})
afterAll(() => forge[Symbol.asyncDispose]())

interface Issue {
  number: number
  labels: { id: number; name: string }[]
  milestone: { id: number; title: string } | null
}

async function make(line: string, body: unknown): Promise<number> {
  const made = await asAda.post<{ id: number; number?: number }>(line, body)
  if (made.status !== 201) throw new Error(`${line}: ${made.status}`)
  return made.body.number ?? made.body.id
}

const read = async (repo: string, number: number) => (await asAda.get<Issue>(`/repos/${repo}/issues/${number}`)).body
const label = (name: string) => ({ name, color: '#aabbcc', description: `what ${name} means` })
/** The form of the note that says what was done. */
async function undoOn(path: string): Promise<{ action: string; id: string }> {
  const [, action = '', id = ''] =
    /role="status">[^<]*deleted<\/p><form method="post" action="([^"]+)"><input type="hidden" name="id" value="([\d.]+)"/.exec((await hers.get(path)).text) ??
    []
  return { action, id }
}

test('a deleted label comes back by Undo, on the issues that carried it, with its count and its place in their timelines', async () => {
  const id = await make('/repos/ada/engine/labels', label('bug'))
  const carrying = [await make('/repos/ada/engine/issues', { title: 'a', labels: [id] }), await make('/repos/ada/engine/issues', { title: 'b', labels: [id] })]
  await make('/repos/ada/engine/issues', { title: 'c' })
  const record = async () => [
    (await forge.get(`/repos/ada/engine/labels/${id}`)).body,
    ...(await Promise.all(carrying.map((number) => read('ada/engine', number)))),
    (await forge.get<unknown[]>(`/repos/ada/engine/issues/${carrying[0]}/timeline`)).body,
    forge.context.db.find('SELECT issue_count FROM label WHERE id = ?', id),
  ]
  const before = await record()
  await hers.post(`/ada/engine/labels/${id}/delete`)
  expect((await read('ada/engine', carrying[0] as number)).labels).toEqual([])
  const { text } = await hers.get('/ada/engine/labels')
  expect(text).toContain('used on 2 issues and pull requests')
  expect((await his.get('/ada/engine/labels')).text).not.toContain('Recently deleted')
  const [, deletion = ''] = /name="id" value="([\d.]+)"/.exec(text) ?? []
  expect((await his.post('/ada/engine/labels/restore', { id: deletion })).status).toBe(403)
  expect((await hers.post('/ada/engine/labels/restore', { id: deletion })).status).toBe(303)
  expect(await record()).toEqual(before)
  // By somebody else's page, or after going back.
  expect([(await hers.post('/ada/engine/labels/restore', { id: deletion })).status, await record()]).toEqual([303, before])
  for (const unknown of ['999', '999.999', '', '.']) {
    expect((await hers.post('/ada/engine/labels/restore', { id: unknown })).status).toBe(404)
  }
})

test('one that the API deleted can be restored, too, and leaves out what is gone since', async () => {
  const id = await make('/repos/ada/engine/labels', label('gone'))
  const [kept = 0, doomed = 0] = [
    await make('/repos/ada/engine/issues', { title: 'a', labels: [id] }),
    await make('/repos/ada/engine/issues', { title: 'b', labels: [id] }),
  ]
  await asAda.delete(`/repos/ada/engine/labels/${id}`)
  await asAda.delete(`/repos/ada/engine/issues/${doomed}`)
  const [, deletion = ''] = /name="id" value="([\d.]+)"/.exec((await hers.get('/ada/engine/labels')).text) ?? []
  await hers.post('/ada/engine/labels/restore', { id: deletion })
  expect((await read('ada/engine', kept)).labels.map(({ name }) => name)).toEqual(['gone'])
  expect(forge.context.db.find('SELECT issue_count FROM label WHERE id = ?', id)).toEqual({ issue_count: 1 })
})

test('a deletion is undone where it was done alone: not in another repository, nor by the former owner of a transferred one', async () => {
  const id = await make('/repos/ada/engine/labels', label('mine'))
  await hers.post(`/ada/engine/labels/${id}/delete`)
  const { action, id: deletion } = await undoOn('/ada/engine/labels')
  expect(action).toBe('/ada/engine/labels/restore')
  forge.repo(await forge.person('mallory'), 'other')
  const mallory = new TestBrowser(forge, await forge.person('mallory2'))
  expect((await mallory.post('/mallory/other/labels/restore', { id: deletion })).status).toBe(403)
  forge.repo(ada, 'second')
  expect((await hers.post('/ada/second/labels/restore', { id: deletion })).status).toBe(404)
})

test('a label of an organization comes back on what the organization still owns', async () => {
  const id = await make('/orgs/acme/labels', label('shared'))
  for (const name of ['stays', 'leaves']) await make('/orgs/acme/repos', { name })
  const [staying, leaving] = [
    await make('/repos/acme/stays/issues', { title: 'a', labels: [id] }),
    await make('/repos/acme/leaves/issues', { title: 'a', labels: [id] }),
  ]
  await hers.post(`/org/acme/settings/labels/${id}/delete`)
  const { action, id: deletion } = await undoOn('/org/acme/settings/labels')
  expect((await asAda.post('/repos/acme/leaves/transfer', { new_owner: 'ada' })).status).toBe(202)
  expect((await hers.post(action, { id: deletion })).status).toBe(303)
  expect((await read('acme/stays', staying)).labels.map(({ name }) => name)).toEqual(['shared'])
  expect((await read('ada/leaves', leaving)).labels).toEqual([])
  expect((await forge.get(`/repos/ada/leaves/issues/${leaving}/timeline`)).body).toBeNull()
})

test('a deleted milestone comes back on the issues that have got no other meanwhile', async () => {
  const id = await make('/repos/ada/engine/milestones', { title: 'v1' })
  const other = await make('/repos/ada/engine/milestones', { title: 'v2' })
  const [still = 0, moved = 0] = [
    await make('/repos/ada/engine/issues', { title: 'a', milestone: id }),
    await make('/repos/ada/engine/issues', { title: 'b', milestone: id }),
  ]
  await hers.post(`/ada/engine/milestones/${id}/state`, { action: 'delete' })
  const { action, id: deletion } = await undoOn('/ada/engine/milestones')
  await asAda.patch(`/repos/ada/engine/issues/${moved}`, { milestone: other })
  for (const _ of [1, 2]) expect((await hers.post(action, { id: deletion })).status).toBe(303)
  expect([(await read('ada/engine', still)).milestone?.title, (await read('ada/engine', moved)).milestone?.title]).toEqual(['v1', 'v2'])
  const { body } = await forge.get(`/repos/ada/engine/milestones/${id}`)
  expect(body).toMatchObject({ open_issues: 1, closed_issues: 0 })
})

test('an issue that has moved to another repository gets neither labels nor milestones of the one that it left', async () => {
  forge.repo(ada, 'target')
  const labelId = await make('/repos/ada/engine/labels', label('local'))
  const milestone = await make('/repos/ada/engine/milestones', { title: 'local' })
  const number = await make('/repos/ada/engine/issues', { title: 'moves', labels: [labelId], milestone })
  await asAda.delete(`/repos/ada/engine/labels/${labelId}`)
  await asAda.delete(`/repos/ada/engine/milestones/${milestone}`)
  await asAda.post(`/repos/ada/engine/issues/${number}/move`, { owner: 'ada', repo: 'target' })
  for (const list of ['labels', 'milestones']) {
    const [, deletion = ''] = /name="id" value="([\d.]+)"/.exec((await hers.get(`/ada/engine/${list}`)).text) ?? []
    expect((await hers.post(`/ada/engine/${list}/restore`, { id: deletion })).status).toBe(303)
  }
  expect(await read('ada/target', 1)).toMatchObject({ labels: [], milestone: null })
})
