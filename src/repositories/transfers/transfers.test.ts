import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
const bob = forge.asUser('bob')
const asAda = forge.asUser('ada')
const carl = forge.asUser('carl')
const dora = forge.asUser('dora')
const eve = forge.asUser('eve')
afterAll(() => forge[Symbol.asyncDispose]())
let ada: Person
let mill: { all: number; few: number }
beforeAll(async () => {
  ada = await forge.person('ada')
  for (const name of ['bob', 'carl', 'dora', 'eve', 'full']) await forge.person(name)
  forge.context.db.tx((tx) => tx.run("UPDATE user SET max_repo_creation = 0 WHERE name = 'full'"))
  await forge.person('root', { isAdmin: true })
  await bob.post('/orgs', { username: 'mill' })
  await eve.post('/orgs', { username: 'veiled', visibility: 'private' })
  const team = (name: string, more: object) => bob.post<{ id: number }>('/orgs/mill/teams', { name, permission: 'write', units: ['repo.code'], ...more })
  mill = { all: (await team('makers', { can_create_org_repo: true })).body.id, few: (await team('few', {})).body.id }
  await bob.put(`/teams/${mill.all}/members/carl`)
  await bob.put(`/teams/${mill.few}/members/dora`)
})

interface Repo {
  id: number
  full_name: string
  message?: string
  repo_transfer?: { doer: { login: string }; recipient: { login: string }; teams: { name: string }[] }
}
const transfer = (as: string | undefined, name: string, new_owner: string, more: object = {}) =>
  forge.asUser(as).post<Repo>(`/repos/ada/${name}/transfer`, { new_owner, ...more })
const isSeenBy = async (who: string, path: string) => (await forge.asUser(who).get(`/repos/${path}`)).status === 200

/** Makes a private repository of ada's in which dora writes. */
async function makePrivate(name: string): Promise<number> {
  const { id } = forge.repo(ada, name, { private: true })
  await asAda.put(`/repos/ada/${name}/collaborators/dora`, { permission: 'write' })
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
    expect((await bob.get<Repo>('/repos/ada/offered')).body.repo_transfer?.recipient.login).toBe('bob')
    expect((await bob.get<{ data: Repo[] }>('/repos/search?q=offered')).body.data.map((repo) => repo.id)).toEqual([id])
    expect((await dora.get<Repo>('/repos/ada/offered')).body).not.toHaveProperty('repo_transfer')
    expect(await isSeenBy('carl', 'ada/offered')).toBe(false)
    expect((await bob.patch('/repos/ada/offered', { description: 'mine' })).status).toBe(403)
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
    for (const answer of ['accept', 'reject']) expect((await forge.asUser(who).post(`/repos/ada/${name}/transfer/${answer}`)).status).toBe(status)
  })

  test('is one at a time', async () => {
    forge.repo(ada, 'single')
    await transfer('ada', 'single', 'bob')
    expect((await transfer('ada', 'single', 'carl')).status).toBe(409)
  })

  test('that is refused leaves all as it was', async () => {
    await makePrivate('refused')
    await transfer('ada', 'refused', 'bob')
    const rejected = await bob.post<Repo>('/repos/ada/refused/transfer/reject')
    expect([rejected.status, rejected.body.full_name]).toEqual([200, 'ada/refused'])
    expect((await asAda.get<Repo>('/repos/ada/refused')).body).not.toHaveProperty('repo_transfer')
    expect(await isSeenBy('bob', 'ada/refused')).toBe(false)
    expect((await asAda.post('/repos/ada/refused/transfer/accept')).status).toBe(404)
    expect((await dora.get('/repos/ada/refused')).status).toBe(200)
  })

  test('that is accepted changes the owner, and the old address leads to the new one', async () => {
    await makePrivate('accepted')
    await transfer('ada', 'accepted', 'bob')
    const accepted = await bob.post<Repo>('/repos/ada/accepted/transfer/accept')
    expect([accepted.status, accepted.body.full_name]).toEqual([202, 'bob/accepted'])
    expect(accepted.body).not.toHaveProperty('repo_transfer')
    const moved = await bob.get<Repo>('/repos/ada/accepted?x=1')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/api/v1/repos/bob/accepted?x=1'])
    expect((await bob.delete('/repos/ada/accepted')).status).toBe(307)
    expect(await isSeenBy('ada', 'bob/accepted')).toBe(false)
    expect(await isSeenBy('dora', 'bob/accepted')).toBe(true)
    const feed = await bob.get<{ op_type: string; content: string }[]>('/repos/bob/accepted/activities/feeds')
    expect(feed.body[0]).toMatchObject({ op_type: 'transfer_repo', content: 'ada/accepted' })
  })

  test.each([
    ['renamed', async (name: string) => void (await asAda.patch<Repo>(`/repos/ada/${name}`, { name: `${name}-2` }))],
    ['deleted', async (name: string) => void (await asAda.delete<Repo>(`/repos/ada/${name}`))],
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
    expect((await bob.post(`/repos/ada/${name}/transfer/accept`)).status).toBe(404)
    expect(forge.context.db.find('SELECT 1 FROM repository_transfer WHERE repo_id = ?', id)).toBeUndefined()
  })

  test('ends with the account that it was made to', async () => {
    await forge.person('gone')
    const { id } = forge.repo(ada, 'widowed')
    await transfer('ada', 'widowed', 'gone')
    expect((await forge.asUser('root').delete('/admin/users/gone')).status).toBe(204)
    expect((await asAda.get<Repo>('/repos/ada/widowed')).body).not.toHaveProperty('repo_transfer')
    expect(forge.context.db.find<{ is_in_transfer: number }>('SELECT is_in_transfer FROM repository WHERE id = ?', id)).toEqual({ is_in_transfer: 0 })
  })

  test('that two accept at once is accepted once', async () => {
    forge.repo(ada, 'twice')
    await transfer('ada', 'twice', 'mill')
    const answers = await Promise.all(['bob', 'carl'].map((who) => forge.asUser(who).post<Repo>('/repos/ada/twice/transfer/accept')))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 404])
    expect(await isSeenBy('bob', 'mill/twice')).toBe(true)
  })

  test('of which the name has been taken meanwhile stays an offer', async () => {
    forge.repo(ada, 'taken')
    await transfer('ada', 'taken', 'bob')
    await bob.post('/user/repos', { name: 'Taken' })
    expect((await bob.post('/repos/ada/taken/transfer/accept')).status).toBe(422)
    expect((await bob.get<Repo>('/repos/ada/taken')).body.repo_transfer?.recipient.login).toBe('bob')
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
    expect((await asAda.get<Repo>(`/repos/ada/${name}`)).body.full_name).toBe(`ada/${name}`)
  })

  test('is for owners', async () => {
    forge.repo(ada, 'owned')
    await asAda.put('/repos/ada/owned/collaborators/carl', { permission: 'admin' })
    expect((await transfer('carl', 'owned', 'carl')).status).toBe(403)
    expect((await transfer('dora', 'owned', 'dora')).status).toBe(403)
    expect((await transfer(undefined, 'owned', 'dora')).status).toBe(401)
  })

  test('to who has blocked one is refused', async () => {
    forge.repo(ada, 'unwanted')
    await eve.put('/user/blocks/ada')
    expect((await transfer('ada', 'unwanted', 'eve')).status).toBe(403)
    await eve.delete('/user/blocks/ada')
  })

  test('is done at once by who may make repositories there, with the teams it names; rights of members end, and watches of who sees it no more', async () => {
    const { body: org } = await carl.post<{ id: number }>('/orgs', { username: 'yard', visibility: 'private' })
    const team = async (name: string) => (await carl.post<{ id: number }>('/orgs/yard/teams', { name, permission: 'read', units: ['repo.code'] })).body.id
    const [chosen, other] = [await team('chosen'), await team('other')]
    await carl.put(`/teams/${chosen}/members/dora`)
    await carl.put(`/teams/${other}/members/eve`)
    await carl.post('/user/repos', { name: 'moved' })
    await carl.put('/repos/carl/moved/collaborators/eve', { permission: 'write' })
    await carl.put('/repos/carl/moved/collaborators/full', { permission: 'read' })
    await bob.put('/repos/carl/moved/subscription')
    const foreign = await carl.post<Repo>('/repos/carl/moved/transfer', { new_owner: 'yard', team_ids: [mill.few] })
    expect(foreign.status).toBe(403)
    const moved = await carl.post<Repo>('/repos/carl/moved/transfer', { new_owner: 'Yard', team_ids: [chosen, chosen] })
    expect([moved.status, moved.body.full_name, org.id > 0]).toEqual([202, 'yard/moved', true])
    const seen = await Promise.all(['dora', 'full', 'bob'].map((who) => isSeenBy(who, 'yard/moved')))
    expect(seen).toEqual([true, true, false])
    expect((await carl.get('/repos/yard/moved/collaborators/eve')).status).toBe(404)
    expect(forge.context.db.all('SELECT 1 FROM watch JOIN user ON user.id = user_id WHERE repo_id = ? AND name = ?', moved.body.id, 'bob')).toEqual([])
  })

  test('takes a repository from the teams of its organization, and their labels from its issues', async () => {
    const { body: repo } = await bob.post<Repo>('/orgs/mill/repos', { name: 'leaving' })
    await bob.put(`/teams/${mill.few}/repos/mill/leaving`)
    const { body: label } = await bob.post<Repo>('/orgs/mill/labels', { name: 'secret plan', color: '#aabbcc' })
    const { body: own } = await bob.post<Repo>('/repos/mill/leaving/labels', { name: 'own', color: '#aabbcc' })
    await bob.post('/repos/mill/leaving/issues', { title: 'One', labels: [label.id, own.id] })
    expect((await bob.post('/repos/mill/leaving/transfer', { new_owner: 'bob' })).status).toBe(202)
    await bob.patch('/repos/bob/leaving', { private: true })
    expect(await isSeenBy('dora', 'bob/leaving')).toBe(false)
    const issue = await bob.get<{ labels: { name: string }[] }>('/repos/bob/leaving/issues/1')
    expect(issue.body.labels.map(({ name }) => name)).toEqual(['own'])
    expect(JSON.stringify((await bob.get<Repo>('/repos/bob/leaving/issues/1/timeline')).body)).not.toContain('secret plan')
    expect((await bob.get<{ name: string; issue_count?: number }[]>('/orgs/mill/labels')).body.map(({ name }) => name)).toEqual(['secret plan'])
    expect(repo.id).toBeGreaterThan(0)
  })

  test('leaves stars and forks, and the place of an older redirect becomes its own', async () => {
    forge.repo(ada, 'starred')
    await dora.put('/user/starred/ada/starred')
    const { body: fork } = await dora.post<Repo>('/repos/ada/starred/forks', {})
    await forge.asUser('root').post('/repos/ada/starred/transfer', { new_owner: 'bob' })
    await bob.patch('/repos/bob/starred', { name: 'shining' })
    await forge.asUser('root').post('/repos/bob/shining/transfer', { new_owner: 'ada' })
    expect((await forge.get<{ stars_count: number; forks_count: number }>('/repos/ada/shining')).body).toMatchObject({ stars_count: 1, forks_count: 1 })
    for (const old of ['ada/starred', 'bob/starred', 'bob/shining']) {
      const answer = await bob.get<Repo>(`/repos/${old}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([301, '/api/v1/repos/ada/shining'])
    }
    expect((await forge.get<{ parent: Repo }>(`/repositories/${fork.id}`)).body.parent.full_name).toBe('ada/shining')
    const { body: again } = await asAda.post<Repo>('/user/repos', { name: 'starred' })
    expect((await asAda.get<Repo>('/repos/ada/starred')).body.id).toBe(again.id)
  })

  test('of what a token for public things could not see afterwards is refused', async () => {
    const narrow = forge.token('eve', 'all', 'public-only')
    await eve.post('/user/repos', { name: 'shown' })
    expect((await forge.asUser(narrow).post('/repos/eve/shown/transfer', { new_owner: 'veiled' })).status).toBeOneOf([403, 404])
  })

  test('keeps out who works on it at that moment and may not afterwards: a commit that is being made, and a body that is being sent', async () => {
    await bob.post('/orgs/mill/repos', { name: 'busy', auto_init: true })
    await bob.put(`/teams/${mill.few}/repos/mill/busy`)
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
      await bob.post('/repos/mill/busy/transfer', { new_owner: 'bob' })
      await bob.patch('/repos/bob/busy', { private: true })
      return made
    }
    const commit = await dora.post<Repo>('/repos/mill/busy/contents/late.txt', { content: btoa('late') })
    send()
    expect([commit.status, (await issue).status]).toEqual([403, 404])
    expect((await bob.get('/repos/bob/busy/contents/late.txt')).status).toBe(404)
    expect((await bob.get('/repos/bob/busy/issues/1')).status).toBe(404)
  })
})
