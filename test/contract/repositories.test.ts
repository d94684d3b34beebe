import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { ADMIN_PASSWORD } from '../binary.ts'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { git } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** A client written for Gitea, against the compiled executable: what it sends is understood, and what it reads is there. */

story('gitea-js', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let admin: Api<unknown>
  let tip: string
  let first: string

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    admin = client(forge.server.origin, { authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}` })
    const copy = await newWorkingCopy(join(forge.directory, 'copy'))
    first = await commitFiles(copy, 'Start', { 'README.md': '# Engine\n', 'src/main.ts': 'main()\n', 'docs/grüße.md': 'Hallo\n' })
    tip = await commitFiles(copy, 'Second\n\nWith a body.', { 'src/main.ts': 'main(1)\n' })
    await git(['tag', '-a', '-m', 'Release one', 'v1.0'], { cwd: copy })
    await git(['branch', 'feature/a'], { cwd: copy })
    await git(['push', '--quiet', '--tags', forge.url('ada/engine', forge.ada), 'main', 'feature/a'], { cwd: copy })
  })

  test('reads version and settings', async () => {
    expect((await ada.version.getVersion()).data.version).toMatch(/^1\.24\.\d+\+pocketforge-/)
    expect((await ada.settings.getGeneralApiSettings()).data).toMatchObject({ max_response_items: 50, default_paging_num: 30 })
  })

  test('knows who it is, and finds others', async () => {
    const { data: me } = await ada.user.userGetCurrent()
    expect(me).toMatchObject({ login: 'ada', email: 'ada@example.org', is_admin: false, active: true })
    expect((await ada.users.userGet('admin')).data).toMatchObject({ login: 'admin' })
    expect((await ada.users.userSearch({ q: 'ad' })).data.data?.map(({ login }) => login).sort()).toEqual(['ada', 'admin'])
    expect(await statusOf(ada.users.userGet('nobody'))).toBe(404)
  })

  test('makes, lists and deletes access tokens with a password', async () => {
    const { status, data: made } = await admin.users.userCreateToken('admin', { name: 'ci', scopes: ['read:repository'] })
    expect({ status, name: made.name }).toEqual({ status: 201, name: 'ci' })
    expect(made.sha1).toMatch(/^[0-9a-f]{40}$/)
    const { data: listed } = await admin.users.userGetTokens('admin')
    expect(listed.find(({ name }) => name === 'ci')).toMatchObject({ token_last_eight: made.sha1?.slice(-8), scopes: ['read:repository'] })
    expect((await admin.users.userDeleteAccessToken('admin', 'ci')).status).toBe(204)
    expect(await statusOf(client(forge.server.origin, { token: made.sha1 }).user.userGetCurrent())).toBe(401)
  })

  test('manages users as an administrator, and only then', async () => {
    const made = await admin.admin.adminCreateUser({ username: 'grace', email: 'grace@example.org', password: 'a long password', must_change_password: false })
    expect({ status: made.status, data: made.data }).toMatchObject({ status: 201, data: { login: 'grace' } })
    expect((await admin.admin.adminEditUser('grace', { login_name: 'grace', source_id: 0, full_name: 'Grace Hopper' })).data.full_name).toBe('Grace Hopper')
    expect((await admin.admin.adminSearchUsers()).data.map(({ login }) => login)).toContain('grace')
    expect((await admin.admin.adminCreateRepo('grace', { name: 'cobol' })).data).toMatchObject({ full_name: 'grace/cobol' })
    expect(await statusOf(ada.admin.adminCreateUser({ username: 'eve', email: 'eve@example.org', password: 'a long password' }))).toBe(403)
    expect((await admin.admin.adminDeleteUser('grace', { purge: true })).status).toBe(204)
    expect(await statusOf(ada.users.userGet('grace'))).toBe(404)
  })

  test('creates, finds, changes and deletes a repository', async () => {
    const { status, data: made } = await ada.user.createCurrentUserRepo({
      name: 'notes',
      description: 'Notes',
      auto_init: true,
      readme: 'Default',
      license: 'MIT',
      gitignores: 'Node',
      default_branch: 'trunk',
    })
    expect({ status, made }).toMatchObject({
      status: 201,
      made: { full_name: 'ada/notes', default_branch: 'trunk', private: false, permissions: { admin: true, push: true, pull: true } },
    })
    const names = (await ada.repos.repoGetContentsList('ada', 'notes')).data as unknown as { name: string }[]
    expect(names.map(({ name }) => name).sort()).toEqual(['.gitignore', 'LICENSE', 'README.md'])
    expect(await statusOf(ada.user.createCurrentUserRepo({ name: 'notes' }))).toBe(409)
    expect((await ada.repos.repoSearch({ q: 'note' })).data).toMatchObject({ ok: true, data: [{ full_name: 'ada/notes' }] })
    expect((await ada.repos.repoEdit('ada', 'notes', { name: 'diary', private: true })).data).toMatchObject({ full_name: 'ada/diary', private: true })
    expect((await ada.repos.repoDelete('ada', 'diary')).status).toBe(204)
    expect(await statusOf(ada.repos.repoGet('ada', 'diary'))).toBe(404)
  })

  test('reads, makes and deletes branches, slashes and all', async () => {
    expect((await ada.repos.repoListBranches('ada', 'engine')).data.map(({ name }) => name).sort()).toEqual(['feature/a', 'main'])
    expect((await ada.repos.repoGetBranch('ada', 'engine', 'feature/a')).data).toMatchObject({
      name: 'feature/a',
      commit: { id: tip, message: expect.stringContaining('Second') },
    })
    expect((await ada.repos.repoCreateBranch('ada', 'engine', { new_branch_name: 'feature/b', old_ref_name: 'main' })).data).toMatchObject({
      name: 'feature/b',
      commit: { id: tip },
    })
    expect((await ada.repos.repoDeleteBranch('ada', 'engine', 'feature/b')).status).toBe(204)
    expect(await statusOf(ada.repos.repoGetBranch('ada', 'engine', 'feature/b'))).toBe(404)
  })

  test('reads commits, trees, blobs, refs and tags', async () => {
    expect((await ada.repos.repoGetAllCommits('ada', 'engine')).data.map(({ sha }) => sha)).toEqual([tip, first])
    expect((await ada.repos.repoGetSingleCommit('ada', 'engine', tip)).data).toMatchObject({
      sha: tip,
      parents: [{ sha: first }],
      commit: { message: 'Second\n\nWith a body.\n' },
    })
    const { data: tree } = await ada.repos.getTree('ada', 'engine', 'main', { recursive: true })
    const file = tree.tree?.find(({ path }) => path === 'src/main.ts')
    expect(file).toMatchObject({ mode: '100644', type: 'blob', size: 8 })
    expect((await ada.repos.getBlob('ada', 'engine', file?.sha ?? '')).data).toMatchObject({ encoding: 'base64', content: btoa('main(1)\n'), size: 8 })
    expect((await ada.repos.repoListAllGitRefs('ada', 'engine')).data.map(({ ref }) => ref).sort()).toEqual([
      'refs/heads/feature/a',
      'refs/heads/main',
      'refs/tags/v1.0',
    ])
    const [tag] = (await ada.repos.repoListGitRefs('ada', 'engine', 'tags/v1.0')).data
    expect(tag).toMatchObject({ ref: 'refs/tags/v1.0', object: { type: 'tag' } })
    expect((await ada.repos.getAnnotatedTag('ada', 'engine', tag?.object?.sha ?? '')).data).toMatchObject({
      tag: 'v1.0',
      message: expect.stringContaining('Release one'),
      object: { sha: tip, type: 'commit' },
    })
  })

  test('reads contents and raw files', async () => {
    expect((await ada.repos.repoGetContents('ada', 'engine', 'src/main.ts')).data).toMatchObject({
      type: 'file',
      encoding: 'base64',
      content: btoa('main(1)\n'),
      path: 'src/main.ts',
    })
    expect((await ada.repos.repoGetContents('ada', 'engine', 'src/main.ts', { ref: first })).data).toMatchObject({ content: btoa('main()\n') })
    expect((await ada.repos.repoGetContents('ada', 'engine', encodeURIComponent('docs/grüße.md'))).data).toMatchObject({ name: 'grüße.md' })
    const raw = await ada.repos.repoGetRawFile('ada', 'engine', 'README.md', {}, { format: 'text' })
    expect(raw.data as unknown).toBe('# Engine\n')
  })
})
