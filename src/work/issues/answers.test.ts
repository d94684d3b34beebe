import { afterAll, beforeAll, describe, expect, spyOn } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

// What clients of Gitea rely on, a row an answer; rows of one group happen one after another. ada owns, writer and manager (who
// administers) work with her, reader only reads.

const forge = testForge()
const asAda = forge.asUser('ada')
const ids = new Map<string, number>()

/** `{bug}` in a line, or as a whole text of a body, stands for the id of what has that name. */
function filled<T>(value: T): T {
  if (typeof value === 'string') {
    const whole = /^\{(\w+)\}$/.exec(value)?.[1]
    if (whole) return idOf(whole) as T
    return value.replace(/\{(\w+)\}/g, (_, name: string) => String(idOf(name))) as T
  }
  if (Array.isArray(value)) return value.map(filled) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one)])) as T
}

function idOf(name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`There is nothing called ${name} in this test`)
  return id
}

async function make(name: string, who: string, line: string, body: object): Promise<void> {
  const made = await forge.asUser(who).send<{ id: number }>(filled(line), { body: filled(body) })
  if (made.status >= 300) throw new Error(`Cannot make ${name}: ${line} answers ${made.status}`)
  ids.set(name, made.body.id)
}

beforeAll(async () => {
  for (const name of ['ada', 'writer', 'manager', 'reader']) await forge.person(name)
  for (const [name, more] of Object.entries({ engine: {}, other: {}, secret: { private: true }, old: {}, tracked: {} })) {
    await asAda.post('/user/repos', { name, ...more })
    await asAda.put(`/repos/ada/${name}/collaborators/writer`, { permission: 'write' })
    await asAda.put(`/repos/ada/${name}/collaborators/manager`, { permission: 'admin' })
  }
  await asAda.delete('/repos/ada/secret/collaborators/writer')
  for (const [name, exclusive] of Object.entries({ bug: false, idea: false }))
    await make(name, 'ada', 'POST /repos/ada/engine/labels', { name, color: '#abc', exclusive })
  for (const title of ['v1', 'v2']) await make(title, 'ada', 'POST /repos/ada/engine/milestones', { title })
  // Issues 1 to 8 of ada/engine; the first is the reader's.
  for (let n = 1; n <= 8; n++) await make(`issue${n}`, n === 1 ? 'reader' : 'ada', 'POST /repos/ada/engine/issues', { title: `Issue ${n}`, body: 'text' })
  await asAda.post('/orgs', { username: 'lodge', visibility: 'limited' })
  await asAda.post('/orgs/lodge/repos', { name: 'hall' })
  await make('inside', 'ada', 'POST /repos/lodge/hall/issues', { title: 'Among us' })
  await make('hidden', 'ada', 'POST /repos/ada/secret/issues', { title: 'A secret' })
  await make('aged', 'reader', 'POST /repos/ada/old/issues', { title: 'Aged' })
  await make('agedComment', 'reader', 'POST /repos/ada/old/issues/1/comments', { body: 'Said long ago' })
  await make('oldLabel', 'ada', 'POST /repos/ada/old/labels', { name: 'old', color: '#abc' })
  await asAda.patch('/repos/ada/old', { archived: true })
  const tracker = {
    external_tracker_url: 'https://t.example.org/',
    external_tracker_format: 'https://t.example.org/{index}',
    external_tracker_style: 'numeric',
  }
  await asAda.patch('/repos/ada/tracked', { has_issues: true, external_tracker: tracker })
})
afterAll(() => forge[Symbol.asyncDispose]())

type Row = [claim: string, who: string, line: string, body: object | undefined, status: number, answer?: unknown]

const one = '/repos/ada/engine/issues/1'
const two = '/repos/ada/engine/issues/2'
const three = '/repos/ada/engine/issues/3'
const dependency = (index: number, repo = 'engine') => ({ owner: 'ada', repo, index })

const groups: Record<string, Row[]> = {
  'opening and editing': [
    ['a blank title is none', 'reader', 'POST /repos/ada/engine/issues', { title: '  ' }, 422],
    [
      'what is null is as good as absent',
      'reader',
      'POST /repos/ada/engine/issues',
      { title: 'x', labels: null, assignees: null, due_date: null, milestone: null },
      201,
    ],
    [
      'a writer dates it as sent',
      'writer',
      'POST /repos/ada/engine/issues',
      { title: 'x', due_date: '2030-01-01T10:00:00Z' },
      201,
      { due_date: '2030-01-01T10:00:00Z' },
    ],
    [
      'labels and a milestone of elsewhere drop out',
      'writer',
      'POST /repos/ada/engine/issues',
      { title: 'x', labels: [999, '{bug}'], milestone: 999 },
      201,
      { milestone: null, labels: [{ name: 'bug' }] },
    ],
    [
      'the author changes texts and state, and no plans',
      'reader',
      `PATCH ${one}`,
      { body: 'b', ref: 'dev', state: 'closed', milestone: '{v1}', assignees: ['ada'], due_date: '2030-01-01T00:00:00Z' },
      201,
      { body: 'b', ref: 'dev', state: 'closed', milestone: null, assignees: null, due_date: null },
    ],
    ['an empty title changes nothing', 'reader', `PATCH ${one}`, { title: '', state: 'open' }, 201, { title: 'Issue 1', closed_at: null }],
    ['a due date is the end of its own day', 'writer', `PATCH ${one}`, { due_date: '2030-01-01T10:00:00+02:00' }, 201, { due_date: '2030-01-01T21:59:59Z' }],
    ['unset_due_date: false says nothing', 'writer', `PATCH ${one}`, { unset_due_date: false }, 400, { message: 'The due_date cannot be empty' }],
    ['a milestone that is not there is a mistake', 'writer', `PATCH ${one}`, { title: 'Not this', milestone: 999 }, 404],
    ['and nothing of that request happened', 'reader', `GET ${one}`, undefined, 200, { title: 'Issue 1', milestone: null }],
    ['who cannot work there is not assigned', 'writer', `PATCH ${one}`, { assignees: ['reader'] }, 422],
    ['an older version of the text is not overwritten', 'writer', `PATCH ${one}`, { title: 'x', content_version: 77 }, 409],
  ],
  'locks, pins and their order': [
    ['a writer does not lock', 'writer', `PUT ${two}/lock`, { lock_reason: 'spam' }, 403],
    ['any reason will do', 'manager', `PUT ${two}/lock`, { lock_reason: 'any reason at all' }, 204],
    ['locked twice is locked', 'manager', `PUT ${two}/lock`, {}, 204],
    ['a reader is out of the conversation', 'reader', `POST ${two}/comments`, { body: 'x' }, 403],
    ['nobody says nothing', 'writer', `POST ${two}/comments`, { body: ' \n' }, 422, { message: '[body]: the text must not be blank' }],
    ['and does not react', 'reader', `POST ${two}/reactions`, { content: 'eyes' }, 403, { message: 'no permission to change reaction' }],
    ['a writer goes on', 'writer', `POST ${two}/comments`, { body: 'x' }, 201],
    ['unlocked', 'manager', `DELETE ${two}/lock`, undefined, 204],
    ['unlocked twice', 'manager', `DELETE ${two}/lock`, undefined, 204],
    ['a writer does not pin', 'writer', `POST ${one}/pin`, undefined, 403],
    ['first', 'manager', `POST ${one}/pin`, undefined, 204],
    ['second', 'manager', `POST ${two}/pin`, undefined, 204],
    ['there is room for one more', 'reader', 'GET /repos/ada/engine/new_pin_allowed', undefined, 200, { issues: true, pull_requests: true }],
    ['third', 'manager', `POST ${three}/pin`, undefined, 204],
    ['and no more', 'reader', 'GET /repos/ada/engine/new_pin_allowed', undefined, 200, { issues: false, pull_requests: true }],
    ['a fourth is too many', 'manager', 'POST /repos/ada/engine/issues/4/pin', undefined, 422],
    ['twice is once too many', 'manager', `POST ${one}/pin`, undefined, 409],
    ['the last goes first', 'manager', `PATCH ${three}/pin/1`, undefined, 204],
    ['no place is before the first', 'manager', `PATCH ${three}/pin/0`, undefined, 422],
    ['what is not pinned has no place', 'manager', 'PATCH /repos/ada/engine/issues/4/pin/1', undefined, 404],
    [
      'in that order',
      'reader',
      'GET /repos/ada/engine/issues/pinned',
      undefined,
      200,
      [
        { number: 3, pin_order: 1 },
        { number: 1, pin_order: 2 },
        { number: 2, pin_order: 3 },
      ],
    ],
    ['unpinned', 'manager', `DELETE ${one}/pin`, undefined, 204],
    ['unpinned twice', 'manager', `DELETE ${one}/pin`, undefined, 204],
    [
      'those behind move up',
      'reader',
      'GET /repos/ada/engine/issues/pinned',
      undefined,
      200,
      [
        { number: 3, pin_order: 1 },
        { number: 2, pin_order: 2 },
      ],
    ],
  ],
  'what depends on what': [
    ['4 on 5', 'writer', 'POST /repos/ada/engine/issues/4/dependencies', dependency(5), 201, { number: 4 }],
    ['5 on 6', 'writer', 'POST /repos/ada/engine/issues/5/dependencies', dependency(6), 201],
    ['no circle', 'writer', 'POST /repos/ada/engine/issues/6/dependencies', dependency(4), 422],
    ['not on itself', 'writer', 'POST /repos/ada/engine/issues/6/dependencies', dependency(6), 422],
    ['not twice', 'writer', 'POST /repos/ada/engine/issues/4/dependencies', dependency(5), 409],
    ['without an owner it is nowhere', 'writer', 'POST /repos/ada/engine/issues/4/dependencies', { index: 6 }, 404],
    ['a reader changes none', 'reader', 'POST /repos/ada/engine/issues/4/dependencies', dependency(6), 404],
    ['not on what one may not read', 'writer', 'POST /repos/ada/engine/issues/4/dependencies', dependency(1, 'secret'), 404],
    ['on a secret', 'ada', 'POST /repos/ada/engine/issues/4/dependencies', dependency(1, 'secret'), 201],
    [
      'which is one to others',
      'reader',
      'GET /repos/ada/engine/issues/4/dependencies',
      undefined,
      200,
      [{ number: 5 }, { number: 0, title: 'HIDDEN', html_url: '', repository: { full_name: '' } }],
    ],
    ['what waits for 6', 'reader', 'GET /repos/ada/engine/issues/6/blocks', undefined, 200, [{ number: 5 }]],
    ['is not closed before it', 'ada', 'PATCH /repos/ada/engine/issues/5', { state: 'closed', title: 'Nor this' }, 412],
    ['nor changed otherwise', 'ada', 'GET /repos/ada/engine/issues/5', undefined, 200, { title: 'Issue 5', state: 'open' }],
    ['no more', 'writer', 'DELETE /repos/ada/engine/issues/5/dependencies', dependency(6), 201],
    ['once', 'writer', 'DELETE /repos/ada/engine/issues/5/dependencies', dependency(6), 404],
    ['and is closed then', 'ada', 'PATCH /repos/ada/engine/issues/5', { state: 'closed' }, 201],
  ],
  moving: [
    ['out of a private repository is telling', 'ada', 'POST /repos/ada/secret/issues/1/move', { owner: 'ada', repo: 'other' }, 422],
    ['out of a limited organization too', 'ada', 'POST /repos/lodge/hall/issues/1/move', { owner: 'ada', repo: 'other' }, 422],
    ['nowhere', 'ada', 'POST /repos/ada/engine/issues/8/move', { owner: 'ada', repo: 'nowhere' }, 404],
    ['where it is', 'ada', 'POST /repos/ada/engine/issues/8/move', { owner: 'ada', repo: 'engine' }, 422],
    ['by who writes in one of both', 'reader', 'POST /repos/ada/engine/issues/8/move', { owner: 'ada', repo: 'other' }, 403],
    [
      'into the limited organization',
      'ada',
      'POST /repos/ada/engine/issues/8/move',
      { owner: 'lodge', repo: 'hall' },
      201,
      { number: 2, repository: { full_name: 'lodge/hall' } },
    ],
    ['leads there who may follow', 'reader', 'GET /repos/ada/engine/issues/8', undefined, 301],
  ],
  'an archived repository': [
    ['opens none', 'reader', 'POST /repos/ada/old/issues', { title: 'x' }, 423, { message: 'ada/old is archived' }],
    ['takes no comment', 'reader', 'POST /repos/ada/old/issues/1/comments', { body: 'x' }, 423],
    ['nor changes one', 'reader', 'PATCH /repos/ada/old/issues/comments/{agedComment}', { body: 'x' }, 423],
    ['but by the old path', 'reader', 'PATCH /repos/ada/old/issues/1/comments/{agedComment}', { body: 'x' }, 200],
    ['takes no dependency', 'writer', 'POST /repos/ada/old/issues/1/dependencies', dependency(1), 423],
    ['loses no issue to another', 'writer', 'POST /repos/ada/old/issues/1/move', { owner: 'ada', repo: 'other' }, 423],
    ['edits', 'reader', 'PATCH /repos/ada/old/issues/1', { title: 'Older' }, 201],
    ['labels', 'writer', 'POST /repos/ada/old/issues/1/labels', { labels: ['old'] }, 200, [{ name: 'old' }]],
    ['changes its labels', 'writer', 'PATCH /repos/ada/old/labels/{oldLabel}', { name: 'older' }, 200],
    ['plans', 'writer', 'POST /repos/ada/old/milestones', { title: 'v9' }, 201],
    ['assigns', 'writer', 'POST /repos/ada/old/issues/1/assignees', { assignees: ['ada'] }, 201],
    ['sets deadlines', 'writer', 'POST /repos/ada/old/issues/1/deadline', { due_date: '2030-01-01T00:00:00Z' }, 201, { due_date: '2030-01-01T23:59:59Z' }],
    ['reacts', 'reader', 'POST /repos/ada/old/issues/1/reactions', { content: 'heart' }, 201],
    ['tracks', 'writer', 'POST /repos/ada/old/issues/1/times', { time: 5 }, 200],
    ['watches the clock', 'writer', 'POST /repos/ada/old/issues/1/stopwatch/start', undefined, 201],
    ['stops it', 'writer', 'POST /repos/ada/old/issues/1/stopwatch/stop', undefined, 201],
    ['locks', 'manager', 'PUT /repos/ada/old/issues/1/lock', {}, 204],
    ['pins', 'manager', 'POST /repos/ada/old/issues/1/pin', undefined, 204],
    ['subscribes', 'reader', 'PUT /repos/ada/old/issues/1/subscriptions/reader', undefined, 200],
    ['forgets', 'reader', 'DELETE /repos/ada/old/issues/comments/{agedComment}', undefined, 204],
  ],
  'a repository with its issues elsewhere': [
    ['lists none', 'ada', 'GET /repos/ada/tracked/issues?type=issues', undefined, 404],
    ['opens none', 'ada', 'POST /repos/ada/tracked/issues', { title: 'x' }, 404],
    [
      'says where they are',
      'reader',
      'GET /repos/ada/tracked',
      undefined,
      200,
      { has_issues: true, external_tracker: { external_tracker_url: 'https://t.example.org/' } },
    ],
  ],
  milestones: [
    ['any state but closed is open', 'ada', 'PATCH /repos/ada/engine/milestones/v2', { state: 'whatever' }, 200, { state: 'open' }],
    ['closed', 'ada', 'PATCH /repos/ada/engine/milestones/v2', { state: 'closed' }, 200, { state: 'closed', closed_at: expect.any(String) }],
    [
      'found by a part of the title, in any case',
      'reader',
      'GET /repos/ada/engine/milestones?name=V&state=all',
      undefined,
      200,
      [{ title: 'v1' }, { title: 'v2' }],
    ],
    [
      'due at the end of the day',
      'ada',
      'PATCH /repos/ada/engine/milestones/v1',
      { due_on: '2031-01-01T05:00:00Z', title: '' },
      200,
      { title: 'v1', due_on: '2031-01-01T23:59:59Z' },
    ],
    ['an issue joins', 'writer', 'PATCH /repos/ada/engine/issues/7', { milestone: '{v1}', state: 'closed' }, 201, { milestone: { title: 'v1' } }],
    ['and is counted', 'reader', 'GET /repos/ada/engine/milestones/{v1}', undefined, 200, { open_issues: 0, closed_issues: 1 }],
    ['a reader makes none', 'reader', 'POST /repos/ada/engine/milestones', { title: 'x' }, 403],
    ['gone', 'ada', 'DELETE /repos/ada/engine/milestones/v1', undefined, 204],
    ['what was in it stays', 'reader', 'GET /repos/ada/engine/issues/7', undefined, 200, { milestone: null, state: 'closed' }],
  ],
}

for (const [group, rows] of Object.entries(groups)) {
  describe(group, () => {
    for (const [claim, as, line, body, status, answer] of rows) {
      test(`${claim}: ${as} says ${line}`, async () => {
        const reply = await forge.asUser(as).send<unknown>(filled(line), { body: filled(body) })
        expect(reply.status).toBe(status)
        if (answer !== undefined) expect([reply.body]).toMatchObject([answer])
      })
    }
  })
}

test('of very many issues that one depends on, or that depend on it, those of a page alone are read', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  const repo = forge.repo(ada, 'engine')
  await forge.asUser(ada).post('/repos/ada/engine/issues', { title: 'Hub' })
  const { db } = forge.context
  const hub = db.find<{ id: number }>('SELECT id FROM issue')?.id as number
  db.tx((tx) => {
    for (let number = 2; number < 202; number++) {
      const id = tx.insert('issue', { repo_id: repo.id, number, poster_id: ada.row.id, title: `${number}`, created_at: number, updated_at: number })
      tx.insert('issue_dependency', { issue_id: number % 2 ? hub : id, depends_on: number % 2 ? id : hub, created_at: 1 })
    }
  })
  const all = spyOn(db, 'all')
  for (const [list, first] of [
    ['dependencies', 195],
    ['blocks', 194],
  ] as const) {
    const found = await forge.asUser(ada).get<{ number: number }[]>(`/repos/ada/engine/issues/1/${list}?page=2&limit=3`)
    expect([found.body.map(({ number }) => number), found.headers.get('x-total-count')]).toEqual([[first, first - 2, first - 4], '100'])
  }
  const longest = Math.max(...all.mock.results.map(({ value }) => (value as unknown[]).length))
  all.mockRestore()
  expect(longest).toBeLessThanOrEqual(3)
})
