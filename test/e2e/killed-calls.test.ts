import { describe, expect, test } from 'bun:test'
import { runBinary } from '../binary.ts'
import { Random } from '../generate-history.ts'
import { Deeds } from './deeds.ts'
import { forgeForStories, fsck, storedRepositories } from './forge.ts'
import { leftInTheEnd } from './killed/places.ts'

/** How many deeds are killed, and at which of their calls: one in so many. `EACH=1` in the environment kills all of them at every call. */
const EACH = Number(process.env.EACH ?? 25)
const MOST = EACH === 1 ? 100 : 4
const random = new Random(Number(process.env.SEED ?? 3))

/** What changes files. Each thread's are counted by themselves, as strace does it. */
const CALLS = 'pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat'
/** The server is killed by strace, which not every machine has, or lets anybody use. */
const canTrace = Bun.which('strace') !== null && Bun.which('git') !== null && Bun.spawnSync(['strace', '-o', '/dev/null', 'true']).exitCode === 0
const MS = EACH === 1 ? 1_800_000 : 60_000

describe.skipIf(!canTrace)('the server is killed in the middle of', () => {
  const forge = forgeForStories()
  const deeds = new Deeds(forge)
  const all = Object.entries(deeds.all)
  const first = random.below(all.length)
  let made = 0

  /** Kills the server at a call of a thread. @returns whether one of them came so far */
  async function killAt(call: number, act: () => Promise<void>): Promise<boolean> {
    const { pid } = forge.server
    const inject = ['-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:signal=SIGKILL:when=${call}`]
    const tracer = Bun.spawn(['strace', '-f', '-qq', '-o', '/dev/null', ...inject, '-p', String(pid)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    while (!(await statusOf(pid)).isTraced && !(await statusOf(pid)).isGone) await Bun.sleep(10)
    await act()
    const isKilled = await isSilent()
    while (isKilled && !(await statusOf(pid)).isGone) await Bun.sleep(5)
    // Of a process that is gone strace waits for threads that it will not hear of.
    tracer.kill(isKilled ? 'SIGKILL' : 'SIGTERM')
    await tracer.exited
    return isKilled || isSilent()
  }

  async function isSilent(): Promise<boolean> {
    return forge.api('GET /version').then(
      () => false,
      () => true,
    )
  }

  /** Nothing is left of what was cut off, a moment after the next start. */
  async function expectCleared(): Promise<void> {
    expect(await leftInTheEnd(forge.server.data)).toEqual([])
  }

  test.each(Array.from({ length: Math.min(MOST, all.length) }, (_, i) => all[(first + i * 4) % all.length] as (typeof all)[number]))(
    '%s: the next server has it whole or not at all, has what was acknowledged, and lets it be done again',
    async (_, deed) => {
      await deeds.prepare()
      for (let call = 1 + random.below(EACH), isKilled = true; isKilled; call += EACH) {
        const name = `k${made++}`
        await deed.arrange?.(name)
        let isAcknowledged = false
        isKilled = await killAt(call, async () => {
          isAcknowledged = await deed.act(name).then(
            (refusal) => refusal === undefined,
            () => false,
          )
        })
        if (isKilled) await forge.restart('SIGKILL')
        const isThere = await deed.isThere(name)
        if (isAcknowledged) expect([name, call, isThere]).toEqual([name, call, true])
        if (!isThere) expect([name, call, await deed.act(name), await deed.isThere(name)]).toEqual([name, call, undefined, true])
      }
      await expectCleared()
      await forge.server.stop('SIGKILL')
      expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
      for (const path of storedRepositories(forge.server.data)) expect(await fsck(path)).toBe('')
      await forge.restart()
    },
    MS,
  )
})

/** How the system has a process: one that was killed is a zombie, until whoever started it has heard of it. */
async function statusOf(pid: number): Promise<{ isTraced: boolean; isGone: boolean }> {
  const text = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => '')
  return { isTraced: /^TracerPid:\s+[1-9]/m.test(text), isGone: text === '' || /^State:\s+[ZX]/m.test(text) }
}
