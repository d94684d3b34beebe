import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Terms } from '#access/index.ts'
import { type DeclaredRoute, lineOf } from './routes.ts'
import { makeWorld, PASSED, type Subject, type ViewerName, viewerNames, type World } from './world.ts'

/**
 * Every route × everything of its kind × every viewer, from what the routes declare: a route added later is in it by itself.
 * Who is to be refused asks the forge itself; who is let in asks the probe, which stops before anything is done.
 */

/** The more routes there are, the longer a crawl takes. */
setDefaultTimeout(60_000)

let world: World
let rowsBefore: Record<string, number>
beforeAll(async () => {
  world = await makeWorld()
  rowsBefore = countRows()
})
afterAll(() => world[Symbol.asyncDispose]())

type Verdict = 'passes' | 401 | 403 | 404

const levels = ['none', 'read', 'write', 'admin', 'owner']
const roles = ['none', 'visible', 'member', 'owner']

type Rule = (asks: string, standing: string, viewer: ViewerName) => Verdict

/** What the contract has the gate answer: hidden things are 404 before anything, then 401 for visitors, 403 for the others. */
const verdicts: Record<string, Rule> = {
  anyone: () => 'passes',
  signedIn: (_, __, viewer) => (viewer === 'visitor' ? 401 : 'passes'),
  passwordHolder: () => 401,
  siteAdmin: (_, __, viewer) => (viewer === 'visitor' ? 401 : viewer === 'root' ? 'passes' : 403),
  repo: (asks, standing, viewer) => ranked(levels, asks.split(':').at(-1) as string, standing, viewer),
  org: (asks, standing, viewer) => ranked(roles, asks, standing, viewer),
  person: (asks, standing, viewer) => {
    const verdict = ranked(['none', 'visible', 'self'], asks.startsWith('visible') ? 'visible' : 'self', standing, viewer)
    return verdict === 'passes' && asks === 'selfByPassword' ? 401 : verdict
  },
  team: (asks, standing, viewer) => {
    if (viewer === 'visitor') return 401
    return standing === 'visible' ? 403 : ranked(roles, asks, standing, viewer)
  },
}

function ranked(order: string[], need: string, standing: string, viewer: ViewerName): Verdict {
  if (standing === 'none') return 404
  if (order.indexOf(standing) >= order.indexOf(need)) return 'passes'
  return viewer === 'visitor' ? 401 : 403
}

const nothing: Subject = { name: '', params: {}, standing: {} }

function subjectsOf({ kind, asks }: Terms): Subject[] {
  const subjects = world.subjects[kind] ?? [nothing]
  return asks === 'visibleOrOrg' ? [...subjects, ...world.subjects.org.map(asAccount)] : subjects
}

/** An organization where a path takes any account's name: to be seen or not. */
function asAccount({ name, params, standing }: Subject): Subject {
  const sight = Object.entries(standing).map(([viewer, one]) => [viewer, one === 'none' ? 'none' : 'visible'])
  return { name, params: { username: params.org as string }, standing: Object.fromEntries(sight) }
}

/** Cells that came out otherwise, as lines to read. */
async function wrongCells(route: DeclaredRoute, ask: (line: string, viewer: ViewerName, expected: Verdict) => Promise<string | undefined>): Promise<string[]> {
  const wrong: string[] = []
  const rule = verdicts[route.terms.kind] as Rule
  for (const subject of subjectsOf(route.terms)) {
    for (const viewer of viewerNames) {
      const expected = rule(route.terms.asks, subject.standing[viewer] ?? 'none', viewer)
      const complaint = await ask(lineOf(route, subject.params), viewer, expected)
      if (complaint) wrong.push(`${viewer} → ${subject.name || route.line}: ${complaint}`)
    }
  }
  return wrong
}

function countRows(): Record<string, number> {
  const tables = world.forge.context.db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
  return Object.fromEntries(tables.map(({ name }) => [name, world.forge.context.db.find<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`)?.n ?? 0]))
}

test('each route answers each viewer as it declares', async () => {
  const wrong: string[] = []
  for (const route of world.routes) {
    const cells = await wrongCells(route, async (line, viewer, expected) => {
      const options = { as: world.people[viewer] }
      if (expected === 'passes') {
        const status = await world.probe(line, options)
        return status === PASSED || status === 422 || status === 400 ? undefined : `is let in by its terms, got ${status}`
      }
      const { status } = await world.forge.asUser(options.as).send(line)
      return status === expected ? undefined : `expected ${expected}, got ${status}`
    })
    wrong.push(...cells.map((cell) => `${route.line} (${route.terms.kind} ${route.terms.asks}): ${cell}`))
  }
  expect(wrong).toEqual([])
})

/**
 * In git's manners: who could see more by signing in is asked to, and what one may not read is not there. Whoever may read may push
 * something, namely proposals; that they push nothing else is asked of each ref, and tested beside that.
 */
function gitVerdict(service: string, standing: string, viewer: ViewerName): Verdict {
  const verdict = ranked(levels, 'read', standing, viewer)
  return viewer === 'visitor' && (verdict !== 'passes' || service === 'git-receive-pack') ? 401 : verdict
}

test("each of git's own paths answers each viewer as its service asks", async () => {
  const wrong: string[] = []
  for (const route of world.gitRoutes) {
    const services = route.terms.asks === 'query' ? ['git-upload-pack', 'git-receive-pack'] : [route.terms.asks]
    for (const service of services) {
      for (const { params, standing } of world.subjects.repo) {
        for (const viewer of viewerNames) {
          const line = lineOf(route, { ...params, repo: `${params.repo}.git` })
          const token = world.people[viewer]?.token
          const request = new Request(`http://localhost${line.slice(line.indexOf(' ') + 1)}?service=${service}`, {
            method: route.method,
            headers: token === undefined ? {} : { Authorization: `Basic ${btoa(`${viewer}:${token}`)}` },
          })
          const { status } = await world.forge.app.handle(request)
          const expected = gitVerdict(service, standing[viewer] ?? 'none', viewer)
          if (expected === 'passes' ? ![200, 415].includes(status) : status !== expected)
            wrong.push(`${viewer} → ${line} for ${service}: expected ${expected}, got ${status}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

test('whoever was refused changed nothing', () => {
  expect(countRows()).toEqual(rowsBefore)
})
