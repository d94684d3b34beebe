import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { runBinary } from '../binary.ts'
import { git, tryGit } from '../git.ts'
import { commitFiles, forgeForStories, fsck, newWorkingCopy, storedRepositories } from './forge.ts'
import { leftBehind } from './killed/places.ts'

/** The system's answers to the server are changed by strace, which not every machine has, or lets anybody use. */
const canTrace = Bun.which('strace') !== null && Bun.which('git') !== null && Bun.spawnSync(['strace', '-o', '/dev/null', 'true']).exitCode === 0
const MS = 60_000

describe.skipIf(!canTrace)('the disk refuses', () => {
  const forge = forgeForStories()
  let made = 0
  let copy: string | undefined

  /** Lets calls of the server fail until it is disposed of. @param when which of each thread's, as strace counts: `3` or `3+` */
  async function fault(calls: string, error: string, when: string): Promise<AsyncDisposable> {
    const inject = `inject=${calls}:error=${error}:when=${when}`
    const args = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', inject, '-p', String(forge.server.pid)]
    const child = Bun.spawn(args, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    while (!(await isTraced(forge.server.pid))) await Bun.sleep(10)
    return {
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        await child.exited
      },
    }
  }

  interface Outcome {
    ok: boolean
    words: string
  }

  const told = async (asked: Promise<Response>): Promise<Outcome> => {
    const answer = await asked
    const words = await answer.text()
    if (!answer.ok) expect([answer.status, words]).toEqual([503, expect.stringContaining('nothing was stored')])
    return { ok: answer.ok, words }
  }

  /** What people do, and whether it is there. */
  const deeds: { act(name: string): Promise<Outcome>; isThere(name: string): Promise<boolean> }[] = [
    {
      act: (name) => told(forge.api(`POST /repos/ada/main/contents/${name}`, forge.ada, { content: btoa(name) })),
      isThere: async (name) => (await forge.api(`GET /repos/ada/main/contents/${name}`, forge.ada)).ok,
    },
    {
      act: (name) => told(forge.api('POST /user/repos', forge.ada, { name, auto_init: true })),
      isThere: async (name) => (await forge.api(`GET /repos/ada/${name}/contents/README.md`, forge.ada)).ok,
    },
    {
      async act(name) {
        const { exitCode, stderr } = await tryGit(['push', forge.url('ada/main', forge.ada), `HEAD:refs/heads/${name}`], { cwd: copy })
        if (exitCode !== 0) expect(stderr).toContain('nothing was stored')
        return { ok: exitCode === 0, words: stderr }
      },
      isThere: async (name) => (await git(['ls-remote', forge.url('ada/main', forge.ada), `refs/heads/${name}`])) !== '',
    },
    {
      act: (name) => told(forge.api('POST /repos/ada/main/labels', forge.ada, { name, color: '#00f' })),
      isThere: async (name) => (await (await forge.api('GET /repos/ada/main/labels?limit=50', forge.ada)).text()).includes(`"${name}"`),
    },
  ]

  async function prepare(): Promise<void> {
    if (copy !== undefined) return
    copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await commitFiles(copy, 'Start', { a: 'a' })
    await forge.api('POST /user/repos', forge.ada, { name: 'main', auto_init: true })
  }

  /** What could not be removed meanwhile the next start removes. */
  async function expectWell(): Promise<void> {
    await forge.restart()
    while (leftBehind(forge.server.data).length > 0) await Bun.sleep(50)
    await forge.server.stop()
    for (const path of storedRepositories(forge.server.data)) expect(await fsck(path)).toBe('')
    expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
    await forge.restart()
  }

  test.each([
    ['pwrite64', 'ENOSPC', '1+'],
    ['pwrite64', 'ENOSPC', '9'],
    ['mkdir,mkdirat', 'EROFS', '2+'],
    ['rename,renameat,renameat2', 'EIO', '1+'],
    ['link,linkat,unlink,unlinkat', 'EIO', '2'],
  ])(
    '%s answers %s, the calls %s of each thread: whoever asks is told so, reading goes on, and it passes',
    async (calls, error, when) => {
      await prepare()
      const outcomes: { name: string; ok: boolean; deed: (typeof deeds)[number] }[] = []
      {
        await using _fault = await fault(calls, error, when)
        for (const deed of deeds) {
          const name = `d${made++}`
          outcomes.push({ name, deed, ok: (await deed.act(name)).ok })
          expect((await forge.api('GET /repos/ada/main/contents', forge.ada)).status).toBe(200)
        }
      }
      for (const { name, deed, ok } of outcomes) {
        expect([name, await deed.isThere(name)]).toEqual([name, ok])
        if (!ok) expect([name, await deed.act(name)]).toMatchObject([name, { ok: true }])
      }
      await expectWell()
    },
    MS,
  )

  test.each(['1', '4', '7'])(
    'the sync number %s of a thread fails: whoever waits for it is told so, the server stops, and nothing acknowledged is lost',
    async (when) => {
      await prepare()
      const acknowledged: { name: string; deed: (typeof deeds)[number] }[] = []
      {
        await using _fault = await fault('fsync,fdatasync', 'EIO', when)
        for (let isServed = true; isServed; ) {
          const deed = deeds[made % deeds.length] as (typeof deeds)[number]
          const name = `d${made++}`
          const outcome = await deed.act(name).catch(() => undefined)
          isServed = outcome?.ok === true
          if (isServed) acknowledged.push({ name, deed })
        }
        expect(await forge.server.stop('SIGCONT')).toBe(1)
      }
      expect(forge.server.log()).toContain('The disk failed')
      await forge.restart()
      expect(forge.server.log()).not.toContain('was copied')
      for (const { name, deed } of acknowledged) expect([name, await deed.isThere(name)]).toEqual([name, true])
      await expectWell()
    },
    MS,
  )
})

async function isTraced(pid: number): Promise<boolean> {
  return !/^TracerPid:\s+0$/m.test(await Bun.file(`/proc/${pid}/status`).text())
}
