import { afterAll, beforeAll, expect, test } from 'bun:test'
import { accessTo, anonymous } from '#access/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { explain } from './explain.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let root: Person
let hers: TestBrowser
const people = new Map<string, Person>()

beforeAll(async () => {
  ada = await forge.person('ada')
  root = await forge.person('root1', { isAdmin: true })
  for (const [name, more] of [
    ['stranger', {}],
    ['restricted', { isRestricted: true }],
    ['reader', {}],
    ['restrictedreader', { isRestricted: true }],
    ['writer', {}],
    ['chief', {}],
    ['member', {}],
    ['coder', {}],
    ['teamadmin', {}],
    ['barred', {}],
  ] as const)
    people.set(name, await forge.person(name, more))
  people.set('ada', ada)
  people.set('root1', root)
  for (const [name, visibility] of [
    ['acme', 'public'],
    ['guild', 'limited'],
    ['lodge', 'private'],
  ] as const) {
    await post('/orgs', { username: name, visibility })
    for (const isPrivate of [false, true]) await post(`/orgs/${name}/repos`, { name: isPrivate ? 'hidden' : 'open', private: isPrivate, auto_init: true })
    await team(name, 'members', { permission: 'read', units_map: { 'repo.wiki': 'read' } }, ['member'])
    await team(name, 'coders', { permission: 'write', units_map: { 'repo.code': 'write', 'repo.issues': 'read' }, includes_all_repositories: true }, ['coder'])
    await team(name, 'chiefs', { permission: 'admin', includes_all_repositories: true }, ['teamadmin'])
  }
  for (const isPrivate of [false, true]) await post('/user/repos', { name: isPrivate ? 'hidden' : 'open', private: isPrivate, auto_init: true })
  await post('/user/repos', { name: 'shelved', auto_init: true })
  for (const repo of [...['acme', 'guild', 'lodge'].flatMap((org) => [`${org}/open`, `${org}/hidden`]), 'ada/open', 'ada/hidden', 'ada/shelved']) {
    for (const [name, permission] of [
      ['reader', 'read'],
      ['restrictedreader', 'read'],
      ['writer', 'write'],
      ['chief', 'admin'],
    ] as const)
      expect((await asAda.put(`/repos/${repo}/collaborators/${name}`, { permission })).status).toBe(204)
  }
  await asAda.patch('/repos/ada/shelved', { archived: true, has_wiki: false })
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

async function post(path: string, body: unknown): Promise<{ id: number }> {
  const made = await asAda.post<{ id: number }>(path, body)
  if (made.status !== 201) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`)
  return made.body
}

async function team(org: string, name: string, more: object, members: string[]): Promise<void> {
  const { id } = await post(`/orgs/${org}/teams`, { name, ...more })
  for (const one of members) expect((await asAda.put(`/teams/${id}/members/${one}`)).status).toBe(204)
}

function explained(fullName: string, who: string | undefined) {
  const id = forge.context.db.find<{ id: number }>(
    "SELECT repository.id FROM repository JOIN user ON user.id = owner_id WHERE user.name || '/' || repository.name = ?",
    fullName,
  )?.id
  const repo = accessTo(forge.context.db, anonymous, id ?? 0)
  if (!repo) throw new Error(`There is no ${fullName}`)
  return explain(forge.context, repo, who === undefined ? undefined : people.get(who)?.row)
}

/** What a level of a part lets through, asked by a request that changes nothing, as its body is no good. */
const probes = [
  ['code', 'read', 'GET', '/branches', undefined],
  ['code', 'write', 'POST', '/branches', {}],
  ['issues', 'read', 'GET', '/issues/comments', undefined],
  ['issues', 'write', 'DELETE', '/labels/0', undefined],
  ['wiki', 'read', 'GET', '/wiki/pages', undefined],
  ['code', 'admin', 'GET', '/hooks', undefined],
] as const
const order = ['off', 'none', 'read', 'write', 'admin', 'owner']

test('what is said of everybody, in repositories of every kind, is what the gate does', async () => {
  const repos = [...['acme', 'guild', 'lodge', 'ada'].flatMap((owner) => [`${owner}/open`, `${owner}/hidden`]), 'ada/shelved']
  const wrong: string[] = []
  for (const repo of repos) {
    for (const who of [undefined, ...people.keys()]) {
      const { units, level } = explained(repo, who)
      const of = new Map<string, string>(units)
      for (const [unit, needed, method, path, body] of probes) {
        const { status } = await forge.asUser(who === undefined ? undefined : people.get(who)).send(`${method} /repos/${repo}${path}`, { body })
        const have = needed === 'admin' ? level : (of.get(unit) as string)
        const isLetIn = ![401, 403, 423].includes(status) && !(status === 404 && order.indexOf(of.get(unit) as string) < 2)
        const isSaid = order.indexOf(have) >= order.indexOf(needed)
        if (isSaid !== isLetIn) wrong.push(`${who ?? 'visitor'} in ${repo}: ${unit} ${have}, but ${method} ${path} is ${status}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

const reasons: [repo: string, who: string | undefined, reasons: string[], teams: string[]][] = [
  ['ada/open', undefined, ['open'], []],
  ['ada/hidden', undefined, ['private'], []],
  ['guild/open', undefined, ['ownerHidden'], []],
  ['ada/open', 'restricted', ['restricted'], []],
  ['ada/open', 'restrictedreader', ['collaborator', 'restricted'], []],
  ['ada/hidden', 'writer', ['collaborator', 'private'], []],
  ['ada/hidden', 'ada', ['isOwner'], []],
  ['ada/hidden', 'root1', ['siteAdmin'], []],
  ['lodge/open', 'stranger', ['ownerHidden'], []],
  ['acme/hidden', 'coder', ['private'], ['coders']],
  ['acme/hidden', 'teamadmin', ['private'], ['chiefs']],
]
test.each(reasons)('in %s %s is told why: %j, and teams %j', (repo, who, why, teams) => {
  expect(explained(repo, who)).toMatchObject({ reasons: why, teams })
})

test('who may not sign in at all sees nothing, and what is archived or switched off is said', async () => {
  forge.context.db.tx((tx) => tx.run('UPDATE user SET prohibit_login = 1 WHERE id = ?', people.get('barred')?.row.id ?? 0))
  people.set('barred', { ...(people.get('barred') as Person), row: forge.context.db.find('SELECT * FROM user WHERE name = ?', 'barred') as Person['row'] })
  expect(explained('ada/open', 'barred')).toMatchObject({ level: 'none', limits: [expect.stringContaining('prohibited')] })
  const shelved = explained('ada/shelved', 'writer')
  expect(shelved.limits).toEqual([expect.stringContaining('archived')])
  expect(Object.fromEntries(shelved.units)).toMatchObject({ code: 'read', wiki: 'off', issues: 'write' })
})

test('a server that wants everybody to sign in shows visitors nothing', async () => {
  await using closed = testForge({ service: { REQUIRE_SIGNIN_VIEW: true } })
  const owner = await closed.person('owner')
  closed.repo(owner, 'open')
  const { text } = await new TestBrowser(closed, owner).get('/owner/open/settings/access?who=visitor')
  expect(text).toContain('This server requires signing in to see anything.')
  expect(text).toContain('<strong>Anonymous visitors</strong>: no access to this repository')
})

test('the page names owner, teams, collaborators, keys and tokens, for administrators alone, and tells nothing of whom they may not see', async () => {
  await forge.person('secretive', { visibility: 'private' })
  const { text } = await hers.get('/acme/hidden/settings/access?name=coder')
  for (const part of [
    'coders',
    'Code: write, Issues: read',
    'chief',
    'collaborator',
    'Site administrators (',
    'Additional permissions come from the acme team coders.',
  ])
    expect(text).toContain(part)
  expect((await new TestBrowser(forge, people.get('writer')).get('/acme/hidden/settings/access')).status).toBe(403)
  expect((await new TestBrowser(forge).get('/acme/hidden/settings/access')).status).toBe(404)
  const nobody = (await hers.get('/ada/open/settings/access?name=nobodyatall')).text
  const secret = (await hers.get('/ada/open/settings/access?name=secretive')).text
  expect(secret.replaceAll('secretive', 'nobodyatall')).toBe(nobody)
  expect(nobody).toContain('User “nobodyatall” not found. The user may not exist, or you may not have permission to see the account.')
})

test('of very many teams, collaborators and keys each is on some page of its list', async () => {
  const repo = forge.repo(ada, 'crowded')
  forge.context.db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>('SELECT * FROM user WHERE id = ?', people.get('stranger')?.row.id ?? 0) ?? {}
    for (let i = 0; i < 130; i++) {
      const name = `guest-${100 + i}`
      const id = tx.insert('user', { ...row, name, lower_name: name, email: `${name}@example.org` })
      tx.insert('collaboration', { repo_id: repo.id, user_id: id, level: 'read' })
    }
  })
  const namesOn = async (query: string) => new Set((await hers.get(`/ada/crowded/settings/access${query}`)).text.match(/(?<=<a href="\/)guest-\d+/g))
  const [first, second] = [await namesOn(''), await namesOn('?people=2')]
  expect([first.size, second.size, first.union(second).size]).toEqual([100, 30, 130])
  expect((await hers.get('/ada/crowded/settings/access')).text).toContain('<a rel="next" href="/ada/crowded/settings/access?people=2">More collaborators</a>')
})
