import { describe, expect, test } from 'bun:test'
import { runBinary } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { Random } from '../generate-history.ts'
import { soak } from '../soak.ts'
import { Deeds } from './deeds.ts'
import { forgeForStories, fsck, storedRepositories } from './forge.ts'
import { untilCleared } from './killed/places.ts'

/** How many deeds are killed, and at which of their calls: one in so many. */
const EACH = soak(25, 1)
const MOST = soak(1, 100)
/** Of its own for each test, whichever ran before. */
const chance = () => new Random(3)

/** What changes files. Each thread's are counted by themselves, as strace does it. */
const CALLS = 'pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat'
/** The server is killed by strace, which not every machine has, or lets anybody use. */
const canTrace = Bun.which('strace') !== null && Bun.which('git') !== null && Bun.spawnSync(['strace', '-o', '/dev/null', 'true']).exitCode === 0
const MS = soak(120_000, 1_800_000)

describe.skipIf(!canTrace)('the server is killed in the middle of', () => {
  const forge = forgeForStories()
  const deeds = new Deeds(forge)
  const all = Object.entries(deeds.all)
  const first = chance().below(all.length)
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
    await eventually(async () => {
      const { isTraced, isGone } = await statusOf(pid)
      return isTraced || isGone
    })
    await act()
    const isKilled = await isSilent()
    if (isKilled) await eventually(async () => (await statusOf(pid)).isGone)
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

  test.each(Array.from({ length: Math.min(MOST, all.length) }, (_, i) => all[(first + i) % all.length] as (typeof all)[number]))(
    '%s: the next server has it whole or not at all, has what was acknowledged, and lets it be done again',
    async (_, deed) => {
      await deeds.prepare()
      for (let call = 1 + chance().below(EACH), isKilled = true; isKilled; call += EACH) {
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
      await untilCleared(forge.server.data)
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
