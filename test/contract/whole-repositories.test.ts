import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { eventually } from '../eventually.ts'
import { git, tryGit } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** Repositories as wholes: given away, made from others, known by what they hold; as a client written for Gitea meets that at the compiled executable. */

story('gitea-js, with whole repositories', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let bob: Api<unknown>

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    bob = client(forge.server.origin, { token: (await forge.join('bob')).token })
    await ada.user.createCurrentUserRepo({ name: 'engine', auto_init: true, license: 'Apache-2.0', default_branch: 'main', private: true })
  })

  test('knows languages and licences soon after a push', async () => {
    const copy = join(forge.directory, 'engine')
    await git(['clone', '--quiet', forge.url('ada/engine', forge.ada), copy])
    await commitFiles(copy, 'Code', { 'a.go': 'package a\n', 'b.h': 'namespace b {}\n', 'node_modules/c.js': 'c()\n' })
    await git(['push', '--quiet', 'origin', 'main'], { cwd: copy })
    const read = async () => Object.entries((await ada.repos.repoGetLanguages('ada', 'engine')).data)
    await eventually(async () => (await read()).length > 0, 'languages')
    expect(await read()).toEqual([
      ['C++', 15],
      ['Go', 10],
    ])
    expect((await ada.repos.repoGetLicenses('ada', 'engine')).data).toEqual(['Apache-2.0'])
    expect((await ada.repos.repoGet('ada', 'engine')).data).toMatchObject({ language: 'C++', licenses: ['Apache-2.0'] })
  })

  test('gives one away, when it is taken; the old address serves git as before', async () => {
    const offered = await ada.repos.repoTransfer('ada', 'engine', { new_owner: 'bob' })
    expect([offered.status, offered.data.repo_transfer]).toMatchObject([201, { doer: { login: 'ada' }, recipient: { login: 'bob' } }])
    expect(await statusOf(ada.repos.acceptRepoTransfer('ada', 'engine'))).toBe(403)
    expect((await bob.repos.rejectRepoTransfer('ada', 'engine')).status).toBe(200)
    expect(await statusOf(bob.repos.repoGet('ada', 'engine'))).toBe(404)
    await ada.repos.repoTransfer('ada', 'engine', { new_owner: 'bob' })
    const taken = await bob.repos.acceptRepoTransfer('ada', 'engine')
    expect([taken.status, taken.data.full_name, taken.data.permissions?.admin]).toEqual([202, 'bob/engine', true])
    expect(await statusOf(ada.repos.repoGet('bob', 'engine'))).toBe(404)
    await bob.repos.repoAddCollaborator('bob', 'engine', 'ada', { permission: 'write' })
    const copy = await newWorkingCopy(join(forge.directory, 'moved'))
    await git(['pull', '--quiet', forge.url('ada/engine', forge.ada), 'main'], { cwd: copy })
    await commitFiles(copy, 'After', { 'after.md': 'x\n' })
    expect((await tryGit(['push', '--quiet', forge.url('ada/engine', forge.ada), 'HEAD:main'], { cwd: copy })).exitCode).toBe(0)
  })

  test('makes one from a template', async () => {
    await ada.user.createCurrentUserRepo({ name: 'mould', template: true })
    const copy = await newWorkingCopy(join(forge.directory, 'mould'))
    await commitFiles(copy, 'One', { '.gitea/template': '**.md\n', 'README.md': '# $REPO_NAME of $REPO_OWNER\n', 'run.sh': 'echo $HOME\n' })
    await git(['push', '--quiet', forge.url('ada/mould', forge.ada), 'main'], { cwd: copy })
    await ada.repos.repoUpdateTopics('ada', 'mould', { topics: ['steam'] })
    const made = await bob.repos.generateRepo('ada', 'mould', { owner: 'bob', name: 'cast', git_content: true, topics: true })
    expect([made.status, made.data]).toMatchObject([201, { full_name: 'bob/cast', topics: ['steam'], fork: false }])
    const clone = join(forge.directory, 'cast')
    await git(['clone', '--quiet', `${forge.server.origin}/bob/cast.git`, clone])
    expect(await Bun.file(join(clone, 'README.md')).text()).toBe('# cast of bob\n')
    expect([await git(['ls-files'], { cwd: clone }), await git(['log', '--format=%an %s'], { cwd: clone })]).toEqual([
      'README.md\nrun.sh',
      'bob Initial commit',
    ])
    expect((await tryGit(['fsck', '--strict'], { cwd: clone })).exitCode).toBe(0)
    expect(await statusOf(bob.repos.generateRepo('ada', 'mould', { owner: 'bob', name: 'cast', git_content: true }))).toBe(409)
    expect(await statusOf(bob.repos.generateRepo('bob', 'cast', { owner: 'bob', name: 'again', git_content: true }))).toBe(422)
  })

  test('moves and renames branches, makes and deletes tags, and compares what they end at', async () => {
    await ada.user.createCurrentUserRepo({ name: 'lines', auto_init: true, default_branch: 'main' })
    const place = ['ada', 'lines'] as const
    const first = (await ada.repos.repoGetBranch(...place, 'main')).data.commit?.id as string
    await ada.repos.repoCreateBranch(...place, { new_branch_name: 'topic' })
    const made = await ada.repos.repoCreateFile(...place, 'a.txt', { content: btoa('a\n'), branch: 'topic' })
    const second = made.data.commit?.sha as string
    expect((await ada.repos.repoCompareDiff(...place, 'main...topic')).data).toMatchObject({ total_commits: 1, commits: [{ sha: second }] })
    expect((await ada.repos.repoCompareDiff(...place, 'topic...main')).data).toMatchObject({ total_commits: 0, commits: [] })
    expect(await statusOf(ada.repos.repoCompareDiff(...place, 'main...absent'))).toBe(404)
    const renamed = await forge.api('PATCH /repos/ada/lines/branches/topic', forge.ada, { name: 'feature/renamed' })
    expect(renamed.status).toBe(204)
    expect((await ada.repos.repoGetBranch(...place, 'feature/renamed')).data.commit?.id).toBe(second)
    const moved = await forge.api('PUT /repos/ada/lines/branches/main', forge.ada, { new_commit_id: second, old_commit_id: first })
    expect([moved.status, (await ada.repos.repoGetBranch(...place, 'main')).data.commit?.id]).toEqual([204, second])
    const tag = await ada.repos.repoCreateTag(...place, { tag_name: 'v1', target: first, message: 'One' })
    expect([tag.status, tag.data]).toMatchObject([201, { name: 'v1', message: expect.stringContaining('One'), commit: { sha: first } }])
    expect(await statusOf(ada.repos.repoCreateTag(...place, { tag_name: 'v1' }))).toBe(409)
    expect((await ada.repos.repoCompareDiff(...place, 'v1...main')).data.total_commits).toBe(1)
    expect((await ada.repos.repoListTags(...place)).data.map(({ name }) => name)).toEqual(['v1'])
    expect((await ada.repos.repoDeleteTag(...place, 'v1')).status).toBe(204)
    expect(await statusOf(ada.repos.repoGetTag(...place, 'v1'))).toBe(404)
  })

  test('tells what happened in one, edits all that it is, and archives it', async () => {
    const place = ['ada', 'lines'] as const
    const feed = (await ada.repos.repoListActivityFeeds(...place)).data.map(({ op_type }) => op_type)
    expect(feed).toContain('create_repo')
    const edited = await ada.repos.repoEdit(...place, {
      description: 'All of it',
      website: 'https://lines.example',
      template: true,
      has_wiki: false,
      has_projects: false,
      has_issues: true,
      internal_tracker: { enable_time_tracker: false, allow_only_contributors_to_track_time: true, enable_issue_dependencies: true },
      allow_merge_commits: false,
      default_merge_style: 'squash',
      default_delete_branch_after_merge: true,
      projects_mode: 'repo',
      default_branch: 'feature/renamed',
    })
    expect([edited.status, edited.data]).toMatchObject([
      200,
      {
        description: 'All of it',
        template: true,
        has_wiki: false,
        internal_tracker: { enable_time_tracker: false },
        allow_merge_commits: false,
        default_merge_style: 'squash',
        default_branch: 'feature/renamed',
      },
    ])
    expect((await ada.repos.repoEdit(...place, { archived: true })).data.archived).toBe(true)
    expect(await statusOf(ada.repos.repoCreateFile(...place, 'b.txt', { content: '' }))).toBe(423)
    const copy = await newWorkingCopy(join(forge.directory, 'archived'))
    await git(['pull', '--quiet', forge.url('ada/lines', forge.ada), 'feature/renamed'], { cwd: copy })
    await commitFiles(copy, 'Late', { 'late.txt': 'x\n' })
    const push = await tryGit(['push', forge.url('ada/lines', forge.ada), 'HEAD:feature/renamed'], { cwd: copy })
    expect([push.exitCode === 0, push.stderr]).toEqual([false, expect.stringContaining('403')])
  })
})
