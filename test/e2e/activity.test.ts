import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../git.ts'
import { commitFiles, forgeForStories, newWorkingCopy, story } from './forge.ts'

interface Told {
  id: number
  op_type: string
  ref_name: string
  content: string
}

story('what was pushed is told in feeds', () => {
  const forge = forgeForStories()
  const feed = async (name: string) => (await (await forge.api(`GET /repos/ada/${name}/activities/feeds`, forge.ada)).json()) as Told[]
  const commitsOf = ({ content }: Told) => (content === '' ? [] : (JSON.parse(content).Commits as { Sha1: string }[]).map(({ Sha1 }) => Sha1))

  /** Commits to the working copy of this name and pushes that, which makes the repository the first time. @returns the commit's id */
  async function push(name: string, content: string): Promise<string> {
    const copy = join(forge.directory, name)
    if (!existsSync(copy)) await newWorkingCopy(copy)
    const id = await commitFiles(copy, `Change to ${content}`, { a: content })
    await git(['push', '--quiet', forge.url(`ada/${name}`, forge.ada), 'main'], { cwd: copy })
    return id
  }

  test('as soon as git says that it is done', async () => {
    const head = await push('engine', 'a')
    const told = await feed('engine')
    expect(told.map((one) => [one.op_type, one.ref_name, commitsOf(one)])).toEqual([
      ['commit_repo', 'refs/heads/main', [head]],
      ['commit_repo', 'refs/heads/main', []],
      ['create_repo', '', []],
    ])
  })

  test('once, and with its commits, also when the server dies right after it', async () => {
    const pushed: string[] = []
    await push('mortal', 'a')
    for (let i = 0; i < 3; i++) {
      pushed.unshift(await push('mortal', String(i)))
      await forge.restart('SIGKILL')
    }
    const told = await feed('mortal')
    expect(told).toHaveLength(6)
    expect(told.slice(0, 3).map(commitsOf)).toEqual(pushed.map((sha) => [sha]))
    await forge.restart()
    const identify = (all: Told[]) => all.map(({ id, content }) => [id, content])
    expect(identify(await feed('mortal'))).toEqual(identify(told))
  })
})
