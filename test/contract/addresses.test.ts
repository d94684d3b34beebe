import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { TestBrowser } from '../browser.ts'
import { type Person, testForge } from '../harness.ts'
import { declaredRoutes, lineOf } from '../matrix/routes.ts'
import { ed25519Key } from '../ssh-keys.ts'

/** Every address that a record gives out leads somewhere: pages open to a browser, the rest to a program. */

setDefaultTimeout(60_000)

const forge = testForge()
let ada: Person
/** Addresses, each with where it was found first. */
const found = new Map<string, string>()

/** Addresses of what others have, and ones to fill in. */
const foreign = /^(?!http:\/\/localhost[:/])|[{]/

function collect(line: string, value: unknown, key = ''): void {
  if (typeof value === 'string') {
    if (/(?:^|_)url$|^link$|^self$|^html$/.test(key) && !foreign.test(value) && !found.has(value)) found.set(value, `${key} of ${line}`)
    return
  }
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value)) collect(line, inner, Array.isArray(value) ? key : name)
}

/** Asks as ada, and notes the addresses in the answer. */
async function call<T = { id: number; number: number; sha: string; uuid: string; commit: { sha: string } }>(line: string, body?: unknown): Promise<T> {
  const reply = await forge.asUser(ada).send<T>(line, { body })
  if (reply.status >= 300) throw new Error(`${line}: ${reply.status} ${JSON.stringify(reply.body)}`)
  collect(line, reply.body)
  return reply.body
}

async function upload(path: string): Promise<{ id: number; uuid: string }> {
  const form = new FormData()
  form.append('attachment', new File(['a log'], 'a b.log'))
  const request = new Request(`http://localhost/api/v1${path}`, { method: 'POST', body: form, headers: { Authorization: `token ${ada.token}` } })
  const answer = (await (await forge.app.handle(request)).json()) as { id: number; uuid: string }
  collect(`POST ${path}`, answer)
  return answer
}

/** What the paths of routes are filled in with. */
let params: Record<string, string>

beforeAll(async () => {
  ada = await forge.person('ada', { isAdmin: true })
  const bob = await forge.person('bob')
  const at = '/repos/ada/engine'
  await call('POST /user/repos', { name: 'engine', auto_init: true, readme: 'Default', license: 'MIT' })
  await call('POST /orgs', { username: 'acme' })
  await call('POST /orgs/acme/repos', { name: 'works' })
  const team = await call('POST /orgs/acme/teams', { name: 'crew', units: ['repo.code'], permission: 'read' })
  const file = await call<{ content: { sha: string }; commit: { sha: string } }>(`POST ${at}/contents/doc/a%20b%23c.md`, {
    content: btoa('# A\n'),
    message: 'Add a',
    new_branch: 'topic/x',
  })
  await call(`POST ${at}/contents/other.txt`, { content: btoa('other\n'), message: 'Add other', branch: 'main' })
  const label = await call(`POST ${at}/labels`, { name: 'bug', color: '#ff0000' })
  const milestone = await call(`POST ${at}/milestones`, { title: '1.0' })
  await call(`POST ${at}/issues`, { title: 'It breaks', labels: [label.id], milestone: milestone.id, assignees: ['ada'] })
  const comment = await call(`POST ${at}/issues/1/comments`, { body: 'here' })
  await upload(`${at}/issues/1/assets`)
  await upload(`${at}/issues/comments/${comment.id}/assets`)
  await call(`POST ${at}/pulls`, { title: 'Take it', head: 'topic/x', base: 'main', body: 'closes #1' })
  const line = [{ path: 'doc/a b#c.md', body: 'why?', new_position: 1 }]
  const review = await call(`POST ${at}/pulls/2/reviews`, { event: 'COMMENT', body: 'look', comments: line })
  const release = await call(`POST ${at}/releases`, { tag_name: 'v1/0', name: 'One', body: 'first' })
  const asset = await upload(`${at}/releases/${release.id}/assets`)
  const head = await call<{ commit: { id: string } }>(`GET ${at}/branches/main`)
  await call(`POST ${at}/statuses/${head.commit.id}`, { state: 'success', context: 'ci' })
  await call(`POST ${at}/wiki/new`, { title: 'How to #1', content_base64: btoa('# Hello') })
  const hook = await call(`POST ${at}/hooks`, { type: 'gitea', config: { url: 'http://example.org/', content_type: 'json' }, events: ['push'] })
  const key = await call('POST /user/keys', { title: 'laptop', key: ed25519Key(1) })
  const deployKey = await call(`POST ${at}/keys`, { title: 'deploy', key: ed25519Key(2), read_only: true })
  await call(`POST ${at}/branch_protections`, { rule_name: 'main' })
  const rule = await call(`POST ${at}/tag_protections`, { name_pattern: 'v*', whitelist_usernames: ['ada'] })
  await call('POST /repos/ada/engine/forks', { organization: 'acme' })
  await forge.asUser(bob).put('/user/starred/ada/engine')
  await forge.asUser(bob).post(`${at}/issues/1/comments`, { body: 'me too @ada' })
  params = {
    owner: 'ada',
    repo: 'engine',
    org: 'acme',
    username: 'ada',
    index: '1',
    id: '1',
    '*': 'main',
    sha: head.commit.id,
    ref: 'main',
    branch: 'main',
    comment: String(comment.id),
    review: String(review.id),
    release: String(release.id),
    attachment_id: String(asset.id),
    label: String(label.id),
    milestone: String(milestone.id),
    hook: String(hook.id),
    key: String(key.id),
    deployKey: String(deployKey.id),
    rule: String(rule.id),
    team: String(team.id),
    blob: file.content.sha,
  }
})
afterAll(() => forge[Symbol.asyncDispose]())

/** The values that fit one route better than those that fit most. */
function paramsOf(path: string): Record<string, string> {
  const id = [
    ['/releases/:id', 'release'],
    ['/issues/comments/:id', 'comment'],
    ['/labels/:id', 'label'],
    ['/milestones/:id', 'milestone'],
    ['/hooks/:id', 'hook'],
    ['/user/keys/:id', 'key'],
    ['/keys/:id', 'deployKey'],
    ['/tag_protections/:id', 'rule'],
    ['/reviews/:id', 'review'],
    ['/teams/:id', 'team'],
  ].find(([part = '']) => path.includes(part))?.[1]
  const own: Record<string, string> = id === undefined ? {} : { id: params[id] as string }
  if (path.includes('/pulls/:index')) own.index = '2'
  if (path.includes('/git/blobs/')) own.sha = params.blob as string
  if (path.includes('/contents/*') || path.includes('/raw/*')) own['*'] = 'README.md'
  if (path.includes('/wiki/')) own['*'] = 'How-to-%231'
  if (path.includes('/compare/')) own['*'] = 'main...topic%2Fx'
  if (path.includes('/tags/')) own['*'] = 'v1%2F0'
  if (path.includes('/refs/')) own['*'] = 'heads/main'
  return { ...params, ...own }
}

test('every address in every answer leads somewhere', async () => {
  let answered = 0
  for (const route of (await declaredRoutes(forge.app)).filter(({ method, path }) => method === 'GET' && !/archive|bundle|\/media\//.test(path))) {
    const line = lineOf(route, paramsOf(route.path))
    const { status, body } = await forge.asUser(ada).send(line)
    if (status !== 200 || typeof body !== 'object') continue
    answered++
    collect(line, body)
  }
  expect(answered).toBeGreaterThan(100)
  const browser = new TestBrowser(forge, ada)
  const dead: string[] = []
  for (const [address, where] of found) {
    const [path = '', place] = address.replace(/^http:\/\/localhost(?::3000)?/, '').split('#')
    const program = { headers: { Authorization: `token ${ada.token}` } }
    const asked = /\.git$/.test(path) ? `${path}/info/refs?service=git-upload-pack` : path
    const answer = isForPrograms(path) ? await forge.app.handle(new Request(`http://localhost${asked}`, program)) : await browser.get(path)
    if (place !== undefined && !(answer as { text: string }).text.includes(`id="${place}"`)) dead.push(`no #${place} at ${path}, ${where}`)
    if (answer.status >= 400) dead.push(`${answer.status} ${address}, ${where}`)
  }
  expect(dead).toEqual([])
  expect(found.size).toBeGreaterThan(60)
})

function isForPrograms(path: string): boolean {
  return path.startsWith('/api/') || path.endsWith('.git')
}
