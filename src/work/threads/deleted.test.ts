import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { issueWithComments } from '../../../test/worlds.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const DAY = 86_400_000
let now = Date.parse('2026-06-01T12:00:00Z')
let forge: TestForge
let ada: Person
let bob: Person
let eve: Person
let hers: TestBrowser
let his: TestBrowser
let eves: TestBrowser

beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => Math.floor(now / 1000), millis: () => now } })
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  eve = await forge.person('eve')
  forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
  eves = new TestBrowser(forge, eve)
})
afterAll(() => forge[Symbol.asyncDispose]())

interface Comment {
  id: number
  body: string
}

/** An issue with one comment of bob's. */
async function commented(repo = 'ada/engine', body = 'rotten words'): Promise<{ path: string; issue: number; id: number; api: string }> {
  const { body: issue } = await forge.asUser(ada).post<{ number: number }>(`/repos/${repo}/issues`, { title: 'Talk' })
  const { body: comment } = await forge.asUser(bob).post<Comment>(`/repos/${repo}/issues/${issue.number}/comments`, { body })
  return { path: `/${repo}/issues/${issue.number}`, issue: issue.number, id: comment.id, api: `/repos/${repo}/issues/comments/${comment.id}` }
}

const linesIn = ({ text }: { text: string }) => [...text.matchAll(/id="deleted-(\d+)"/g)].map(([, id]) => id)
/** The key in the forms beside a deleted comment. */
async function deletionOn(path: string, browser = hers): Promise<string> {
  const [, key] = /\/deleted\/([\d.]+)\/(?:restore|forget)"/.exec((await browser.get(path)).text) ?? []
  if (key === undefined) throw new Error('No deleted comment is shown')
  return key
}
const remove = (path: string, id: number, by: TestBrowser) => by.post(`${path}/comments/${id}/delete`)

test('a deleted comment is offered back on the next page, and comes back with its files, reactions, versions and counts', async () => {
  const { path, issue, id, api } = await commented()
  const file = new FormData()
  file.append('attachment', new File(['hello'], 'note.txt', { type: 'text/plain' }))
  const uploaded = await forge.app.handle(
    new Request(`http://localhost/api/v1${api}/assets`, { method: 'POST', body: file, headers: { Authorization: `token ${ada.token}` } }),
  )
  expect(uploaded.status).toBe(201)
  await forge.asUser(ada).post(`${api}/reactions`, { content: 'heart' })
  await forge.asUser(bob).patch(api, { body: 'rotten words, mended' })
  const counts = () => forge.context.db.find('SELECT issue_comment_count AS n FROM repository WHERE name = ?', 'engine')
  const uses = () => forge.context.db.find<{ n: number }>('SELECT sum(use_count) AS n FROM blob')
  const record = async () => [(await forge.get(api)).body, (await forge.get(`${api}/reactions`)).body, counts(), uses()]
  const before = await record()

  expect((await remove(path, id, his)).headers.get('location')).toBe(path)
  const { text } = await his.get(path)
  const [, undo = ''] = /<p role="status">Comment deleted<\/p><form method="post" action="([^"]+)">/.exec(text) ?? []
  expect(undo).toEndWith('/restore')
  expect(text).toContain('Comment deleted')
  expect(text).not.toContain('rotten')
  expect(uses()).toEqual({ n: 1 })

  const restored = await his.post(undo)
  expect([restored.status, restored.headers.get('location')]).toEqual([303, `${path}#issuecomment-${id}`])
  expect(await record()).toEqual(before)
  expect((await forge.get<unknown[]>(`/repos/ada/engine/issues/${issue}/timeline`)).body).toHaveLength(1)
  const found = await forge.get<unknown[]>('/repos/issues/search?q=mended')
  expect(found.body).toHaveLength(1)
  expect(linesIn(await his.get(path))).toEqual([])
  // By somebody else's page, or after going back.
  expect([(await his.post(undo)).headers.get('location'), await record()]).toEqual([`${path}#issuecomment-${id}`, before])
  await remove(path, id, his)
  expect((await his.post(`${path}/deleted/${await deletionOn(path)}/forget`)).status).toBe(303)
  expect((await his.post(undo)).status).toBe(404)
})

test('for everybody else it is gone at once, in the API too, and nobody is told twice when it comes back', async () => {
  const { path, id, api, issue } = await commented()
  await remove(path, id, his)
  expect((await forge.asUser(ada).get(api)).status).toBe(404)
  expect((await forge.asUser(ada).get<unknown[]>(`/repos/ada/engine/issues/${issue}/comments`)).body).toEqual([])
  expect([linesIn(await eves.get(path)), linesIn(await new TestBrowser(forge).get(path))]).toEqual([[], []])
  const news = () => forge.asUser(ada).get<{ updated_at: string }[]>('/notifications?all=true')
  const before = (await news()).body
  now += 1000
  expect((await his.post(`${path}/deleted/${await deletionOn(path)}/restore`)).status).toBe(303)
  expect((await news()).body.map((one) => one.updated_at)).toEqual(before.map((one) => one.updated_at))
})

test('what a moderator deleted its author can remove for good but not bring back; a stranger can do neither', async () => {
  const { path, id } = await commented()
  await remove(path, id, hers)
  const deletion = await deletionOn(path, his)
  expect([(await his.post(`${path}/deleted/${deletion}/restore`)).status, (await eves.post(`${path}/deleted/${deletion}/restore`)).status]).toEqual([403, 404])
  expect((await eves.post(`${path}/deleted/${deletion}/forget`)).status).toBe(404)
  expect((await his.post(`${path}/deleted/${deletion}/forget`)).status).toBe(303)
  expect([linesIn(await hers.get(path)), (await hers.post(`${path}/deleted/${deletion}/restore`)).status]).toEqual([[], 404])
  expect(forge.context.db.all('SELECT 1 FROM comment WHERE id = ?', id)).toEqual([])
})

test('it comes back neither where the repository is hidden by now, nor for who is blocked, nor into a locked or archived conversation', async () => {
  forge.repo(ada, 'shifting')
  const { path, id } = await commented('ada/shifting')
  await remove(path, id, his)
  const restore = async () => (await his.post(`${path}/deleted/${deletion}/restore`)).status
  const deletion = await deletionOn(path, his)
  const edit = (body: Record<string, unknown>) => forge.asUser(ada).patch('/repos/ada/shifting', body)
  await edit({ private: true })
  expect(await restore()).toBe(404)
  await edit({ private: false, archived: true })
  expect(await restore()).toBe(423)
  await edit({ archived: false })
  await forge.asUser(ada).put('/user/blocks/bob')
  expect(await restore()).toBe(403)
  await forge.asUser(ada).delete('/user/blocks/bob')
  await hers.post(`${path}/administer`, { action: 'lock' })
  expect(await restore()).toBe(403)
  await hers.post(`${path}/administer`, { action: 'unlock' })
  expect(await restore()).toBe(303)
})

test('a deletion is found by its own issue alone', async () => {
  const one = await commented()
  const other = await commented()
  await remove(one.path, one.id, his)
  expect((await his.post(`${other.path}/deleted/${await deletionOn(one.path)}/restore`)).status).toBe(404)
})

test('it moves along with its issue, and comes back where that is', async () => {
  forge.repo(ada, 'elsewhere')
  const { path, issue, id } = await commented()
  await remove(path, id, hers)
  const moved = await forge.asUser(ada).post<{ number: number }>(`/repos/ada/engine/issues/${issue}/move`, { owner: 'ada', repo: 'elsewhere' })
  const there = forge.context.db.find<{ number: number }>("SELECT number FROM issue WHERE repo_id = (SELECT id FROM repository WHERE name = 'elsewhere')")
  expect(there, JSON.stringify(moved)).toBeDefined()
  const at = `/ada/elsewhere/issues/${there?.number}`
  await hers.post(`${at}/deleted/${await deletionOn(at)}/restore`)
  expect((await forge.get<Comment[]>(`/repos/ada/elsewhere/issues/${there?.number}/comments`)).body.map(({ body }) => body)).toEqual(['rotten words'])
})

test('a form from before it was restored and deleted again neither restores nor purges it', async () => {
  const { path, id } = await commented()
  await remove(path, id, his)
  const deletion = await deletionOn(path)
  expect((await his.post(`${path}/deleted/${deletion}/restore`)).status).toBe(303)
  now += 1000
  await remove(path, id, his)
  for (const way of ['restore', 'forget']) expect([way, (await his.post(`${path}/deleted/${deletion}/${way}`)).status]).toEqual([way, 404])
  expect((await his.post(`${path}/deleted/${await deletionOn(path)}/restore`)).status).toBe(303)
})

test('where it referred to another issue, the timeline there tells of it as long as it is not deleted', async () => {
  const { issue: number } = await commented()
  const { path, id } = await commented('ada/engine', `See #${number}`)
  const told = async () => {
    const timeline = await forge.get<{ type: string }[]>(`/repos/ada/engine/issues/${number}/timeline`)
    const { text } = await hers.get(`/ada/engine/issues/${number}`)
    return [timeline.body.map(({ type }) => type), timeline.headers.get('x-total-count'), text.includes(path)]
  }
  const before = await told()
  expect(before).toEqual([['comment', 'comment_ref'], '2', true])
  await remove(path, id, his)
  expect(await told()).toEqual([['comment'], '1', false])
  await his.post(`${path}/deleted/${await deletionOn(path)}/restore`)
  expect(await told()).toEqual(before)
})

test('nobody reads its versions, reactions or files, or is counted for it', async () => {
  const { path, issue, id, api } = await commented()
  await forge.asUser(bob).patch(api, { body: 'rotten words, mended' })
  const file = new FormData()
  file.append('attachment', new File(['hello'], 'note.txt', { type: 'text/plain' }))
  const headers = { Authorization: `token ${ada.token}` }
  const uploaded = await forge.app.handle(new Request(`http://localhost/api/v1${api}/assets`, { method: 'POST', body: file, headers }))
  const { id: asset, uuid } = (await uploaded.json()) as { id: number; uuid: string }
  const at = `/repos/ada/engine/issues/${issue}`
  const download = async () => (await forge.app.handle(new Request(`http://localhost/attachments/${uuid}`, { headers }))).status
  const answers = async () => [
    await download(),
    (await forge.asUser(bob).get(`${at}/content-history?comment_id=${id}`)).status,
    (await forge.asUser(bob).get(`${api}/reactions`)).status,
    (await forge.asUser(bob).get(`${api}/assets/${asset}`)).status,
    (await forge.asUser(bob).get(`${api}/assets`)).status,
  ]
  const counted = async () => [
    (await forge.get<{ comments: number }>(at)).body.comments,
    (await forge.get<unknown[]>(`/repos/issues/search?q=mended&state=all&type=issues&owner=ada&limit=50`)).body.length,
    (await forge.asUser(bob).get<{ subscribed: boolean }>(`${at}/subscriptions/check`)).body.subscribed,
  ]
  const before = await counted()
  expect([await answers(), before[0], before[2]]).toEqual([[200, 200, 200, 200, 200], 1, true])
  await remove(path, id, hers)
  expect(await answers()).toEqual([404, 404, 404, 404, 404])
  expect(await counted()).toEqual([0, (before[1] as number) - 1, false])
  await hers.post(`${path}/deleted/${await deletionOn(path)}/restore`)
  expect([await answers(), await counted()]).toEqual([[200, 200, 200, 200, 200], before])
})

test('after its days nothing of it is left, nor with its issue or the account of who wrote it', async () => {
  const isKept = ({ id }: { id: number }) => forge.context.db.find('SELECT 1 FROM comment WHERE id = ?', id) !== undefined
  const late = await commented()
  await remove(late.path, late.id, his)
  const deletion = await deletionOn(late.path)
  now += 8 * DAY
  expect((await his.post(`${late.path}/deleted/${deletion}/restore`)).status).toBe(404)
  const { purgeExpired } = await import('../../repositories/deletions/purge-expired.ts')
  await purgeExpired(forge.context)
  expect(isKept(late)).toBe(false)

  const doomed = await commented()
  await remove(doomed.path, doomed.id, his)
  await forge.asUser(ada).delete(`/repos/ada/engine/issues/${doomed.issue}`)
  await forge.context.jobs.resume()
  expect(isKept(doomed)).toBe(false)

  const gone = await forge.person('gone')
  const { path, issue } = await commented()
  const words = async (body: string) => (await forge.asUser(gone).post<Comment>(`/repos/ada/engine/issues/${issue}/comments`, { body })).body
  const [deleted, live] = [await words('private words'), await words('public words')]
  await remove(path, deleted.id, hers)
  forge.context.db.tx((tx) => tx.run('DELETE FROM user WHERE id = ?', gone.row.id))
  expect([isKept(deleted), isKept(live)]).toEqual([false, true])
})

test('with no days set a deleted comment is gone at once', async () => {
  await using strict = testForge({ repository: { DELETED_KEPT_DAYS: 0 } })
  const owner = await strict.person('owner')
  strict.repo(owner, 'engine')
  const browser = new TestBrowser(strict, owner)
  const { comments } = await issueWithComments(strict.asUser('owner'), { repo: 'owner/engine', comments: ['x'] })
  await browser.post(`/owner/engine/issues/1/comments/${comments[0]}/delete`)
  const { text } = await browser.get('/owner/engine/issues/1')
  expect([text.includes('Comment deleted'), text.includes('Undo'), linesIn({ text })]).toEqual([true, false, []])
})

test('who saves a comment that somebody else deleted meanwhile keeps what they typed, and can post it', async () => {
  const { path, id } = await commented()
  await remove(path, id, hers)
  const { status, text } = await his.post(`${path}/comments/${id}`, { body: 'long <b> work', content_version: '0' }, [])
  expect([status, text.includes('long &lt;b&gt; work'), text.includes(`action="${path}/comments"`)]).toEqual([404, true, true])
  expect((await new TestBrowser(forge).post(`${path}/comments/${id}`, { body: 'x' }, [])).headers.get('location')).toStartWith('/user/login')
})

test('a button beside a comment that somebody deleted meanwhile leads to the thread, which says so', async () => {
  const { path, id } = await commented()
  expect((await remove(path, id, his)).status).toBe(303)
  for (const [way, form] of [
    ['delete', {}],
    ['reactions', { react: 'heart' }],
    ['tick', { task: '0:on' }],
  ] as const) {
    const late = await hers.post(`${path}/comments/${id}/${way}`, form)
    expect([way, late.status, late.headers.get('location')]).toEqual([way, 303, path])
    expect((await hers.get(path)).text).toContain('This comment was deleted by someone else')
  }
  expect((await hers.post(`${path.replace(/\d+$/, '999')}/comments/${id}/delete`)).status).toBe(404)
})
