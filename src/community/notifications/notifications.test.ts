import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { openPull } from '../../../test/worlds.ts'

interface Thread {
  id: number
  unread: boolean
  pinned: boolean
  subject: { title: string; type: string; state: string; latest_comment_url: string }
  repository: { full_name: string }
}

let forge: TestForge
beforeEach(async () => {
  forge = testForge()
  for (const name of ['ada', 'bob', 'carl', 'dora']) await forge.person(name)
  for (const name of ['engine', 'other']) await forge.asUser('ada').post('/user/repos', { name, private: name === 'engine' })
  for (const name of ['bob', 'carl']) await forge.asUser('ada').put(`/repos/ada/engine/collaborators/${name}`, { permission: 'write' })
})
afterEach(() => forge[Symbol.asyncDispose]())
const issues = '/repos/ada/engine/issues'
const titles = async (name: string, query = '') => (await forge.asUser(name).get<Thread[]>(`/notifications?${query}`)).body.map(({ subject }) => subject.title)

/** Two issues: bob's, of which ada and carl are told, with a comment, of which bob is told; and one that is carl's to solve. */
async function openIssues(): Promise<void> {
  await forge.asUser('bob').post(issues, { title: 'Opened', body: 'for @carl and @dora' })
  await forge.asUser('ada').post(`${issues}/1/comments`, { body: 'Thanks' })
  await forge.asUser('ada').post(issues, { title: 'Assigned', assignees: ['carl'] })
}

test('watchers, participants, assignees and the mentioned are told, and who did it is not', async () => {
  await forge.asUser('bob').post(issues, { title: 'Opened', body: 'for @carl and @dora' })
  expect([await titles('ada'), await titles('bob'), await titles('carl'), await titles('dora')]).toEqual([['Opened'], [], ['Opened'], []])
  await forge.asUser('ada').post(`${issues}/1/comments`, { body: 'Thanks' })
  const [thread] = (await forge.asUser('bob').get<Thread[]>('/notifications')).body
  expect(thread).toMatchObject({
    unread: true,
    pinned: false,
    subject: { type: 'Issue', state: 'open', latest_comment_url: expect.stringMatching(/\/issues\/comments\/\d+$/) },
  })
  await forge.asUser('ada').post(issues, { title: 'Assigned', assignees: ['carl'] })
  expect(await titles('carl')).toContain('Assigned')
  expect((await forge.asUser('bob').get('/notifications/new')).body).toEqual({ new: 1 })
})

test('a thread goes where its issue goes: who may not read it there is told of nothing, nor counts it', async () => {
  await forge.asUser('ada').post(issues, { title: 'Moved', body: 'for @bob' })
  const counted = async () => (await forge.asUser('bob').get<{ new: number }>('/notifications/new')).body.new
  const before = await counted()
  expect(await titles('bob')).toContain('Moved')
  await forge.asUser('ada').post('/user/repos', { name: 'hidden', private: true })
  const move = (to: string) =>
    forge.context.db.tx((tx) => tx.run("UPDATE issue SET repo_id = (SELECT id FROM repository WHERE name = ?), number = 99 WHERE title = 'Moved'", to))
  move('hidden')
  expect([await counted(), (await titles('bob')).includes('Moved')]).toEqual([before - 1, false])
  move('engine')
  expect([
    await counted(),
    (await forge.asUser('bob').get<Thread[]>('/repos/ada/engine/notifications')).body.some(({ subject }) => subject.title === 'Moved'),
  ]).toEqual([before, true])
  forge.context.db.tx((tx) => tx.run("DELETE FROM issue WHERE title = 'Moved'"))
})

test('threads are read, pinned and found by status; a new comment makes them unread again', async () => {
  await openIssues()
  const [{ id }] = (await forge.asUser('bob').get<[Thread]>('/notifications')).body
  const read = await forge.asUser('bob').patch<Thread>(`/notifications/threads/${id}`)
  expect([read.status, read.body.unread]).toEqual([200, false])
  expect([await titles('bob'), await titles('bob', 'all=true'), await titles('bob', 'status-types=read&status-types=pinned')]).toEqual([
    [],
    ['Opened'],
    ['Opened'],
  ])
  await forge.asUser('ada').post(`${issues}/1/comments`, { body: 'Again' })
  expect(await titles('bob', 'subject-type=issue')).toEqual(['Opened'])
  expect(await titles('bob', 'subject-type=pull')).toEqual([])
  expect(await Promise.all(['Issue', 'Pull', 'ISSUE,Commit'].map((kind) => titles('bob', `subject-type=${kind}&status-types=Unread`)))).toEqual([
    ['Opened'],
    [],
    ['Opened'],
  ])
  await forge.asUser('bob').patch(`/notifications/threads/${id}?to-status=pinned`)
  expect((await forge.asUser('bob').get<Thread>(`/notifications/threads/${id}`)).body).toMatchObject({ unread: false, pinned: true })
  expect((await forge.asUser('carl').get(`/notifications/threads/${id}`)).status).toBe(403)
  expect((await forge.asUser('bob').get('/notifications/threads/9999')).status).toBe(404)
  expect((await forge.asUser('bob').patch(`/notifications/threads/${id}?to-status=odd`)).status).toBe(400)
})

test('of very many that are marked, what somebody is told meanwhile stays new', async () => {
  const { db } = forge.context
  db.tx((tx) => {
    const repo = tx.find<{ id: number }>("SELECT id FROM repository WHERE name = 'other'")?.id as number
    const dora = tx.find<{ id: number }>("SELECT id FROM user WHERE name = 'dora'")?.id as number
    for (let number = 1; number <= 600; number++) {
      const issue_id = tx.insert('issue', { repo_id: repo, number, title: `Gear ${number}`, created_at: 1, updated_at: 1 })
      tx.insert('notification', { issue_id, user_id: dora, updated_at: number })
    }
  })
  const unread = () => db.find<{ n: number }>("SELECT count(*) AS n FROM notification WHERE status = 'unread' AND updated_at <= 601")?.n ?? 0
  const [before, marked] = [unread(), forge.asUser('dora').put<Thread[]>('/notifications')]
  while (unread() === before) await new Promise(setImmediate)
  // The oldest is marked last.
  expect(unread()).toBeGreaterThan(0)
  db.tx((tx) => tx.run('UPDATE notification SET updated_at = 601 WHERE updated_at = 1'))
  expect([(await marked).status, (await marked).body.length]).toEqual([200, 600])
  expect([unread(), await titles('dora')]).toEqual([before - 599, ['Gear 1']])
  db.tx((tx) => tx.run("DELETE FROM issue WHERE title LIKE 'Gear %'"))
})

test('all of them, or those of a repository, are marked at once', async () => {
  await openIssues()
  const before = await titles('carl')
  expect(before.length).toBeGreaterThan(1)
  expect((await forge.asUser('carl').put('/notifications?last_read_at=never')).status).toBe(400)
  expect((await forge.asUser('carl').put('/notifications?last_read_at=2000-01-01T00:00:00Z')).body).toEqual([] as never)
  const marked = await forge.asUser('carl').put<Thread[]>('/repos/ada/engine/notifications')
  expect([marked.status, marked.body.length, await titles('carl')]).toEqual([200, before.length, []])
})

test('who unsubscribed or lost access is told nothing', async () => {
  await openIssues()
  await forge.asUser('carl').put('/notifications')
  await forge.asUser('carl').put(`${issues}/1/subscriptions/carl`)
  await forge.asUser('carl').delete(`${issues}/1/subscriptions/carl`)
  await forge.asUser('ada').post(`${issues}/1/comments`, { body: 'Not for carl' })
  expect(await titles('carl')).toEqual([])
  const had = await titles('bob', 'all=true')
  expect(had.length).toBeGreaterThan(0)
  await forge.asUser('ada').delete('/repos/ada/engine/collaborators/bob')
  expect([await titles('bob', 'all=true'), (await forge.asUser('bob').get('/notifications/new')).body]).toEqual([[], { new: 0 }])
})

test('whoever blocks somebody is not told of what that one does', async () => {
  await forge.asUser('ada').post('/user/repos', { name: 'square' })
  await forge.asUser('dora').post('/repos/ada/square/issues', { title: 'Dora asks' })
  await forge.asUser('carl').post('/repos/ada/square/issues', { title: 'Carl asks' })
  expect((await forge.asUser('dora').put('/user/blocks/bob')).status).toBe(204)
  await forge.asUser('bob').post('/repos/ada/square/issues/2/comments', { body: 'what says @dora to that, and @carl?' })
  expect([await titles('dora', 'subject-type=issue'), (await titles('carl')).includes('Carl asks')]).toEqual([[], true])
})

test('latest_comment_url leads to a comment or is empty, also after a review is dismissed and a comment deleted', async () => {
  const R = '/repos/ada/reviewed'
  await forge.asUser('ada').post('/user/repos', { name: 'reviewed', auto_init: true })
  await forge.asUser('ada').put(`${R}/collaborators/bob`, { permission: 'write' })
  await openPull(forge.asUser('ada'), { repo: 'ada/reviewed', title: 'Reviewed' })
  const review = await forge.asUser('bob').post<{ id: number }>(`${R}/pulls/1/reviews`, { event: 'APPROVED', body: 'Good' })
  const linked = async (name: string) => {
    const { body } = await forge.asUser(name).get<Thread[]>('/notifications?all=true')
    const url = body.find(({ subject }) => subject.title === 'Reviewed')?.subject.latest_comment_url
    return url && (await forge.asUser(name).get<{ body: string }>(url.slice(url.indexOf('/repos/')))).body.body
  }
  expect([await linked('ada'), await linked('bob')]).toEqual(['Good', ''])
  expect((await forge.asUser('ada').post(`${R}/pulls/1/reviews/${review.body.id}/dismissals`, { message: 'Old' })).status).toBe(200)
  expect(await linked('bob')).toBe('')
  const { id } = (await forge.asUser('ada').post<{ id: number }>(`${R}/issues/1/comments`, { body: 'Sorry' })).body
  expect(await linked('bob')).toBe('Sorry')
  await forge.asUser('ada').delete(`${R}/issues/comments/${id}`)
  expect(await linked('bob')).toBe('')
})

test('people who may accept an offered repository are notified of it, and no longer once the offer has ended', async () => {
  await forge.asUser('carl').post('/orgs', { username: 'acme' })
  const team = await forge.asUser('carl').post<{ id: number }>('/orgs/acme/teams', { name: 'makers', units: ['repo.code'], can_create_org_repo: true })
  await forge.asUser('carl').put(`/teams/${team.body.id}/members/dora`)
  for (const name of ['gift', 'shared']) await forge.asUser('ada').post('/user/repos', { name, private: true })
  await forge.asUser('ada').post('/repos/ada/gift/transfer', { new_owner: 'bob' })
  await forge.asUser('ada').post('/repos/ada/shared/transfer', { new_owner: 'acme' })
  const offers = async (name: string) => (await forge.asUser(name).get<Thread[]>('/notifications?subject-type=Repository')).body
  const titlesOf = async () => Promise.all(['ada', 'bob', 'carl', 'dora'].map(async (name) => (await offers(name)).map(({ subject }) => subject.title)))
  expect(await titlesOf()).toEqual([[], ['ada/gift'], ['ada/shared'], ['ada/shared']])
  const [thread] = await offers('bob')
  expect(thread).toMatchObject({ unread: true, subject: { type: 'Repository', state: '', latest_comment_url: '' }, repository: { full_name: 'ada/gift' } })
  expect((await forge.asUser('bob').get(`/notifications/threads/${thread?.id}`)).body).toMatchObject({ id: thread?.id, subject: { title: 'ada/gift' } })
  expect((await forge.asUser('bob').get<Thread[]>('/repos/ada/gift/notifications')).body.map(({ id }) => id)).toEqual([thread?.id as number])
  const unread = async () => (await forge.asUser('bob').get<{ new: number }>('/notifications/new')).body.new
  const before = await unread()
  await forge.asUser('bob').post('/repos/ada/gift/transfer/reject')
  expect([await offers('bob'), await unread(), (await forge.asUser('bob').get(`/notifications/threads/${thread?.id}`)).status]).toEqual([[], before - 1, 404])
  await forge.asUser('ada').post('/repos/ada/gift/transfer', { new_owner: 'bob' })
  await forge.asUser('bob').post('/repos/ada/gift/transfer/accept')
  expect((await offers('bob')).map(({ subject }) => subject.title)).toEqual(['bob/gift'])
  await forge.asUser('bob').delete('/repos/bob/gift')
  expect(await offers('bob')).toEqual([])
  expect(forge.context.db.all('SELECT 1 FROM notification WHERE id = ?', thread?.id as number)).toEqual([])
})
