import { afterAll, expect, spyOn, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import type { UserRecord } from '#people/users/index.ts'
import { createRepo } from '#repositories/repos/index.ts'
import { type Person, testForge } from '../../../test/harness.ts'

/** Whether jobs do one step at a time. */
let isStepwise = false
const forge = testForge({}, { isBatchOver: () => isStepwise })
const root = forge.asUser('root1')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const { db } = context
const ada = await forge.person('ada')
const asAda = forge.asUser(ada)
const bob = await forge.person('bob')
const asBob = forge.asUser(bob)
const member = await forge.person('member')
const stranger = await forge.person('stranger')
await forge.person('root1', { isAdmin: true })
const hidden = await forge.person('hidden', { visibility: 'private' })
const acme = createOrg(context, ada.row, { username: 'acme' })
createOrg(context, bob.row, { username: 'guild' })
const team = await asAda.post('/orgs/acme/teams', { name: 'crew', permission: 'read' })
await asAda.put(`/teams/${team.body.id}/members/member`)

let made = 0
const newPerson = () => forge.person(`person${++made}`)
const answerOf = async (line: string, as: Person) => {
  const { status, body } = await forge.asUser(as).send(line)
  return [status, body.message]
}
const rows = () => db.all('SELECT * FROM block ORDER BY blocker_id, blocked_id')
const list = async <T = UserRecord>(path: string, as: Person) => {
  const { body, headers } = await forge.asUser(as).get<T[]>(path)
  expect(headers.get('x-total-count')).toBe(String(body.length))
  return body
}
const logins = async (path: string, as: Person) => (await list(path, as)).map((user) => user.login)

/** How each family of addresses is asked to block, to end it, and to list. */
const families = [
  { name: 'user, Gitea', own: true, put: 'PUT /user/blocks/', end: 'DELETE /user/blocks/', list: '/user/blocks' },
  { name: 'organization, Gitea', own: false, put: 'PUT /orgs/acme/blocks/', end: 'DELETE /orgs/acme/blocks/', list: '/orgs/acme/blocks' },
  { name: 'user, Forgejo', own: true, put: 'PUT /user/block/', end: 'PUT /user/unblock/', list: '/user/list_blocked' },
  { name: 'organization, Forgejo', own: false, put: 'PUT /orgs/acme/block/', end: 'PUT /orgs/acme/unblock/', list: '/orgs/acme/list_blocked' },
]

test.each(families)('$name: a block is made, shown by both kinds of lists, and ended', async ({ own, put, end }) => {
  const person = await newPerson()
  const [users, ids] = own ? ['/user/blocks', '/user/list_blocked'] : ['/orgs/acme/blocks', '/orgs/acme/list_blocked']
  expect((await asAda.get(`${users}/${person.name}`)).status).toBe(404)
  expect(await asAda.send(`${put}${person.name.toUpperCase()}`)).toMatchObject({ status: 204, body: '' })
  expect((await asAda.get(`${users}/${person.name}`)).status).toBe(204)
  expect(await logins(users, ada)).toEqual([person.name])
  expect(await list(ids, ada)).toEqual([{ block_id: person.row.id, created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }] as never)
  expect([(await asAda.send(`${end}${person.name}`)).status, (await asAda.get(`${users}/${person.name}`)).status]).toEqual([204, 404])
  expect(rows()).toEqual([])
})

test.each(families)('$name: a second block and a second end are refused at Gitea’s addresses alone', async ({ name, put, end }) => {
  const person = await newPerson()
  const again = name.endsWith('Gitea') ? 422 : 204
  expect([(await asAda.send(put + person.name)).status, (await asAda.send(put + person.name)).status]).toEqual([204, again])
  expect([(await asAda.send(end + person.name)).status, (await asAda.send(end + person.name)).status]).toEqual([204, again])
})

test.each(families)('$name: whom one cannot block', async ({ own, put, end }) => {
  const refusals: [name: string, status: number, message: string][] = [
    ['nobody', 404, 'user redirect does not exist [name: nobody]'],
    ['hidden', 404, 'user redirect does not exist [name: hidden]'],
    ['guild', 422, 'cannot block the user: guild is an organization; only people can be blocked'],
    ['ada', 422, 'cannot block the user: you cannot block yourself'],
  ]
  if (!own) refusals.push(['member', 422, 'cannot block the user: member is a member of acme'])
  for (const [name, ...answer] of refusals) expect(await answerOf(put + name, ada)).toEqual(answer)
  for (const name of ['nobody', 'hidden']) expect((await asAda.send(end + name)).status).toBe(404)
  expect(rows()).toEqual([])
})

test.each(families)('$name: who may', async ({ own, put, end, list }) => {
  const { name } = await newPerson()
  const others: [Person | undefined, number][] = own
    ? [[undefined, 401]]
    : [
        [undefined, 401],
        [stranger, 403],
        [member, 403],
      ]
  for (const line of [`GET ${list}`, put + name, end + name]) {
    for (const [as, status] of others) expect([line, (await forge.asUser(as).send(line)).status]).toEqual([line, status])
    expect((await forge.asUser(forge.token(ada, 'write:repository')).send(line)).status).toBe(403)
  }
  const reading = forge.token(ada, 'read:user', 'read:organization')
  expect([
    (await forge.asUser(reading).get(list)).status,
    (await forge.asUser(reading).send(put + name)).status,
    (await forge.asUser(reading).send(end + name)).status,
  ]).toEqual([200, 403, 403])
  expect([(await root.send(put + name)).status, (await root.get(list)).status, (await root.send(end + name)).status]).toEqual([204, 200, 204])
  expect(rows()).toEqual([])
})

test('an organization that is hidden or not there has no blocks', async () => {
  createOrg(context, ada.row, { username: 'lair', visibility: 'private' })
  for (const org of ['lair', 'none', 'ada']) {
    for (const line of [`GET /orgs/${org}/blocks`, `PUT /orgs/${org}/blocks/bob`, `GET /orgs/${org}/list_blocked`, `PUT /orgs/${org}/block/bob`])
      expect((await forge.asUser(stranger).send(line)).status).toBe(404)
  }
})

test('a note is kept for the blocker, up to 255 characters', async () => {
  const { row, name } = await newPerson()
  const { status, body } = await asAda.put(`/user/blocks/${name}?note=${'x'.repeat(256)}`)
  expect([status, body.message]).toEqual([422, '[note]: Expected string length less or equal to 255'])
  expect(rows()).toEqual([])
  expect((await asAda.put(`/user/blocks/${name}?note=spams%20%E2%98%83`)).status).toBe(204)
  expect(rows()).toMatchObject([{ blocker_id: ada.row.id, blocked_id: row.id, note: 'spams ☃' }])
  expect(JSON.stringify(await list('/user/blocks', ada))).not.toContain('spams')
  await asAda.delete(`/user/blocks/${name}`)
})

test('blocks are read page by page, each blocker’s own', async () => {
  const [one, two] = [await newPerson(), await newPerson()]
  for (const { name } of [one, two]) await asAda.put(`/user/blocks/${name}`)
  expect(await logins('/user/blocks', bob)).toEqual([])
  for (const path of ['/user/blocks', '/user/list_blocked']) {
    const { body, headers } = await asAda.get<{ id?: number; block_id?: number }[]>(`${path}?limit=1&page=2`)
    expect([body.map((item) => item.id ?? item.block_id), headers.get('x-total-count')]).toEqual([[two.row.id], '2'])
  }
  for (const { name } of [one, two]) await asAda.delete(`/user/blocks/${name}`)
})

type Tie = [by: Person, line: string, body?: unknown]
async function tie(ties: Tie[]): Promise<void> {
  for (const [by, line, body] of ties) expect([line, (await forge.asUser(by).put(line, body)).status < 300]).toEqual([line, true])
}
/** Those of the ties that are not there. */
async function broken(ties: Tie[]): Promise<string[]> {
  const statuses = await Promise.all(ties.map(async ([by, line]) => (await forge.asUser(by).get(line)).status))
  expect(statuses.filter((status) => status !== 404 && status >= 300)).toEqual([])
  return ties.flatMap(([, line], at) => (statuses[at] === 404 ? [line] : []))
}

/** Both have a repository, and a part in the other's; `owner` is who blocks, or their organization. */
async function entangle(owner: Person, orgName?: string) {
  const other = await newPerson()
  const ownerName = orgName ?? owner.name
  const mine = orgName ? createRepo(context, { owner: acme, actor: owner.row, name: `mine${made}`, private: false }) : forge.repo(owner, `mine${made}`)
  const theirs = forge.repo(other, 'theirs')
  const ties: Tie[] = [
    [other, `/user/following/${ownerName}`],
    [other, `/user/starred/${ownerName}/${mine.name}`],
    [other, `/repos/${ownerName}/${mine.name}/subscription`],
    [owner, `/repos/${ownerName}/${mine.name}/collaborators/${other.name}`, { permission: 'admin' }],
  ]
  if (!orgName) {
    ties.push(
      [owner, `/user/following/${other.name}`],
      [owner, `/user/starred/${other.name}/theirs`],
      [owner, `/repos/${other.name}/theirs/subscription`],
      [other, `/repos/${other.name}/theirs/collaborators/${owner.name}`],
    )
  }
  await tie(ties)
  return { other, mine, theirs, ties }
}

test('blocking undoes what ties the two, both ways, and keeps it from coming back until it ends', async () => {
  const blocker = await newPerson()
  const { other, ties } = await entangle(blocker)
  const bystander = await entangle(blocker)
  expect((await forge.asUser(blocker).put(`/user/blocks/${other.name}`)).status).toBe(204)
  expect(await broken(ties)).toEqual(ties.map(([, line]) => line))
  expect(await broken(bystander.ties)).toEqual([])
  const refused = [
    `PUT /user/following/${blocker.name}`,
    `PUT /user/starred/${blocker.name}/mine${made - 1}`,
    `PUT /repos/${blocker.name}/mine${made - 1}/subscription`,
    `PUT /repos/${other.name}/theirs/collaborators/${blocker.name}`,
  ]
  for (const line of refused) expect([line, ...(await answerOf(line, other))]).toEqual([line, 403, 'user is blocked'])
  const ofBlocker = [`PUT /user/following/${other.name}`, `PUT /repos/${blocker.name}/mine${made - 1}/collaborators/${other.name}`]
  for (const line of ofBlocker) expect([line, ...(await answerOf(line, blocker))]).toEqual([line, 403, 'user is blocked'])
  expect((await forge.asUser(blocker).delete(`/user/blocks/${other.name}`)).status).toBe(204)
  await tie(ties)
})

test('an organization keeps the blocked away from itself and its repositories, also from hooks made there', async () => {
  const { other, mine, ties } = await entangle(ada, 'acme')
  const hook = await forge.asUser(other).post(`/repos/acme/${mine.name}/hooks`, {
    type: 'gitea',
    active: true,
    config: { url: 'https://ci.example.org/', content_type: 'json' },
  })
  expect([hook.status, hook.body.active]).toEqual([201, true])
  expect((await asAda.put(`/orgs/acme/block/${other.name}`)).status).toBe(204)
  expect(await broken(ties)).toEqual(ties.map(([, line]) => line))
  for (const [by, line, body] of ties) expect([line, (await forge.asUser(by).put(line, body)).status]).toEqual([line, 403])
  expect((await asAda.get(`/repos/acme/${mine.name}/hooks/${hook.body.id}`)).body.active).toBe(false)
  expect((await asAda.put(`/teams/${team.body.id}/members/${other.name}`)).status).toBe(403)
  await asAda.put(`/orgs/acme/unblock/${other.name}`)
})

test('a refused block undoes nothing', async () => {
  const { other, ties } = await entangle(ada, 'acme')
  await asAda.put(`/teams/${team.body.id}/members/${other.name}`)
  expect((await asAda.put(`/orgs/acme/blocks/${other.name}`)).status).toBe(422)
  expect(await broken(ties)).toEqual([])
})

test('a site administrator can be blocked, and is kept from nothing', async () => {
  expect((await asBob.put('/user/blocks/root1')).status).toBe(204)
  expect([(await root.put('/user/following/bob')).status, (await asBob.get('/user/blocks/root1')).status]).toEqual([204, 204])
  expect(await answerOf('PUT /user/blocks/root1', bob)).toEqual([422, 'cannot block the user: root1 is blocked already'])
  expect((await asBob.delete('/user/blocks/root1')).status).toBe(204)
})

test('nobody ends an organization’s block of themselves, even who became a site administrator', async () => {
  const person = await newPerson()
  await asAda.put(`/orgs/acme/blocks/${person.name}`)
  db.tx((tx) => tx.update('user', person.row.id, { is_admin: 1 }))
  for (const line of [`DELETE /orgs/acme/blocks/${person.name}`, `PUT /orgs/acme/unblock/${person.name}`]) {
    expect(await answerOf(line, person)).toEqual([422, 'cannot unblock the user: you cannot unblock yourself'])
  }
  expect((await root.delete(`/orgs/acme/blocks/${person.name}`)).status).toBe(204)
})

test('the blocked who hide later are not listed, and stay blocked until the blocker ends it by name', async () => {
  db.tx((tx) => tx.update('user', hidden.row.id, { visibility: 'public' }))
  await asBob.put('/user/blocks/hidden')
  db.tx((tx) => tx.update('user', hidden.row.id, { visibility: 'private' }))
  expect([await list('/user/blocks', bob), await list('/user/list_blocked', bob)]).toEqual([[], []])
  expect((await forge.asUser(hidden).put('/user/following/bob')).status).toBe(403)
  expect([(await asBob.get('/user/blocks/hidden')).status, (await asBob.delete('/user/blocks/hidden')).status]).toEqual([204, 204])
  expect([(await asBob.get('/user/blocks/hidden')).status, (await asBob.delete('/user/blocks/hidden')).status]).toEqual([404, 404])
})

test('a block outlives a new name, and goes with either account', async () => {
  const [one, two] = [await newPerson(), await newPerson()]
  await forge.asUser(one).put(`/user/blocks/${two.name}`)
  await forge.asUser(two).put(`/user/blocks/${one.name}`)
  await root.post(`/admin/users/${two.name}/rename`, { new_username: 'disguised' })
  expect(await logins('/user/blocks', one)).toEqual(['disguised'])
  expect((await forge.asUser(one).get(`/user/blocks/${two.name}`)).status).toBe(204)
  expect((await root.delete('/admin/users/disguised')).status).toBe(204)
  expect(rows()).toEqual([])
})

test('very many stars and watches that a block ends do so a part at a time, whatever the clock was; what begins after it stays', async () => {
  const [owner, other] = [await newPerson(), await newPerson()]
  const first = forge.repo(owner, 'first')
  const kept = forge.repo(ada, 'kept')
  db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM repository WHERE id = ?', first.id) ?? {}
    const ids = Array.from({ length: 250 }, (_, n) => tx.insert('repository', { ...row, name: `r${n}`, lower_name: `r${n}` }))
    const begun = (repo_id: number) => ({ user_id: other.row.id, repo_id, created_at: repo_id % 2 === 0 ? 1 : 4_000_000_000 })
    for (const id of [...ids, kept.id]) tx.insert('star', begun(id))
    for (const id of [...ids.slice(0, 120), kept.id]) tx.insert('watch', { ...begun(id), mode: 'normal' })
  })
  isStepwise = true
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  const left = () => ['star', 'watch'].map((table) => db.all(`SELECT 1 FROM ${table} WHERE user_id = ?`, other.row.id).length)
  expect((await forge.asUser(owner).put(`/user/blocks/${other.name}`)).status).toBe(204)
  expect(left()[0]).toBeGreaterThan(100)
  expect((await forge.asUser(owner).delete(`/user/blocks/${other.name}`)).status).toBe(204)
  for (const name of ['first', 'r249']) expect((await forge.asUser(other).put(`/user/starred/${owner.name}/${name}`)).status).toBe(204)
  expect((await forge.asUser(other).put(`/repos/${owner.name}/r119/subscription`)).status).toBe(200)
  rest.mockRestore()
  resolve()
  await context.jobs.resume()
  isStepwise = false
  expect([left(), db.all('SELECT * FROM job')]).toEqual([[3, 2], []])
  expect((await list<{ name: string }>(`/users/${other.name}/starred`, ada)).map(({ name }) => name).toSorted()).toEqual(['first', 'kept', 'r249'])
})
