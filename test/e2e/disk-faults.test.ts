import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBinary } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { isSoak, soak } from '../soak.ts'
import { type Deed, Deeds } from './deeds.ts'
import { forgeForStories, fsck, storedRepositories } from './forge.ts'
import { untilCleared } from './killed/places.ts'
import { RareDeeds } from './rare-deeds.ts'

/** Whichever write fails: every one, or one in so many from the first on. */
const EACH = soak(12, 1)
/** Deeds that each of the calls' errors is tried with, others for each error, and deeds whose every write is tried. */
const DEEDS_EACH = soak(2, Number.POSITIVE_INFINITY)
const DEEDS_WHOLE = soak(1, Number.POSITIVE_INFINITY)
/** Deeds in which a sync is to fail: together they sync far more often than that takes. */
const DEEDS_SYNCED = soak(8, Number.POSITIVE_INFINITY)

/** The system's answers to the server are changed by strace, which not every machine has, or lets anybody use. */
const canTrace = Bun.which('strace') !== null && Bun.which('git') !== null && Bun.spawnSync(['strace', '-o', '/dev/null', 'true']).exitCode === 0
const MS = soak(120_000, 1_800_000)

describe.skipIf(!canTrace)('the disk refuses', () => {
  const forge = forgeForStories()
  let made = 0

  /** Lets calls of the server fail until it is disposed of. @param when which of each thread's, as strace counts: `3` or `3+` */
  async function fault(calls: string, error: string, when: string): Promise<AsyncDisposable & { wasFelt(): boolean }> {
    const inject = `inject=${calls}:error=${error}:when=${when}`
    const log = join(forge.directory, 'strace')
    const args = ['strace', '-f', '-qq', '-o', log, '-e', `trace=${calls}`, '-e', inject, '-p', String(forge.server.pid)]
    const child = Bun.spawn(args, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    await eventually(() => isTraced(forge.server.pid))
    return {
      wasFelt: () => readFileSync(log, 'utf8').includes('(INJECTED)'),
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        await child.exited
      },
    }
  }

  const deeds = new Deeds(forge)
  const rare = new RareDeeds(forge)
  const all = Object.entries(isSoak ? { ...deeds.all, ...rare.all } : deeds.all)
  /** Repositories that git has found whole, and that no later deed is done to. */
  const found = new Set<string>()

  /** So many deeds at most, from one on. */
  function some(first: number, most: number): typeof all {
    return [...all.slice(first), ...all.slice(0, first)].slice(0, most)
  }

  async function prepare(): Promise<void> {
    await deeds.prepare()
    if (isSoak) await rare.prepare()
  }

  /** What was acknowledged is there, what was refused is not and can be done again; of some the words say that it may be either. */
  async function expectTrue(deed: Deed, name: string, refusal: string | undefined): Promise<void> {
    const isThere = await deed.isThere(name)
    if (refusal === undefined) expect([name, isThere]).toEqual([name, true])
    else if (refusal.includes('no changes were saved')) expect([name, isThere]).toEqual([name, false])
    if (!isThere) expect([name, await deed.act(name)]).toEqual([name, undefined])
  }

  /** With names of their own. */
  async function arrange(kinds: typeof all): Promise<[deed: Deed, name: string][]> {
    const arranged: [deed: Deed, name: string][] = []
    for (const [, deed] of kinds) {
      const name = `d${made++}`
      await deed.arrange?.(name)
      arranged.push([deed, name])
    }
    return arranged
  }

  /** What could not be removed meanwhile the next start removes. */
  async function expectWell(): Promise<void> {
    await forge.restart()
    await untilCleared(forge.server.data)
    for (const path of storedRepositories(forge.server.data)) {
      if (found.has(path)) continue
      expect(await fsck(path)).toBe('')
      if (!/\/1(\.wiki)?\.git$/.test(path)) found.add(path)
    }
    expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
  }

  const refusals = [
    ['pwrite64', 'ENOSPC', '1+'],
    ['pwrite64', 'ENOSPC', '9'],
    ['pwrite64', 'EDQUOT', '1+'],
    ['pwrite64,mkdir,mkdirat', 'EROFS', '1+'],
    ['pwrite64', 'EIO', '3'],
    ['mkdir,mkdirat', 'EROFS', '2+'],
    ['rename,renameat,renameat2', 'EIO', '1+'],
    ['link,linkat,unlink,unlinkat', 'EIO', '2'],
  ] as const
  test.each(refusals.map((refusal, i) => [...refusal, some(2 * i, DEEDS_EACH)] as const))(
    '%s answers %s, the calls %s of each thread: whoever asks is told so, reading goes on, and it passes',
    async (calls, error, when, chosen) => {
      await prepare()
      const outcomes: [deed: Deed, name: string, refusal: string | undefined][] = []
      const arranged = await arrange(chosen)
      {
        await using _fault = await fault(calls, error, when)
        for (const [deed, name] of arranged) {
          outcomes.push([deed, name, await deed.act(name)])
          expect((await forge.api('GET /repos/ada/main/contents', forge.ada)).status).toBe(200)
        }
      }
      for (const outcome of outcomes) await expectTrue(...outcome)
      await expectWell()
    },
    MS,
  )

  test.each(some(0, DEEDS_WHOLE))(
    '%s, whichever write of it finds the disk full: it is there, or can be done again',
    async (_, deed) => {
      await prepare()
      for (let write = 1; ; write += EACH) {
        const name = `d${made++}`
        await deed.arrange?.(name)
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

  test.each([
    ['1', 0],
    ['7', 6],
    ['2', 9],
  ])(
    'the sync number %s of a thread fails, from deed %d on: whoever waits for it is told so, the server stops, and nothing acknowledged is lost or half there',
    async (when, first) => {
      await prepare()
      const acknowledged: { name: string; deed: Deed }[] = []
      const unknown: typeof acknowledged = []
      {
        const arranged = await arrange(some(first, DEEDS_SYNCED))
        await using _fault = await fault('fsync,fdatasync', 'EIO', when)
        for (const [deed, name] of arranged) {
          const refusal = await deed.act(name).catch(() => 'gone')
          if (refusal === undefined) acknowledged.push({ name, deed })
          else unknown.push({ name, deed })
        }
        expect(await forge.server.stop('SIGCONT')).toBe(1)
      }
      expect(forge.server.log()).toContain('Disk failure')
      await forge.restart()
      expect(forge.server.log()).not.toContain('was copied')
      for (const { name, deed } of acknowledged) expect([name, await deed.isThere(name)]).toEqual([name, true])
      for (const { name, deed } of unknown) await deed.isThere(name)
      await expectWell()
    },
    MS,
  )
})

async function isTraced(pid: number): Promise<boolean> {
  return !/^TracerPid:\s+0$/m.test(await Bun.file(`/proc/${pid}/status`).text())
}
