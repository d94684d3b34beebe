import { type Person, type TestForge, testForge } from '../harness.ts'
import { type DeclaredRoute, declaredRoutes, lineOf } from '../matrix/routes.ts'
import { median, timed } from './measure.ts'
import { seconds } from './report.ts'
import type { ServerFindings } from './server-cases.ts'
import { atMost } from './verdicts.ts'

/** How many of everything a store holds. */
interface Size {
  people: number
  orgs: number
  teamsEach: number
  repos: number
}

const small: Size = { people: 40, orgs: 20, teamsEach: 10, repos: 100 }
const large: Size = { people: 1000, orgs: 200, teamsEach: 25, repos: 10_000 }

const RUNS = 15
/** A page that is full in both stores, so that the answers are of one size. */
const QUERY = '?limit=10'
const MAX_LARGE_SECONDS = 0.02
const SHOWN = 12

/** Every list of the API in a small store and in a large one, for people to whom as much as possible belongs. */
export async function measureLists(): Promise<ServerFindings> {
  const [few, many] = [await timeLists(small), await timeLists(large)]
  const rows = [...many].map(([name, slow]) => ({ name, slow, factor: slow / (few.get(name) as number) })).sort((a, b) => b.slow - a.slow)
  return {
    verdicts: [atMost('slowest list of a large store', Number(rows[0]?.slow), MAX_LARGE_SECONDS, seconds)],
    notes: rows.slice(0, SHOWN).map(({ name, slow, factor }) => [name, `${seconds(slow)}, ${factor.toFixed(1)} × the small store's`]),
  }
}

/** The median time of each list, by route and viewer. */
async function timeLists(size: Size): Promise<Map<string, number>> {
  await using forge = testForge()
  const { root, busy, params } = await fill(forge, size)
  const found = new Map<string, number>()
  for (const route of (await declaredRoutes(forge.app)).filter(isList)) {
    for (const [who, as] of Object.entries({ root, busy, visitor: undefined })) {
      const line = lineOf(route, route.terms.kind === 'team' ? { id: params.team } : params) + QUERY
      if ((await forge.asUser(as).send(line)).status !== 200) continue
      const times: number[] = []
      for (let run = 0; run < RUNS; run++) times.push(await timed(() => forge.asUser(as).send(line)))
      found.set(`${route.line} (${who})`, median(times))
    }
  }
  return found
}

function isList({ method, query }: DeclaredRoute): boolean {
  return method === 'GET' && query?.properties?.page !== undefined
}

/** `busy` is in every organization, follows and is followed by everybody, and has starred and watches every repository. */
async function fill(forge: TestForge, { people, orgs, teamsEach, repos }: Size) {
  const root = await forge.person('root', { isAdmin: true })
  const busy = await forge.person('busy')
  const others: Person[] = []
  for (let n = 0; n < people - 2; n++) others.push(await forge.person(`person-${n}`))
  const ask = async (line: string, as: Person, body?: unknown) => {
    const { status, body: answer } = await forge.asUser(as).send<{ id: number; message: string }>(line, { body })
    if (status >= 300) throw new Error(`Cannot fill the store: ${line} answers ${status} ${answer.message}`)
    return answer
  }
  for (const other of others) {
    await ask(`PUT /user/following/${other.name}`, busy)
    await ask('PUT /user/following/busy', other)
  }
  let team = 0
  for (let n = 0; n < orgs; n++) {
    await ask('POST /orgs', busy, { username: `org-${n}`, visibility: n % 5 === 0 ? 'private' : 'public' })
    for (let k = 0; k < teamsEach; k++) {
      const made = await ask(`POST /orgs/org-${n}/teams`, busy, { name: `team-${k}`, permission: 'write', units: ['repo.code', 'repo.issues'] })
      team = made.id
      for (const member of [busy, others[(n * teamsEach + k) % others.length] as Person]) await ask(`PUT /teams/${team}/members/${member.name}`, busy)
    }
  }
  for (let n = 0; n < repos; n++) {
    const name = `repo-${n}`
    const body = { name, private: n % 5 === 0 }
    const owner = n % 2 === 0 ? 'busy' : `org-${n % orgs}`
    await ask(n % 2 === 0 ? 'POST /user/repos' : `POST /orgs/${owner}/repos`, busy, body)
    await ask(`PUT /user/starred/${owner}/${name}`, busy)
    await ask(`PUT /repos/${owner}/${name}/subscription`, busy)
  }
  return { root, busy, params: { username: 'busy', org: 'org-1', owner: 'busy', repo: 'repo-2', team: String(team) } }
}
