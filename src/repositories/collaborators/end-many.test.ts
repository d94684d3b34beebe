import { afterAll, beforeAll, expect, spyOn } from 'bun:test'
import { oneStepBatches, type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const MANY = 250

const forge = testForge({}, oneStepBatches)
const who: Record<string, Person> = {}
let crew = 0
let crowd: number[] = []
beforeAll(async () => {
  for (const name of ['ada', 'olga']) who[name] = await forge.person(name)
  await make('olga', 'POST /orgs', { username: 'mill' })
  crew = (await make('olga', 'POST /orgs/mill/teams', { name: 'crew', permission: 'read', units: ['repo.code'] })).id
  crowd = forge.context.db.tx((tx) => {
    const { id: org_id } = tx.find<{ id: number }>("SELECT id FROM user WHERE name = 'mill'") as { id: number }
    const { id: _, ...row } = tx.find<Record<string, string | number>>("SELECT * FROM user WHERE name = 'ada'") ?? {}
    const names = Array.from({ length: MANY }, (_, n) => `crowd-${n}`)
    const ids = names.map((name) => tx.insert('user', { ...row, name, lower_name: name, email: `${name}@example.org` }))
    for (const user_id of ids) tx.insert('team_membership', { team_id: crew, org_id, user_id })
    return ids
  })
  // They come after the crowd, whatever is cleared first.
  for (const name of ['member', 'guest']) who[name] = await forge.person(name)
  await make('olga', `PUT /teams/${crew}/members/member`)
})
afterAll(() => forge[Symbol.asyncDispose]())

async function make(name: string, line: string, body: unknown = {}): Promise<{ id: number }> {
  const made = await forge.asUser(who[name]).send<{ id: number }>(line, { body })
  expect([line, made.status < 300]).toEqual([line, true])
  return made.body
}

/** A private repository of ada's, in which members of the organization and a guest may write. */
async function shared(name: string) {
  const { id } = forge.repo(who.ada as Person, name, { private: true })
  forge.context.db.tx((tx) => {
    for (const user_id of crowd) tx.insert('collaboration', { repo_id: id, user_id, level: 'write' })
  })
  for (const person of ['member', 'guest']) await make('ada', `PUT /repos/ada/${name}/collaborators/${person}`, { permission: 'write' })
  return id
}

/** The background waits until it is let go on. */
function hold(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(forge.context.db, 'rest').mockImplementation(() => promise)
  return async () => {
    rest.mockRestore()
    resolve()
    await forge.context.jobs.resume()
  }
}

const statusFor = async (name: string, path: string) => (await forge.asUser(who[name]).get(`/repos/${path}`)).status
const listed = async (path: string) =>
  (await forge.asUser('olga').get<{ login: string }[]>(`/repos/${path}/collaborators?limit=50`)).body.map(({ login }) => login)
const left = () => ['collaboration', 'job'].map((table) => forge.context.db.all(`SELECT * FROM ${table}`).length)

test('very many members of an organization that is given a repository lose what they had in it at once, though it is cleared a part at a time', async () => {
  await shared('engine')
  expect(await statusFor('member', 'ada/engine')).toBe(200)
  const goOn = hold()
  await make('ada', 'POST /repos/ada/engine/transfer', { new_owner: 'mill' })
  await make('olga', 'POST /repos/ada/engine/transfer/accept')
  expect(left()[0]).toBeGreaterThan(MANY / 2)
  const now = async () => [await statusFor('member', 'mill/engine'), await statusFor('guest', 'mill/engine'), await listed('mill/engine')]
  expect(await now()).toEqual([404, 200, ['guest']])
  // What had ended does not come back with the end of the membership.
  await make('olga', 'DELETE /orgs/mill/members/member')
  expect(await now()).toEqual([404, 200, ['guest']])
  await make('olga', `PUT /teams/${crew}/members/member`)
  // What is given from now on counts, and is not cleared away.
  await make('olga', 'PUT /repos/mill/engine/collaborators/member', { permission: 'read' })
  expect(await now()).toEqual([200, 200, ['member', 'guest']])
  await goOn()
  expect([await now(), left()]).toEqual([
    [200, 200, ['member', 'guest']],
    [2, 0],
  ])
})

test('who is blocked by the owner of very many repositories may do nothing in any of them from that moment on', async () => {
  const { db } = forge.context
  const [olga, guest] = [who.olga as Person, who.guest as Person]
  const last = forge.repo(olga, 'last', { private: true })
  const gone = forge.repo(olga, 'given', { private: true })
  const ids = db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM repository WHERE id = ?', last.id) ?? {}
    const make = (n: number) => tx.insert('repository', { ...row, id: 1000 + n, name: `r${n}`, lower_name: `r${n}` })
    const made = Array.from({ length: MANY }, (_, n) => make(n))
    for (const repo_id of [last.id, gone.id, ...made]) tx.insert('collaboration', { repo_id, user_id: guest.row.id, level: 'admin' })
    return made
  })
  const goOn = hold()
  const before = left()[0] ?? 0
  await make('olga', 'PUT /user/blocks/guest')
  expect(left()[0]).toBeGreaterThan(before - ids.length)
  const seen = async () => [await statusFor('guest', `olga/r${MANY - 1}`), await statusFor('guest', 'olga/last')]
  expect(await seen()).toEqual([404, 404])
  // Nor when the repository is somebody else's before all is cleared, nor when the block is over.
  await make('olga', 'POST /repos/olga/r249/transfer', { new_owner: 'mill' })
  await make('olga', 'DELETE /user/blocks/guest')
  expect([await statusFor('guest', 'mill/r249'), await seen()]).toEqual([404, [404, 404]])
  await goOn()
  expect([await statusFor('guest', 'mill/r249'), left()]).toEqual([404, [2, 0]])
})
