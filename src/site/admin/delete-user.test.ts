import { expect, spyOn, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { awake } from '#kernel/breathe.ts'
import { isLeaving } from '#people/leaving/index.ts'
import { createOrg } from '#people/orgs/index.ts'
import { createRepo, removeDirectories } from '#repositories/repos/index.ts'
import { eventually } from '../../../test/eventually.ts'
import { testForge } from '../../../test/harness.ts'
import { nextStart, stopBackground } from '../../../test/next-start.ts'
import { outcome } from '../../../test/outcome.ts'
import { stopwatch } from '../../../test/stopwatch.ts'
import { deleteUser } from './delete-user.ts'

const edit = { source_id: 0, login_name: '' }

async function populated() {
  const forge = testForge()
  const root = await forge.person('root1', { isAdmin: true })
  const ada = await forge.person('ada', { password: 'correct horse' })
  const { db } = forge.context
  const count = (table: string) => db.find<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n
  return { forge, root, ada, db, count }
}

test('an account goes with all that hangs on it, and its name and addresses stay reserved', async () => {
  const { forge, root, ada, db, count } = await populated()
  const asRoot = forge.asUser(root)
  await using _ = forge
  const other = forge.repo(root, 'thing')
  await asRoot.patch('/admin/users/ada', { ...edit, email: 'second@example.org' })
  await asRoot.post('/admin/users/ada/keys', { title: 'k', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJHYoEb5h1Qpz8KcRmA1Sg2B4bGPLd4xyk0ixXHVbeQb' })
  db.tx((tx) => {
    tx.insert('collaboration', { repo_id: other.id, user_id: ada.row.id, level: 'write' })
    tx.insert('star', { repo_id: other.id, user_id: ada.row.id, created_at: 1 })
    tx.insert('reserved_name', { lower_name: 'before', reason: 'renamed', user_id: ada.row.id, created_at: 1 })
  })
  expect((await asRoot.delete('/admin/users/ada')).status).toBe(204)
  expect(['collaboration', 'star', 'public_key'].map(count)).toEqual([0, 0, 0])
  expect(db.all('SELECT DISTINCT user_id FROM access_token')).toEqual([{ user_id: root.row.id }])
  expect((await forge.asUser(ada).get('/user')).status).toBe(401)
  expect((await forge.get('/users/ada')).status).toBe(404)
  expect((await forge.get('/users/before')).status).toBe(404)
  const create = async (username: string, email: string) => (await asRoot.post('/admin/users', { username, email, password: 'correct horse' })).body.message
  for (const email of ['ADA@example.org', 'second@example.org']) expect(await create('neu', email)).toBe(`e-mail is reserved [email: ${email}]`)
  const take = await asRoot.patch('/admin/users/root1', { ...edit, email: 'ada@example.org' })
  expect([take.status, take.body.message]).toEqual([422, 'e-mail is reserved [email: ada@example.org]'])
  const names = (await asRoot.get<{ name: string; reason: string }[]>('/admin/reserved_names')).body
  expect(names).toMatchObject(['ada', 'before'].map((name) => ({ name, reason: 'deleted' })))
})

test('an account that owns something stays, unless it is purged', async () => {
  const { forge, root, ada, db, count } = await populated()
  await using _ = forge
  const repo = forge.repo(ada, 'engine')
  const org = createOrg(forge.context, ada.row, { username: 'acme' })
  const ours = createRepo(forge.context, { owner: org, actor: ada.row, name: 'tool', private: true })
  const kept = forge.repo(root, 'kept')
  const refused = await forge.asUser(root).delete('/admin/users/ada')
  expect([refused.status, refused.body.message]).toEqual([422, `user still has ownership of repositories [uid: ${ada.row.id}]`])
  expect((await forge.asUser(ada).delete('/repos/ada/engine')).status).toBe(204)
  const again = await forge.asUser(root).delete('/admin/users/ada?purge=false')
  expect([again.status, again.body.message]).toEqual([422, `user still has ownership of organizations [uid: ${ada.row.id}]`])
  expect((await forge.asUser(root).delete('/admin/users/ada?purge=true')).status).toBe(204)
  expect(db.all('SELECT name FROM repository')).toEqual([{ name: 'kept' }])
  await removeDirectories(forge.context)
  expect([repo, ours, kept].map(({ id }) => existsSync(forge.context.git.pathOf(id)))).toEqual([false, false, true])
  expect(['organization', 'org_membership', 'removed_repository'].map(count)).toEqual([0, 0, 0])
  expect((await forge.asUser(root).get('/admin/reserved_names?q=acme')).body).toMatchObject([{ name: 'acme', reason: 'deleted' }])
})

test('an organization with another owner survives a purge', async () => {
  const { forge, root, ada, db } = await populated()
  await using _ = forge
  const org = createOrg(forge.context, ada.row, { username: 'acme' })
  createRepo(forge.context, { owner: org, actor: ada.row, name: 'tool', private: false })
  db.tx((tx) => tx.insert('org_membership', { org_id: org.id, user_id: root.row.id, is_owner: 1, is_public: 0 }))
  expect((await forge.asUser(root).delete('/admin/users/ada?purge=true')).status).toBe(204)
  expect(db.all('SELECT user_id FROM org_member')).toEqual([{ user_id: root.row.id }])
  expect((await forge.get('/repos/acme/tool')).status).toBe(200)
})

test('nobody deletes themselves or the last administrator, and nothing is purged in the attempt', async () => {
  const { forge, root, db } = await populated()
  await using _ = forge
  forge.repo(root, 'thing')
  const self = await forge.asUser(root).delete('/admin/users/root1?purge=true')
  expect([self.status, self.body.message]).toEqual([422, 'you cannot delete yourself'])
  expect(await outcome(deleteUser(forge.context, root.row, { purge: true }))).toThrow(`can not delete the last admin user [uid: ${root.row.id}]`)
  expect(db.all('SELECT name FROM repository')).toEqual([{ name: 'thing' }])
})

const MANY_REPOS = 100

/** Every step takes longer than others may be kept waiting: each repository is deleted in another turn of the event loop. */
function slowSteps(): Disposable {
  let now = 0
  const clock = stopwatch(() => (now += 10))
  // The first step begins by this clock.
  awake()
  return clock
}

/** What takes many transactions stops after the first of them from which on `isReached` holds, until it is let go on. */
function hold({ db }: Awaited<ReturnType<typeof populated>>, isReached = () => true): { goOn(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const original = db.rest.bind(db)
  const rest = spyOn(db, 'rest').mockImplementation(() => (isReached() ? promise : original()))
  return {
    goOn() {
      rest.mockRestore()
      resolve()
    },
  }
}

/** `count` repositories of theirs, without directories. */
function addRows({ db }: Awaited<ReturnType<typeof populated>>, ownerId: number, count: number): void {
  const row = { owner_id: ownerId, default_branch: 'main', created_at: 1, updated_at: 1 }
  db.tx((tx) => {
    for (let i = 0; i < count; i++) tx.insert('repository', { ...row, name: `r${i}`, lower_name: `r${i}` })
  })
}

test('a purge of very many repositories lets others be answered in between, and bars the account from the start', async () => {
  const place = await populated()
  const { forge, root, ada, db, count } = place
  await using _ = forge
  addRows(place, ada.row.id, MANY_REPOS)
  // What answers is loaded with the first request.
  await forge.asUser(ada).get('/user')
  using _steps = slowSteps()
  const purged = forge.asUser(root).delete('/admin/users/ada?purge=true')
  let seenHalfway = 0
  const barred: number[] = []
  let isOver = false
  void purged.finally(() => {
    isOver = true
  })
  while (!isOver) {
    if (isLeaving(db, ada.row.id)) barred.push((await forge.asUser(ada).get('/user')).status)
    const left = count('repository') ?? 0
    if (left > 0 && left < MANY_REPOS) seenHalfway++
    await new Promise(setImmediate)
  }
  expect((await purged).status).toBe(204)
  expect(seenHalfway).toBeGreaterThan(0)
  expect(new Set(barred.slice(0, -1))).toEqual(new Set([403]))
  expect([count('repository'), count('job'), db.all('SELECT name FROM user ORDER BY id')]).toEqual([0, 0, [{ name: 'root1' }]])
})

/** Issues of root's repository that somebody wrote, with a comment each and a notification. */
function addIssues({ db, root }: Awaited<ReturnType<typeof populated>>, posterId: number, many: number): void {
  const at = { created_at: 1, updated_at: 1 }
  db.tx((tx) => {
    const repo_id = tx.insert('repository', { owner_id: root.row.id, name: 'written', lower_name: 'written', default_branch: 'main', ...at })
    for (let number = 1; number <= many; number++) {
      const issue_id = tx.insert('issue', { repo_id, number, poster_id: posterId, title: 'Gear', ...at })
      tx.insert('comment', { issue_id, repo_id, type: 'comment', poster_id: posterId, body: 'Turns', ...at })
      tx.insert('notification', { issue_id, user_id: posterId, updated_at: 1 })
    }
  })
}

test('what somebody wrote stays without them, taken a little at a time from an account that is barred meanwhile', async () => {
  const place = await populated()
  const { forge, root, ada, db } = place
  await using _ = forge
  addIssues(place, ada.row.id, 300)
  const written = () => db.find<{ n: number }>('SELECT count(*) AS n FROM comment WHERE poster_id = ?', ada.row.id)?.n ?? 0
  const held = hold(place, () => written() < 300)
  const deleted = forge.asUser(root).delete('/admin/users/ada')
  while (written() === 300) await new Promise(setImmediate)
  expect([(await forge.asUser(ada).get('/user')).status, (await forge.asUser(root).get('/repos/root1/written/issues/1')).status]).toEqual([403, 200])
  expect(written()).toBeGreaterThan(0)
  held.goOn()
  expect((await deleted).status).toBe(204)
  expect([db.all('SELECT name FROM user'), db.all('SELECT count(*) AS n, count(poster_id) AS named FROM issue')]).toEqual([
    [{ name: 'root1' }],
    [{ n: 300, named: 0 }],
  ])
  expect(db.all('SELECT id FROM notification UNION ALL SELECT id FROM job')).toEqual([])
})

test('deleted comments of an account go with it, and comments that it deleted can still be restored', async () => {
  const place = await populated()
  const { forge, root, ada, db } = place
  await using _ = forge
  const asRoot = forge.asUser(root)
  addIssues(place, root.row.id, 2)
  const write = async (by: typeof asRoot, body: string) => (await by.post<{ id: number }>('/repos/root1/written/issues/1/comments', { body })).body.id
  const [theirs, live, other] = [await write(forge.asUser(ada), 'private'), await write(forge.asUser(ada), 'public'), await write(asRoot, 'other')]
  for (const id of [theirs, other]) expect((await asRoot.delete(`/repos/root1/written/issues/comments/${id}`)).status).toBe(204)
  db.tx((tx) => tx.update('comment', other, { deleted_by: ada.row.id }))
  expect((await asRoot.delete('/admin/users/ada')).status).toBe(204)
  expect(db.all('SELECT id, poster_id, deleted_by, deleted_at IS NOT NULL AS is_deleted FROM comment WHERE id >= ? ORDER BY id', theirs)).toEqual([
    { id: live, poster_id: null, deleted_by: null, is_deleted: 0 },
    { id: other, poster_id: root.row.id, deleted_by: null, is_deleted: 1 },
  ])
  expect(db.find('SELECT comment_count, deleted_comment_count FROM issue WHERE number = 1')).toEqual({ comment_count: 2, deleted_comment_count: 1 })
})

test('a deletion that a stop interrupts goes on at the next start, and takes no organization along', async () => {
  const place = await populated()
  const { forge, root, ada, db } = place
  await using _ = forge
  addIssues(place, ada.row.id, 300)
  const org = createOrg(forge.context, root.row, { username: 'acme' })
  const owners = db.find<{ id: number }>("SELECT id FROM team WHERE org_id = ? AND permission = 'owner'", org.id)?.id
  await forge.asUser(root).put(`/teams/${owners}/members/ada`)
  const deleted = forge.asUser(root).delete('/admin/users/ada')
  while (!isLeaving(db, ada.row.id)) await new Promise(setImmediate)
  await stopBackground(forge.context)
  expect((await deleted).status).toBe(503)

  await nextStart(forge.context)
  expect(db.all('SELECT name FROM user ORDER BY id')).toEqual([{ name: 'root1' }, { name: 'acme' }])
})

test('what a stop interrupts of a purge goes on at the next start', async () => {
  const place = await populated()
  const { forge, root, ada, db, count } = place
  await using _ = forge
  const org = createOrg(forge.context, ada.row, { username: 'acme' })
  for (const id of [ada.row.id, org.id]) addRows(place, id, MANY_REPOS / 2)
  using _steps = slowSteps()
  const purged = forge.asUser(root).delete('/admin/users/ada?purge=true')
  while (count('repository') === MANY_REPOS) await new Promise(setImmediate)
  await stopBackground(forge.context)
  expect([(await purged).status, isLeaving(db, ada.row.id)]).toEqual([503, true])
  expect(count('repository')).toBeGreaterThan(0)

  await nextStart(forge.context)
  expect([count('repository'), db.all('SELECT name FROM user')]).toEqual([0, [{ name: 'root1' }]])
  expect(db.find("SELECT count(*) AS n, min(actor_id) AS actor FROM event WHERE type = 'repository'")).toEqual({ n: MANY_REPOS, actor: root.row.id })
})

test('what the disk refuses of a purge goes on by itself once the disk has room', async () => {
  const place = await populated()
  const { forge, root, ada, db, count } = place
  await using _ = forge
  addRows(place, ada.row.id, 3)
  const full = spyOn(db, 'txLeavingRows').mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  })
  expect((await forge.asUser(root).delete('/admin/users/ada?purge=true')).status).toBe(503)
  expect([isLeaving(db, ada.row.id), count('user')]).toEqual([true, 2])
  full.mockRestore()
  await eventually(() => !isLeaving(db, ada.row.id))
  expect([count('repository'), db.all('SELECT name FROM user')]).toEqual([0, [{ name: 'root1' }]])
})

test('a purge takes what appears while it runs, too', async () => {
  const place = await populated()
  const { forge, root, ada, db, count } = place
  await using _ = forge
  const org = createOrg(forge.context, ada.row, { username: 'acme' })
  addRows(place, ada.row.id, 50)
  addRows(place, org.id, 50)
  using _steps = slowSteps()
  const purged = forge.asUser(root).delete('/admin/users/ada?purge=true')
  const late = { default_branch: 'main', created_at: 1, updated_at: 1, name: 'late', lower_name: 'late' }
  while ((count('repository') ?? 0) > 40) await new Promise(setImmediate)
  db.tx((tx) => tx.insert('repository', { ...late, owner_id: ada.row.id }))
  expect((await purged).status).toBe(204)
  expect([count('repository'), count('job'), db.all('SELECT name FROM user')]).toEqual([0, 0, [{ name: 'root1' }]])
})

test('nothing new appears in an account that is being purged', async () => {
  const place = await populated()
  const { forge, root, ada, db } = place
  await using _ = forge
  addRows(place, ada.row.id, 3)
  addIssues(place, ada.row.id, 300)
  const held = hold(place)
  const purged = forge.asUser(root).delete('/admin/users/ada?purge=true')
  while (!isLeaving(db, ada.row.id)) await new Promise(setImmediate)
  const made = [
    await forge.asUser(root).post('/admin/users/ada/repos', { name: 'late' }),
    await forge.asUser(root).post('/admin/users/ada/orgs', { username: 'late' }),
  ]
  expect(isLeaving(db, ada.row.id)).toBe(true)
  expect(made.map(({ status }) => status)).toEqual([409, 409])
  held.goOn()
  expect((await purged).status).toBe(204)
})

test('an organization that gets another owner during a purge stays, with what is left of it', async () => {
  const place = await populated()
  const { forge, root, ada, db, count } = place
  await using _ = forge
  const first = createOrg(forge.context, ada.row, { username: 'acme' })
  const second = createOrg(forge.context, ada.row, { username: 'bcme' })
  addRows(place, first.id, 50)
  addRows(place, second.id, 10)
  using _steps = slowSteps()
  const purged = forge.asUser(root).delete('/admin/users/ada?purge=true')
  while ((count('repository') ?? 0) === 60) await new Promise(setImmediate)
  db.tx((tx) => tx.run("INSERT INTO team_membership SELECT id, org_id, ? FROM team WHERE org_id = ? AND permission = 'owner'", root.row.id, second.id))
  expect((await purged).status).toBe(204)
  expect([count('repository'), db.all('SELECT name FROM user ORDER BY id')]).toEqual([10, [{ name: 'root1' }, { name: 'bcme' }]])
})

test('two who purge the same account at once both succeed', async () => {
  const place = await populated()
  const { forge, root, ada, count } = place
  await using _ = forge
  addRows(place, ada.row.id, 50)
  using _steps = slowSteps()
  const replies = await Promise.all([1, 2].map(() => forge.asUser(root).delete('/admin/users/ada?purge=true')))
  expect([replies.map(({ status }) => status), count('repository'), count('job')]).toEqual([[204, 204], 0, 0])
})
