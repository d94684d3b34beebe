import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
let ada: Person
let mill: { all: number; few: number }
beforeAll(async () => {
  ada = await forge.person('ada')
  for (const name of ['bob', 'carl', 'dora', 'eve', 'full']) await forge.person(name)
  forge.context.db.tx((tx) => tx.run("UPDATE user SET max_repo_creation = 0 WHERE name = 'full'"))
  await forge.person('root', { isAdmin: true })
  await forge.call('POST /orgs', { as: 'bob', body: { username: 'mill' } })
  await forge.call('POST /orgs', { as: 'eve', body: { username: 'veiled', visibility: 'private' } })
  const team = (name: string, more: object) =>
    forge.call<{ id: number }>('POST /orgs/mill/teams', { as: 'bob', body: { name, permission: 'write', units: ['repo.code'], ...more } })
  mill = { all: (await team('makers', { can_create_org_repo: true })).body.id, few: (await team('few', {})).body.id }
  await forge.call(`PUT /teams/${mill.all}/members/carl`, { as: 'bob' })
  await forge.call(`PUT /teams/${mill.few}/members/dora`, { as: 'bob' })
})

interface Repo {
  id: number
  full_name: string
  message?: string
  repo_transfer?: { doer: { login: string }; recipient: { login: string }; teams: { name: string }[] }
}
const ask = (as: string | undefined, line: string, body?: unknown) => forge.call<Repo>(line, { as, body })
const transfer = (as: string | undefined, name: string, new_owner: string, more: object = {}) =>
  ask(as, `POST /repos/ada/${name}/transfer`, { new_owner, ...more })
const isSeenBy = async (who: string, path: string) => (await ask(who, `GET /repos/${path}`)).status === 200

/** Makes a private repository of ada's in which dora writes. */
async function makePrivate(name: string): Promise<number> {
  const { id } = forge.repo(ada, name, { private: true })
  await ask('ada', `PUT /repos/ada/${name}/collaborators/dora`, { permission: 'write' })
  return id
}

describe('an offer', () => {
  test('waits for the recipient, who may look at what is private meanwhile, and nobody else hears of it', async () => {
    const id = await makePrivate('offered')
    expect(await isSeenBy('bob', 'ada/offered')).toBe(false)
    const offered = await transfer('ada', 'offered', 'bob')
    expect([offered.status, offered.body.full_name, offered.body.repo_transfer]).toMatchObject([
      201,
      'ada/offered',
      { doer: { login: 'ada' }, recipient: { login: 'bob' }, teams: [] },
    ])
    expect((await ask('bob', 'GET /repos/ada/offered')).body.repo_transfer?.recipient.login).toBe('bob')
    expect((await forge.call<{ data: Repo[] }>('GET /repos/search?q=offered', { as: 'bob' })).body.data.map((repo) => repo.id)).toEqual([id])
    expect((await ask('dora', 'GET /repos/ada/offered')).body).not.toHaveProperty('repo_transfer')
    expect(await isSeenBy('carl', 'ada/offered')).toBe(false)
    expect((await ask('bob', 'PATCH /repos/ada/offered', { description: 'mine' })).status).toBe(403)
  })

  test.each([
    ['the old owner', 'ada', 403],
    ['a collaborator', 'dora', 403],
    ['a site administrator', 'root', 403],
    ['a stranger, from whom it is hidden', 'carl', 404],
    ['a visitor', undefined, 404],
  ] as const)('cannot be answered by %s', async (_, who, status) => {
    const name = `unanswered-${who}`
    await makePrivate(name)
    await transfer('ada', name, 'bob')
    for (const answer of ['accept', 'reject']) expect((await ask(who, `POST /repos/ada/${name}/transfer/${answer}`)).status).toBe(status)
  })

  test('is one at a time', async () => {
    forge.repo(ada, 'single')
    await transfer('ada', 'single', 'bob')
    expect((await transfer('ada', 'single', 'carl')).status).toBe(409)
  })

  test('that is refused leaves all as it was', async () => {
    await makePrivate('refused')
    await transfer('ada', 'refused', 'bob')
    const rejected = await ask('bob', 'POST /repos/ada/refused/transfer/reject')
    expect([rejected.status, rejected.body.full_name]).toEqual([200, 'ada/refused'])
    expect((await ask('ada', 'GET /repos/ada/refused')).body).not.toHaveProperty('repo_transfer')
    expect(await isSeenBy('bob', 'ada/refused')).toBe(false)
    expect((await ask('ada', 'POST /repos/ada/refused/transfer/accept')).status).toBe(404)
    expect((await ask('dora', 'GET /repos/ada/refused')).status).toBe(200)
  })

  test('that is accepted changes the owner, and the old address leads to the new one', async () => {
    await makePrivate('accepted')
    await transfer('ada', 'accepted', 'bob')
    const accepted = await ask('bob', 'POST /repos/ada/accepted/transfer/accept')
    expect([accepted.status, accepted.body.full_name]).toEqual([202, 'bob/accepted'])
    expect(accepted.body).not.toHaveProperty('repo_transfer')
    const moved = await ask('bob', 'GET /repos/ada/accepted?x=1')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/api/v1/repos/bob/accepted?x=1'])
    expect((await ask('bob', 'DELETE /repos/ada/accepted')).status).toBe(307)
    expect(await isSeenBy('ada', 'bob/accepted')).toBe(false)
    expect(await isSeenBy('dora', 'bob/accepted')).toBe(true)
    const feed = await forge.call<{ op_type: string; content: string }[]>('GET /repos/bob/accepted/activities/feeds', { as: 'bob' })
    expect(feed.body[0]).toMatchObject({ op_type: 'transfer_repo', content: 'ada/accepted' })
  })

  test.each([
    ['renamed', async (name: string) => void (await ask('ada', `PATCH /repos/ada/${name}`, { name: `${name}-2` }))],
    ['deleted', async (name: string) => void (await ask('ada', `DELETE /repos/ada/${name}`))],
    [
      'given to somebody at once',
      async (name: string) =>
        void forge.context.db.tx((tx) => tx.run("UPDATE repository SET owner_id = (SELECT id FROM user WHERE name = 'eve') WHERE lower_name = ?", name)),
    ],
  ])('ends when the repository is %s', async (what, change) => {
    const name = `ends-${what.slice(0, 7)}`.replace(' ', '-')
    const { id } = forge.repo(ada, name, { private: true })
    expect((await transfer('ada', name, 'bob')).status).toBe(201)
    await change(name)
    expect((await ask('bob', `POST /repos/ada/${name}/transfer/accept`)).status).toBe(404)
    expect(forge.context.db.find('SELECT 1 FROM repository_transfer WHERE repo_id = ?', id)).toBeUndefined()
  })

  test('ends with the account that it was made to', async () => {
    await forge.person('gone')
    const { id } = forge.repo(ada, 'widowed')
    await transfer('ada', 'widowed', 'gone')
    expect((await ask('root', 'DELETE /admin/users/gone')).status).toBe(204)
    expect((await ask('ada', 'GET /repos/ada/widowed')).body).not.toHaveProperty('repo_transfer')
    expect(forge.context.db.find<{ is_in_transfer: number }>('SELECT is_in_transfer FROM repository WHERE id = ?', id)).toEqual({ is_in_transfer: 0 })
  })

  test('that two accept at once is accepted once', async () => {
    forge.repo(ada, 'twice')
    await transfer('ada', 'twice', 'mill')
    const answers = await Promise.all(['bob', 'carl'].map((who) => ask(who, 'POST /repos/ada/twice/transfer/accept')))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 404])
    expect(await isSeenBy('bob', 'mill/twice')).toBe(true)
  })

  test('of which the name has been taken meanwhile stays an offer', async () => {
    forge.repo(ada, 'taken')
    await transfer('ada', 'taken', 'bob')
    await ask('bob', 'POST /user/repos', { name: 'Taken' })
    expect((await ask('bob', 'POST /repos/ada/taken/transfer/accept')).status).toBe(422)
    expect((await ask('bob', 'GET /repos/ada/taken')).body.repo_transfer?.recipient.login).toBe('bob')
  })
})

describe('a transfer', () => {
  test.each([
    ['to nobody', 'nobody', {}, 404],
    ['to an organization that one does not see', 'veiled', {}, 404],
    ['to who has it', 'ada', {}, 422],
    ['to teams of a person', 'bob', { team_ids: [1] }, 422],
    ['to a team that there is not', 'mill', { team_ids: [99_999] }, 422],
    ['to who may have no more', 'full', {}, 403],
    ['to no name', '', {}, 422],
  ])('%s is refused', async (_, to, more, status) => {
    const name = `no-${Bun.hash(_).toString(36)}`
    forge.repo(ada, name)
    expect((await transfer('ada', name, to, more)).status).toBe(status)
    expect((await ask('ada', `GET /repos/ada/${name}`)).body.full_name).toBe(`ada/${name}`)
  })

  test('is for owners', async () => {
    forge.repo(ada, 'owned')
    await ask('ada', 'PUT /repos/ada/owned/collaborators/carl', { permission: 'admin' })
    expect((await transfer('carl', 'owned', 'carl')).status).toBe(403)
    expect((await transfer('dora', 'owned', 'dora')).status).toBe(403)
    expect((await transfer(undefined, 'owned', 'dora')).status).toBe(401)
  })

  test('to who has blocked one is refused', async () => {
    forge.repo(ada, 'unwanted')
    await ask('eve', 'PUT /user/blocks/ada')
    expect((await transfer('ada', 'unwanted', 'eve')).status).toBe(403)
    await ask('eve', 'DELETE /user/blocks/ada')
  })

  test('is done at once by who may make repositories there, with the teams it names; rights of members end, and watches of who sees it no more', async () => {
    const { body: org } = await forge.call<{ id: number }>('POST /orgs', { as: 'carl', body: { username: 'yard', visibility: 'private' } })
    const team = async (name: string) =>
      (await forge.call<{ id: number }>('POST /orgs/yard/teams', { as: 'carl', body: { name, permission: 'read', units: ['repo.code'] } })).body.id
    const [chosen, other] = [await team('chosen'), await team('other')]
    await ask('carl', `PUT /teams/${chosen}/members/dora`)
    await ask('carl', `PUT /teams/${other}/members/eve`)
    await ask('carl', 'POST /user/repos', { name: 'moved' })
    await ask('carl', 'PUT /repos/carl/moved/collaborators/eve', { permission: 'write' })
    await ask('carl', 'PUT /repos/carl/moved/collaborators/full', { permission: 'read' })
    await ask('bob', 'PUT /repos/carl/moved/subscription')
    const foreign = await ask('carl', 'POST /repos/carl/moved/transfer', { new_owner: 'yard', team_ids: [mill.few] })
    expect(foreign.status).toBe(403)
    const moved = await ask('carl', 'POST /repos/carl/moved/transfer', { new_owner: 'Yard', team_ids: [chosen, chosen] })
    expect([moved.status, moved.body.full_name, org.id > 0]).toEqual([202, 'yard/moved', true])
    const seen = await Promise.all(['dora', 'full', 'bob'].map((who) => isSeenBy(who, 'yard/moved')))
    expect(seen).toEqual([true, true, false])
    expect((await ask('carl', 'GET /repos/yard/moved/collaborators/eve')).status).toBe(404)
    expect(forge.context.db.all('SELECT 1 FROM watch JOIN user ON user.id = user_id WHERE repo_id = ? AND name = ?', moved.body.id, 'bob')).toEqual([])
  })

  test('takes a repository from the teams of its organization, and their labels from its issues', async () => {
    const { body: repo } = await ask('bob', 'POST /orgs/mill/repos', { name: 'leaving' })
    await ask('bob', `PUT /teams/${mill.few}/repos/mill/leaving`)
    const { body: label } = await ask('bob', 'POST /orgs/mill/labels', { name: 'secret plan', color: '#aabbcc' })
    const { body: own } = await ask('bob', 'POST /repos/mill/leaving/labels', { name: 'own', color: '#aabbcc' })
    await ask('bob', 'POST /repos/mill/leaving/issues', { title: 'One', labels: [label.id, own.id] })
    expect((await ask('bob', 'POST /repos/mill/leaving/transfer', { new_owner: 'bob' })).status).toBe(202)
    await ask('bob', 'PATCH /repos/bob/leaving', { private: true })
    expect(await isSeenBy('dora', 'bob/leaving')).toBe(false)
    const issue = await forge.call<{ labels: { name: string }[] }>('GET /repos/bob/leaving/issues/1', { as: 'bob' })
    expect(issue.body.labels.map(({ name }) => name)).toEqual(['own'])
    expect(JSON.stringify((await ask('bob', 'GET /repos/bob/leaving/issues/1/timeline')).body)).not.toContain('secret plan')
    expect((await forge.call<{ name: string; issue_count?: number }[]>('GET /orgs/mill/labels', { as: 'bob' })).body.map(({ name }) => name)).toEqual([
      'secret plan',
    ])
    expect(repo.id).toBeGreaterThan(0)
  })

  test('leaves stars and forks, and the place of an older redirect becomes its own', async () => {
    forge.repo(ada, 'starred')
    await ask('dora', 'PUT /user/starred/ada/starred')
    const { body: fork } = await ask('dora', 'POST /repos/ada/starred/forks', {})
    await ask('root', 'POST /repos/ada/starred/transfer', { new_owner: 'bob' })
    await ask('bob', 'PATCH /repos/bob/starred', { name: 'shining' })
    await ask('root', 'POST /repos/bob/shining/transfer', { new_owner: 'ada' })
    expect((await forge.call<{ stars_count: number; forks_count: number }>('GET /repos/ada/shining')).body).toMatchObject({ stars_count: 1, forks_count: 1 })
    for (const old of ['ada/starred', 'bob/starred', 'bob/shining']) {
      const answer = await ask('bob', `GET /repos/${old}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([301, '/api/v1/repos/ada/shining'])
    }
    expect((await forge.call<{ parent: Repo }>(`GET /repositories/${fork.id}`)).body.parent.full_name).toBe('ada/shining')
    const { body: again } = await ask('ada', 'POST /user/repos', { name: 'starred' })
    expect((await ask('ada', 'GET /repos/ada/starred')).body.id).toBe(again.id)
  })

  test('of what a token for public things could not see afterwards is refused', async () => {
    const narrow = forge.token('eve', 'all', 'public-only')
    await ask('eve', 'POST /user/repos', { name: 'shown' })
    expect((await forge.call('POST /repos/eve/shown/transfer', { as: narrow, body: { new_owner: 'veiled' } })).status).toBeOneOf([403, 404])
  })

  test('keeps out who works on it at that moment and may not afterwards: a commit that is being made, and a body that is being sent', async () => {
    await ask('bob', 'POST /orgs/mill/repos', { name: 'busy', auto_init: true })
    await ask('bob', `PUT /teams/${mill.few}/repos/mill/busy`)
    let send = () => {}
    const slow = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('{"title":"'))
        send = () => {
          controller.enqueue(Buffer.from('Late"}'))
          controller.close()
        }
      },
    })
    const headers = { Authorization: `token ${forge.token('dora', 'all')}`, 'Content-Type': 'application/json' }
    const issue = forge.app.handle(new Request('http://localhost/api/v1/repos/mill/busy/issues', { method: 'POST', headers, body: slow }))
    const { git } = forge.context
    const make = git.make.bind(git)
    // The commit lies ready when the repository goes.
    git.make = async (...input) => {
      git.make = make
      const made = await make(...input)
      await ask('bob', 'POST /repos/mill/busy/transfer', { new_owner: 'bob' })
      await ask('bob', 'PATCH /repos/bob/busy', { private: true })
      return made
    }
    const commit = await ask('dora', 'POST /repos/mill/busy/contents/late.txt', { content: btoa('late') })
    await Bun.sleep(150)
    send()
    expect([commit.status, (await issue).status]).toEqual([403, 404])
    expect((await ask('bob', 'GET /repos/bob/busy/contents/late.txt')).status).toBe(404)
    expect((await ask('bob', 'GET /repos/bob/busy/issues/1')).status).toBe(404)
  })
})
