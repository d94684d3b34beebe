import { afterAll, expect } from 'bun:test'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

interface Entry {
  type: string
  body: string
  user: { login: string }
  created_at: string
  ref_issue: { number: number } | null
  [key: string]: unknown
}

let now = Math.floor(Date.parse('2026-06-01T12:00:00Z') / 1000)
const forge: TestForge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
const ada = forge.asUser('ada')
const carl = forge.asUser('carl')
const bob = forge.asUser('bob')
afterAll(() => forge[Symbol.asyncDispose]())
await repositoryWithPeople(forge, { bob: 'write', carl: 'none' })
await ada.post('/user/repos', { name: 'other' })
await ada.post('/user/repos', { name: 'secret', private: true })
const repo = '/repos/ada/engine'
const make = async (title: string, body = '', at = repo) => (await ada.post<{ number: number }>(`${at}/issues`, { title, body })).body.number
const timeline = async (number: number, name = 'ada') => (await forge.asUser(name).get<Entry[] | null>(`${repo}/issues/${number}/timeline`)).body ?? []
const types = async (number: number, name?: string) => (await timeline(number, name)).map(({ type }) => type)

test('the timeline tells of everything that happened, in order', async () => {
  const number = await make('All of it')
  const other = await make('Another')
  const at = `${repo}/issues/${number}`
  const label = (await ada.post<{ id: number }>(`${repo}/labels`, { name: 'bug', color: '#f00' })).body.id
  const milestone = (await ada.post<{ id: number }>(`${repo}/milestones`, { title: 'v1' })).body.id
  const steps: [string, unknown][] = [
    [`POST ${at}/comments`, { body: 'Hello' }],
    [`POST ${at}/labels`, { labels: [label] }],
    [`PATCH ${at}`, { milestone }],
    [`POST ${at}/assignees`, { assignees: ['bob'] }],
    [`PATCH ${at}`, { title: 'Renamed' }],
    [`PATCH ${at}`, { ref: 'refs/heads/main' }],
    [`POST ${at}/deadline`, { due_date: '2027-01-02T03:04:05Z' }],
    [`POST ${at}/deadline`, { due_date: '2027-01-03T03:04:05Z' }],
    [`POST ${at}/deadline`, {}],
    [`PUT ${at}/lock`, { lock_reason: 'too heated' }],
    [`DELETE ${at}/lock`, undefined],
    [`POST ${at}/pin`, undefined],
    [`DELETE ${at}/pin`, undefined],
    [`POST ${at}/dependencies`, { owner: 'ada', repo: 'engine', index: other }],
    [`DELETE ${at}/dependencies`, { owner: 'ada', repo: 'engine', index: other }],
    [`POST ${at}/stopwatch/start`, undefined],
    [`DELETE ${at}/stopwatch/delete`, undefined],
    [`POST ${at}/times`, { time: 3900 }],
    [`PATCH ${at}`, { state: 'closed' }],
    [`PATCH ${at}`, { state: 'open' }],
  ]
  for (const [line, body] of steps) {
    now++
    const { status } = await ada.send(line, { body })
    expect([line, status < 300]).toEqual([line, true])
  }
  expect(await types(number)).toEqual([
    'comment',
    'label',
    'milestone',
    'assignees',
    'change_title',
    'change_issue_ref',
    'added_deadline',
    'modified_deadline',
    'removed_deadline',
    'lock',
    'unlock',
    'pin',
    'unpin',
    'add_dependency',
    'remove_dependency',
    'start_tracking',
    'cancel_tracking',
    'add_time_manual',
    'close',
    'reopen',
  ])
  const entries = await timeline(number)
  const of = (type: string) => entries.find((entry) => entry.type === type)
  expect(of('label')).toMatchObject({ body: '1', label: { name: 'bug' }, user: { login: 'ada' } })
  expect(of('assignees')).toMatchObject({ assignee: { login: 'bob' }, removed_assignee: false })
  expect(of('change_title')).toMatchObject({ old_title: 'All of it', new_title: 'Renamed' })
  expect(of('modified_deadline')?.body).toBe('2027-01-03|2027-01-02')
  expect(of('add_time_manual')).toMatchObject({ body: '1 hour 5 minutes', tracked_time: { time: 3900 } })
  expect(of('add_dependency')).toMatchObject({ dependent_issue: { number: other } })
})

test('an issue with open dependencies stays open; dependencies in a circle are refused', async () => {
  const [first, second] = [await make('First'), await make('Second')]
  const on = (index: number) => ({ owner: 'ada', repo: 'engine', index })
  expect((await ada.post(`${repo}/issues/${first}/dependencies`, on(second))).status).toBe(201)
  expect((await ada.post(`${repo}/issues/${first}/dependencies`, on(second))).status).toBe(409)
  expect((await ada.post(`${repo}/issues/${second}/dependencies`, on(first))).status).toBe(422)
  expect((await ada.patch(`${repo}/issues/${first}`, { state: 'closed' })).status).toBe(412)
  expect((await carl.get<unknown[]>(`${repo}/issues/${second}/blocks`)).body).toMatchObject([{ number: first }])
  expect((await ada.patch(`${repo}/issues/${second}`, { state: 'closed' })).status).toBe(201)
  expect((await ada.patch(`${repo}/issues/${first}`, { state: 'closed' })).status).toBe(201)
  const hidden = await make('Hidden', '', '/repos/ada/secret')
  expect((await ada.post(`${repo}/issues/${first}/dependencies`, { owner: 'ada', repo: 'secret', index: hidden })).status).toBe(201)
  expect((await carl.get<unknown[]>(`${repo}/issues/${first}/dependencies`)).body).toMatchObject([{ title: 'HIDDEN' }, { number: second }].reverse())
})

test('a reference is told of where it leads, to whom may read where it stands; what is taken back is told no longer', async () => {
  const number = await make('Target')
  const referring = await make('Referring', `See #${number}, \`#1\` is code`)
  await ada.post(`${repo}/issues/${referring}/comments`, { body: `and ada/engine#${number}` })
  const elsewhere = await make('Elsewhere', `${forge.context.rootUrl}ada/engine/issues/${number}`, '/repos/ada/other')
  const secret = await make('Secret', `ada/engine#${number}`, '/repos/ada/secret')
  const told = await timeline(number)
  expect(told.map(({ type, ref_issue }) => [type, ref_issue?.number])).toEqual([
    ['issue_ref', referring],
    ['comment_ref', referring],
    ['issue_ref', elsewhere],
    ['issue_ref', secret],
  ])
  expect(await types(number, 'carl')).toEqual(['issue_ref', 'comment_ref', 'issue_ref'])
  // Nobody is told by a number what they may not see, and pages have no gaps.
  for (const [name, total] of [
    ['ada', '4'],
    ['carl', '3'],
  ] as const) {
    const page = await forge.asUser(name).get<Entry[]>(`${repo}/issues/${number}/timeline?limit=1&page=2`)
    expect([page.headers.get('x-total-count'), page.body.map(({ type }) => type)]).toEqual([total, ['comment_ref']])
    expect(page.headers.get('link')).toContain('page=3>; rel="next"')
  }
  await ada.patch(`${repo}/issues/${referring}`, { body: 'No more' })
  expect(await types(number, 'carl')).toEqual(['comment_ref', 'issue_ref'])
})

test('mentions are of those who can read it', async () => {
  await ada.post('/repos/ada/secret/issues', { title: 'x', body: '@bob and @carl and @ada' })
  await make('y', '@bob, `@carl`')
  const mentioned = async (name: string) =>
    (await forge.asUser(name).get<{ title: string }[]>('/repos/issues/search?mentioned=true')).body.map(({ title }) => title)
  expect([await mentioned('bob'), await mentioned('carl')]).toEqual([['y'], []])
})

test('a locked conversation is for writers; who is blocked does not join in', async () => {
  const number = await make('Locked')
  await ada.put(`${repo}/issues/${number}/lock`, {})
  const say = async (name: string) => (await forge.asUser(name).post(`${repo}/issues/${number}/comments`, { body: 'x' })).status
  expect([await say('carl'), await say('bob')]).toEqual([403, 201])
  expect((await carl.post(`${repo}/issues/${number}/reactions`, { content: '+1' })).status).toBe(403)
  await ada.delete(`${repo}/issues/${number}/lock`)
  await ada.put('/user/blocks/carl')
  expect([await say('carl'), (await carl.post(`${repo}/issues`, { title: 'x' })).status]).toEqual([403, 403])
  await ada.delete('/user/blocks/carl')
})

test('reactions come once each; another sign is refused', async () => {
  const at = `${repo}/issues/${await make('Liked')}/reactions`
  const add = async (name: string, content: string) => (await forge.asUser(name).post(at, { content })).status
  expect((await ada.get(at)).body).toBeNull()
  expect([await add('carl', 'heart'), await add('carl', 'heart'), await add('bob', 'heart'), await add('bob', 'skull')]).toEqual([201, 200, 201, 403])
  expect((await ada.get<unknown[]>(at)).body).toHaveLength(2)
  expect((await carl.delete(at, { content: 'heart' })).status).toBe(204)
  expect((await carl.delete(at, { content: 'heart' })).status).toBe(204)
  expect((await ada.get<unknown[]>(at)).body).toMatchObject([{ user: { login: 'bob' }, content: 'heart' }])
})

test('a stopwatch runs once for each person, and closing an issue books it', async () => {
  const [one, two] = [await make('One'), await make('Two')]
  const start = async (number: number) => (await bob.post(`${repo}/issues/${number}/stopwatch/start`)).status
  expect([await start(one), await start(one)]).toEqual([201, 409])
  now += 60
  expect(await start(two)).toBe(201)
  expect((await bob.get<unknown[]>('/user/stopwatches')).body).toMatchObject([{ issue_index: two }])
  const beyond = await bob.get('/user/stopwatches?page=2')
  expect([beyond.body as unknown, beyond.headers.get('x-total-count')]).toEqual([[], '1'])
  now += 90
  await bob.patch(`${repo}/issues/${two}`, { state: 'closed' })
  expect((await bob.get('/user/stopwatches')).body).toEqual([] as never)
  const times = (await bob.get<{ time: number; issue: { number: number } }[]>('/user/times')).body
  expect(times.map(({ time, issue }) => [issue.number, time])).toEqual([
    [one, 60],
    [two, 90],
  ])
  expect((await carl.post(`${repo}/issues/${one}/times`, { time: 5 })).status).toBe(403)
  expect((await bob.post(`${repo}/issues/${one}/times`, { time: 0 })).status).toBe(422)
  expect((await bob.delete(`${repo}/issues/${one}/times`)).status).toBe(204)
  expect((await bob.delete(`${repo}/issues/${one}/times`)).status).toBe(404)
})

test('no more than three are pinned, and they can be put in order', async () => {
  const numbers = []
  for (const title of ['p1', 'p2', 'p3', 'p4']) numbers.push(await make(title))
  const pin = async (number: number) => (await ada.post(`${repo}/issues/${number}/pin`)).status
  expect([
    await pin(numbers[0] as number),
    await pin(numbers[0] as number),
    await pin(numbers[1] as number),
    await pin(numbers[2] as number),
    await pin(numbers[3] as number),
  ]).toEqual([204, 409, 204, 204, 422])
  expect((await ada.patch(`${repo}/issues/${numbers[2]}/pin/1`)).status).toBe(204)
  expect((await carl.get<{ number: number }[]>(`${repo}/issues/pinned`)).body.map(({ number }) => number)).toEqual([
    numbers[2] as number,
    numbers[0] as number,
    numbers[1] as number,
  ])
  expect((await carl.get(`${repo}/new_pin_allowed`)).body).toEqual({ issues: false, pull_requests: true })
})

test('an issue that was moved is found under its old number, with its conversation', async () => {
  const number = await make('Moving')
  await ada.post(`${repo}/issues/${number}/comments`, { body: 'unmistakable' })
  const moved = await ada.post<{ number: number }>(`${repo}/issues/${number}/move`, { owner: 'ada', repo: 'other' })
  expect(moved.status).toBe(201)
  const old = await carl.get(`${repo}/issues/${number}/comments`)
  expect([old.status, old.headers.get('location')]).toEqual([301, `/api/v1/repos/ada/other/issues/${moved.body.number}/comments`])
  expect((await carl.get<unknown[]>(`/repos/ada/other/issues/${moved.body.number}/comments`)).body).toMatchObject([{ body: 'unmistakable' }])
  expect((await carl.get<unknown[]>('/repos/ada/other/issues?q=unmistak')).body).toHaveLength(1)
  expect((await carl.get<unknown[]>(`${repo}/issues?q=unmistak`)).body).toHaveLength(0)
  expect((await ada.post('/repos/ada/secret/issues/1/move', { owner: 'ada', repo: 'other' })).status).toBe(422)
})

test('what a text was is kept', async () => {
  const number = await make('History', 'first')
  await ada.patch(`${repo}/issues/${number}`, { body: 'second' })
  const { body } = await carl.get<{ body: string }[]>(`${repo}/issues/${number}/content-history`)
  expect(body.map((one) => one.body)).toEqual(['second', 'first'])
})
