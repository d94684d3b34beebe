import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { allAnswers, differences } from '../../../test/all-answers.ts'
import { oneStepBatches, type Person, testForge } from '../../../test/harness.ts'
import { noteGone } from '../../../test/next-start.ts'
import { soak } from '../../../test/soak.ts'

const MANY = 150

const forge = testForge({}, { ...oneStepBatches, clock: { seconds: () => 1_800_000_000, millis: () => 1_800_000_000_000 } })
let ada: Person
let [bob, carl]: Person[] = []
beforeAll(async () => {
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  carl = await forge.person('carl')
})
afterAll(() => forge[Symbol.asyncDispose]())

async function make(line: string, body: unknown = {}): Promise<{ id: number; number: number }> {
  const made = await forge.asUser(ada).send<{ id: number; number: number }>(line, { body })
  expect([line, made.status < 300]).toEqual([line, true])
  return made.body
}

/** An organization that few see, with a private repository, which a team of very many reads; after those bob and carl, and carl is in a second one. */
async function crowded(org: string) {
  const { db } = forge.context
  const { id: orgId } = await make('POST /orgs', { username: org, visibility: 'private' })
  await make(`POST /orgs/${org}/repos`, { name: 'engine', private: true, auto_init: true })
  await make(`POST /orgs/${org}/repos`, { name: 'open', private: false })
  const terms = { permission: 'write', units: ['repo.code', 'repo.issues', 'repo.pulls'], can_create_org_repo: true }
  const { id } = await make(`POST /orgs/${org}/teams`, { name: 'crew', ...terms })
  await make(`PUT /teams/${id}/repos/${org}/engine`)
  const second = await make(`POST /orgs/${org}/teams`, { name: 'second', ...terms, can_create_org_repo: false })
  await make(`PUT /teams/${second.id}/members/carl`)
  db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM user WHERE id = ?', ada.row.id) ?? {}
    for (let n = 0; n < MANY; n++) {
      const name = `${org}-${n}`
      // They come before those who are looked at.
      const user_id = tx.insert('user', { ...row, id: -n - orgId * MANY, name, lower_name: name, email: `${name}@example.org` })
      tx.insert('team_membership', { team_id: id, org_id: orgId, user_id })
    }
  })
  for (const name of ['bob', 'carl']) await make(`PUT /teams/${id}/members/${name}`)
  return { org, orgId, id }
}

const members = (teamId: number) => forge.context.db.all('SELECT 1 FROM team_membership WHERE team_id = ?', teamId).length

/** The background waits until it is let go on. */
function hold() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(forge.context.db, 'rest').mockImplementation(() => promise)
  return {
    async goOn() {
      resolve()
      rest.mockRestore()
      await forge.context.jobs.resume()
    },
  }
}

test('who was in a team that is gone may nothing more by it from the first moment, and is out of the organization unless another team has them', async () => {
  const { org, orgId, id } = await crowded('acme')
  expect([(await forge.asUser(bob).get(`/repos/${org}/engine`)).status, (await forge.asUser(bob).get(`/orgs/${org}`)).status]).toEqual([200, 200])
  const held = hold()
  expect((await forge.asUser(ada).delete(`/teams/${id}`)).status).toBe(204)
  expect(members(id)).toBeGreaterThan(MANY / 2)
  for (const at of [`GET /repos/${org}/engine`, `GET /orgs/${org}`, `GET /repos/${org}/open`, `GET /teams/${id}`])
    expect([at, (await forge.asUser(bob).send(at)).status]).toEqual([at, 404])
  expect((await forge.asUser(bob).post(`/orgs/${org}/repos`, { name: 'mine' })).status).toBeGreaterThanOrEqual(403)
  expect((await forge.asUser(bob).get('/user/orgs')).body).toEqual([] as never)
  expect((await forge.asUser(ada).get<object[]>(`/orgs/${org}/members`)).headers.get('x-total-count')).toBe('2')
  expect([(await forge.asUser(carl).get(`/orgs/${org}`)).status, (await forge.asUser(carl).get(`/repos/${org}/engine`)).status]).toEqual([200, 404])
  // The same name again gives nobody anything back, and who is let in again stays.
  const again = await make(`POST /orgs/${org}/teams`, { name: 'crew', permission: 'read', units: ['repo.code'] })
  await make(`PUT /teams/${again.id}/repos/${org}/engine`)
  expect((await forge.asUser(bob).get(`/repos/${org}/engine`)).status).toBe(404)
  await make(`PUT /teams/${again.id}/members/bob`)
  await held.goOn()
  expect([(await forge.asUser(bob).get(`/repos/${org}/engine`)).status, (await forge.asUser(bob).get(`/orgs/${org}`)).status]).toEqual([200, 200])
  expect([members(id), forge.context.db.all('SELECT 1 FROM org_membership WHERE org_id = ?', orgId).length]).toEqual([0, 3])
})

test('what a crash leaves of a team that is gone changes no answer, and goes with the next start', async () => {
  const { org, id } = await crowded('brass')
  const { db, jobs } = forge.context
  await make(`POST /repos/${org}/engine/contents/a`, { content: 'YQ==', message: 'x', new_branch: 'a', branch: 'main' })
  const pull = await make(`POST /repos/${org}/engine/pulls`, { title: 'Turn', head: 'a', base: 'main' })
  await make(`POST /repos/${org}/engine/pulls/${pull.number}/requested_reviewers`, { team_reviewers: ['crew'] })
  const lists = { enable_push_whitelist: true, push_whitelist_teams: ['crew'], enable_merge_whitelist: true, merge_whitelist_teams: ['crew'] }
  await make(`POST /repos/${org}/engine/branch_protections`, { rule_name: 'main', enable_push: true, ...lists })
  await make(`POST /repos/${org}/engine/tag_protections`, { name_pattern: 'v*', whitelist_teams: ['crew'] })
  db.txLeavingRows((tx) => {
    tx.run('DELETE FROM team WHERE id = ?', id)
    noteGone(tx, 'team', id)
  })
  const values = {
    owner: [org],
    repo: ['engine'],
    org: [org],
    username: ['ada', 'bob'],
    index: [pull.number],
    number: [pull.number],
    name: ['main'],
    id: [1, id],
  }
  // The owner, and a member of that team alone; the soak run asks as a member of two teams, too.
  const people = [ada, bob as Person]
  const asked = { people: soak(people, [...people, carl as Person]), values }
  await allAnswers(forge, asked)
  const before = await allAnswers(forge, asked)
  expect(db.all('PRAGMA foreign_key_check').length).toBeGreaterThan(MANY)
  await jobs.resume()
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
  // An entry names the request that it tells of until that is cleared away.
  const others = differences(before, await allAnswers(forge, asked)).filter(([of]) => !of.endsWith('/timeline'))
  expect(others).toEqual([])
}, 60_000)
