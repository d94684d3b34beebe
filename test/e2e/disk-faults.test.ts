import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBinary } from '../binary.ts'
import { git, tryGit } from '../git.ts'
import { commitFiles, forgeForStories, fsck, newWorkingCopy, storedRepositories } from './forge.ts'
import { leftBehind } from './killed/places.ts'

/** Whichever write fails: every one, or one in so many from the first on, `EACH=1` in the environment tries all of them. */
const EACH = Number(process.env.EACH ?? 4)

/** The system's answers to the server are changed by strace, which not every machine has, or lets anybody use. */
const canTrace = Bun.which('strace') !== null && Bun.which('git') !== null && Bun.spawnSync(['strace', '-o', '/dev/null', 'true']).exitCode === 0
const MS = 60_000

describe.skipIf(!canTrace)('the disk refuses', () => {
  const forge = forgeForStories()
  let made = 0
  let copy: string | undefined

  /** Lets calls of the server fail until it is disposed of. @param when which of each thread's, as strace counts: `3` or `3+` */
  async function fault(calls: string, error: string, when: string): Promise<AsyncDisposable & { wasFelt(): boolean }> {
    const inject = `inject=${calls}:error=${error}:when=${when}`
    const log = join(forge.directory, 'strace')
    const args = ['strace', '-f', '-qq', '-o', log, '-e', `trace=${calls}`, '-e', inject, '-p', String(forge.server.pid)]
    const child = Bun.spawn(args, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    while (!(await isTraced(forge.server.pid))) await Bun.sleep(10)
    return {
      wasFelt: () => readFileSync(log, 'utf8').includes('(INJECTED)'),
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        await child.exited
      },
    }
  }

  interface Deed {
    /** @returns undefined once it is acknowledged, else why not */
    act(name: string): Promise<string | undefined>
    isThere(name: string): Promise<boolean>
  }

  const told = async (asked: Promise<Response>): Promise<string | undefined> => {
    const answer = await asked
    const words = await answer.text()
    if (answer.ok) return undefined
    expect([answer.status, words]).toEqual([503, expect.stringMatching(/nothing was stored|may be stored/)])
    return words
  }

  const attach = (name: string) => {
    const form = new FormData()
    form.append('attachment', new File([name.repeat(50_000)], `${name}.txt`))
    const headers = { Authorization: `token ${forge.ada.token}` }
    return fetch(`${forge.server.origin}/api/v1/repos/ada/main/issues/1/assets?name=${name}.txt`, { method: 'POST', headers, body: form })
  }

  /** What people do, and whether it is there, whole. */
  const deeds = {
    'a commit': {
      act: (name) => told(forge.api(`POST /repos/ada/main/contents/${name}`, forge.ada, { content: btoa(name) })),
      isThere: async (name) => (await forge.api(`GET /repos/ada/main/contents/${name}`, forge.ada)).ok,
    },
    'a repository': {
      act: (name) => told(forge.api('POST /user/repos', forge.ada, { name, auto_init: true })),
      isThere: async (name) => (await forge.api(`GET /repos/ada/${name}/contents/README.md`, forge.ada)).ok,
    },
    'a push': {
      async act(name) {
        await commitFiles(copy as string, name, { name })
        const { exitCode, stderr } = await tryGit(['push', forge.url('ada/main', forge.ada), `HEAD:refs/heads/${name}`], { cwd: copy })
        if (exitCode === 0) return undefined
        expect(stderr).toContain('nothing was stored')
        return stderr
      },
      isThere: async (name) => (await git(['ls-remote', forge.url('ada/main', forge.ada), `refs/heads/${name}`])) !== '',
    },
    'a label': {
      act: (name) => told(forge.api('POST /repos/ada/main/labels', forge.ada, { name, color: '#00f' })),
      isThere: async (name) => (await (await forge.api('GET /repos/ada/main/labels?limit=50', forge.ada)).text()).includes(`"${name}"`),
    },
    'a file beside an issue': {
      act: (name) => told(attach(name)),
      async isThere(name) {
        const files = (await (await forge.api('GET /repos/ada/main/issues/1/assets', forge.ada)).json()) as { name: string; size: number }[]
        return files.find((file) => file.name === `${name}.txt`)?.size === name.length * 50_000
      },
    },
  } satisfies Record<string, Deed>

  const all: Deed[] = Object.values(deeds)

  async function prepare(): Promise<void> {
    if (copy !== undefined) return
    copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await forge.api('POST /user/repos', forge.ada, { name: 'main', auto_init: true })
    await forge.api('POST /repos/ada/main/issues', forge.ada, { title: 'Files' })
  }

  /** What was acknowledged is there, what was refused is not and can be done again; of some the words say that it may be either. */
  async function expectTrue(deed: Deed, name: string, refusal: string | undefined): Promise<void> {
    const isThere = await deed.isThere(name)
    if (refusal === undefined) expect([name, isThere]).toEqual([name, true])
    else if (refusal.includes('nothing was stored')) expect([name, isThere]).toEqual([name, false])
    if (!isThere) expect([name, await deed.act(name)]).toEqual([name, undefined])
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
    ['pwrite64', 'EDQUOT', '1+'],
    ['pwrite64,mkdir,mkdirat', 'EROFS', '1+'],
    ['pwrite64', 'EIO', '3'],
    ['mkdir,mkdirat', 'EROFS', '2+'],
    ['rename,renameat,renameat2', 'EIO', '1+'],
    ['link,linkat,unlink,unlinkat', 'EIO', '2'],
  ])(
    '%s answers %s, the calls %s of each thread: whoever asks is told so, reading goes on, and it passes',
    async (calls, error, when) => {
      await prepare()
      const outcomes: [deed: Deed, name: string, refusal: string | undefined][] = []
      {
        await using _fault = await fault(calls, error, when)
        for (const deed of all) {
          const name = `d${made++}`
          outcomes.push([deed, name, await deed.act(name)])
          expect((await forge.api('GET /repos/ada/main/contents', forge.ada)).status).toBe(200)
        }
      }
      for (const outcome of outcomes) await expectTrue(...outcome)
      await expectWell()
    },
    MS,
  )

  test.each(Object.entries(deeds))(
    '%s, whichever write of it finds the disk full: it is there, or can be done again',
    async (_, deed) => {
      await prepare()
      for (let write = 1; ; write += EACH) {
        const name = `d${made++}`
        await using full = await fault('pwrite64,ftruncate,mkdir,mkdirat,rename,renameat,renameat2,link,linkat', 'ENOSPC', `${write}`)
        const refusal = await deed.act(name)
        if (!full.wasFelt()) break
        await full[Symbol.asyncDispose]()
        await expectTrue(deed, name, refusal)
      }
      await expectWell()
    },
    MS,
  )

  test.each(['1', '4', '7'])(
    'the sync number %s of a thread fails: whoever waits for it is told so, the server stops, and nothing acknowledged is lost',
    async (when) => {
      await prepare()
      const acknowledged: { name: string; deed: Deed }[] = []
      {
        await using _fault = await fault('fsync,fdatasync', 'EIO', when)
        for (let isServed = true; isServed; ) {
          const deed = all[made % all.length] as Deed
          const name = `d${made++}`
          isServed = (await deed.act(name).catch(() => 'gone')) === undefined
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
