import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runBinary } from '../binary.ts'
import type { CrashPoint } from '../crash-between.ts'
import { eventually, turns } from '../eventually.ts'
import { Random } from '../generate-history.ts'
import { git, tryGit } from '../git.ts'
import { soak } from '../soak.ts'
import { commitFiles, forgeForStories, fsck, newWorkingCopy, storedRepositories, story } from './forge.ts'

/** How often the server is killed. */
const TIMES = soak(2, 100)
const PUSHERS = 3
const ROUND_MS = 60_000

/** What one pusher knows of its branch. */
interface Pusher {
  copy: string
  branch: string
  /** The commit of the last push that git reported as done. */
  acknowledged: string | undefined
}

story('the server is killed while pushes come in', () => {
  const forge = forgeForStories()
  const url = () => forge.url('ada/fragile', forge.ada)
  const random = new Random(2026)

  const tipsOnServer = async (): Promise<Map<string, string>> => {
    const listed = await git(['ls-remote', '--heads', url()])
    return new Map(listed.split('\n').map((line) => line.split('\t').reverse() as [string, string]))
  }

  /** Pushes commit after commit until the server at this address is gone. */
  async function pushUntilDead(pusher: Pusher, address: string, onPushed: () => void): Promise<void> {
    for (let i = 0; ; i++) {
      const noise = Buffer.from(random.bytes(1 + random.skewed(400_000))).toString('hex')
      const tip = await commitFiles(pusher.copy, `Commit ${i}`, { 'a.txt': `${i}\n`, noise })
      const { exitCode } = await tryGit(['push', address, `HEAD:refs/heads/${pusher.branch}`], { cwd: pusher.copy })
      if (exitCode !== 0) return
      pusher.acknowledged = tip
      onPushed()
    }
  }

  /** A push that was not acknowledged may have landed all the same; one that was must not be lost. */
  async function expectNothingLost(pushers: readonly Pusher[]): Promise<void> {
    const tips = await tipsOnServer()
    for (const { copy, branch, acknowledged } of pushers) {
      const tip = tips.get(`refs/heads/${branch}`)
      if (tip !== undefined) expect(await tryGit(['merge-base', '--is-ancestor', acknowledged ?? tip, tip], { cwd: copy })).toMatchObject({ exitCode: 0 })
      else expect(acknowledged).toBeUndefined()
    }
  }

  test(
    `${TIMES} times: no acknowledged push is lost, and no ref names an object that is missing`,
    async () => {
      const pushers: Pusher[] = Array.from({ length: PUSHERS }, (_, i) => ({
        copy: join(forge.directory, `copy-${i}`),
        branch: `branch-${i}`,
        acknowledged: undefined,
      }))
      for (const { copy } of pushers) await newWorkingCopy(copy)
      await commitFiles((pushers[0] as Pusher).copy, 'Start', {})
      await git(['push', '--quiet', url(), 'main'], { cwd: (pushers[0] as Pusher).copy })
      for (let time = 0; time < TIMES; time++) {
        const address = url()
        let left = 1 + random.below(2 * PUSHERS)
        const { promise: enough, resolve } = Promise.withResolvers<void>()
        const pushing = Promise.all(pushers.map((pusher) => pushUntilDead(pusher, address, () => --left === 0 && resolve())))
        await enough
        // Others are under way; how far they have come is left to chance.
        await turns(random.below(50))
        await forge.restart('SIGKILL').finally(() => pushing)
        await expectNothingLost(pushers)
        const clone = join(forge.directory, `clone-${time}.git`)
        await git(['clone', '--quiet', '--mirror', url(), clone])
        expect(await fsck(clone)).toBe('')
      }
      await untilSwept(forge.server.data)
      await forge.server.stop()
      expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
    },
    (TIMES + 2) * ROUND_MS,
  )
})

/** Resolves when nothing is left of what a killed server had in work: the next one removes it once it has started. */
async function untilSwept(data: string): Promise<void> {
  const left = () => storedRepositories(data).flatMap((path) => readdirSync(join(path, 'objects')).filter((name) => name.startsWith('tmp_')))
  await eventually(() => left().length === 0)
}

story('the server dies between two lines of a commit', () => {
  const forge = forgeForStories()
  const url = () => forge.url('ada/torn', forge.ada)

  test.each<[point: CrashPoint, hasLanded: boolean]>([
    ['marked', false],
    ['published', false],
    ['committed', true],
  ])(
    '%s: it has landed whole, or nobody gets to see it',
    async (point, hasLanded) => {
      const made = await forge.api('POST /user/repos', forge.ada, { name: 'torn', auto_init: true })
      const { id } = (await made.json()) as { id: number }
      await forge.server.stop()
      const child = Bun.spawn([process.execPath, join(import.meta.dir, '../crash-between.ts'), forge.server.data, `${id}`, point], { stdout: 'pipe' })
      const oid = (await child.stdout.text()).trim()
      await child.exited
      expect({ oid, signal: child.signalCode }).toEqual({ oid: expect.stringMatching(/^[0-9a-f]{40}$/), signal: 'SIGKILL' })
      await forge.restart()
      const clone = join(forge.directory, `${point}.git`)
      await git(['clone', '--quiet', '--mirror', url(), clone])
      expect(await fsck(clone)).toBe('')
      expect((await tryGit(['cat-file', '-e', oid], { cwd: clone })).exitCode === 0).toBe(hasLanded)
      expect((await tryGit(['fetch', url(), oid], { cwd: clone })).exitCode === 0).toBe(hasLanded)
      await untilSwept(forge.server.data)
      expect((await forge.api('DELETE /repos/ada/torn', forge.ada)).status).toBe(204)
    },
    2 * ROUND_MS,
  )
})

story('the server is killed while it deletes what somebody asked it to', () => {
  const REPOS = soak(30, 100)
  const forge = forgeForStories()
  const directories = () => readdirSync(join(forge.server.data, 'repositories')).length
  const remaining = async () => Number((await forge.api('GET /orgs/doomed/repos?limit=1', forge.ada)).headers.get('x-total-count'))

  test(
    'at every start it goes on, until rows and directories are gone and nothing else is',
    async () => {
      await forge.api('POST /user/repos', forge.ada, { name: 'kept' })
      await forge.api('POST /orgs', forge.ada, { username: 'doomed' })
      for (let i = 0; i < REPOS; i++) await forge.api('POST /orgs/doomed/repos', forge.ada, { name: `r${i}` })
      expect(directories()).toBe(REPOS + 1)
      expect((await forge.api('DELETE /orgs/doomed/repos', forge.ada)).status).toBe(202)
      for (let time = 0; time < 3; time++) await forge.restart('SIGKILL')
      await eventually(async () => directories() <= 1 && (await remaining()) === 0)
      expect((await forge.api('GET /repos/ada/kept', forge.ada)).status).toBe(200)
      await forge.server.stop()
      expect(await runBinary(['doctor', '--data', forge.server.data])).toMatchObject({ exitCode: 0 })
    },
    4 * ROUND_MS,
  )
})
