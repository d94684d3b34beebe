import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { builtExecutable, runBinary } from '../binary.ts'
import { turns } from '../eventually.ts'
import { isSoak, soak } from '../soak.ts'
import { forgeForStories, fsck, storedRepositories, story } from './forge.ts'
import { branching, commandingInVain, organising } from './killed/branches.ts'
import { editing, editingByForm, merging, pushing, pushingToCreate } from './killed/code.ts'
import { attaching, releasing, reporting, writingWiki } from './killed/conversations.ts'
import { adopting, commanding, enlisting, moving, setting, untilCleared } from './killed/places.ts'
import { Desk, isGone, type Work } from './killed/work.ts'

/** How many rounds the server lives. A soak looks elsewhere each time; it prints its rounds. */
const TIMES = soak(2, 100)
const SEED = soak(9, crypto.getRandomValues(new Uint32Array(1))[0] as number)
const ROUND_MS = 120_000
/** How many do the same at once, and how many things are done at once. */
const HANDS = 2
const AT_ONCE = 4
/** Things that are done before a kill. */
const MOST_STEPS = 40

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
  }, 120_000)

  /** Goes on until the server is gone; anything else that goes wrong is a fault. */
  async function workUntilDead(work: Work, hand: string, onStep: () => void): Promise<void> {
    for (let i = 0; ; i++) {
      try {
        await work.step(`${hand}-${i}`)
        onStep()
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
    await turns(10 + random.below(random.below(2) === 0 ? 100 : 500))
    child.kill('SIGKILL')
    await child.exited
    kills++
  }

  test(
    `${TIMES} times: what was answered is there, and what was not is whole or absent`,
    async () => {
      for (let time = 0; time < TIMES; time++) {
        const chosen = pickSome(works, AT_ONCE, (below) => random.below(below))
        let left = 1 + random.below(MOST_STEPS)
        const { promise: enough, resolve } = Promise.withResolvers<void>()
        const onStep = () => --left === 0 && resolve()
        const hands = chosen.flatMap(([, work]) => Array.from({ length: HANDS }, (_, hand) => workUntilDead(work, `t${time}-${hand}`, onStep)))
        const working = Promise.all(hands)
        await Promise.race([enough, working])
        // Other things are under way; how far they have come is left to chance.
        await turns(random.below(50))
        await forge.server.stop('SIGKILL')
        kills++
        await working
        for (let i = random.below(3); i > 0; i--) await killStarting()
        await forge.restart('SIGKILL')
        await untilCleared(forge.server.data)
        for (const [name, work] of chosen)
          await work.check().catch((error) => Promise.reject(new Error(`${name}, round ${time}: ${error.message}`, { cause: error })))
        if (isSoak) console.error(`seed ${SEED}, round ${time}, ${kills} kills: ${chosen.map(([name]) => name).join(' ')}`)
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
