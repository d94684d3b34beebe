import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type GitResult, git, tryGit } from '../git.ts'
import { soak } from '../soak.ts'
import { commitFiles, forgeForStories, fsck, newWorkingCopy, storedRepositories, story } from './forge.ts'
import { steps } from './steps.ts'

const PUSHERS = soak(8, 20)

story(`${PUSHERS} push to one repository at once`, () => {
  const forge = forgeForStories()
  const url = () => forge.url('ada/busy', forge.ada)
  let copies: string[] = []
  let tips: string[] = []

  beforeAll(async () => {
    const first = await newWorkingCopy(join(forge.directory, 'first'))
    await commitFiles(first, 'Start', { 'README.md': '# Busy\n' })
    await git(['push', '--quiet', url(), 'main'], { cwd: first })
    copies = Array.from({ length: PUSHERS }, (_, i) => join(forge.directory, `copy-${i}`))
    for (const copy of copies) await git(['clone', '--quiet', first, copy])
    tips = await Promise.all(copies.map((copy, i) => commitFiles(copy, `From ${i}`, { [`file-${i}`]: `${i}\n`.repeat(100 + i) })))
  }, 120_000)

  const everybodyPushes = (refspec: (i: number) => string): Promise<GitResult[]> =>
    Promise.all(copies.map((cwd, i) => tryGit(['push', url(), refspec(i)], { cwd })))

  test('what lands is what git says has landed, and the repository stays whole', () =>
    steps({
      'each pushes to a branch of their own: all land': async () => {
        const results = await everybodyPushes((i) => `main:refs/heads/branch-${i}`)
        expect(results.map(({ exitCode, stderr }) => (exitCode === 0 ? '' : stderr))).toEqual(Array(PUSHERS).fill(''))
        const listed = await git(['ls-remote', '--heads', url()])
        for (const [i, tip] of tips.entries()) expect(listed).toContain(`${tip}\trefs/heads/branch-${i}`)
      },

      'all push to one branch: one lands, the others are told why not, and nothing of theirs stays': async () => {
        const results = await everybodyPushes(() => 'main')
        const winners = results.flatMap(({ exitCode }, i) => (exitCode === 0 ? [i] : []))
        expect(winners).toHaveLength(1)
        for (const { exitCode, stderr } of results) if (exitCode !== 0) expect(stderr).toMatch(/\[(remote )?rejected\]/)
        expect(await git(['ls-remote', url(), 'refs/heads/main'])).toStartWith(await git(['rev-parse', 'main'], { cwd: copies[winners[0] as number] }))
      },

      'all make the same branch from nothing: one lands': async () => {
        const results = await everybodyPushes(() => 'main:refs/heads/contested')
        expect(results.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1)
      },

      'afterwards the repository is whole, for fsck on the server and for a clone': async () => {
        for (const path of storedRepositories(forge.server.data)) expect(await fsck(path)).toBe('')
        const clone = join(forge.directory, 'clone.git')
        await git(['clone', '--quiet', '--mirror', url(), clone])
        expect(await fsck(clone)).toBe('')
        expect((await git(['for-each-ref', 'refs/heads'], { cwd: clone })).split('\n')).toHaveLength(PUSHERS + 2)
      },
    }))

  test('first pushes of all to a repository that does not exist create it once, and all land', async () => {
    const results = await Promise.all(copies.map((cwd, i) => tryGit(['push', forge.url('ada/rush', forge.ada), `main:refs/heads/branch-${i}`], { cwd })))
    expect(results.map(({ exitCode, stderr }) => (exitCode === 0 ? '' : stderr))).toEqual(Array(PUSHERS).fill(''))
    expect((await git(['ls-remote', '--heads', forge.url('ada/rush', forge.ada)])).split('\n')).toHaveLength(PUSHERS)
  })
})
