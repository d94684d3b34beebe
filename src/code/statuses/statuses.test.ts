import { afterAll, expect, spyOn } from 'bun:test'
import type { Value } from '#kernel/db.ts'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { combineStates } from './combine.ts'
import { MOST_CONTEXTS } from './create-status.ts'
import type { CombinedStatus, CommitState, CommitStatus } from './schema.ts'
import { findStatusesOf } from './store.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
await forge.person('ada')
for (const name of ['bob', 'carl']) await forge.person(name)
const sha: Record<string, string> = {}
for (const name of ['engine', 'mill']) {
  await ada.post('/user/repos', { name, auto_init: true })
  const { body } = await ada.get<{ commit: { id: string } }>(`/repos/ada/${name}/branches/main`)
  sha[name] = body.commit.id
}
await ada.post('/repos/ada/engine/branches', { new_branch_name: 'feature/x', old_branch_name: 'main' })
await ada.put('/repos/ada/engine/collaborators/bob', { permission: 'write' })

const R = '/repos/ada/engine'
const tip = sha.engine as string
const list = (query = '', at = tip) => forge.get<CommitStatus[]>(`${R}/statuses/${at}${query}`)
const combined = (at = tip) => forge.get<CombinedStatus>(`${R}/commits/${at}/status`)
const clear = () => context.db.tx((tx) => tx.run('DELETE FROM commit_status'))
const { context } = forge

test('a status is created by id, short id, branch or tag, and counts up with its commit', async () => {
  clear()
  const made = await ada.post<CommitStatus>(`${R}/statuses/${tip}`, {
    state: 'pending',
    context: ' ci ',
    description: ' running ',
    target_url: ' https://ci.example.org/1 ',
  })
  expect([made.status, made.body]).toMatchObject([
    201,
    { id: 1, status: 'pending', context: 'ci', description: 'running', target_url: 'https://ci.example.org/1', creator: { login: 'ada' } },
  ])
  expect(made.body.updated_at).toBe(made.body.created_at)
  for (const at of [tip.slice(0, 7), 'main', encodeURIComponent('feature/x')])
    expect((await ada.post(`${R}/statuses/${at}`, { state: 'success' })).status).toBe(201)
  expect((await list()).body.map(({ id }) => id)).toEqual([4, 3, 2, 1])
  const events = context.events.after(0, 1000).flatMap(({ event }) => (event.type === 'status' ? [event] : []))
  expect(events[0]).toMatchObject({ oid: tip, state: 'pending', context: 'ci', actorId: made.body.creator?.id })
  clear()
  await ada.post('/repos/ada/mill/statuses/main', { state: 'error' })
  expect((await list()).body).toEqual([])
})

test.each([
  ['no state', {}, 422],
  ['an unknown state', { state: 'fine' }, 422],
  ['a script for an address', { state: 'success', target_url: 'javascript:alert(1)' }, 422],
  ['a data address', { state: 'success', target_url: 'data:text/html,x' }, 422],
  ['a relative address', { state: 'success', target_url: '//ci.example.org' }, 422],
  ['a long context', { state: 'success', context: 'x'.repeat(256) }, 422],
])('a status with %s is refused', async (_, body, status) => {
  clear()
  expect((await ada.post(`${R}/statuses/${tip}`, body)).status).toBe(status)
  expect((await list()).body).toEqual([])
})

test('who may not push says nothing of commits, and nobody says anything of those that are not there', async () => {
  expect((await forge.asUser('bob').post(`${R}/statuses/${tip}`, { state: 'success' })).status).toBe(201)
  expect([
    (await forge.asUser('carl').post(`${R}/statuses/${tip}`, { state: 'success' })).status,
    (await forge.post(`${R}/statuses/${tip}`, { state: 'success' })).status,
  ]).toEqual([403, 401])
  for (const at of ['0'.repeat(40), 'nowhere', sha.mill as string, '..%2f..'])
    expect((await ada.post(`${R}/statuses/${at}`, { state: 'success' })).status).toBe(404)
  await ada.patch(R, { archived: true })
  expect((await ada.post(`${R}/statuses/${tip}`, { state: 'success' })).status).toBe(423)
  await ada.patch(R, { archived: false })
})

test('the list is sorted and filtered, page by page, and of an unknown commit it is empty', async () => {
  clear()
  for (const state of ['pending', 'success', 'failure']) await ada.post(`${R}/statuses/${tip}`, { state, context: 'ci' })
  const ids = async (query: string) => (await list(query)).body.map(({ id }) => id)
  for (const [query, expected] of [
    ['', [3, 2, 1]],
    ['?sort=oldest', [1, 2, 3]],
    ['?sort=leastupdate', [1, 2, 3]],
    ['?sort=highestindex', [1, 2, 3]],
    ['?sort=leastindex', [3, 2, 1]],
    ['?sort=DROP', [3, 2, 1]],
    ['?state=success', [2]],
    ['?state=x', []],
    ['?limit=1&page=2', [2]],
  ] as const)
    expect(await ids(query)).toEqual([...expected])
  const page = await list('?limit=1')
  expect([page.headers.get('x-total-count'), page.headers.get('link')]).toEqual(['3', expect.stringContaining('rel="next"')])
  expect([(await list('', '0'.repeat(40))).body, (await list('', 'nowhere')).body]).toEqual([[], []])
})

test('combined, the newest status of each context counts', async () => {
  clear()
  expect((await combined()).body).toMatchObject({ state: 'pending', sha: tip, total_count: 0, statuses: null, repository: { full_name: 'ada/engine' } })
  await ada.post(`${R}/statuses/${tip}`, { state: 'failure', context: 'build' })
  await ada.post(`${R}/statuses/${tip}`, { state: 'success', context: 'lint' })
  expect((await combined()).body).toMatchObject({ state: 'failure', total_count: 2 })
  await ada.post(`${R}/statuses/${tip}`, { state: 'success', context: 'build' })
  for (const at of [tip, tip.slice(0, 8), 'main', 'feature/x', 'feature%2Fx']) {
    const { body } = await combined(at)
    expect([body.state, body.total_count, body.statuses?.map(({ context, status }) => `${context} ${status}`)]).toEqual([
      'success',
      2,
      ['build success', 'lint success'],
    ])
  }
  const page = await forge.get<CombinedStatus>(`${R}/commits/${tip}/status?limit=1&page=2`)
  expect([page.body.state, page.body.statuses?.length, page.headers.get('x-total-count')]).toEqual(['success', 1, '2'])
  for (const at of ['nowhere', 'feature/y']) expect((await combined(at)).status).toBe(404)
  expect((await forge.get(`${R}/commits/feature/x`)).status).toBe(404)
})

test('statuses by ref are combined when called bare, a list when a part of one is asked for', async () => {
  for (const at of ['main', 'feature/x']) {
    expect((await forge.get(`${R}/commits/${at}/statuses`)).body).toMatchObject({ state: 'success', sha: tip })
    for (const query of ['page=1', 'limit=10', 'sort=oldest', 'state=success'])
      expect((await forge.get(`${R}/commits/${at}/statuses?${query}`)).body).toBeArray()
  }
})

test.each<[CommitState[], CommitState]>([
  [[], 'pending'],
  [['success', 'skipped'], 'success'],
  [['success', 'pending'], 'pending'],
  [['pending', 'error'], 'failure'],
  [['success', 'warning'], 'failure'],
  [['skipped'], 'success'],
])('%p together are %s', (states, together) => {
  expect(combineStates(states)).toBe(together)
})

test('fifty programs at once each get a number of their own', async () => {
  clear()
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, i) => ada.post<CommitStatus>(`${R}/statuses/${tip}`, { state: 'success', context: `ci ${i % 5}` })),
  )
  expect(made.map(({ body }) => body.id).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
  expect((await combined()).body.total_count).toBe(5)
})

test('a status outlives the account that made it', async () => {
  clear()
  await forge.person('dora')
  await ada.put('/repos/ada/engine/collaborators/dora', { permission: 'write' })
  await forge.asUser('dora').post(`${R}/statuses/${tip}`, { state: 'success' })
  await forge.person('root1', { isAdmin: true })
  expect((await forge.asUser('root1').delete('/admin/users/dora')).status).toBe(204)
  expect((await list()).body).toMatchObject([{ status: 'success', creator: null }])
})

test('where the setting says so, statuses by ref are a list always', async () => {
  await using other = testForge({ api: { STATUSES_AS_LIST: true } })
  await other.person('ada')
  await other.asUser('ada').post('/user/repos', { name: 'engine', auto_init: true })
  expect((await other.get('/repos/ada/engine/commits/main/statuses')).body).toEqual([] as never)
})

test('of very many statuses of a commit only those that are asked for are looked at', async () => {
  clear()
  for (const state of ['pending', 'success'] as const) await ada.post(`${R}/statuses/${tip}`, { state, context: 'build' })
  await ada.post(`${R}/statuses/${tip}`, { state: 'pending', context: 'lint' })
  const all = spyOn(context.db, 'all')
  const find = spyOn(context.db, 'find')
  expect((await combined()).body).toMatchObject({ state: 'pending', total_count: 2 })
  expect((await list('?state=pending')).body.length).toBe(2)
  const asked = [...all.mock.calls, ...find.mock.calls].filter(([sql]) => sql.includes('FROM commit_status')) as [string, ...Value[]][]
  for (const mock of [all, find]) mock.mockRestore()
  const plans = asked.flatMap(([sql, ...values]) => context.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail))
  const searches = plans.filter((detail) => !detail.startsWith('USE TEMP'))
  const ways = ['USING INDEX', 'USING COVERING INDEX'].flatMap((using) => [
    `${using} commit_status_newest (repo_id=? AND oid=?)`,
    `${using} commit_status_state (repo_id=? AND oid=? AND state=?)`,
  ])
  expect(searches.map((detail) => ways.some((way) => detail.endsWith(way)))).toEqual([true, true, true, true])
})

test('a list of commits counts and finds the statuses of each by an index, without sorting them', async () => {
  clear()
  for (const state of ['success', 'failure', 'pending'] as const) await ada.post(`${R}/statuses/${tip}`, { state, context: `is ${state}` })
  const find = spyOn(context.db, 'find')
  const { counts, statuses } = findStatusesOf(context.db, (await forge.get<{ id: number }>(R)).body.id, [tip, 'none'], 2)
  const [sql = '', ...values] = find.mock.calls.find(([text]) => text.includes('commit_status')) ?? []
  find.mockRestore()
  expect(counts.filter(({ n }) => n > 0).map(({ oid, state, n }) => [oid, state, n])).toEqual(['failure', 'pending', 'success'].map((state) => [tip, state, 1]))
  expect(statuses.map((row) => row.context)).toEqual(['is failure', 'is pending'])
  const plan = context.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail)
  const searches = plan.filter((detail) => detail.includes('commit_status'))
  expect(searches).toEqual(Array(7).fill('SEARCH commit_status USING COVERING INDEX commit_status_newest_state (repo_id=? AND oid=? AND state=?)'))
  // Only what is shown is sorted.
  expect(plan.filter((detail) => detail.startsWith('USE TEMP'))).toHaveLength(1)
})

test('a commit has so many contexts and no more, and each of them is still said anew', async () => {
  clear()
  context.db.tx((tx) => {
    const row = { repo_id: 1, oid: tip, state: 'pending', description: '', target_url: '', created_at: 1 }
    for (let number = 1; number < MOST_CONTEXTS; number++) tx.insert('commit_status', { ...row, number, context: `c${number}` })
  })
  const say = async (name: string) => (await ada.post(`${R}/statuses/${tip}`, { state: 'success', context: name })).status
  expect([await say('last'), await say('more'), await say('last'), await say('c1')]).toEqual([201, 422, 201, 201])
  expect((await combined()).body.total_count).toBe(MOST_CONTEXTS)
})
