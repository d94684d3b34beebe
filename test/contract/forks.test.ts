import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { git } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** What goes between a repository and its forks, as gitea-js sees it, against the compiled executable. */
story('gitea-js and forks', () => {
  const forge = forgeForStories()
  const origin = ['ada', 'engine'] as const
  const fork = ['bob', 'engine'] as const
  let ada: Api<unknown>
  let bob: Api<unknown>
  let copy: string
  const push = async (repository: string, ...refs: string[]) => git(['push', '--quiet', forge.url(repository, forge.ada), ...refs], { cwd: copy })

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    const member = await forge.join('bob')
    bob = client(forge.server.origin, { token: member.token })
    copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await commitFiles(copy, 'Start', { 'README.md': '# Engine\n' })
    await git(['push', '--quiet', '-o', 'repo.private=false', forge.url('ada/engine', forge.ada), 'main'], { cwd: copy })
    expect((await bob.repos.createFork(...origin, {})).status).toBe(202)
    expect((await bob.repos.repoAddCollaborator(...fork, 'ada', { permission: 'write' })).status).toBe(204)
    await git(['checkout', '--quiet', '-b', 'topic'], { cwd: copy })
    await commitFiles(copy, 'Add a file', { 'src/a.ts': 'one()\ntwo()\nthree()\n' })
    await push('bob/engine', 'topic')
  })

  test('compares across them, by owner and by full name', async () => {
    for (const head of ['bob:topic', 'bob/engine:topic']) {
      const { data } = await ada.repos.repoCompareDiff(...origin, `main...${head}`)
      expect(data).toMatchObject({ total_commits: 1, commits: [{ commit: { message: 'Add a file\n' } }] })
    }
    expect(await statusOf(ada.repos.repoCompareDiff(...origin, 'main...eve:topic'))).toBe(404)
    expect(await statusOf(ada.repos.repoCompareDiff(...origin, 'main...bob:absent'))).toBe(404)
  })

  test('opens a pull request from one, once, and finds it by its ends', async () => {
    const asked = { title: 'Forked', head: 'bob:topic', base: 'main' }
    expect(await statusOf(bob.repos.repoCreatePullRequest(...origin, { ...asked, milestone: 77 }))).toBe(404)
    expect((await bob.repos.repoListPullRequests(...origin, { state: 'all' })).data).toEqual([])
    const opened = await bob.repos.repoCreatePullRequest(...origin, asked)
    expect(opened.data).toMatchObject({
      number: 1,
      mergeable: true,
      head: { label: 'topic', ref: 'topic', repo: { full_name: 'bob/engine', fork: true } },
      base: { ref: 'main', repo: { full_name: 'ada/engine' } },
    })
    expect(await statusOf(bob.repos.repoCreatePullRequest(...origin, asked))).toBe(409)
    expect(await statusOf(bob.repos.repoCreatePullRequest(...origin, { ...asked, head: 'bob:absent' }))).toBe(404)
    expect((await ada.repos.repoGetPullRequestByBaseHead(...origin, 'main', 'bob:topic')).data).toMatchObject({ number: 1 })
    expect((await bob.repos.repoEditPullRequest(...origin, 1, { allow_maintainer_edit: true })).data).toMatchObject({ allow_maintainer_edit: true })
  })

  test('reads its changes as files, commits, a diff and mails', async () => {
    expect((await ada.repos.repoGetPullRequestFiles(...origin, 1)).data).toMatchObject([{ filename: 'src/a.ts', status: 'added', additions: 3 }])
    expect((await ada.repos.repoGetPullRequestCommits(...origin, 1)).data).toHaveLength(1)
    for (const kind of ['diff', 'patch'] as const) {
      const text = await (await forge.api(`GET /repos/ada/engine/pulls/1.${kind}`, forge.ada)).text()
      expect(text).toContain('+two()\n')
      await git(['checkout', '--quiet', '-B', `by-${kind}`, 'main'], { cwd: copy })
      await git(kind === 'diff' ? ['apply', '--index'] : ['am', '--quiet'], { cwd: copy, input: text })
      expect(await git(['diff', '--cached', 'topic'], { cwd: copy })).toBe('')
      await git(['reset', '--quiet', '--hard'], { cwd: copy })
    }
  })

  test('is brought up to date by a merge of its base, and then by another of a rebase', async () => {
    await git(['checkout', '--quiet', 'main'], { cwd: copy })
    for (const [i, style] of (['merge', 'rebase'] as const).entries()) {
      await commitFiles(copy, `Elsewhere ${i}`, { [`docs/${i}.md`]: '1\n' })
      await push('ada/engine', 'main')
      expect(await statusOf(ada.repos.repoUpdatePullRequest(...origin, 1, { style }))).toBe(200)
      const { head, merge_base: base } = (await ada.repos.repoGetPullRequest(...origin, 1)).data
      expect(base).toBe(await git(['rev-parse', 'main'], { cwd: copy }))
      expect((await bob.repos.repoGetBranch(...fork, 'topic')).data.commit?.id).toBe(head?.sha ?? '')
    }
  })

  test('brings the fork up to what it was forked from', async () => {
    expect((await bob.repos.repoMergeUpstream(...fork, { branch: 'main' })).data).toEqual({ merge_type: 'fast-forward' })
    expect((await bob.repos.repoMergeUpstream(...fork, { branch: 'main' })).data).toEqual({ merge_type: 'up-to-date' })
    expect((await bob.repos.repoGetBranch(...fork, 'main')).data.commit?.id).toBe(await git(['rev-parse', 'main'], { cwd: copy }))
    await commitFiles(copy, 'Upstream', { 'docs/up.md': '1\n' })
    await push('ada/engine', 'main')
    await git(['checkout', '--quiet', '-b', 'own', 'main~1'], { cwd: copy })
    await commitFiles(copy, 'Own', { 'docs/own.md': '1\n' })
    await push('bob/engine', 'own:main')
    expect(await statusOf(bob.repos.repoMergeUpstream(...fork, { branch: 'main', ...{ ff_only: true } }))).toBe(400)
    expect((await bob.repos.repoMergeUpstream(...fork, { branch: 'main' })).data).toEqual({ merge_type: 'merge' })
    expect(await statusOf(bob.repos.repoMergeUpstream(...fork, { branch: 'absent' }))).toBe(404)
    expect(await statusOf(ada.repos.repoMergeUpstream(...origin, { branch: 'main' }))).toBe(400)
  })

  test('is said what is thought of it: comments are answered, settled and opened again; requests come and go', async () => {
    const here = [...origin, 1] as const
    const sent = await ada.repos.repoCreatePullReview(...here, { event: 'COMMENT', comments: [{ path: 'src/a.ts', body: 'Why?', new_position: 2 }] })
    const id = sent.data.id ?? 0
    const [comment] = (await bob.repos.repoGetPullReviewComments(...here, id)).data
    const talk = async (verb: string, as = forge.ada) => (await forge.api(`POST /repos/ada/engine/pulls/comments/${comment?.id}/${verb}`, as)).status
    expect(await talk('resolve')).toBe(204)
    expect((await bob.repos.repoGetPullReviewComments(...here, id)).data).toMatchObject([{ resolver: { login: 'ada' } }])
    expect(await talk('unresolve')).toBe(204)
    expect((await bob.repos.repoGetPullReviewComments(...here, id)).data[0]?.resolver ?? null).toBeNull()
    const joined = await forge.api(`POST /repos/ada/engine/pulls/1/reviews/${id}/comments`, forge.ada, { path: 'src/a.ts', body: 'And?', new_position: 3 })
    expect(joined.status).toBe(200)
    expect((await ada.repos.repoGetPullReview(...here, id)).data.comments_count).toBe(2)
    expect(await statusOf(bob.repos.repoCreatePullReview(...here, { event: 'APPROVED' }))).toBe(422)
    expect(await statusOf(bob.repos.repoCreatePullReview(...here, { event: 'PENDING' }))).toBe(422)
    expect(await statusOf(bob.repos.repoCreatePullReviewRequests(...here, { reviewers: ['nobody'] }))).toBe(404)
    const begun = (await ada.repos.repoCreatePullReview(...here, { body: 'Draft' })).data
    expect(await statusOf(bob.repos.repoDeletePullReview(...here, begun.id ?? 0))).toBe(404)
    expect(await statusOf(ada.repos.repoDeletePullReview(...here, begun.id ?? 0))).toBe(204)
    expect(await statusOf(ada.repos.repoSubmitPullReview(...here, id, { event: 'APPROVED' }))).toBe(422)
    expect(await statusOf(bob.repos.repoDismissPullReview(...here, id, {}))).toBe(403)
    expect((await ada.repos.repoListPullReviews(...here)).data.map(({ state }) => state)).toEqual(['COMMENT'])
  })
})
