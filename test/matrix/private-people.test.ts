import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../harness.ts'

// Whoever may not see an account learns nothing by naming it: the answer is the one for a name that nobody has.

const forge = testForge()
const asAda = forge.asUser('ada')
let viewers: [string, Person | undefined][]

beforeAll(async () => {
  const ada = await forge.person('ada')
  const shy = await forge.person('hidden')
  viewers = [
    ['who administers the repository', ada],
    ['a stranger', await forge.person('eve')],
    ['a visitor', undefined],
  ]
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true, default_branch: 'main' })
  for (const title of ['One', 'Two']) await forge.asUser(ada).post('/repos/ada/engine/issues', { title })
  await forge.asUser(ada).post('/repos/ada/engine/branch_protections', { rule_name: 'main' })
  forge.context.db.tx((tx) => tx.update('user', shy.row.id, { visibility: 'private' }))
})
afterAll(() => forge[Symbol.asyncDispose]())

const named: [line: string, body: object | undefined][] = [
  ['GET /repos/ada/engine/pulls?poster=NAME', undefined],
  ['GET /repos/ada/engine/issues?created_by=NAME', undefined],
  ['GET /repos/ada/engine/times?user=NAME', undefined],
  ['GET /repos/ada/engine/times/NAME', undefined],
  ['GET /repos/ada/engine/issues/1/times?user=NAME', undefined],
  ['POST /repos/ada/engine/issues/1/times', { time: 60, user_name: 'NAME' }],
  ['PUT /repos/ada/engine/issues/1/subscriptions/NAME', undefined],
  ['DELETE /repos/ada/engine/issues/1/subscriptions/NAME', undefined],
  ['PUT /repos/ada/engine/collaborators/NAME', {}],
  ['GET /repos/ada/engine/collaborators/NAME/permission', undefined],
  ['PATCH /repos/ada/engine/issues/1', { assignees: ['NAME'] }],
  ['POST /repos/ada/engine/branch_protections', { rule_name: 'x', push_whitelist_usernames: ['NAME'] }],
  ['PATCH /repos/ada/engine/branch_protections/main', { approvals_whitelist_username: ['NAME'] }],
  ['POST /repos/ada/engine/tag_protections', { name_pattern: 'v*', whitelist_usernames: ['NAME'] }],
  ['POST /repos/ada/engine/transfer', { new_owner: 'NAME' }],
]

test.each(named)('%s %p', async (line, body) => {
  const answers = (name: string) => {
    const filled = (text: string) => text.replace('NAME', name)
    const asked = viewers.map(async ([viewer, as]) => {
      const { status, body: told } = await forge.asUser(as).send(filled(line), { body: body && JSON.parse(filled(JSON.stringify(body))) })
      return [viewer, status, JSON.stringify(told).replaceAll(name, 'NAME')]
    })
    return Promise.all(asked)
  }
  expect(await answers('hidden')).toEqual(await answers('nobody'))
})

test('who has a part in the repository can be named by who administers it, however private', async () => {
  const fellow = await forge.person('fellow')
  await asAda.put('/repos/ada/engine/collaborators/fellow', { permission: 'write' })
  forge.context.db.tx((tx) => tx.update('user', fellow.row.id, { visibility: 'private' }))
  const made = [
    await asAda.post('/repos/ada/engine/branch_protections', { rule_name: 'y', push_whitelist_usernames: ['fellow'] }),
    await asAda.post('/repos/ada/engine/tag_protections', { name_pattern: 'w*', whitelist_usernames: ['fellow'] }),
    await asAda.post('/repos/ada/engine/issues/2/times', { time: 60, user_name: 'fellow' }),
    await asAda.get('/repos/ada/engine/times/fellow'),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 200, 200])
})
