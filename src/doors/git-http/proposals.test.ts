import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillRepo, type GitResult, gitIn, type Person, testForge, tryGit } from '../../../test/harness.ts'

interface Pull {
  number: number
  title: string
  body: string
  state: string
  flow: number
  mergeable: boolean
  head: { label: string; ref: string; sha: string; repo: { full_name: string } | null }
  base: { ref: string }
  user: { login: string }
}

const forge = testForge()
const ada = forge.asUser('ada')
const bob = forge.asUser('bob')
let server: Bun.Server<undefined>
let directory: string
const people: Record<string, Person> = {}
const url = (who: string, repo = 'ada/engine') => `http://${who}:${people[who]?.token}@localhost:${server.port}/${repo}.git`
const copy = () => join(directory, 'copy')
const here = (...args: string[]) => gitIn(copy(), ...args).trim()
const commit = (message: string) => here('commit', '-q', '--allow-empty', '-m', message) || here('rev-parse', 'HEAD')
const push = (who: string, ...args: string[]): Promise<GitResult> => tryGit(['push', ...args.slice(0, -1), url(who), args.at(-1) as string], { cwd: copy() })
const pushTo = (who: string, repo: string, ...args: string[]) => tryGit(['push', url(who, repo), ...args], { cwd: copy() })
const get = async (index: number) => (await ada.get<Pull>(`/repos/ada/engine/pulls/${index}`)).body
const latest = async () => (await ada.get<Pull[]>('/repos/ada/engine/pulls')).body[0] as Pull
const count = async () => Number((await ada.get('/repos/ada/engine/pulls')).headers.get('x-total-count'))
const timeline = async (index: number) => (await ada.get<{ type: string }[]>(`/repos/ada/engine/issues/${index}/timeline`)).body.map(({ type }) => type)

beforeAll(async () => {
  for (const name of ['ada', 'bob', 'carl', 'eve']) people[name] = await forge.person(name)
  const repo = forge.repo(people.ada as Person, 'engine', { defaultBranch: 'main' })
  fillRepo(forge, repo.id, (made) => {
    gitIn(made, 'checkout', '-q', '-b', 'main')
    gitIn(made, 'commit', '-q', '--allow-empty', '-m', 'First')
    gitIn(made, 'branch', 'rel/1')
  })
  await bob.post('/repos/ada/engine/forks', {})
  server = Bun.serve({ port: 0, fetch: forge.app.fetch })
  directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const cloned = await tryGit(['clone', '-q', url('ada'), copy()])
  if (cloned.exitCode !== 0) throw new Error(cloned.stderr)
}, 30_000)
afterAll(async () => {
  await server.stop(true)
  await forge[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

test('a push to refs/for/ by who may only read opens a pull request, tells where it is, and further pushes update it', async () => {
  const branches = async () => (await forge.get<unknown[]>('/repos/ada/engine/branches')).body.length
  const before = await branches()
  await tryGit(['fetch', '-q', url('ada'), '+main:refs/remotes/origin/main'], { cwd: copy() })
  here('checkout', '-q', '-B', 'work', 'origin/main')
  const first = commit('Make it faster\n\nMuch faster.')
  const pushed = await push('bob', 'HEAD:refs/for/main/speed')
  const pull = await latest()
  expect(pushed.exitCode).toBe(0)
  expect(pushed.stderr).toContain(`refs/pull/${pull.number}/head`)
  expect(pushed.stderr).toMatch(
    new RegExp(`remote: Create a new pull request for 'bob/speed':\\s+\nremote:   http://localhost:3000/ada/engine/pulls/${pull.number}`),
  )
  expect(pull).toMatchObject({ title: 'Make it faster', body: 'Much faster.', user: { login: 'bob' }, flow: 1, base: { ref: 'main' } })
  expect(pull.head).toMatchObject({ label: '', ref: `refs/pull/${pull.number}/head`, sha: first, repo: { full_name: 'ada/engine' } })
  const second = commit('More')
  const again = await push('bob', '-o', 'topic=speed', 'HEAD:refs/for/main')
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Visit the existing pull request:`) })
  expect((await get(pull.number)).head.sha).toBe(second)
  expect(await timeline(pull.number)).toContain('pull_push')
  expect(await branches()).toBe(before)
  expect((await ada.post(`/repos/ada/engine/pulls/${pull.number}/merge`, { do: 'merge', delete_branch_after_merge: true })).status).toBe(200)
  await tryGit(['fetch', '-q', url('ada'), 'main'], { cwd: copy() })
  expect(here('rev-list', '--count', `${second}..FETCH_HEAD`)).toBe('1')
})

test('what was rewritten needs force-push, and what is left behind stays to be fetched', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  const old = commit('One')
  expect((await push('bob', '-o', 'title=A title', '-o', 'description={base64}QSBsaW5lCmFuZCBtb3Jl', 'HEAD:refs/for/main/rewritten')).exitCode).toBe(0)
  const pull = await latest()
  expect(pull).toMatchObject({ title: 'A title', body: 'A line\nand more' })
  here('commit', '-q', '--amend', '--allow-empty', '-m', 'One, better')
  expect(await push('bob', 'HEAD:refs/for/main/rewritten')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('force-push') })
  expect((await get(pull.number)).head.sha).toBe(old)
  expect(await push('bob', '-o', 'force-push=true', 'HEAD:refs/for/main/rewritten')).toMatchObject({ exitCode: 0 })
  expect((await get(pull.number)).head.sha).toBe(here('rev-parse', 'HEAD'))
  expect((await tryGit(['fetch', url('ada'), `refs/pull/${pull.number}/versions/${old}`], { cwd: copy() })).exitCode).toBe(0)
  expect(await push('bob', 'HEAD:refs/for/main/rewritten')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('new commit is same with old commit'),
  })
  // The topic is carl's own, whatever bob calls his.
  here('commit', '-q', '--allow-empty', '-m', 'Theirs')
  expect((await push('carl', 'HEAD:refs/for/main/rewritten')).exitCode).toBe(0)
  expect((await latest()).number).not.toBe(pull.number)
})

test.each([
  ['a base that is not there', ['HEAD:refs/for/absent/x'], 'base-branch does not exist'],
  ['no topic', ['HEAD:refs/for/main'], 'topic-branch is not set'],
  ['no topic behind a base with a slash', ['HEAD:refs/for/rel/1'], 'topic-branch is not set'],
  ['a topic that no branch could have', ['-o', 'topic=a..b', 'HEAD:refs/for/main'], 'not a valid branch name'],
  ['a name that no ref could have', [`HEAD:refs/for/${'a/'.repeat(600)}b`], 'funny refname: it is longer than 1024 bytes'],
  ['a branch', ['HEAD:refs/heads/mine'], 'User permission denied for writing'],
  ['a pull request itself', ['+HEAD:refs/pull/1/head'], 'User permission denied for writing'],
])('a reader who pushes to %s is refused by name', async (_, args, reason) => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('Refused')
  const before = (await ada.get('/repos/ada/engine/pulls')).headers.get('x-total-count')
  expect(await push('bob', ...args)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(reason) })
  expect((await ada.get('/repos/ada/engine/pulls')).headers.get('x-total-count')).toBe(before)
})

test.each([
  ['refs/for', 'a ref named refs/for would conflict with the refs in refs/for/'],
  ['refs/For/main/speed', 'the name is too similar to refs/for/'],
  ['refs/pull', 'a ref named refs/pull would conflict'],
  ['refs/Pull/1/head', 'the name is too similar to refs/pull/'],
  ['refs/PULL/99/head', 'the name is too similar to refs/pull/'],
  ['refs/internal/keep', 'refs with this name are managed by the server'],
  ['refs/heads/refs/pull/1/head', 'must not start with "refs/"'],
  ['refs/heads/HEAD', 'a branch or tag cannot be named "HEAD"'],
  ['refs/tags/HEAD', 'a branch or tag cannot be named "HEAD"'],
])('who may write is refused %s, reads why, and nothing of it is listed', async (name, reason) => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('Reserved')
  expect(await push('ada', `HEAD:${name}`)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(reason) })
  expect(await tryGit(['ls-remote', url('ada'), name], { cwd: copy() })).toMatchObject({ exitCode: 0, stdout: '' })
})

test('a branch whose name says HEAD is one like others', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  const { exitCode } = await push('ada', 'HEAD:refs/heads/FETCH_HEAD')
  expect([exitCode, (await forge.get('/repos/ada/engine/branches/FETCH_HEAD')).status]).toEqual([0, 200])
})

test('of one push what is allowed lands and what is not does not, in both orders; atomic, neither', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('Mixed')
  for (const [i, order] of [
    ['HEAD:refs/for/main/mixed-0', 'HEAD:refs/heads/mixed'],
    ['HEAD:refs/heads/mixed', 'HEAD:refs/for/main/mixed-1'],
  ].entries()) {
    const { stderr } = await pushTo('bob', 'ada/engine', ...order)
    expect(stderr).toMatch(/rejected\].*mixed \(User permission denied/)
    expect((await latest()).title).toBe('Mixed')
    expect((await ada.get(`/repos/ada/engine/pulls/main/bob%2Fmixed-${i}`)).status).toBe(200)
  }
  const before = (await latest()).number
  commit('Atomic')
  const { stderr } = await pushTo('bob', 'ada/engine', '--atomic', 'HEAD:refs/for/main/atomic', 'HEAD:refs/heads/mixed')
  expect(stderr).toContain('atomic push failed')
  expect((await latest()).number).toBe(before)
})

test('of one push no more become pull requests than others have to wait for', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('Many')
  const topics = Array.from({ length: 12 }, (_, i) => `many-${String(i).padStart(2, '0')}`)
  const before = await count()
  const { stderr } = await pushTo('bob', 'ada/engine', ...topics.map((topic) => `HEAD:refs/for/main/${topic}`))
  const refused = [...stderr.matchAll(/rejected\].*\/(many-\d+) \((.*)\)/g)].map(([, topic, reason]) => [topic, reason])
  expect(refused).toEqual(topics.slice(10).map((topic) => [topic, 'a push can create or update at most 10 pull requests']))
  expect(await count()).toBe(before + 10)
})

test('a branch of the topic’s name is not its pull request', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  const proposed = commit('Proposed')
  await push('bob', 'HEAD:refs/for/main/same')
  const { number } = await latest()
  commit('Another thing')
  expect((await push('ada', 'HEAD:refs/heads/bob/same')).exitCode).toBe(0)
  expect((await get(number)).head.sha).toBe(proposed)
  await ada.delete('/repos/ada/engine/branches/bob/same')
  expect((await get(number)).state).toBe('open')
  expect((await ada.post(`/repos/ada/engine/pulls/${number}/update`)).status).toBe(403)
})

test('writers of the base push to the branch of a fork’s pull request while it is open, and to that branch only', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('From the fork')
  expect((await pushTo('bob', 'bob/engine', 'HEAD:refs/heads/topic', 'HEAD:refs/heads/other')).exitCode).toBe(0)
  const { body } = await bob.post<Pull>('/repos/ada/engine/pulls', { head: 'bob:topic', base: 'main', title: 'Forked' })
  const fixed = commit('Fixed by a maintainer')
  expect(await pushTo('ada', 'bob/engine', 'HEAD:topic')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`/ada/engine/pulls/${body.number}`) })
  expect((await get(body.number)).head.sha).toBe(fixed)
  const file = (branch: string, path = 'by-api.txt') => ada.post(`/repos/bob/engine/contents/${path}`, { branch, content: btoa('x'), message: 'By the API' })
  expect((await file('topic')).status).toBe(201)
  const denied = { exitCode: 1, stderr: expect.stringContaining('User permission denied for writing.') }
  commit('Elsewhere')
  for (const ref of ['HEAD:other', 'HEAD:refs/heads/new', 'HEAD:refs/tags/v1', ':topic'])
    expect([ref, await pushTo('ada', 'bob/engine', ref)]).toEqual([ref, expect.objectContaining(denied)])
  expect((await file('other')).status).toBe(403)
  expect((await ada.post('/repos/bob/engine/contents/x.txt', { branch: 'topic', new_branch: 'mine', content: '', message: 'x' })).status).toBe(403)
  expect(await pushTo('carl', 'bob/engine', '-f', 'HEAD:topic')).toMatchObject(denied)
  await bob.patch(`/repos/ada/engine/pulls/${body.number}`, { allow_maintainer_edit: false })
  expect(await pushTo('ada', 'bob/engine', '-f', 'HEAD:topic')).toMatchObject(denied)
  await bob.patch(`/repos/ada/engine/pulls/${body.number}`, { allow_maintainer_edit: true })
  expect((await pushTo('ada', 'bob/engine', '-f', 'HEAD:topic')).exitCode).toBe(0)
  await bob.patch(`/repos/ada/engine/pulls/${body.number}`, { state: 'closed' })
  commit('Too late')
  expect(await pushTo('ada', 'bob/engine', '-f', 'HEAD:topic')).toMatchObject(denied)
})

test('nobody can let others push where they may not push themselves', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('Wanted')
  expect((await pushTo('bob', 'bob/engine', 'HEAD:refs/heads/wanted')).exitCode).toBe(0)
  // carl asks for a branch of bob's, into his own fork of the same repository, whose writer he is.
  await forge.asUser('carl').post('/repos/ada/engine/forks', { name: 'engine' })
  const { status, body } = await forge.asUser('carl').post<Pull & { allow_maintainer_edit: boolean }>('/repos/carl/engine/pulls', {
    head: 'bob:wanted',
    base: 'main',
    title: 'Not mine',
    allow_maintainer_edit: true,
  })
  expect([status, body.allow_maintainer_edit]).toEqual([201, false])
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('Taken over')
  expect(await pushTo('carl', 'bob/engine', '-f', 'HEAD:wanted')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('User permission denied') })
  expect((await forge.asUser('carl').patch(`/repos/carl/engine/pulls/${body.number}`, { allow_maintainer_edit: true })).status).toBe(403)
})

test('a push of a branch is answered with the address that opens a pull request, or that of the open one, unless the setting is off', async () => {
  here('checkout', '-q', '-B', 'work', 'origin/main')
  commit('Told')
  const told = await pushTo('ada', 'ada/engine', 'HEAD:refs/heads/told/x')
  expect(told.stderr).toMatch(
    /remote: Create a new pull request for 'told\/x':\s+\nremote: {3}http:\/\/localhost:3000\/ada\/engine\/compare\/main\.\.\.told\/x/,
  )
  const fromFork = await pushTo('bob', 'bob/engine', 'HEAD:refs/heads/told')
  expect(fromFork.stderr).toMatch(/'bob:told':\s+\nremote: {3}http:\/\/localhost:3000\/ada\/engine\/compare\/main\.\.\.bob%3Atold/)
  const { body } = await ada.post<Pull>('/repos/ada/engine/pulls', { head: 'told/x', base: 'main', title: 'Told' })
  commit('Told again')
  expect((await pushTo('ada', 'ada/engine', 'HEAD:told/x')).stderr).toMatch(
    new RegExp(`Visit the existing pull request:\\s+\nremote: {3}\\S+/pulls/${body.number}`),
  )
})

test('what merging a pull request would come to can be fetched, is never out of date, and cannot be pushed', async () => {
  const merge = (number: number) => tryGit(['fetch', url('carl'), `refs/pull/${number}/merge`], { cwd: copy() })
  const listed = async () => (await tryGit(['ls-remote', url('carl'), 'refs/pull/*'], { cwd: copy() })).stdout.match(/refs\/pull\/\d+\/merge/g) ?? []
  await tryGit(['fetch', '-q', url('ada'), '+main:refs/remotes/origin/main'], { cwd: copy() })
  here('checkout', '-q', '-B', 'work', 'origin/main')
  const head = commit('Merged for CI')
  await push('bob', 'HEAD:refs/for/main/ci')
  const { number } = await latest()
  expect(await listed()).toEqual([])
  expect((await merge(number)).exitCode).toBe(0)
  expect(here('rev-parse', 'FETCH_HEAD^1', 'FETCH_HEAD^2').split('\n')).toEqual([here('rev-parse', 'origin/main'), head])
  const first = here('rev-parse', 'FETCH_HEAD')
  expect(await listed()).toEqual([`refs/pull/${number}/merge`])
  expect((await push('ada', `+HEAD:refs/pull/${number}/merge`)).stderr).toContain('managed by the server')
  // The base moves: it is gone, and made anew for who asks.
  await ada.post('/repos/ada/engine/contents/moved.txt', { branch: 'main', content: '', message: 'Move' })
  expect(await listed()).toEqual([])
  expect((await merge(number)).exitCode).toBe(0)
  expect(here('rev-parse', 'FETCH_HEAD')).not.toBe(first)
  // So it is when the head does.
  const next = commit('Further')
  await push('bob', 'HEAD:refs/for/main/ci')
  expect(await listed()).toEqual([])
  await merge(number)
  expect(here('rev-parse', 'FETCH_HEAD^2')).toBe(next)
  await bob.patch(`/repos/ada/engine/pulls/${number}`, { base: 'rel/1' })
  expect(await listed()).toEqual([])
  await bob.patch(`/repos/ada/engine/pulls/${number}`, { state: 'closed' })
  expect((await merge(number)).exitCode).not.toBe(0)
})
