import { afterAll, beforeAll, expect, spyOn } from 'bun:test'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { PullRequest } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const ada = forge.asUser('ada')
let repoId: number
const place = '/repos/ada/engine/pulls'
const open = (body: object, as = 'ada') => forge.asUser(as).post<PullRequest>(place, { title: 'A change', base: 'main', ...body })
const edit = (index: number, body: object, as = 'ada') => forge.asUser(as).patch<PullRequest>(`${place}/${index}`, body)
const gitHere = (...args: string[]) => gitIn(forge.context.git.pathOf(repoId), ...args).trim()
const tipOf = (name: string) => forge.context.db.find<{ oid: string }>('SELECT oid FROM ref WHERE repo_id = ? AND name = ?', repoId, name)?.oid ?? ''
const commitTo = (branch: string, path: string, content = 'x') =>
  ada.post(`/repos/ada/engine/contents/${path}`, { branch, content: btoa(content), message: `Add ${path}` })
const branch = (name: string, from = 'main') => ada.post('/repos/ada/engine/branches', { new_branch_name: name, old_ref_name: from })

beforeAll(async () => {
  for (const name of ['ada', 'bob']) await forge.person(name)
  repoId = (await ada.post<{ id: number }>('/user/repos', { name: 'engine' })).body.id
  fillRepo(forge, repoId, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    gitIn(directory, 'commit', '-q', '--allow-empty', '-m', 'first')
    gitIn(directory, 'tag', 'v1')
    for (const name of ['feature', 'other', 'deep/er']) gitIn(directory, 'branch', name)
  })
  await commitTo('feature', 'a.txt', 'one\ntwo\n')
  await commitTo('feature', 'b.txt')
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a pull request tells what it changes, as git does', async () => {
  const { status, body } = await open({ head: 'feature', body: 'It helps.' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    number: 1,
    title: 'A change',
    state: 'open',
    mergeable: true,
    merged: false,
    draft: false,
    changed_files: 2,
    additions: 3,
    deletions: 0,
  })
  expect(body.head).toMatchObject({ label: 'feature', ref: 'feature', sha: tipOf('refs/heads/feature') })
  expect(body.head.repo?.full_name).toBe('ada/engine')
  expect([body.base.ref, body.base.sha, body.merge_base]).toEqual([
    'main',
    tipOf('refs/heads/main'),
    gitHere('merge-base', tipOf('refs/heads/main'), tipOf('refs/heads/feature')),
  ])
  expect((await ada.get<PullRequest>(`${place}/${1}`)).body).toEqual(body)
  const { body: text } = await forge.get<string>(`${place}/1.diff`)
  expect(text.trim()).toBe(gitHere('diff', `${tipOf('refs/heads/main')}...${tipOf('refs/heads/feature')}`))
  expect((await forge.get<string>(`${place}/1.patch`)).body).toContain('Subject: [PATCH 1/2] Add a.txt')
  const commits = await forge.get<{ sha: string }[]>(`${place}/1/commits`)
  expect(commits.body.map(({ sha }) => sha)).toEqual(gitHere('rev-list', `${tipOf('refs/heads/main')}..${tipOf('refs/heads/feature')}`).split('\n'))
  const files = await forge.get<{ filename: string; status: string; additions: number }[]>(`${place}/1/files?limit=1`)
  expect(files.body).toMatchObject([{ filename: 'a.txt', status: 'added', additions: 2, deletions: 0, changes: 2 }])
  expect(files.headers.get('x-total-count')).toBe('2')
  expect((await forge.get<{ filename: string }[]>(`${place}/1/files?skip-to=b.txt`)).body.map(({ filename }) => filename)).toEqual(['b.txt'])
  expect((await forge.get(`${place}/1/merge`)).status).toBe(404)
  expect((await forge.get<PullRequest>(`${place}/main/feature`)).body.number).toBe(1)
  expect((await forge.get<PullRequest>(`${place}/main/ada:feature`)).body.number).toBe(1)
  expect((await forge.get<{ pull_request: object }>('/repos/ada/engine/issues/1')).body.pull_request).toMatchObject({ merged: false })
})

test.each([
  ['the same again', { head: 'feature' }, 409],
  ['a branch into itself', { head: 'main' }, 422],
  ['a tag', { head: 'v1' }, 422],
  ['a branch that is not there', { head: 'absent' }, 404],
  ['a base that is not there', { head: 'other', base: 'absent' }, 404],
  ['an owner without a fork', { head: 'bob:feature' }, 400],
  ['a milestone that is not there', { head: 'other', milestone: 99 }, 404],
  ['an assignee who is nobody', { head: 'other', assignees: ['nobody'] }, 422],
  ['no title', { head: 'other', title: ' ' }, 422],
])('%s is refused, and nothing is left of it', async (_, body, status) => {
  expect((await open(body)).status).toBe(status)
  expect((await forge.get<PullRequest[]>(place)).headers.get('x-total-count')).toBe('1')
})

test('its head follows pushes and can be fetched, but nobody pushes it', async () => {
  await commitTo('feature', 'c.txt')
  const tip = tipOf('refs/heads/feature')
  expect((await forge.get<PullRequest>(`${place}/${1}`)).body).toMatchObject({ head: { sha: tip }, changed_files: 3 })
  expect(tipOf('refs/pull/1/head')).toBe(tip)
  const timeline = await ada.get<{ type: string }[]>('/repos/ada/engine/issues/1/timeline')
  expect(timeline.body.map(({ type }) => type)).toContain('pull_push')
})

test('edits: author and writers, all or nothing', async () => {
  expect((await edit(1, { title: 'x' }, 'bob')).status).toBe(403)
  expect((await edit(1, { title: 'Better', base: 'absent' })).status).toBe(404)
  expect((await forge.get<PullRequest>(`${place}/${1}`)).body.title).toBe('A change')
  const { status, body } = await edit(1, { title: 'WIP: Better', base: 'other' })
  expect([status, body.title, body.base.ref, body.draft, body.mergeable]).toEqual([201, 'WIP: Better', 'other', true, false])
  expect((await edit(1, { title: 'Better', base: 'main', content_version: 99 })).status).toBe(409)
  expect((await edit(1, { title: 'Better', base: 'main' })).body).toMatchObject({ title: 'Better', base: { ref: 'main' } })
})

test('edits of the Go SDK, which sends empty values for all that stays, change the rest alone', async () => {
  const empty = { title: '', body: null, base: '', assignee: '', assignees: null, milestone: 0, labels: null, state: null, due_date: null }
  const { status, body } = await edit(1, { ...empty, unset_due_date: null, allow_maintainer_edit: null, body: 'Said' })
  expect([status, body]).toEqual([201, expect.objectContaining({ title: 'Better', body: 'Said', base: expect.objectContaining({ ref: 'main' }) })])
})

test('closed and opened again, it takes its place back only while nobody else has it', async () => {
  expect((await edit(1, { state: 'closed' })).body.state).toBe('closed')
  await commitTo('feature', 'd.txt')
  const second = (await open({ head: 'feature' })).body.number
  expect((await edit(1, { state: 'open' })).status).toBe(409)
  const asIssue = await ada.patch('/repos/ada/engine/issues/1', { state: 'open' })
  expect([asIssue.status, (await forge.get<PullRequest>(`${place}/${1}`)).body.state]).toEqual([409, 'closed'])
  await edit(second, { state: 'closed' })
  const { body } = await edit(1, { state: 'open' })
  expect([body.state, body.head.sha]).toEqual(['open', tipOf('refs/heads/feature')])
  expect(tipOf('refs/pull/1/head')).toBe(body.head.sha)
})

test('lists filter', async () => {
  const numbers = async (query: string) => (await forge.get<PullRequest[]>(`${place}?${query}`)).body.map(({ number }) => number)
  expect([await numbers(''), await numbers('state=open'), await numbers('state=closed'), await numbers('sort=oldest')]).toEqual([[2, 1], [1], [2], [1, 2]])
  expect([await numbers('poster=ada'), await numbers('poster=bob'), await numbers('base_branch=other')]).toEqual([[2, 1], [], []])
  expect((await forge.get(`${place}?poster=nobody`)).status).toBe(400)
})

test('pinned ones are listed', async () => {
  await ada.post('/repos/ada/engine/issues/1/pin')
  const [pinned, ...more] = (await forge.get<PullRequest[]>(`${place}/pinned`)).body
  expect([pinned?.pin_order, more]).toEqual([1, []])
  expect(pinned).toEqual((await forge.get<PullRequest>(`${place}/${1}`)).body)
})

test('conflicts are told', async () => {
  await branch('left')
  await branch('right')
  await commitTo('left', 'same.txt', 'left')
  await commitTo('right', 'same.txt', 'right')
  expect((await open({ base: 'left', head: 'right' })).body.mergeable).toBe(false)
})

test('branches that go close what comes from them, and what goes into them is given another base', async () => {
  await branch('under')
  await branch('over')
  const child = (await open({ base: 'under', head: 'over' })).body.number
  const doomed = (await open({ base: 'main', head: 'under' })).body.number
  expect((await ada.delete('/repos/ada/engine/branches/under')).status).toBe(204)
  expect((await forge.get<PullRequest>(`${place}/${doomed}`)).body).toMatchObject({ state: 'closed', head: { ref: `refs/pull/${doomed}/head` } })
  expect((await forge.get<PullRequest>(`${place}/${child}`)).body).toMatchObject({ state: 'open', base: { ref: 'main' } })
  expect((await edit(doomed, { state: 'open' })).status).toBe(422)
})

test('branches that are given another name take their pull requests along', async () => {
  await branch('old-base')
  await branch('old-head')
  const number = (await open({ base: 'old-base', head: 'old-head' })).body.number
  for (const [from, name] of Object.entries({ 'old-base': 'new-base', 'old-head': 'new-head' })) {
    expect((await ada.patch(`/repos/ada/engine/branches/${from}`, { name })).status).toBe(204)
  }
  expect((await forge.get<PullRequest>(`${place}/${number}`)).body).toMatchObject({ state: 'open', base: { ref: 'new-base' }, head: { ref: 'new-head' } })
  await commitTo('new-head', 'renamed.txt')
  expect((await forge.get<PullRequest>(`${place}/${number}`)).body.head.sha).toBe(tipOf('refs/heads/new-head'))
})

test('of twenty at once for the same branches, one wins', async () => {
  await branch('popular')
  const answers = await Promise.all(Array.from({ length: 20 }, () => open({ head: 'popular' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
})

test('a pull request whose changes lie deeper than is looked is made and shown all the same, without their numbers', async () => {
  await using shallow = testForge()
  await shallow.person('ada')
  const { id } = (await shallow.asUser('ada').post<{ id: number }>('/user/repos', { name: 'engine' })).body
  fillRepo(shallow, id, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    gitIn(directory, 'commit', '-q', '--allow-empty', '-m', 'first')
    const stream = `commit refs/heads/deep\ncommitter A <a@example.org> 1 +0000\ndata 0\nfrom refs/heads/main\nM 644 inline ${'d/'.repeat(1100)}e\ndata 0\n\n`
    Bun.spawnSync(['git', 'fast-import', '--quiet'], { cwd: directory, stdin: Buffer.from(stream) })
  })
  const made = await shallow.asUser('ada').post<PullRequest>(place, { title: 'Deep', head: 'deep', base: 'main' })
  expect([made.status, made.body.changed_files]).toEqual([201, 0])
  expect((await shallow.asUser('ada').get(`${place}/1`)).status).toBe(200)
})

test('one whose repository is deleted before it is answered is not there', async () => {
  await ada.post('/user/repos', { name: 'brief', auto_init: true, default_branch: 'main' })
  await ada.post('/repos/ada/brief/contents/a.txt', { branch: 'main', new_branch: 'topic', content: btoa('a') })
  const run = forge.context.git.run.bind(forge.context.git) as (...args: unknown[]) => Promise<unknown>
  const held = spyOn(forge.context.git, 'run').mockImplementationOnce((async (...args: unknown[]) => {
    const answer = await run(...args)
    await ada.delete('/repos/ada/brief')
    return answer
  }) as typeof forge.context.git.run)
  const { status } = await ada.post('/repos/ada/brief/pulls', { title: 'Late', head: 'topic', base: 'main' })
  held.mockRestore()
  expect(status).toBe(404)
})
