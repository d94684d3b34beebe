import { afterAll, expect, test } from 'bun:test'
import type { UserRecord } from '#people/users/index.ts'
import { type Person, testForge } from '../../../test/harness.ts'

/**
 * acme is ada's, `opub` is its public repository. Teams write there: `open`, whose membership everybody may know of, `shut`, whose
 * nobody may, `dusk`, who is private and says so of none, and `near`, who is limited. `idle` is in a team that reads code alone.
 * Collaborators are `carl`, who writes, `rita`, who reads, and `shade`, who writes and is private.
 */
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const who: Record<string, Person | string | undefined> = {}
const hidden = { dusk: 'private', shade: 'private', near: 'limited' } as const
for (const name of ['ada', 'open', 'shut', 'idle', 'carl', 'rita', 'stranger', ...Object.keys(hidden)]) {
  who[name] = await forge.person(name, { visibility: hidden[name as keyof typeof hidden] })
}
who.root = await forge.person('root1', { isAdmin: true })
who.shy = await forge.person('shy', { isRestricted: true })
for (const name of ['ada', 'open', 'root']) who[`${name}, public-only`] = forge.token(who[name] as Person, 'all', 'public-only')
const make = async (name: string, line: string, body?: unknown) => {
  const reply = await forge.asUser(who[name]).send<{ id: number }>(line, { body })
  if (reply.status >= 300) throw new Error(`${line}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.id
}

await make('ada', 'POST /orgs', { username: 'acme' })
await make('ada', 'POST /orgs/acme/repos', { name: 'opub' })
const all = { includes_all_repositories: true }
const writers = await make('ada', 'POST /orgs/acme/teams', { name: 'writers', units_map: { 'repo.code': 'write', 'repo.pulls': 'read' }, ...all })
const readers = await make('ada', 'POST /orgs/acme/teams', { name: 'readers', units_map: { 'repo.code': 'read' }, ...all })
for (const name of ['open', 'shut', 'dusk', 'near']) await make('root', `PUT /teams/${writers}/members/${name}`)
await make('ada', `PUT /teams/${readers}/members/idle`)
for (const name of ['open', 'dusk', 'near', 'idle']) await make(name, `PUT /orgs/acme/public_members/${name}`)
for (const [name, permission] of Object.entries({ carl: 'write', rita: 'read', shade: 'write' })) {
  await make('root', `PUT /repos/acme/opub/collaborators/${name}`, { permission })
}

const everyone = { issues: ['ada', 'carl', 'dusk', 'near', 'open', 'shade', 'shut'], reviews: ['ada', 'carl', 'dusk', 'near', 'open', 'rita', 'shade', 'shut'] }
const members = { issues: ['ada', 'carl', 'dusk', 'near', 'open', 'shut'], reviews: ['ada', 'carl', 'dusk', 'near', 'open', 'rita', 'shut'] }
const told = { issues: ['carl', 'near', 'open'], reviews: ['carl', 'near', 'open', 'rita'] }
const open = { issues: ['ada', 'carl', 'open', 'shut'], reviews: ['ada', 'carl', 'open', 'rita', 'shut'] }

test.each<[string, string[] | number, string[] | number]>([
  ['nobody', 401, 401],
  ['shy', 404, 404],
  ['stranger', told.issues, 403],
  ['rita', told.issues, told.reviews],
  ['carl', told.issues, told.reviews],
  ['shade', ['carl', 'near', 'open', 'shade'], ['carl', 'near', 'open', 'rita', 'shade']],
  ['idle', members.issues, 403],
  ['shut', members.issues, members.reviews],
  ['ada', everyone.issues, everyone.reviews],
  ['root', everyone.issues, everyone.reviews],
  ['ada, public-only', open.issues, open.reviews],
  ['open, public-only', open.issues, open.reviews],
  ['root, public-only', open.issues, open.reviews],
])('%s gets assignees %j and reviewers %j', async (name, assignees, reviewers) => {
  const found = async (path: string) => {
    const { status, body } = await forge.asUser(who[name]).get<UserRecord[]>(`/repos/acme/opub/${path}`)
    return status === 200 ? body.map(({ login }) => login) : status
  }
  expect([await found('assignees'), await found('reviewers')]).toEqual([assignees, reviewers])
  if (!Array.isArray(assignees)) return
  for (const one of [...everyone.reviews, 'idle', 'acme', 'absent']) {
    expect([one, (await forge.asUser(who[name]).get(`/repos/acme/opub/assignees/${one.toUpperCase()}`)).status]).toEqual([
      one,
      assignees.includes(one) ? 204 : 404,
    ])
  }
})

test('what concealed members are given besides tells nothing of their teams', async () => {
  await make('ada', 'PUT /repos/acme/opub/collaborators/shut', { permission: 'read' })
  expect((await forge.asUser(who.stranger).get('/repos/acme/opub/collaborators/shut')).status).toBe(204)
  expect((await forge.asUser(who.stranger).get('/repos/acme/opub/assignees/shut')).status).toBe(404)
  await make('ada', 'DELETE /repos/acme/opub/collaborators/shut')
})

test("of a person's repository the owner is told to whoever sees it, and nobody who merely may read", async () => {
  await make('dusk', 'POST /user/repos', { name: 'own', private: true })
  for (const [name, permission] of Object.entries({ carl: 'write', rita: 'read' }))
    await make('dusk', `PUT /repos/dusk/own/collaborators/${name}`, { permission })
  const logins = async (path: string) => (await forge.asUser(who.rita).get<UserRecord[]>(`/repos/dusk/own/${path}`)).body.map(({ login }) => login)
  expect(await logins('assignees')).toEqual(['carl', 'dusk'])
  expect(await logins('reviewers')).toEqual(['carl', 'dusk', 'rita'])
})

test('what is switched off gives nobody work; in what is archived no reviews are asked for', async () => {
  await make('ada', 'PATCH /repos/acme/opub', { has_code: false })
  expect((await forge.asUser(who.stranger).get<UserRecord[]>('/repos/acme/opub/assignees')).body.map(({ login }) => login)).toEqual(['carl'])
  await make('ada', 'PATCH /repos/acme/opub', { has_code: true, archived: true })
  for (const [name, status] of Object.entries({ ada: 403, carl: 403, root: 403 }))
    expect((await forge.asUser(who[name]).get('/repos/acme/opub/reviewers')).status).toBe(status)
  expect((await forge.asUser(who.stranger).get('/repos/acme/opub/assignees')).status).toBe(200)
  await make('ada', 'PATCH /repos/acme/opub', { archived: false })
})

test('who is no longer active is asked for nothing', async () => {
  const setActive = (is_active: number) => forge.context.db.tx((tx) => tx.update('user', (who.carl as Person).row.id, { is_active }))
  setActive(0)
  expect((await forge.asUser(who.ada).get('/repos/acme/opub/assignees/carl')).status).toBe(404)
  setActive(1)
})
