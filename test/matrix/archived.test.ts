import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { units } from '#access/index.ts'
import { fillRepo, gitIn, testForge } from '../harness.ts'
import { type DeclaredRoute, declaredRoutes, lineOf } from './routes.ts'

/** Every route that changes something of a repository, asked by its owner when the repository is archived, and when its units are switched off. */

const forge = testForge()
let writing: DeclaredRoute[]
const path = '/repos/ada/engine'
const params: Record<string, string> = { owner: 'ada', repo: 'engine', index: '1', id: '1' }

beforeAll(async () => {
  const ada = await forge.person('ada')
  await forge.person('bob')
  writing = (await declaredRoutes(forge.app)).filter(({ method, terms }) => method !== 'GET' && terms.kind === 'repo')
  fillRepo(forge, forge.repo(ada, 'engine').id, (directory) => {
    writeFileSync(join(directory, 'a'), 'one\n')
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-qm', 'One')
    gitIn(directory, 'checkout', '-q', '-b', 'topic')
    writeFileSync(join(directory, 'a'), 'two\n')
    gitIn(directory, 'commit', '-qam', 'Two')
    gitIn(directory, 'checkout', '-q', 'main')
  })
  forge.repo(ada, 'other')
  for (const title of ['One', 'Two']) await make('POST', '/issues', { title })
  await make('POST', '/issues/1/comments', { body: 'Written' })
  await make('POST', '/pulls', { title: 'Topic', head: 'topic', base: 'main' })
  await make('POST', '/branch_protections', { rule_name: 'release/*' })
  await make('POST', '/tag_protections', { name_pattern: 'v*', whitelist_usernames: ['ada'] })
  await make('POST', '/hooks', { type: 'gitea', config: { url: 'http://localhost/x', content_type: 'json' } })
})
afterAll(() => forge[Symbol.asyncDispose]())

async function make(method: string, at: string, body: unknown): Promise<void> {
  const { status } = await forge.asUser('ada').send(`${method} ${path}${at}`, { body })
  if (status >= 300) throw new Error(`Cannot set up the repository: ${method} ${at} answers ${status}`)
}

/** What is not refused by what a route declares but by what it is about: with what it needs to come so far. */
const refusedWhenArchived: [line: string, body?: object][] = [
  ['POST /repos/:owner/:repo/contents', { files: [{ operation: 'create', path: 'b', content: '' }] }],
  ['POST /repos/:owner/:repo/contents/*', { content: '' }],
  ['PUT /repos/:owner/:repo/contents/*', { content: '' }],
  ['DELETE /repos/:owner/:repo/contents/*', { sha: '1'.repeat(40) }],
  ['POST /repos/:owner/:repo/diffpatch', { content: 'x' }],
  ['POST /repos/:owner/:repo/issues/:index/move', { owner: 'ada', repo: 'other' }],
  ['POST /repos/:owner/:repo/issues', { title: 'Three' }],
  ['POST /repos/:owner/:repo/issues/:index/comments', { body: 'More' }],
  ['PATCH /repos/:owner/:repo/issues/comments/:id', { body: 'Other' }],
  ['POST /repos/:owner/:repo/issues/:index/dependencies', { owner: 'ada', repo: 'engine', index: 2 }],
  ['DELETE /repos/:owner/:repo/issues/:index/dependencies', { owner: 'ada', repo: 'engine', index: 2 }],
  ['POST /repos/:owner/:repo/issues/:index/blocks', { owner: 'ada', repo: 'engine', index: 2 }],
  ['DELETE /repos/:owner/:repo/issues/:index/blocks', { owner: 'ada', repo: 'engine', index: 2 }],
  ['POST /repos/:owner/:repo/pulls', { title: 'Again', head: 'topic', base: 'main' }],
  ['POST /repos/:owner/:repo/pulls/:index/merge', { Do: 'merge' }],
  ['DELETE /repos/:owner/:repo/pulls/:index/merge'],
  ['POST /repos/:owner/:repo/branch_protections', { rule_name: 'main' }],
  ['POST /repos/:owner/:repo/branch_protections/priority', { ids: [1] }],
  ['PATCH /repos/:owner/:repo/branch_protections/*', { enable_push: true }],
  ['DELETE /repos/:owner/:repo/branch_protections/*'],
  ['POST /repos/:owner/:repo/tag_protections', { name_pattern: 'w*', whitelist_usernames: ['ada'] }],
  ['PATCH /repos/:owner/:repo/tag_protections/:id', { name_pattern: 'w*' }],
]

/** What goes on in an archived repository, as in Gitea, or is not about what it holds: its settings, and what people keep of it. */
const open = new Set([
  'PATCH /repos/:owner/:repo',
  'DELETE /repos/:owner/:repo',
  'POST /repos/:owner/:repo/transfer',
  'POST /repos/:owner/:repo/transfer/accept',
  'POST /repos/:owner/:repo/transfer/reject',
  'POST /repos/:owner/:repo/forks',
  'POST /repos/:owner/:repo/generate',
  'POST /repos/:owner/:repo/file-contents',
  'POST /repos/:owner/:repo/avatar',
  'DELETE /repos/:owner/:repo/avatar',
  'PUT /repos/:owner/:repo/collaborators/:collaborator',
  'DELETE /repos/:owner/:repo/collaborators/:collaborator',
  'PUT /repos/:owner/:repo/teams/:team',
  'DELETE /repos/:owner/:repo/teams/:team',
  'POST /repos/:owner/:repo/keys',
  'DELETE /repos/:owner/:repo/keys/:id',
  'PUT /repos/:owner/:repo/topics',
  'PUT /repos/:owner/:repo/topics/:topic',
  'DELETE /repos/:owner/:repo/topics/:topic',
  'POST /repos/:owner/:repo/hooks',
  'PATCH /repos/:owner/:repo/hooks/:id',
  'DELETE /repos/:owner/:repo/hooks/:id',
  'POST /repos/:owner/:repo/hooks/:id/tests',
  'PATCH /repos/:owner/:repo/hooks/git/:id',
  'DELETE /repos/:owner/:repo/hooks/git/:id',
  'DELETE /repos/:owner/:repo/tag_protections/:id',
  'PUT /repos/:owner/:repo/subscription',
  'DELETE /repos/:owner/:repo/subscription',
  'PUT /repos/:owner/:repo/notifications',
  ...['PATCH', 'DELETE'].map((method) => `${method} /repos/:owner/:repo/issues/:index`),
])

/** The same of whole groups: conversations can still be kept in order, and what is personal is not the repository's. */
const openGroups = [
  /^(PUT|DELETE|POST|PATCH) \/repos\/:owner\/:repo\/issues\/:index\/(lock|pin|subscriptions|stopwatch|times|reactions)/,
  /^(PUT|DELETE|POST|PATCH) \/repos\/:owner\/:repo\/(labels|milestones|issues?\/:index\/(labels|assignees|deadline))/,
  /^(POST|DELETE) \/repos\/:owner\/:repo\/issues\/comments\/:id\/reactions$/,
  /^DELETE \/repos\/:owner\/:repo\/issues\/(:index\/)?comments\/:id$/,
  /^PATCH \/repos\/:owner\/:repo\/issues\/:index\/comments\/:id$/,
  /^(PATCH|POST|DELETE) \/repos\/:owner\/:repo\/pulls\/:index($|\/(update|reviews|requested_reviewers|comments))/,
]

/** Files go as forms, and conversations about lines need a review: the rooms' own tests ask these. */
const askedElsewhere = [/\/assets(\/|$)/, /\/pulls\/comments\/:id\/(un)?resolve$/]

/** Whether a route is refused by the level that it asks for, before anything of the request is read. */
const asksToWrite = ({ terms }: DeclaredRoute) => /:write$/.test(terms.asks) && !terms.asks.includes('issues')

test('every route is thought of', () => {
  const known = new Set([...refusedWhenArchived.map(([line]) => line), ...open])
  const groups = [...openGroups, ...askedElsewhere]
  const forgotten = writing.filter((route) => !asksToWrite(route) && !known.has(route.line) && !groups.some((group) => group.test(route.line)))
  expect(forgotten.map(({ line }) => line)).toEqual([])
})

test('an archived repository takes no changes of what it holds: 423, whoever asks, and a push is refused', async () => {
  await make('PATCH', '', { archived: true })
  const answers: Record<string, number> = {}
  for (const route of writing.filter(asksToWrite)) answers[route.line] = (await forge.asUser('ada').send(lineOf(route, params), { body: {} })).status
  for (const [line, body] of refusedWhenArchived) {
    const route = writing.find((one) => one.line === line) as DeclaredRoute
    const values = {
      ...params,
      ...(line.includes('/pulls/:index') ? { index: '3' } : {}),
      ...(line.includes('branch_protections/*') ? { '*': 'release%2F*' } : {}),
    }
    answers[line] = (await forge.asUser('ada').send(lineOf(route, values), { body })).status
  }
  expect(Object.entries(answers).filter(([, status]) => status !== 423)).toEqual([])
  const push = await forge.app.handle(
    new Request('http://localhost/ada/engine.git/info/refs?service=git-receive-pack', {
      headers: { Authorization: `Basic ${btoa(`ada:${forge.token('ada', 'all')}`)}` },
    }),
  )
  expect(push.status).toBe(403)
  for (const at of ['', '/issues/1', '/contents/a', '/branches']) expect((await forge.get(`${path}${at}`)).status).toBe(200)
  await make('PATCH', '', { archived: false })
})

const flags = {
  code: 'has_code',
  issues: 'has_issues',
  pulls: 'has_pull_requests',
  releases: 'has_releases',
  wiki: 'has_wiki',
  projects: 'has_projects',
  packages: 'has_packages',
  actions: 'has_actions',
} satisfies Record<(typeof units)[number], string>

test.each(units)('with its %s switched off, a repository has none of them for anybody; for its owner neither', async (unit) => {
  const routes = (await declaredRoutes(forge.app)).filter(({ terms }) => terms.kind === 'repo' && terms.asks.startsWith(`${unit}:`))
  await make('PATCH', '', { [flags[unit]]: false })
  const answers: Record<string, number> = {}
  for (const route of routes) {
    for (const as of ['ada', 'bob', undefined])
      answers[`${route.line} by ${as}`] = (await forge.asUser(as).send(lineOf(route, params), { body: route.method === 'GET' ? undefined : {} })).status
  }
  expect(Object.entries(answers).filter(([, status]) => status !== 404)).toEqual([])
  expect((await forge.get(path)).body[flags[unit]]).toBe(false)
  await make('PATCH', '', { [flags[unit]]: true })
})
