import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { git, tryGit } from '../git.ts'
import { client, statusOf } from './client.ts'

/** Repositories as wholes: given away, made from others, known by what they hold; as a client written for Gitea meets that at the compiled executable. */

story('gitea-js, with whole repositories', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let bob: Api<unknown>

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    bob = client(forge.server.origin, { token: (await forge.join('bob')).token })
    await ada.user.createCurrentUserRepo({ name: 'engine', auto_init: true, license: 'Apache-2.0', default_branch: 'main', private: true })
  }, 60_000)

  test('knows languages and licences soon after a push', async () => {
    const copy = join(forge.directory, 'engine')
    await git(['clone', '--quiet', forge.url('ada/engine', forge.ada), copy])
    await commitFiles(copy, 'Code', { 'a.go': 'package a\n', 'b.h': 'namespace b {}\n', 'node_modules/c.js': 'c()\n' })
    await git(['push', '--quiet', 'origin', 'main'], { cwd: copy })
    const read = async () => Object.entries((await ada.repos.repoGetLanguages('ada', 'engine')).data)
    for (let tries = 0; tries < 100 && (await read()).length === 0; tries++) await Bun.sleep(100)
    expect(await read()).toEqual([
      ['C++', 15],
      ['Go', 10],
    ])
    expect((await ada.repos.repoGetLicenses('ada', 'engine')).data).toEqual(['Apache-2.0'])
    expect((await ada.repos.repoGet('ada', 'engine')).data).toMatchObject({ language: 'C++', licenses: ['Apache-2.0'] })
  }, 30_000)

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
})
