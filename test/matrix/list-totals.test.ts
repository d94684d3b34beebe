import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Reply } from '../harness.ts'
import { type DeclaredRoute, lineOf } from './routes.ts'
import { makeWorld, PASSWORD, type World } from './world.ts'

/** Every list of the API × its headers. */

/** The more routes there are, the longer a crawl takes. */
setDefaultTimeout(60_000)

let world: World
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = await makeWorld()
  const make = async (line: string, body: unknown = {}) => {
    const reply = await world.forge.asUser(world.people.owner).send<{ id: number }>(line, { body })
    if (reply.status >= 300) throw new Error(`Cannot set up the lists: ${line} returns ${reply.status} ${JSON.stringify(reply.body)}`)
    return String(reply.body.id)
  }
  const repo = '/repos/owner/open'
  const file = { branch: 'main', new_branch: 'topic', message: 'Add a file', content: btoa('text\n') }
  await make(`POST ${repo}/contents/file.txt`, file)
  await make(`POST ${repo}/pulls`, { title: 'Topic', head: 'topic', base: 'main' })
  ids.comment = await make(`POST ${repo}/issues/1/comments`, { body: 'A comment' })
  ids.review = await make(`POST ${repo}/pulls/3/reviews`, { event: 'COMMENT', body: 'x', comments: [{ path: 'file.txt', body: 'x', new_position: 1 }] })
  ids.release = await make(`POST ${repo}/releases`, { tag_name: 'v1', target_commitish: 'main' })
  const readme = await world.forge.asUser(world.people.owner).get<{ sha: string }>(`${repo}/contents/README.md`)
  options['/repos/:owner/:repo/git/blobs'] = { query: `shas=${readme.body.sha}` }
  await make(`POST ${repo}/wiki/new`, { title: 'Home', content_base64: btoa('text') })
})
afterAll(() => world[Symbol.asyncDispose]())

/** What stands for the parameters of a path. */
function valuesFor(path: string): Record<string, string> {
  const id = path.includes('/pulls/') ? ids.review : path.includes('/releases/') ? ids.release : ids.comment
  const values = {
    owner: 'owner',
    repo: 'open',
    org: 'public-org',
    username: 'owner',
    user: 'owner',
    ref: 'main',
    sha: 'main',
    name: 'Default',
    id: id as string,
  }
  return {
    ...values,
    index: path.includes('/pulls/') ? '3' : '1',
    '*': path.endsWith('/git/refs/*') ? 'heads' : path.endsWith('/commits/*') ? 'main/statuses' : '',
  }
}

/** Lists that are not there for this repository or without a password. */
const options: Record<string, { repo?: string; password?: true; query?: string }> = {
  '/repos/:owner/:repo/teams': { repo: 'public-org/tools' },
  '/users/:username/tokens': { password: true },
  '/repos/:owner/:repo/file-contents': { query: 'body={"files":["README.md"]}' },
}

/** Each list with what it returned. */
async function* askAll(query: string): AsyncGenerator<{ route: DeclaredRoute; reply: Reply<unknown> }> {
  for (const route of world.routes.filter(({ isList }) => isList)) {
    const { repo: place = 'owner/open', password, query: own = '' } = options[route.path] ?? {}
    const [owner, repo] = place.split('/') as [string, string]
    const values = { ...valuesFor(route.path), owner, repo, ...(route.path.startsWith('/teams/') ? world.subjects.team?.at(-1)?.params : {}) }
    const signedIn = password ? { headers: { Authorization: `Basic ${btoa(`owner:${PASSWORD}`)}` } } : { as: world.people.root }
    yield { route, reply: await world.forge.asUser(signedIn.as).send(`${lineOf(route, values)}?${[own, query].filter(Boolean).join('&')}`, signedIn) }
  }
}

test('every list sends how many items there are, and lets scripts of other origins read it', async () => {
  const problems: string[] = []
  let lists = 0
  for await (const { route, reply } of askAll('')) {
    const { status, body, headers } = reply
    const items = body ?? []
    // A directory's listing or a file; the statuses of a commit, or all of them as one.
    if (status === 200 && !Array.isArray(items)) continue
    lists++
    const total = headers.get('X-Total-Count')
    if (!Array.isArray(items)) problems.push(`${route.path}: ${status} ${JSON.stringify(body).slice(0, 100)}`)
    else if (!/^\d+$/.test(total ?? '') || Number(total) < items.length) problems.push(`${route.path}: X-Total-Count is ${total} for ${items.length} items`)
    else if (!headers.get('Access-Control-Expose-Headers')?.includes('X-Total-Count')) problems.push(`${route.path}: X-Total-Count is not exposed`)
  }
  expect(problems).toEqual([])
  expect(lists).toBeGreaterThan(110)
})

test('a page of a list says how many items there are on all pages, and where the next ones are', async () => {
  const totals = new Map<string, string | null>()
  for await (const { route, reply } of askAll('')) totals.set(route.path, reply.headers.get('X-Total-Count'))
  const problems: string[] = []
  for await (const { route, reply } of askAll('limit=1')) {
    if (route.query?.properties?.limit === undefined) continue
    const [total, link] = [reply.headers.get('X-Total-Count'), reply.headers.get('Link') ?? '']
    if (total !== totals.get(route.path)) problems.push(`${route.path}: X-Total-Count is ${total} with limit=1, else ${totals.get(route.path)}`)
    if (Number(total) > 1 !== link.includes('rel="next"')) problems.push(`${route.path}: Link is ${link} for ${total} items`)
    if (Array.isArray(reply.body) && reply.body.length > 1) problems.push(`${route.path}: ${reply.body.length} items with limit=1`)
  }
  expect(problems).toEqual([])
})
