import { afterAll, expect, test } from 'bun:test'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'

/** The contract's five rules about `updated_at`. */

const at = (time: string) => Math.floor(Date.parse(time) / 1000)
let now = at('2026-01-01T00:00:00Z')
const forge: TestForge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
await repositoryWithPeople(forge, { bob: 'write', carl: 'none' })
await forge.person('root1', { isAdmin: true })
interface Dated {
  id: number
  number: number
  created_at: string
  updated_at: string
  type?: string
}
const repo = '/repos/ada/engine'
const make = async (title: string) => {
  now = at('2026-01-01T00:00:00Z')
  const { number } = (await ada.post<Dated>(`${repo}/issues`, { title })).body
  now = at('2026-06-01T00:00:00Z')
  return `${repo}/issues/${number}`
}
const given = '2026-03-01T10:00:00Z'
const updated = async (line: string) => (await ada.get<Dated>(line)).body.updated_at

test('1: a comment, and its issue, take the date that is given', async () => {
  const issue = await make('Comments')
  const { body: made } = await ada.post<Dated>(`${issue}/comments`, { body: 'x', updated_at: given })
  expect([made.created_at, made.updated_at, await updated(issue)]).toEqual([given, given, given])
  const later = '2026-04-01T10:00:00Z'
  const { body: edited } = await ada.patch<Dated>(`${repo}/issues/comments/${made.id}`, { body: 'y', updated_at: later })
  expect([edited.created_at, edited.updated_at, await updated(issue)]).toEqual([given, later, later])
})

test('1: so do the entries that changes of labels and of the issue make', async () => {
  const issue = await make('Entries')
  const { body: label } = await ada.post<Dated>(`${repo}/labels`, { name: 'bug', color: '#f00' })
  await ada.post(`${issue}/labels`, { labels: [label.id], updated_at: given })
  expect(await updated(issue)).toBe(given)
  await ada.delete(`${issue}/labels/${label.id}`, { updated_at: given })
  await ada.patch(issue, { title: 'Other', state: 'closed', updated_at: given })
  const { body: entries } = await ada.get<Dated[]>(`${issue}/timeline`)
  expect(entries.map(({ type, created_at }) => [type, created_at])).toEqual([
    ['label', given],
    ['label', given],
    ['change_title', given],
    ['close', given],
  ])
  expect((await ada.get<{ closed_at: string }>(issue)).body.closed_at).toBe(given)
})

test('2: an attachment takes it as its creation', async () => {
  const issue = await make('Attachment')
  const { body: comment } = await ada.post<Dated>(`${issue}/comments`, { body: 'x', updated_at: given })
  const upload = async (path: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    form.append('attachment', new File(['hello'], 'a.txt'))
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const headers = { Authorization: `token ${forge.token('ada', 'all')}` }
    const answer = await forge.app.handle(new Request(`http://localhost/api/v1${path}`, { method: 'POST', body: form, headers }))
    return [answer.status, await answer.json()]
  }
  for (const place of [issue, `${repo}/issues/comments/${comment.id}`]) {
    expect(await upload(`${place}/assets?updated_at=${given}`)).toMatchObject([201, { created_at: given, name: 'a.txt', size: 5 }])
    expect(await upload(`${place}/assets`, { updated_at: given })).toMatchObject([201, { created_at: given, name: 'a.txt', size: 5 }])
    for (const updated_at of ['yesterday', '2026-13-45T00:00:00Z', '2026-01-01T00:00:00+99:99']) {
      expect(await upload(`${place}/assets`, { updated_at })).toMatchObject([422, { message: expect.stringContaining('[updated_at]') }])
    }
  }
})

test('3: the entry that tells of a reference is dated so, where it leads', async () => {
  const target = await make('Target')
  const issue = await make('Referring')
  await ada.post(`${issue}/comments`, { body: `see #${target.split('/').at(-1)}`, updated_at: given })
  expect((await ada.get<Dated[]>(`${target}/timeline`)).body).toMatchObject([{ type: 'comment_ref', created_at: given, updated_at: given }])
})

test.each([
  ['the owner', 'ada', given, 201],
  ['a site administrator', 'root1', given, 201],
  ['a writer', 'bob', given, 403],
  ['the owner, before the issue was', 'ada', '2025-12-31T23:59:59Z', 403],
  ['the owner, in the future', 'ada', '2026-06-01T00:00:01Z', 403],
])('4: on an edit %s is answered as they should be, before any change', async (_, name, time, status) => {
  const issue = await make('Range')
  expect((await forge.asUser(name).patch(issue, { title: 'Changed', updated_at: time })).status).toBe(status)
  const { body } = await ada.get<{ title: string; updated_at: string }>(issue)
  expect([body.title, body.updated_at]).toEqual(status === 201 ? ['Changed', given] : ['Range', '2026-01-01T00:00:00Z'])
})

test('5: a milestone takes the greater of its own date and the given one', async () => {
  const issue = await make('Milestones')
  now = at('2026-02-01T00:00:00Z')
  const { body: old } = await ada.post<Dated>(`${repo}/milestones`, { title: 'old' })
  now = at('2026-05-01T00:00:00Z')
  const { body: young } = await ada.post<Dated>(`${repo}/milestones`, { title: 'young' })
  now = at('2026-06-01T00:00:00Z')
  for (const { id } of [old, young]) await ada.patch(issue, { milestone: id, updated_at: given })
  expect([await updated(`${repo}/milestones/${old.id}`), await updated(`${repo}/milestones/${young.id}`)]).toEqual([given, '2026-05-01T00:00:00Z'])
})
