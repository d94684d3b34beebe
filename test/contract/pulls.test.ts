import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { eventually } from '../eventually.ts'
import { git, tryGit } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** A pull request from its branch to its merge, as gitea-js and stock git see it, against the compiled executable. */
story('gitea-js and pull requests', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let copy: string
  let url: string

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    url = forge.url('ada/engine', forge.ada)
    copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await commitFiles(copy, 'Start', { 'README.md': '# Engine\n' })
    await git(['push', '--quiet', url, 'HEAD:main'], { cwd: copy })
    await git(['checkout', '--quiet', '-b', 'topic/one'], { cwd: copy })
    await commitFiles(copy, 'Add a file', { 'src/a.ts': 'a()\n' })
    await git(['push', '--quiet', url, 'topic/one'], { cwd: copy })
  })

  const revision = async (name: string) => (await git(['rev-parse', name], { cwd: copy })).trim()

  test('opens, finds, changes and follows one', async () => {
    const { status, data } = await ada.repos.repoCreatePullRequest('ada', 'engine', { title: 'WIP: One', head: 'topic/one', base: 'main', body: 'Text' })
    expect({ status, data }).toMatchObject({ status: 201, data: { number: 1, draft: true, mergeable: false, head: { ref: 'topic/one' }, changed_files: 1 } })
    expect(await statusOf(ada.repos.repoCreatePullRequest('ada', 'engine', { title: 'Two', head: 'topic/one', base: 'main' }))).toBe(409)
    expect((await ada.repos.repoEditPullRequest('ada', 'engine', 1, { title: 'One' })).data).toMatchObject({ title: 'One', draft: false, mergeable: true })
    expect((await ada.repos.repoListPullRequests('ada', 'engine', { state: 'open' })).data.map(({ number }) => number)).toEqual([1])
    await git(['commit', '--quiet', '--amend', '-m', 'Add one file'], { cwd: copy })
    await git(['push', '--quiet', '--force', url, 'topic/one'], { cwd: copy })
    expect((await ada.repos.repoGetPullRequest('ada', 'engine', 1)).data.head?.sha).toBe(await revision('HEAD'))
    expect((await ada.repos.repoGetPullRequestFiles('ada', 'engine', 1)).data).toMatchObject([{ filename: 'src/a.ts', status: 'added', additions: 1 }])
    expect((await ada.repos.repoGetPullRequestCommits('ada', 'engine', 1)).data.map(({ commit }) => commit?.message)).toEqual(['Add one file\n'])
  })

  test('stock git fetches its head, and cannot push there', async () => {
    await git(['fetch', '--quiet', url, 'refs/pull/1/head:fetched'], { cwd: copy })
    expect(await revision('fetched')).toBe(await revision('HEAD'))
    for (const name of ['refs/pull/1/head', 'refs/pull/9/head', 'refs/internal/x']) {
      const { exitCode, stderr } = await tryGit(['push', url, `HEAD~1:${name}`, '--force'], { cwd: copy })
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('refs with this name are managed by the server')])
    }
  })

  test('merges it, and says so ever after', async () => {
    expect(await statusOf(ada.repos.repoPullRequestIsMerged('ada', 'engine', 1))).toBe(404)
    expect((await ada.repos.repoMergePullRequest('ada', 'engine', 1, { Do: 'merge', delete_branch_after_merge: true })).status).toBe(200)
    expect(await statusOf(ada.repos.repoPullRequestIsMerged('ada', 'engine', 1))).toBe(204)
    expect(await statusOf(ada.repos.repoMergePullRequest('ada', 'engine', 1, { Do: 'merge' }))).toBe(405)
    const { data } = await ada.repos.repoGetPullRequest('ada', 'engine', 1)
    expect(data).toMatchObject({ merged: true, state: 'closed', head: { ref: 'refs/pull/1/head' } })
    await git(['fetch', '--quiet', url, 'main:merged'], { cwd: copy })
    expect(await revision('merged')).toBe(data.merge_commit_sha ?? '')
    expect(await revision('merged^2')).toBe(await revision('HEAD'))
  })

  test('merges another by itself, once its checks have succeeded', async () => {
    await git(['checkout', '--quiet', '-b', 'topic/two', 'merged'], { cwd: copy })
    const sha = await commitFiles(copy, 'Add another', { 'src/b.ts': 'b()\n' })
    await git(['push', '--quiet', url, 'topic/two'], { cwd: copy })
    const { number = 0 } = (await ada.repos.repoCreatePullRequest('ada', 'engine', { title: 'Two', head: 'topic/two', base: 'main' })).data
    await ada.repos.repoCreateStatus('ada', 'engine', sha, { state: 'pending', context: 'ci' })
    const schedule = () => ada.repos.repoMergePullRequest('ada', 'engine', number, { Do: 'rebase', merge_when_checks_succeed: true })
    expect((await schedule()).status).toBe(201)
    expect(await statusOf(schedule())).toBe(409)
    expect((await ada.repos.repoCancelScheduledAutoMerge('ada', 'engine', number)).status).toBe(204)
    expect(await statusOf(ada.repos.repoCancelScheduledAutoMerge('ada', 'engine', number))).toBe(404)
    expect((await schedule()).status).toBe(201)
    const isMerged = () => statusOf(ada.repos.repoPullRequestIsMerged('ada', 'engine', number))
    expect(await isMerged()).toBe(404)
    await ada.repos.repoCreateStatus('ada', 'engine', sha, { state: 'success', context: 'ci' })
    await eventually(async () => (await isMerged()) === 204, 'the merge')
  })
})
