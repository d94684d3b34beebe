import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { git } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** What is said of a pull request, as gitea-js and stock git see it, against the compiled executable. */
story('gitea-js and reviews', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let bob: Api<unknown>
  let copy: string
  let url: string
  const here = ['ada', 'engine', 1] as const

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    bob = client(forge.server.origin, { token: (await forge.join('bob')).token })
    url = forge.url('ada/engine', forge.ada)
    copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await commitFiles(copy, 'Start', { 'README.md': '# Engine\n', CODEOWNERS: 'src/.* @bob\n' })
    await git(['push', '--quiet', url, 'HEAD:main'], { cwd: copy })
    await ada.repos.repoAddCollaborator('ada', 'engine', 'bob', { permission: 'write' })
    await git(['checkout', '--quiet', '-b', 'topic'], { cwd: copy })
    await commitFiles(copy, 'Add a file', { 'src/a.ts': 'one()\ntwo()\nthree()\n' })
    await git(['push', '--quiet', url, 'topic'], { cwd: copy })
  })

  test('owners are asked, by an executable that reads their file in a thread of its own', async () => {
    const { data } = await ada.repos.repoCreatePullRequest('ada', 'engine', { title: 'One', head: 'topic', base: 'main' })
    expect(data).toMatchObject({ number: 1, requested_reviewers: [{ login: 'bob' }], requested_reviewers_teams: [] })
    expect(await statusOf(ada.repos.repoDeletePullReviewRequests(...here, { reviewers: ['bob'] }))).toBe(204)
    expect((await ada.repos.repoCreatePullReviewRequests(...here, { reviewers: ['bob'] })).data).toMatchObject([
      { state: 'REQUEST_REVIEW', user: { login: 'bob' } },
    ])
  })

  test('a review is begun, added to, sent and read', async () => {
    const begun = await bob.repos.repoCreatePullReview(...here, { body: 'Soon', comments: [{ path: 'src/a.ts', body: 'Why two?', new_position: 2 }] })
    const { id = 0 } = begun.data
    expect(begun.data).toMatchObject({ state: 'PENDING', comments_count: 1 })
    expect((await ada.repos.repoListPullReviews(...here)).data.map(({ state }) => state)).toEqual(['REQUEST_REVIEW'])
    expect(await statusOf(ada.repos.repoGetPullReview(...here, id))).toBe(404)
    const sent = await bob.repos.repoSubmitPullReview(...here, id, { event: 'REQUEST_CHANGES', body: 'Not yet.' })
    expect(sent.data).toMatchObject({ id, state: 'REQUEST_CHANGES', official: true, stale: false })
    expect((await ada.repos.repoGetPullReviewComments(...here, id)).data).toMatchObject([
      { body: 'Why two?', path: 'src/a.ts', position: 2, original_position: 0, diff_hunk: '@@ -0,0 +1,3 @@\n+one()\n+two()', user: { login: 'bob' } },
    ])
    expect((await ada.repos.repoGetPullRequest(...here)).data).toMatchObject({ review_comments: 1, requested_reviewers: [{ login: 'bob' }] })
  })

  test('a rule asks for an approval of what is there now', async () => {
    await ada.repos.repoCreateBranchProtection('ada', 'engine', { rule_name: 'main', required_approvals: 1, dismiss_stale_approvals: true })
    expect(await statusOf(ada.repos.repoMergePullRequest(...here, { Do: 'merge' }))).toBe(405)
    const { id = 0 } = (await bob.repos.repoCreatePullReview(...here, { event: 'APPROVED' })).data
    await commitFiles(copy, 'Say more', { 'src/a.ts': 'zero()\none()\ntwo()\nthree()\n' })
    await git(['push', '--quiet', url, 'topic'], { cwd: copy })
    expect((await ada.repos.repoGetPullReview(...here, id)).data).toMatchObject({ stale: true, dismissed: true })
    const [comment] = (await ada.repos.repoGetPullReviewComments(...here, id - 1)).data
    expect(comment?.position).toBe(3)
    expect(await statusOf(ada.repos.repoMergePullRequest(...here, { Do: 'merge' }))).toBe(405)
    expect((await ada.repos.repoUnDismissPullReview(...here, id)).data.dismissed).toBe(false)
    expect((await ada.repos.repoDismissPullReview(...here, id, { message: 'No.' })).data.dismissed).toBe(true)
    const again = (await bob.repos.repoCreatePullReview(...here, { event: 'APPROVED' })).data
    expect(await statusOf(ada.repos.repoDeletePullReview(...here, again.id ?? 0))).toBe(403)
    // A rebase onto a base that went on elsewhere leaves the changes, and so what was said of them.
    await git(['checkout', '--quiet', '-B', 'base', 'topic~2'], { cwd: copy })
    await ada.repos.repoEditBranchProtection('ada', 'engine', 'main', { enable_push: true })
    await commitFiles(copy, 'Elsewhere', { 'docs/b.md': 'b\n' })
    await git(['push', '--quiet', url, 'HEAD:main'], { cwd: copy })
    await git(['checkout', '--quiet', 'topic'], { cwd: copy })
    await git(['rebase', '--quiet', 'base'], { cwd: copy })
    await git(['push', '--quiet', '--force', url, 'topic'], { cwd: copy })
    expect((await ada.repos.repoGetPullReview(...here, again.id ?? 0)).data).toMatchObject({ stale: false, dismissed: false })
    expect(await statusOf(ada.repos.repoMergePullRequest(...here, { Do: 'merge' }))).toBe(200)
  })
})
