import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { git, tryGit } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

/** What surrounds the code of a repository, as a client written for Gitea meets it at the compiled executable. */

story('gitea-js, around the code', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>
  let bob: Api<unknown>
  let tip: string

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    bob = client(forge.server.origin, { token: (await forge.join('bob')).token })
    const copy = await newWorkingCopy(join(forge.directory, 'copy'))
    tip = await commitFiles(copy, 'Start', { 'README.md': '# Engine\n', '.editorconfig': '[*.ts]\nindent_size = 2\n', 'a.ts': '' })
    await ada.user.createCurrentUserRepo({ name: 'engine' })
    await git(['push', '--quiet', forge.url('ada/engine', forge.ada), 'main'], { cwd: copy })
  })

  test('gives a repository topics', async () => {
    expect((await ada.repos.repoUpdateTopics('ada', 'engine', { topics: ['Math', 'steam'] })).status).toBe(204)
    expect((await ada.repos.repoAddTopic('ada', 'engine', 'brass')).status).toBe(204)
    expect((await bob.repos.repoListTopics('ada', 'engine')).data).toEqual({ topics: ['brass', 'math', 'steam'] })
    expect((await ada.repos.repoDeleteTopic('ada', 'engine', 'math')).status).toBe(204)
    expect((await bob.topics.topicSearch({ q: 'stea' })).data as unknown).toMatchObject({ topics: [{ topic_name: 'steam', repo_count: 1 }] })
    expect(await statusOf(ada.repos.repoAddTopic('ada', 'engine', '-'))).toBe(422)
  })

  test('says how a commit fares', async () => {
    const made = await ada.repos.repoCreateStatus('ada', 'engine', tip, { state: 'success', context: 'ci', target_url: 'https://ci.example.org/1' })
    expect([made.status, made.data]).toMatchObject([201, { status: 'success', context: 'ci', creator: { login: 'ada' } }])
    expect((await bob.repos.repoListStatuses('ada', 'engine', tip)).data).toMatchObject([{ id: 1, status: 'success' }])
    expect((await bob.repos.repoListStatusesByRef('ada', 'engine', 'main', { page: 1 })).data).toMatchObject([{ context: 'ci' }])
    expect((await bob.repos.repoGetCombinedStatusByRef('ada', 'engine', 'main')).data).toMatchObject({ state: 'success', sha: tip, total_count: 1 })
    expect(await statusOf(bob.repos.repoCreateStatus('ada', 'engine', tip, { state: 'success' }))).toBe(403)
  })

  test('tells how to treat a file', async () => {
    expect((await bob.repos.repoGetEditorConfig('ada', 'engine', 'a.ts')).data as unknown).toEqual({ indent_size: '2', tab_width: '2' })
  })

  test('downloads an archive, whole and in parts', async () => {
    const address = `${forge.server.origin}/ada/engine/archive/main.tar.gz`
    const whole = await fetch(address)
    expect([whole.status, whole.headers.get('link')]).toEqual([200, expect.stringContaining(`/archive/${tip}.tar.gz?rev=${tip}`)])
    const bytes = new Uint8Array(await whole.arrayBuffer())
    const part = await fetch(address, { headers: { Range: 'bytes=5-9' } })
    expect([part.status, new Uint8Array(await part.arrayBuffer())]).toEqual([206, bytes.slice(5, 10)])
    const head = await fetch(address, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
  })

  test('forks, and the fork stands when what it was made from is gone', async () => {
    await ada.user.createCurrentUserRepo({ name: 'brief', auto_init: true, default_branch: 'main' })
    const made = await bob.repos.createFork('ada', 'brief', {})
    expect([made.status, made.data]).toMatchObject([202, { full_name: 'bob/brief', fork: true, parent: { full_name: 'ada/brief', forks_count: 1 } }])
    expect((await ada.repos.listForks('ada', 'brief')).data.map(({ full_name }) => full_name)).toEqual(['bob/brief'])
    expect(await statusOf(bob.repos.createFork('ada', 'brief', {}))).toBe(409)
    await ada.repos.repoDelete('ada', 'brief')
    const clone = join(forge.directory, 'forked')
    await git(['clone', '--quiet', `${forge.server.origin}/bob/brief.git`, clone])
    expect((await tryGit(['fsck', '--strict'], { cwd: clone })).exitCode).toBe(0)
    const { fork, parent } = (await bob.repos.repoGet('bob', 'brief')).data
    expect([fork, parent ?? null]).toEqual([false, null])
  })

  test('publishes a release with a file', async () => {
    const made = await ada.repos.repoCreateRelease('ada', 'engine', { tag_name: 'v1.0', name: 'One', body: 'First' })
    const id = made.data.id as number
    expect([made.status, made.data]).toMatchObject([201, { tag_name: 'v1.0', draft: false, author: { login: 'ada' } }])
    const { data: asset, status } = await ada.repos.repoCreateReleaseAttachment(
      'ada',
      'engine',
      id,
      { attachment: new File(['bytes'], 'a.bin') },
      { name: 'b.bin' },
    )
    expect([status, asset]).toMatchObject([201, { name: 'b.bin', size: 5 }])
    expect(await (await fetch(asset.browser_download_url as string)).text()).toBe('bytes')
    expect((await bob.repos.repoListReleaseAttachments('ada', 'engine', id)).data).toMatchObject([{ name: 'b.bin', download_count: 1 }])
    expect((await ada.repos.repoEditReleaseAttachment('ada', 'engine', id, asset.id as number, { name: 'c.bin' })).status).toBe(201)
    expect((await bob.repos.repoGetLatestRelease('ada', 'engine')).data).toMatchObject({ id, assets: [{ name: 'c.bin' }] })
    expect((await bob.repos.repoGetReleaseByTag('ada', 'engine', 'v1.0')).data.id).toBe(id)
    expect((await ada.repos.repoEditRelease('ada', 'engine', id, { name: 'Two' })).data.name).toBe('Two')
    expect((await ada.repos.repoDeleteReleaseAttachment('ada', 'engine', id, asset.id as number)).status).toBe(204)
    expect((await ada.repos.repoDeleteRelease('ada', 'engine', id)).status).toBe(204)
    expect((await bob.repos.repoListReleases('ada', 'engine')).data).toEqual([])
    expect((await bob.repos.repoGetTag('ada', 'engine', 'v1.0')).data.commit?.sha).toBe(tip)
  })

  test('reads what is noted of a commit', async () => {
    expect(await statusOf(bob.repos.repoGetNote('ada', 'engine', tip))).toBe(404)
    expect((await forge.api(`POST /repos/ada/engine/git/notes/${tip}`, forge.ada, { message: 'Good' })).status).toBe(200)
    expect((await bob.repos.repoGetNote('ada', 'engine', tip)).data).toMatchObject({ message: 'Good\n', commit: { author: { login: 'ada' } } })
    const copy = join(forge.directory, 'noted')
    await git(['clone', '--quiet', forge.url('ada/engine', forge.ada), copy])
    await git(['fetch', '--quiet', 'origin', 'refs/notes/*:refs/notes/*'], { cwd: copy })
    expect(await git(['notes', 'show', tip], { cwd: copy })).toBe('Good')
  })

  test('writes a wiki', async () => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const { status, data: page } = await ada.repos.repoCreateWikiPage('ada', 'engine', { title: 'Home Page', content_base64: base64('one'), message: 'Begin' })
    expect({ status, page }).toMatchObject({ status: 201, page: { title: 'Home Page', sub_url: 'Home-Page', last_commit: { message: 'Begin\n' } } })
    expect((await bob.repos.repoGetWikiPage('ada', 'engine', page.sub_url as string)).data).toEqual(page)
    const edited = await ada.repos.repoEditWikiPage('ada', 'engine', 'Home-Page', { title: 'Start', content_base64: base64('two') })
    expect([edited.status, edited.data]).toMatchObject([200, { title: 'Start', content_base64: base64('two'), commit_count: 1 }])
    expect((await bob.repos.repoGetWikiPages('ada', 'engine', { page: 1, limit: 10 })).data).toMatchObject([{ title: 'Start' }])
    expect((await bob.repos.repoGetWikiPageRevisions('ada', 'engine', 'Start')).data).toMatchObject({ count: 1, commits: [{ commiter: { name: 'ada' } }] })
    expect(await statusOf(bob.repos.repoCreateWikiPage('ada', 'engine', { title: 'Mine' }))).toBe(403)
    expect(await statusOf(ada.repos.repoCreateWikiPage('ada', 'engine', { title: 'Start' }))).toBe(400)
    expect((await ada.repos.repoDeleteWikiPage('ada', 'engine', 'Start')).status).toBe(204)
    expect(await statusOf(ada.repos.repoGetWikiPage('ada', 'engine', 'Start'))).toBe(404)
  })
})
