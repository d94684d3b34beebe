import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runBinary } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { git, tryGit } from '../git.ts'
import { commitFiles, forgeForStories, newWorkingCopy, story } from './forge.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

story('a wiki is a repository of its own', () => {
  const forge = forgeForStories()
  const wiki = (name: string) => forge.url(`ada/${name}.wiki`, forge.ada)
  const newRepo = (name: string) => forge.api('POST /user/repos', forge.ada, { name })
  const read = async (line: string) => (await forge.api(line, forge.ada)).json() as Promise<Record<string, unknown>>
  const pathOf = (id: unknown) => join(forge.server.data, 'repositories', `${id}.wiki.git`)

  /** Pushes a wiki of four files to the branch `master`. */
  async function pushWiki(name: string): Promise<void> {
    const copy = await newWorkingCopy(join(forge.directory, name))
    await commitFiles(copy, 'Begin', { 'Home.md': 'See [[Other page]]\n', 'Other-page.md': 'Other\n', 'deep/Inner.md': 'In\n', 'logo.png': 'png\n' })
    await git(['push', '-q', wiki(name), 'HEAD:master'], { cwd: copy })
  }

  test('which a first push makes, on the branch that it brings', async () => {
    const { id } = (await (await newRepo('pushed')).json()) as { id: number }
    expect(await tryGit(['clone', '-q', wiki('pushed'), join(forge.directory, 'none')])).toMatchObject({ exitCode: 128 })
    expect(existsSync(pathOf(id))).toBe(false)
    await pushWiki('pushed')
    expect(await read('GET /repos/ada/pushed')).toMatchObject({ wiki_branch: 'master' })
    const pages = (await (await forge.api('GET /repos/ada/pushed/wiki/pages', forge.ada)).json()) as { title: string }[]
    expect(pages.map(({ title }) => title)).toEqual(['Home', 'Other page'])
    expect(await read('GET /repos/ada/pushed/wiki/page/deep/Inner')).toMatchObject({ content_base64: base64('In\n') })
    expect(await git(['ls-remote', '--symref', wiki('pushed'), 'HEAD'])).toContain('ref: refs/heads/master')
  })

  test('in which pages and pushes meet', async () => {
    await newRepo('both')
    await forge.api('POST /repos/ada/both/wiki/new', forge.ada, { title: 'Home', content_base64: base64('one\n') })
    const copy = join(forge.directory, 'both')
    await git(['clone', '-q', wiki('both'), copy])
    await forge.api('PATCH /repos/ada/both/wiki/page/Home', forge.ada, { content_base64: base64('two\n') })
    await commitFiles(copy, 'Late', { 'Late.md': 'late\n' })
    expect(await tryGit(['push', '-q', 'origin', 'main'], { cwd: copy })).toMatchObject({ exitCode: 1 })
    await git(['pull', '-q', '--rebase', 'origin', 'main'], { cwd: copy })
    await git(['push', '-q', 'origin', 'main'], { cwd: copy })
    expect(await read('GET /repos/ada/both/wiki/page/Late')).toMatchObject({ content_base64: base64('late\n'), commit_count: 1 })
    await git(['push', '-q', 'origin', 'HEAD:refs/heads/draft'], { cwd: copy })
    expect((await forge.api('PATCH /repos/ada/both', forge.ada, { wiki_branch: 'draft' })).status).toBe(200)
    expect(await git(['ls-remote', '--symref', wiki('both'), 'HEAD'])).toContain('ref: refs/heads/draft')
  })

  test('whose refused push leaves nothing', async () => {
    const { id } = (await (await newRepo('refused')).json()) as { id: number }
    const copy = await newWorkingCopy(join(forge.directory, 'refused'))
    await commitFiles(copy, 'Begin', { 'Home.md': 'x\n' })
    const { exitCode, stderr } = await tryGit(['push', wiki('refused'), 'HEAD:refs/pull/1/head'], { cwd: copy })
    expect(stderr).toContain('managed by the server')
    expect([exitCode, existsSync(pathOf(id))]).toEqual([1, false])
  })

  test('which the pages show, with links between them', async () => {
    await newRepo('shown')
    await pushWiki('shown')
    const show = async (path: string) => {
      const answer = await fetch(`${forge.server.origin}/ada/shown/wiki${path}`, { redirect: 'manual' })
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
    }
    const home = await show('')
    expect(home.status).toBe(200)
    expect(home.text).toContain('/ada/shown/wiki/Other-page"')
    expect((await show('/Other-page')).text).toContain('<h2 dir="auto">Other page</h2>')
    expect((await show('/_pages')).text).toContain('>Other page</a>')
    expect((await show('/Home?action=_revision')).text).toContain('1 revision of')
    expect(await show('/raw/Home')).toMatchObject({ status: 200, text: 'See [[Other page]]\n' })
    expect(await show('/logo.png')).toMatchObject({ status: 303, location: '/ada/shown/wiki/raw/logo.png' })
    expect((await show('/raw/logo.png')).text).toBe('png\n')
    expect((await show('/Missing')).status).toBe(404)
  })

  test('that the doctor finds sound, and that goes with what it belongs to', async () => {
    const { id } = (await (await newRepo('gone')).json()) as { id: number }
    await pushWiki('gone')
    expect(existsSync(pathOf(id))).toBe(true)
    expect((await forge.api('DELETE /repos/ada/gone', forge.ada)).status).toBe(204)
    await forge.restart()
    await eventually(() => !existsSync(pathOf(id)))
    await forge.restartInPlace(async () => {
      const doctor = await runBinary(['doctor', '--data', forge.server.data])
      expect([doctor.exitCode, doctor.stdout]).toEqual([0, expect.stringContaining('repository directories')])
    })
  })
})
