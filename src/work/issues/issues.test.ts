import { afterAll, describe, expect } from 'bun:test'
import { accessStore, accessTo, anonymous, type RepoAccess } from '#access/index.ts'
import { NotFound } from '#kernel/errors.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import { createIssue } from './create-issue.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

interface Issue {
  id: number
  number: number
  title: string
  state: string
  comments: number
  labels: { name: string }[]
  assignees: { login: string }[] | null
  milestone: { id: number; open_issues: number; closed_issues: number } | null
  message?: string
  updated_at: string
  created_at: string
}

const forge: TestForge = testForge()
const ada = forge.asUser('ada')
const bob = forge.asUser('bob')
const carl = forge.asUser('carl')
afterAll(() => forge[Symbol.asyncDispose]())
await repositoryWithPeople(forge, { bob: 'write', carl: 'none' })
for (const [name, more] of Object.entries({ other: {}, secret: { private: true } })) await ada.post('/user/repos', { name, ...more })
const repo = '/repos/ada/engine'
const issues = `${repo}/issues`
const make = async (title: string, more: object = {}, who = 'ada') =>
  (await forge.asUser(who === 'nobody' ? undefined : who).post<Issue>(issues, { title, ...more })).body

describe('an issue', () => {
  test('is opened, read, edited, closed and opened again', async () => {
    await ada.post('/user/repos', { name: 'fresh' })
    const at = '/repos/ada/fresh/issues'
    const made = await ada.post<Issue>(at, { title: '  First  ', body: 'It broke' })
    expect([made.status, made.body]).toMatchObject([
      201,
      { number: 1, title: 'First', body: 'It broke', state: 'open', assignees: null, assignee: null, labels: [], milestone: null },
    ])
    expect((await forge.get<Issue>(`${at}/1`)).body).toMatchObject({ id: made.body.id, url: expect.stringContaining('/api/v1/repos/ada/fresh/issues/1') })
    const closed = await ada.patch<Issue>(`${at}/1`, { state: 'closed', title: 'Better' })
    expect([closed.status, closed.body]).toMatchObject([201, { state: 'closed', title: 'Better', closed_at: expect.any(String) }])
    expect((await ada.patch<Issue>(`${at}/1`, { state: 'open' })).body).toMatchObject({ state: 'open', closed_at: null })
    expect((await ada.patch(`${at}/1`, { state: 'ajar' })).status).toBe(412)
    expect((await ada.get(`${at}/99`)).status).toBe(404)
  })

  test('of a reader keeps what only writers may set to itself', async () => {
    const label = (await ada.post<{ id: number }>(`${repo}/labels`, { name: 'bug', color: '#f00' })).body.id
    const milestone = (await ada.post<{ id: number }>(`${repo}/milestones`, { title: 'v1' })).body.id
    const asked = { labels: [label], milestone, assignees: ['bob'], due_date: '2030-01-01T00:00:00Z' }
    expect(await make('By carl', asked, 'carl')).toMatchObject({ labels: [], milestone: null, assignees: null, due_date: null })
    expect(await make('By bob', asked, 'bob')).toMatchObject({
      labels: [{ name: 'bug' }],
      milestone: { id: milestone, open_issues: 1, closed_issues: 0 },
      assignees: [{ login: 'bob' }],
      due_date: '2030-01-01T00:00:00Z',
    })
    expect((await bob.post(issues, { title: 'x', assignees: ['carl'] })).status).toBe(422)
  })

  test('can be changed by its author and by writers alone', async () => {
    const { number } = await make('Mine', {}, 'carl')
    const line = `PATCH ${issues}/${number}`
    expect([(await forge.send(line, { body: { title: 'x' } })).status, (await carl.send(line, { body: { title: 'Still mine' } })).status]).toEqual([401, 201])
    await forge.person('dora')
    expect((await forge.asUser('dora').send(line, { body: { title: 'x' } })).status).toBe(403)
    expect((await bob.send<Issue>(line, { body: { body: 'Written by bob' } })).body).toMatchObject({ title: 'Still mine', body: 'Written by bob' })
  })

  test('lists by state, label, milestone, author and assignee, each counted', async () => {
    const count = async (query: string, name = 'ada') => {
      const { body, headers } = await forge.asUser(name === 'nobody' ? undefined : name).get<Issue[]>(`${issues}?${query}`)
      return [body.length, Number(headers.get('x-total-count'))]
    }
    await make('Broken', { body: 'It broke' })
    const all = (await ada.get<Issue[]>(`${issues}?state=all`)).body.length
    expect(await count('')).toEqual([all, all])
    expect(await count('labels=bug')).toEqual([1, 1])
    expect(await count('labels=nothing')).toEqual([all, all])
    expect(await count('milestones=v1')).toEqual([1, 1])
    expect(await count('created_by=carl')).toEqual([2, 2])
    expect(await count('assigned_by=bob')).toEqual([1, 1])
    expect(await count('type=pulls')).toEqual([0, 0])
    expect(await count('state=closed')).toEqual([0, 0])
    expect(await count('q=brok')).toEqual([1, 1])
    expect((await ada.get(`${issues}?created_by=nobody-at-all`)).status).toBe(404)
  })
})

test.each([
  ['Die STRASSE', 'straße'],
  ['Die Straße', 'strasse'],
  ['Die straße', 'STRAßE'],
  ['DIE STRAẞE', 'stra'],
  ['Größe', 'grosse'],
])('what is written %p is found by %p', async (title, typed) => {
  const { number } = await make(title)
  const { body } = await ada.get<Issue[]>(`${issues}?q=${encodeURIComponent(typed)}`)
  expect(body.map((one) => one.number)).toContain(number)
})

describe('a comment', () => {
  test('is written, listed, edited and deleted, and counted', async () => {
    const { number } = await make('Talk')
    const made = await carl.post<{ id: number; body: string }>(`${issues}/${number}/comments`, { body: 'Hello' })
    expect([made.status, made.body]).toMatchObject([201, { body: 'Hello', user: { login: 'carl' }, pull_request_url: '' }])
    expect((await ada.get<Issue>(`${issues}/${number}`)).body.comments).toBe(1)
    for (const path of ['issue', 'issues']) expect((await forge.get<Issue>(`${repo}/${path}/${number}/comments`)).body).toMatchObject([{ id: made.body.id }])
    const address = `${issues}/comments/${made.body.id}`
    expect((await carl.patch<Issue>(address, { body: 'Bye' })).body).toMatchObject({ body: 'Bye' })
    expect((await ada.patch(`/repos/ada/other/issues/comments/${made.body.id}`, { body: 'x' })).status).toBe(404)
    expect((await ada.patch<Issue>(`${issues}/7777/comments/${made.body.id}`, { body: 'Deprecated' })).body).toMatchObject({ body: 'Deprecated' })
    expect((await ada.delete(address)).status).toBe(204)
    expect([(await ada.get(address)).status, (await ada.get<Issue>(`${issues}/${number}`)).body.comments]).toEqual([404, 0])
  })
})

describe('labels on an issue', () => {
  test('are added, replaced, removed and cleared, by id or name; an exclusive one takes the place of its kin', async () => {
    const { number } = await make('Labelled')
    const ids: Record<string, number> = {}
    for (const name of ['kind/a', 'kind/b', 'plain'])
      ids[name] = (await ada.post<{ id: number }>(`${repo}/labels`, { name, color: '#0f0', exclusive: name !== 'plain' })).body.id
    const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name).join()
    const at = `${repo}/issue/${number}/labels`
    expect(names((await bob.post<Issue>(at, { labels: ['kind/a', 'plain'] })).body)).toBe('kind/a,plain')
    expect(names((await bob.post<Issue>(at, { labels: [ids['kind/b']] })).body)).toBe('kind/b,plain')
    expect((await bob.post(at, { labels: [1, 'plain'] })).status).toBe(400)
    expect(names((await bob.put<Issue>(`${issues}/${number}/labels`, { labels: ['kind/a'] })).body)).toBe('kind/a')
    expect((await bob.delete(`${at}/99999`)).status).toBe(422)
    expect((await bob.delete(`${at}/${ids['kind/a']}`)).status).toBe(204)
    await bob.put(at, { labels: ['plain'] })
    expect((await carl.delete(at)).status).toBe(403)
    expect((await bob.delete(at)).status).toBe(204)
    expect((await bob.get<Issue>(`${issues}/${number}/labels`)).body).toEqual([] as never)
  })
})

test('fifty people opening, commenting, labelling and closing at once leave no gap, no twin and no wrong count', async () => {
  await ada.post('/user/repos', { name: 'crowd' })
  const label = (await ada.post<{ id: number }>('/repos/ada/crowd/labels', { name: 'hot', color: '#f00' })).body.id
  const people = Array.from({ length: 50 }, (_, n) => `p${n}`)
  for (const name of people) {
    await forge.person(name)
    await ada.put(`/repos/ada/crowd/collaborators/${name}`, { permission: 'write' })
  }
  await Promise.all(
    people.map(async (name, n) => {
      const { number } = (await forge.asUser(name === 'nobody' ? undefined : name).post<Issue>('/repos/ada/crowd/issues', { title: `By ${name}` })).body
      const at = `/repos/ada/crowd/issues/${number}`
      await Promise.all([
        forge.asUser(name === 'nobody' ? undefined : name).post<Issue>(`${at}/comments`, { body: 'One' }),
        forge.asUser(name === 'nobody' ? undefined : name).post<Issue>('/repos/ada/crowd/issues/1/comments', { body: 'All in one place' }),
        forge.asUser(name === 'nobody' ? undefined : name).post<Issue>(`${at}/labels`, { labels: [label] }),
        n % 2 === 0 ? forge.asUser(name === 'nobody' ? undefined : name).patch<Issue>(at, { state: 'closed' }) : undefined,
      ])
    }),
  )
  const pages = await Promise.all([1, 2].map(async (page) => (await ada.get<Issue[]>(`/repos/ada/crowd/issues?state=all&limit=30&page=${page}`)).body))
  const all = pages.flat()
  expect(all.map(({ number }) => number).sort((a, b) => a - b)).toEqual(people.map((_, n) => n + 1))
  expect(all.filter(({ labels }) => labels.length === 1)).toHaveLength(50)
  expect(all.find(({ number }) => number === 1)?.comments).toBe(51)
  expect((await ada.get<{ open_issues_count: number }>('/repos/ada/crowd')).body.open_issues_count).toBe(25)
  const { headers } = await ada.get('/repos/ada/crowd/issues/comments')
  expect(headers.get('x-total-count')).toBe('100')
})

test('an issue of a repository that is deleted after its author was let in is answered as one of a repository that is not there', async () => {
  await ada.post('/user/repos', { name: 'brief' })
  const { context } = forge
  const user = accessStore.findUserByName(context.db, 'ada')
  const viewer = { ...anonymous, user }
  const { id } = (await ada.get<Issue>('/repos/ada/brief')).body
  const seen = accessTo(context.db, viewer, id)
  expect(seen).toBeDefined()
  await ada.delete('/repos/ada/brief')
  expect(() => createIssue(context, viewer, seen as RepoAccess, { title: 'Late' })).toThrow(NotFound)
})
