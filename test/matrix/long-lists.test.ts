import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { type DeclaredRoute, lineOf } from './routes.ts'
import { makeWorld, type World } from './world.ts'

/** Every list × where its pages are found: one that may be very long is gone over aside, where nobody waits for it. */

/** What these list is limited where it is made, or made one by one by administrators of the place. */
const SHORT = [
  ...['/orgs/:org/hooks', '/repos/:owner/:repo/hooks', '/admin/hooks', '/user/hooks', '/repos/:owner/:repo/topics'],
  ...['/user/principals', '/user/applications/oauth2'],
]

/** These are passed over in an index alone: a hundred thousand take a few milliseconds. */
const INDEXED = [
  ...['/repos/:owner/:repo/labels', '/orgs/:org/labels', '/repos/:owner/:repo/issues', '/repos/:owner/:repo/issues/:index/timeline'],
  ...['/repos/:owner/:repo/issues/:index/reactions', '/repos/:owner/:repo/branches', '/repos/:owner/:repo/tags'],
  ...['/repos/:owner/:repo/git/refs', '/repos/:owner/:repo/git/refs/*'],
]

/** The more routes there are, the longer a crawl takes. */
setDefaultTimeout(60_000)

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const PAGED = /\bOFFSET\b/

/** The pages that the main thread looks for itself while `work` is done. */
async function pagedInPlace(work: () => Promise<unknown>): Promise<string[]> {
  const { db } = world.forge.context
  const { askAside, all, askTogether } = db
  const seen: string[] = []
  let isAside = false
  const note = (sql: string) => {
    if (PAGED.test(sql) && !isAside) seen.push(sql)
  }
  // A small store is asked in place, before `askAside` first waits.
  const aside = spyOn(db, 'askAside').mockImplementation((questions, line) => {
    isAside = true
    const answers = askAside.call(db, questions, line)
    isAside = false
    return answers as never
  })
  const rows = spyOn(db, 'all').mockImplementation((sql, ...values) => {
    note(sql)
    return all.call(db, sql, ...values) as never
  })
  const together = spyOn(db, 'askTogether').mockImplementation((questions) => {
    for (const { sql } of Object.values(questions as Record<string, { sql: string }>)) note(sql)
    return askTogether.call(db, questions as never) as never
  })
  try {
    await work()
  } finally {
    for (const spy of [aside, rows, together]) spy.mockRestore()
  }
  return seen
}

/** Asks for what the route lists, as who may see all of it. */
async function ask(route: DeclaredRoute): Promise<void> {
  for (const { params } of world.subjects[route.terms.kind] ?? [{ params: {} }])
    await world.forge.asUser(world.people[route.terms.kind === 'siteAdmin' ? 'root' : 'owner']).send(lineOf(route, params))
}

test('pages of long lists are not looked for on the main thread', async () => {
  const found: string[] = []
  for (const route of world.routes.filter(({ method }) => method === 'GET')) {
    const [sql] = await pagedInPlace(() => ask(route))
    if (sql && ![...SHORT, ...INDEXED].includes(route.path)) found.push(`${route.path}: use pageAside for ${sql}`)
  }
  expect(found).toEqual([])
})
