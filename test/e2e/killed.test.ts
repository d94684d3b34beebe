import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { builtExecutable, runBinary } from '../binary.ts'
import { forgeForStories, fsck, storedRepositories, story } from './forge.ts'
import { branching, commandingInVain, organising } from './killed/branches.ts'
import { editing, editingByForm, merging, pushing, pushingToCreate } from './killed/code.ts'
import { attaching, releasing, reporting, writingWiki } from './killed/conversations.ts'
import { adopting, commanding, enlisting, leftInTheEnd, moving, setting } from './killed/places.ts'
import { Desk, isGone, type Work } from './killed/work.ts'

/** How many rounds the server lives; `TIMES=100` in the environment looks longer, and `SEED=7` elsewhere. */
const TIMES = Number(process.env.TIMES ?? 8)
const SEED = Number(process.env.SEED ?? 9)
const ROUND_MS = 30_000
/** How many do the same at once, and how many things are done at once. */
const HANDS = 2
const AT_ONCE = 4

/** Upkeep comes at every moment, and what it may drop it drops at once; as many files go beside an issue as a fast machine sends. */
const env = {
  POCKETFORGE_GIT_UPKEEP_SECONDS: '1',
  POCKETFORGE_GIT_MAX_PACKS: '3',
  POCKETFORGE_GIT_GC_GRACE_HOURS: '0',
  POCKETFORGE_STORAGE_BLOB_GRACE_HOURS: '0',
  POCKETFORGE_ATTACHMENT_MAX_FILES: '10000',
}

story('the server is killed while people work', () => {
  const forge = forgeForStories({ env })
  const desk = new Desk(forge, SEED)
  const { random } = desk
  const kinds = {
    editing,
    editingByForm,
    merging,
    pushing,
    pushingToCreate,
    attaching,
    releasing,
    reporting,
    writingWiki,
    adopting,
    branching,
    commanding,
    commandingInVain,
    enlisting,
    moving,
    organising,
    setting,
  }
  const works: [name: string, work: Work][] = Object.entries(kinds).map(([name, make]) => [name, make(desk)])
  let kills = 0

  beforeAll(async () => {
    for (const [, work] of works) await work.prepare?.()
  }, 60_000)

  /** Goes on until the server is gone; anything else that goes wrong is a fault. */
  async function workUntilDead(work: Work, hand: string): Promise<void> {
    for (let i = 0; ; i++) {
      try {
        await work.step(`${hand}-${i}`)
      } catch (error) {
        if (isGone(error)) return
        throw error
      }
    }
  }

  /** Kills a server that has hardly begun, in the middle of opening the store or of clearing away what the last one left. */
  async function killStarting(): Promise<void> {
    const args = ['serve', '--data', forge.server.data, '--port', '0']
    const child = Bun.spawn([await builtExecutable(), ...args], { env: { PATH: '', ...env }, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    await Bun.sleep(20 + random.below(random.below(2) === 0 ? 150 : 900))
    child.kill('SIGKILL')
    await child.exited
    kills++
  }

  /** What the last server left is gone a moment after the next has started. */
  async function expectCleared(): Promise<void> {
    expect(await leftInTheEnd(forge.server.data)).toEqual([])
  }

  test(
    `${TIMES} times: what was answered is there, and what was not is whole or absent`,
    async () => {
      for (let time = 0; time < TIMES; time++) {
        const chosen = pickSome(works, AT_ONCE, (below) => random.below(below))
        const hands = chosen.flatMap(([, work]) => Array.from({ length: HANDS }, (_, hand) => workUntilDead(work, `t${time}-${hand}`)))
        const working = Promise.all(hands)
        working.catch(() => {})
        await Bun.sleep(50 + random.below(1500))
        await forge.server.stop('SIGKILL')
        kills++
        await working
        for (let i = random.below(3); i > 0; i--) await killStarting()
        await forge.restart('SIGKILL')
        await expectCleared()
        for (const [name, work] of chosen)
          await work.check().catch((error) => Promise.reject(new Error(`${name}, round ${time}: ${error.message}`, { cause: error })))
        if (process.env.TIMES) console.error(`round ${time}, ${kills} kills: ${chosen.map(([name]) => name).join(' ')}`)
      }
      for (const [, work] of works) await work.check()
      await forge.server.stop()
      for (const path of storedRepositories(forge.server.data)) expect(await fsck(path)).toBe('')
      expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
      expect(readdirSync(join(forge.server.data, 'repositories')).filter((name) => !/^(\d+(\.wiki)?\.git|ada)$/.test(name))).toEqual([])
    },
    (TIMES + 2) * ROUND_MS,
  )
})

function pickSome<T>(from: readonly T[], count: number, below: (n: number) => number): T[] {
  const rest = [...from]
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(below(rest.length), 1)[0] as T)
}
