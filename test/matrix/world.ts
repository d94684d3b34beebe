import { Elysia } from 'elysia'
import { createToken } from '#people/users/index.ts'
import { api, type CallOptions, type Person, type TestForge, testForge } from '../harness.ts'
import { type DeclaredRoute, declaredRoutes, gitRoutes } from './routes.ts'

/** Who asks: one column of the matrix each. Every one of them but the visitor holds a token of all scopes. */
export const viewerNames = ['visitor', 'stranger', 'restricted', 'reader', 'writer', 'admin', 'owner', 'member', 'teammate', 'orgOwner', 'root'] as const
export type ViewerName = (typeof viewerNames)[number]

/** In the names and descriptions of all that is private: no list, count or message may carry it to an outsider. */
export const CANARY = 'canary'
const PRIVATE_ORG = `${CANARY}-org`
const PRIVATE_PERSON = `${CANARY}-person`
const HIDDEN = `${CANARY}-repo`
/** A public person whose memberships are concealed, and who has nothing else to do with what belongs to organizations. */
export const CONCEALED = 'teammate'
export const PASSWORD = 'correct horse battery'
/** What the probe answers for a request that the gate let through. */
export const PASSED = 299

/** Something a route can be about, with what its path needs and what each viewer is to it; who is not named is a stranger to it. */
export interface Subject {
  name: string
  params: Record<string, string>
  standing: Partial<Record<ViewerName, string>>
}

export interface World extends AsyncDisposable {
  forge: TestForge
  /** Every route of the API. */
  routes: DeclaredRoute[]
  gitRoutes: DeclaredRoute[]
  people: Record<ViewerName, Person | undefined>
  /** Whose account is private, and who has a part in much that is public. */
  hidden: Person
  /** By the gate macro's name. */
  subjects: { repo: Subject[]; org: Subject[]; [kind: string]: Subject[] }
  /** The gate's verdict alone: whoever passes gets `PASSED`, or a 4xx where the request itself is not valid, and nothing is done. */
  probe(line: string, options?: CallOptions): Promise<number>
}

const everyone = (standing: string): Record<ViewerName, string> => Object.fromEntries(viewerNames.map((name) => [name, standing])) as Record<ViewerName, string>

/** One forge with repositories, people, organizations and a team of each visibility that matters. */
export async function makeWorld(): Promise<World> {
  // Wrong passwords are tried on every route.
  const forge = testForge({ security: { SIGN_IN_FAILURES: 0 } })
  const people: World['people'] = { ...everyone(''), visitor: undefined } as never
  for (const name of viewerNames.slice(1)) {
    people[name] = await forge.person(name, {
      isAdmin: name === 'root',
      isRestricted: name === 'restricted',
      password: name === 'owner' ? PASSWORD : undefined,
    })
  }
  const repos = await makeRepos(forge, people)
  const { hidden, limited, person } = await makePeople(forge)
  const { orgs, shown } = await makeOrgs(forge, people)
  const team = [...(await makeTeams(forge, people)), shown.team]
  const subjects = { repo: [...repos, shown.repo], person, org: orgs, team }
  for (const one of [hidden, limited]) await involve(forge, people, one, shown.team.params.id as string)
  for (const { params } of subjects.repo) await discuss(forge, people, `/repos/${params.owner}/${params.repo}`)
  const gate = new Elysia({ normalize: false, handler: { standardHostname: false } }).onBeforeHandle(
    { as: 'global' },
    () => new Response(null, { status: PASSED }),
  )
  for (const part of await forge.app.parts()) gate.use(part)
  return {
    forge,
    routes: await declaredRoutes(forge.app),
    gitRoutes: await gitRoutes(forge.app),
    people,
    hidden,
    subjects,
    probe: async (line, options) => (await api(gate as never, line, options)).status,
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  }
}

type People = World['people']

/** A token of somebody's for repositories and issues, limited to one of the owner's repositories. */
export function limitedToken({ forge, people }: World, who: ViewerName, repo: string): string {
  const { row } = people[who] as Person
  const limits = { repositories: [{ owner: 'owner', name: repo }] }
  return createToken(forge.context, row, crypto.randomUUID(), ['write:repository', 'write:issue'], limits).token
}

/** Calls what must succeed for the world to stand. */
async function make<T = { id: number }>(forge: TestForge, line: string, as: Person | undefined, body: unknown): Promise<T> {
  const reply = await forge.asUser(as).send<T>(line, { body })
  if (reply.status >= 300) throw new Error(`Cannot set up the world: ${line} answers ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

async function makeRepos(forge: TestForge, people: People): Promise<Subject[]> {
  const roles = { reader: 'read', writer: 'write', admin: 'admin' } as const
  const granted = { ...roles, owner: 'owner', root: 'owner' }
  const subjects: Subject[] = []
  for (const name of [HIDDEN, 'open']) {
    const repo = await make(forge, 'POST /user/repos', people.owner, {
      name,
      private: name === HIDDEN,
      description: name === HIDDEN ? CANARY : '',
      auto_init: true,
    })
    for (const [who, permission] of Object.entries(roles)) await make(forge, `PUT /repos/owner/${name}/collaborators/${who}`, people.owner, { permission })
    const others = name === 'open' ? { ...everyone('read'), restricted: 'none' } : everyone('none')
    subjects.push({ name: `owner/${name}`, params: { owner: 'owner', repo: name, id: String(repo.id) }, standing: { ...others, ...granted } })
  }
  return subjects
}

async function makePeople(forge: TestForge): Promise<{ hidden: Person; limited: Person; person: Subject[] }> {
  const limited = await forge.person('limited', { visibility: 'limited' })
  const hidden = await forge.person(PRIVATE_PERSON, { visibility: 'private', fullName: CANARY })
  const all = { ...everyone('visible'), root: 'self' }
  const person = [
    { name: 'a public person', params: { username: 'owner' }, standing: { ...all, owner: 'self' } },
    { name: 'a limited person', params: { username: 'limited' }, standing: { ...all, visitor: 'none', restricted: 'none' } },
    { name: 'a private person', params: { username: PRIVATE_PERSON }, standing: { ...everyone('none'), root: 'self' } },
  ]
  return { hidden, limited, person }
}

/** Brings somebody hidden wherever lists tell of people: among collaborators, stars, watches, follows, members, and those who may be asked to work. */
async function involve(forge: TestForge, { root }: People, hidden: Person, teamId: string): Promise<void> {
  const { name } = hidden
  await make(forge, `PUT /repos/owner/open/collaborators/${name}`, root, { permission: 'write' })
  await make(forge, 'PUT /user/starred/owner/open', hidden, undefined)
  await make(forge, 'PUT /repos/owner/open/subscription', hidden, undefined)
  await make(forge, 'PUT /user/following/owner', hidden, undefined)
  await make(forge, `PUT /user/following/${name}`, root, undefined)
  await make(forge, `PUT /teams/${teamId}/members/${name}`, root, undefined)
  await make(forge, `PUT /orgs/public-org/public_members/${name}`, hidden, undefined)
}

/** An issue with all that issues carry; in the private repository the canary is in every text, and what stands there refers to the public one. */
async function discuss(forge: TestForge, { root, owner }: People, repo: string): Promise<void> {
  const isHidden = repo.includes(CANARY)
  const word = isHidden ? CANARY : 'open'
  const label = await make(forge, `POST ${repo}/labels`, root, { name: word, color: '#aabbcc' })
  const milestone = await make(forge, `POST ${repo}/milestones`, root, { title: word })
  const issue = { title: word, body: `${word} in owner/open#1 and owner/open#2`, labels: [label.id], milestone: milestone.id }
  for (const title of [word, `Another ${word}`]) await make(forge, `POST ${repo}/issues`, root, { ...issue, title })
  await make(forge, `POST ${repo}/issues/1/comments`, owner, { body: `${word} of owner/open#1` })
  await make(forge, `POST ${repo}/issues/1/reactions`, root, { content: 'heart' })
  await make(forge, `POST ${repo}/issues/1/times`, root, { time: 60 })
  await make(forge, `PUT ${repo}/issues/1/subscriptions/root`, root, undefined)
  for (const index of isHidden ? [] : [1, 2]) {
    const hidden = { owner: 'owner', repo: HIDDEN, index }
    await make(forge, `POST ${repo}/issues/${index}/dependencies`, root, hidden)
  }
}

/** One of each visibility, and of the public one what everybody sees of it: a repository, and the team that writes there. */
async function makeOrgs(forge: TestForge, people: People): Promise<{ orgs: Subject[]; shown: { repo: Subject; team: Subject } }> {
  const inside = { member: 'member', teammate: 'member', orgOwner: 'owner', root: 'owner' }
  const outside = { public: everyone('visible'), limited: { ...everyone('visible'), visitor: 'none', restricted: 'none' }, private: everyone('none') }
  const orgs: Subject[] = []
  const teams: number[] = []
  for (const [visibility, others] of Object.entries(outside)) {
    const org = visibility === 'private' ? PRIVATE_ORG : `${visibility}-org`
    await make(forge, 'POST /orgs', people.orgOwner, { username: org, visibility, description: visibility === 'private' ? CANARY : '' })
    const team = await make(forge, `POST /orgs/${org}/teams`, people.orgOwner, {
      name: 'all',
      permission: 'write',
      units: ['repo.code', 'repo.issues', 'repo.pulls', 'repo.releases', 'repo.wiki'],
      includes_all_repositories: true,
    })
    teams.push(team.id)
    for (const name of ['member', 'teammate']) await make(forge, `PUT /teams/${team.id}/members/${name}`, people.orgOwner, undefined)
    orgs.push({ name: org, params: { org }, standing: { ...others, ...inside } })
  }
  const repo = await make(forge, 'POST /orgs/public-org/repos', people.orgOwner, { name: 'tools' })
  const roles = { member: 'write', teammate: 'write', orgOwner: 'owner', root: 'owner' }
  const shown = {
    repo: {
      name: 'public-org/tools',
      params: { owner: 'public-org', repo: 'tools', id: String(repo.id) },
      standing: { ...everyone('read'), restricted: 'none', ...roles },
    },
    team: { name: 'a team of public-org', params: { id: String(teams[0]) }, standing: { ...inTeam, teammate: 'member' } },
  }
  return { orgs, shown }
}

const inTeam = { ...everyone('none'), visitor: 'visitor', member: 'member', orgOwner: 'owner', root: 'owner' }

/** One team beside the one that everybody in the organization is in. */
async function makeTeams(forge: TestForge, people: People): Promise<Subject[]> {
  const team = await make(forge, `POST /orgs/${PRIVATE_ORG}/teams`, people.orgOwner, {
    name: `${CANARY}-team`,
    permission: 'write',
    units: ['repo.code', 'repo.issues'],
  })
  await make(forge, `PUT /teams/${team.id}/members/teammate`, people.orgOwner, undefined)
  return [
    {
      name: `a team of ${PRIVATE_ORG}`,
      params: { id: String(team.id) },
      standing: { ...inTeam, member: 'visible', teammate: 'member' },
    },
  ]
}
