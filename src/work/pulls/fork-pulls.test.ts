import { afterAll, beforeAll, expect } from 'bun:test'
import { accessStore } from '#access/index.ts'
import { writeDerived } from '#repositories/refs/index.ts'
import { lookAfter } from '#repositories/upkeep/index.ts'
import { turns } from '../../../test/eventually.ts'
import { fillRepo, git, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { PullRequest } from './schema.ts'
import { takePushes } from './take-pushes.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge({ git: { GC_GRACE_HOURS: 0 } })
const ada = forge.asUser('ada')
const bob = forge.asUser('bob')
const base = '/repos/ada/engine'
const fork = '/repos/bob/engine'
const open = (body: object, as = 'bob') =>
  forge.asUser(as).post<PullRequest & { message?: string }>(`${base}/pulls`, { title: 'A change', base: 'main', ...body })
const get = async (index: number, as = 'ada') => (await forge.asUser(as).get<PullRequest>(`${base}/pulls/${index}`)).body
const idOf = async (repo: string) => (await ada.get<{ id: number }>(repo)).body.id
const idOfAs = async (repo: string, as: string) => (await forge.asUser(as).get<{ id: number }>(repo)).body.id
const tipOf = (repoId: number, name: string) =>
  forge.context.db.find<{ oid: string }>('SELECT oid FROM ref WHERE repo_id = ? AND name = ?', repoId, name)?.oid ?? ''
const commitTo = (repo: string, as: string, branch: string, path: string, content = path) =>
  forge.asUser(as).post(`${repo}/contents/${path}`, { branch, content: btoa(content), message: `Add ${path}` })
const timeline = async (index: number) => (await ada.get<{ type: string; body: string }[]>(`${base}/issues/${index}/timeline`)).body
let made = 0

/** A branch of bob's fork with a commit of its own. */
async function topic(name = `topic-${++made}`): Promise<string> {
  await bob.post(`${fork}/branches`, { new_branch_name: name, old_ref_name: 'main' })
  await commitTo(fork, 'bob', name, `${name}.txt`)
  return name
}

async function inspect(repoId: number): Promise<void> {
  await writeDerived(forge.context, repoId)
  await git(['fsck', '--strict'], { cwd: forge.context.git.pathOf(repoId) })
}

beforeAll(async () => {
  for (const name of ['ada', 'bob', 'carl', 'eve']) await forge.person(name)
  const { id } = (await ada.post<{ id: number }>('/user/repos', { name: 'engine', default_branch: 'main' })).body
  fillRepo(forge, id, (directory) => {
    gitIn(directory, 'checkout', '-q', '-b', 'main')
    for (const n of [1, 2, 3]) gitIn(directory, 'commit', '-q', '--allow-empty', '-m', `commit ${n}`)
  })
  await bob.post(`${base}/forks`, {})
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a pull request from a fork brings its objects, and can be fetched, read and merged where it goes', async () => {
  const branch = await topic()
  const { status, body } = await open({ head: `bob:${branch}` })
  expect([status, body.head.repo?.full_name, body.head.ref, body.head.label]).toEqual([201, 'bob/engine', branch, branch])
  const [baseId, forkId] = [await idOf(base), await idOf(fork)]
  expect(tipOf(baseId, `refs/pull/${body.number}/head`)).toBe(tipOf(forkId, `refs/heads/${branch}`))
  await inspect(baseId)
  const files = await forge.get<{ filename: string }[]>(`${base}/pulls/${body.number}/files`)
  expect(files.body.map(({ filename }) => filename)).toEqual([`${branch}.txt`])
  expect([body.mergeable, body.changed_files]).toEqual([true, 1])
  expect((await ada.post(`${base}/pulls/${body.number}/merge`, { do: 'merge', delete_branch_after_merge: true })).status).toBe(200)
  const commit = await forge.get<{ commit: { message: string } }>(`${base}/git/commits/main`)
  expect(commit.body.commit.message).toStartWith(`Merge pull request 'A change' (#${body.number}) from bob/engine:${branch} into main`)
  // Only bob may delete his branch.
  expect(tipOf(forkId, `refs/heads/${branch}`)).not.toBe('')
})

test('its head follows pushes and forced pushes, and what they leave behind stays reachable', async () => {
  const branch = await topic()
  const { number } = (await open({ head: `bob/engine:${branch}` })).body
  await commitTo(fork, 'bob', branch, 'more.txt')
  const [baseId, forkId] = [await idOf(base), await idOf(fork)]
  const second = tipOf(forkId, `refs/heads/${branch}`)
  expect((await get(number)).head.sha).toBe(second)
  await bob.put(`${fork}/branches/${branch}`, { new_commit_id: tipOf(forkId, 'refs/heads/main'), force: true })
  await commitTo(fork, 'bob', branch, 'anew.txt')
  const third = tipOf(forkId, `refs/heads/${branch}`)
  expect((await get(number)).head.sha).toBe(third)
  expect(tipOf(baseId, `refs/pull/${number}/head`)).toBe(third)
  const pushes = (await timeline(number)).filter(({ type }) => type === 'pull_push').map(({ body }) => JSON.parse(body).is_force_push)
  expect(pushes).toEqual([false, false, true, false])
  await lookAfter(forge.context, accessStore.findRepoById(forge.context.db, baseId) as never)
  await inspect(baseId)
  expect((await forge.get(`${base}/git/commits/${second}`)).status).toBe(200)
})

test('what is pushed right before a merge is merged along', async () => {
  const branch = await topic()
  const { number } = (await open({ head: `bob:${branch}` })).body
  await commitTo(fork, 'bob', branch, `late-${branch}.txt`)
  expect((await ada.post(`${base}/pulls/${number}/merge`, { do: 'merge' })).status).toBe(200)
  expect((await forge.get(`${base}/contents/late-${branch}.txt`)).status).toBe(200)
})

test('a push that a crash left between the two repositories is taken over at the next start', async () => {
  const branch = await topic()
  const { number, id } = (await open({ head: `bob:${branch}` })).body
  await commitTo(fork, 'bob', branch, 'crash.txt')
  expect(forge.context.db.find('SELECT head_oid FROM pull_push WHERE issue_id = ?', id)).toBeTruthy()
  await takePushes(forge.context, id)
  expect(tipOf(await idOf(base), `refs/pull/${number}/head`)).toBe(tipOf(await idOf(fork), `refs/heads/${branch}`))
  expect(forge.context.db.find('SELECT head_oid FROM pull_push WHERE issue_id = ?', id)).toBeUndefined()
})

test('a stranger cannot open a pull request from a branch of somebody else, a collaborator with read access can', async () => {
  await ada.post(`${base}/branches`, { new_branch_name: 'hers', old_ref_name: 'main' })
  await commitTo(base, 'ada', 'hers', 'hers.txt')
  const heads = ['hers', `bob:${await topic()}`]
  for (const head of heads) expect(await open({ head }, 'carl')).toMatchObject({ status: 403, body: { message: 'user must be a collaborator' } })
  expect((await ada.put(`${base}/collaborators/carl`, { permission: 'read' })).status).toBe(204)
  for (const head of heads) expect((await open({ head }, 'carl')).status).toBe(201)
  expect((await ada.delete(`${base}/collaborators/carl`)).status).toBe(204)
})

test.each([
  ['an owner who is nobody', { head: 'nobody:main' }, 404],
  ['an owner without a fork', { head: 'carl:main' }, 400],
  ['a fork by a name that it has not', { head: 'bob/other:main' }, 400],
  ['a branch that the fork has not', { head: 'bob:absent' }, 404],
  ['the same branch of the repository itself', { head: 'ada:main' }, 422],
])('%s is refused as a head', async (_, body, status) => {
  expect((await open(body)).status).toBe(status)
})

test('a branch in a fork is brought up to the base by a merge or a rebase of its own people', async () => {
  for (const style of ['merge', 'rebase']) {
    const branch = await topic()
    const { number } = (await open({ head: `bob:${branch}` })).body
    await commitTo(base, 'ada', 'main', `base-${style}.txt`)
    expect((await forge.asUser('carl').post(`${base}/pulls/${number}/update?style=${style}`)).status).toBe(403)
    expect((await bob.post(`${base}/pulls/${number}/update?style=${style}`)).status).toBe(200)
    const [pull, forkId] = [await get(number), await idOf(fork)]
    expect(pull.head.sha).toBe(tipOf(forkId, `refs/heads/${branch}`))
    expect([pull.merge_base, pull.changed_files]).toEqual([tipOf(await idOf(base), 'refs/heads/main'), 1])
    await inspect(forkId)
  }
})

test('when a branch is merged and deleted, pull requests into it, also from a fork, get its base; those of another repository keep theirs', async () => {
  await ada.post(`${base}/branches`, { new_branch_name: 'parent', old_ref_name: 'main' })
  await commitTo(base, 'ada', 'parent', 'parent.txt')
  await ada.post(`${base}/branches`, { new_branch_name: 'child', old_ref_name: 'parent' })
  await commitTo(base, 'ada', 'child', 'child.txt')
  const parent = (await open({ head: 'parent' }, 'ada')).body
  const child = (await open({ head: 'child', base: 'parent' }, 'ada')).body
  const fromFork = [await open({ head: `bob:${await topic()}`, base: 'parent' }), await open({ head: 'bob:main', base: 'parent' })]
  await bob.post(`${fork}/branches`, { new_branch_name: 'parent', old_ref_name: 'main' })
  await bob.post(`${fork}/branches`, { new_branch_name: 'into', old_ref_name: 'main' })
  const elsewhere = (await bob.post<PullRequest>(`${fork}/pulls`, { title: 'Elsewhere', head: 'into', base: 'parent' })).body
  expect((await ada.post(`${base}/pulls/${parent.number}/merge`, { do: 'merge', delete_branch_after_merge: true })).status).toBe(200)
  for (const { number } of [child, ...fromFork.map(({ body }) => body)]) expect(await get(number)).toMatchObject({ state: 'open', base: { ref: 'main' } })
  expect((await bob.get<PullRequest>(`${fork}/pulls/${elsewhere.number}`)).body).toMatchObject({ state: 'open', base: { ref: 'parent' } })
})

test('what is pushed once a fork is hidden is not shown in the base', async () => {
  const branch = await topic()
  const { number, head } = (await open({ head: `bob:${branch}` })).body
  forge.context.db.tx((tx) => tx.run('UPDATE repository SET is_private = 1 WHERE id = ?', head.repo_id))
  await commitTo(fork, 'bob', branch, 'secret.txt')
  const secret = tipOf(await idOfAs(fork, 'bob'), `refs/heads/${branch}`)
  expect(await get(number)).toMatchObject({ head: { sha: head.sha, repo: null } })
  expect((await ada.get(`${base}/git/commits/${secret}`)).status).toBe(404)
  expect((await open({ head: `bob:${branch}` }, 'carl')).status).toBe(400)
  forge.context.db.tx((tx) => tx.run('UPDATE repository SET is_private = 0 WHERE id = ?', head.repo_id))
  await commitTo(fork, 'bob', branch, 'open.txt')
  expect((await get(number)).head.sha).not.toBe(head.sha)
})

test('pushes, merges and the end of a fork at the same moment leave each pull request merged or closed, and nothing missing', async () => {
  await forge.asUser('eve').post(`${base}/forks`, { name: 'doomed' })
  const numbers: number[] = []
  for (let i = 0; i < 4; i++) {
    await forge.asUser('eve').post('/repos/eve/doomed/branches', { new_branch_name: `b${i}`, old_ref_name: 'main' })
    await commitTo('/repos/eve/doomed', 'eve', `b${i}`, `doomed-${i}.txt`)
    numbers.push((await open({ head: `eve:b${i}` }, 'eve')).body.number)
  }
  const work = numbers.flatMap((number, i) => [
    commitTo('/repos/eve/doomed', 'eve', `b${i}`, `late-${i}.txt`),
    ada.post(`${base}/pulls/${number}/merge`, { do: 'merge' }),
  ])
  const results = await Promise.all([...work, turns(3).then(() => forge.asUser('eve').delete('/repos/eve/doomed'))])
  for (const { status } of results) expect(status).toBeOneOf([200, 201, 204, 404, 405, 409])
  for (const number of numbers) {
    const pull = await get(number)
    expect([pull.state, pull.head.repo_id]).toEqual(['closed', -1])
    expect((await forge.get(`${base}/pulls/${number}/files`)).status).toBe(200)
    if (!pull.merged) expect((await ada.patch(`${base}/pulls/${number}`, { state: 'open' })).status).toBe(422)
  }
  await inspect(await idOf(base))
})

test('a merge says what the default branch has a template for, with its variables filled in once', async () => {
  const braced = (name: string) => `\${${name}}`
  const where = `$HeadRepoOwnerName/${braced('HeadRepoName')}:${braced('HeadBranch')}`
  const template = `Merge ${where} into $BaseBranch: $PullRequestTitle ($PullRequestReference) $Unknown $ReviewedBy\n\nby $PullRequestPosterName`
  await commitTo(base, 'ada', 'main', '.gitea/default_merge_message/MERGE_TEMPLATE.md', template)
  const branch = await topic()
  const { number } = (await open({ head: `bob:${branch}`, title: 'Costs $HeadBranch' })).body
  expect((await ada.post(`${base}/pulls/${number}/reviews`, { event: 'APPROVED' })).status).toBe(200)
  expect((await ada.post(`${base}/pulls/${number}/merge`, { do: 'merge', merge_message_field: 'Why.' })).status).toBe(200)
  const { body } = await forge.get<{ commit: { message: string } }>(`${base}/git/commits/main`)
  expect(body.commit.message.trim()).toBe(`Merge bob/engine:${branch} into main: Costs $HeadBranch (#${number})  Reviewed-by: ada <ada@example.org>\n\nWhy.`)
})

test('the last commit of a rebase says what there is a template for, and closed issues are named one by one', async () => {
  const template = '$CommitTitle ($PullRequestReference)\n\n$CommitBody\n\n$ClosingIssues'
  await commitTo(base, 'ada', 'main', '.gitea/default_merge_message/REBASE_TEMPLATE.md', template)
  const issues = [await ada.post<{ number: number }>(`${base}/issues`, { title: 'A' }), await ada.post<{ number: number }>(`${base}/issues`, { title: 'B' })]
  const [a, b] = issues.map(({ body }) => body.number)
  await ada.post(`${base}/branches`, { new_branch_name: 'worded', old_ref_name: 'main' })
  await commitTo(base, 'ada', 'worded', 'worded-1.txt')
  await ada.post(`${base}/contents/worded-2.txt`, { branch: 'worded', content: btoa('2'), message: 'Second\n\nWith reasons.' })
  await commitTo(base, 'ada', 'main', 'meanwhile.txt')
  const { number } = (await open({ head: 'worded', title: 'Worded', body: `Fixes #${a}, fixes #${b}` }, 'ada')).body
  expect((await ada.post(`${base}/pulls/${number}/merge`, { do: 'rebase' })).status).toBe(200)
  const { body } = await forge.get<{ commit: { message: string }; files: object[] }[]>(`${base}/commits?limit=3`)
  expect(body.map(({ commit }) => commit.message.trim())).toEqual([
    `Second (#${number})\n\nWith reasons.\n\nclose #${a}, close #${b}`,
    'Add worded-1.txt',
    'Add meanwhile.txt',
  ])
  await inspect(await idOf(base))
})

test('lines that differ in blanks alone are counted unless that is asked otherwise', async () => {
  await commitTo(base, 'ada', 'main', 'blanks.txt', 'a b\nc\n')
  await ada.post(`${base}/branches`, { new_branch_name: 'blanks', old_ref_name: 'main' })
  const { body } = await forge.get<{ sha: string }>(`${base}/contents/blanks.txt?ref=blanks`)
  await ada.put(`${base}/contents/blanks.txt`, { branch: 'blanks', sha: body.sha, content: btoa('a  b\nc \n'), message: 'Blanks' })
  const { number } = (await open({ head: 'blanks' }, 'ada')).body
  const changes = async (whitespace: string) =>
    (await forge.get<{ changes: number }[]>(`${base}/pulls/${number}/files?whitespace=${whitespace}`)).body.map((file) => file.changes)
  expect([await changes('show-all'), await changes('ignore-eol'), await changes('ignore-change'), await changes('constructor')]).toEqual([[4], [2], [0], [4]])
  const diff = async (query: string) => String((await ada.get<unknown>(`${base}/pulls/${number}.diff${query}`)).body)
  expect([await diff(''), await diff('?whitespace=ignore-eol')].map((text) => text.match(/^[+-][^+-].*$/gm))).toEqual([
    ['-a b', '-c', '+a  b', '+c '],
    ['-a b', '+a  b'],
  ])
  expect(await diff('?whitespace=ignore-change')).toBe('')
})
