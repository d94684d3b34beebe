import { beforeAll, expect, test } from 'bun:test'
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
  const copy = () => join(forge.directory, 'copy')
  const feed = async () => (await (await forge.api('GET /repos/ada/engine/activities/feeds', forge.ada)).json()) as Told[]
  const commitsOf = ({ content }: Told) => (content === '' ? [] : (JSON.parse(content).Commits as { Sha1: string }[]).map(({ Sha1 }) => Sha1))

  beforeAll(async () => {
    await newWorkingCopy(copy())
    await commitFiles(copy(), 'Start', { a: 'a' })
    await git(['push', '--quiet', forge.url('ada/engine', forge.ada), 'main'], { cwd: copy() })
  }, 60_000)

  test('as soon as git says that it is done', async () => {
    const head = await git(['rev-parse', 'HEAD'], { cwd: copy() })
    const told = await feed()
    expect(told.map((one) => [one.op_type, one.ref_name, commitsOf(one)])).toEqual([
      ['commit_repo', 'refs/heads/main', [head]],
      ['commit_repo', 'refs/heads/main', []],
      ['create_repo', '', []],
    ])
  })

  test('once, and with its commits, also when the server dies right after it', async () => {
    const pushed: string[] = []
    for (let i = 0; i < 3; i++) {
      pushed.unshift(await commitFiles(copy(), `Change ${i}`, { a: String(i) }))
      await git(['push', '--quiet', forge.url('ada/engine', forge.ada), 'main'], { cwd: copy() })
      await forge.restart('SIGKILL')
    }
    const told = await feed()
    expect(told).toHaveLength(6)
    expect(told.slice(0, 3).map(commitsOf)).toEqual(pushed.map((sha) => [sha]))
    await forge.restart()
    const identify = (all: Told[]) => all.map(({ id, content }) => [id, content])
    expect(identify(await feed())).toEqual(identify(told))
  })
})
