import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { appendCommits, generateHistory } from '../generate-history.ts'
import { git, tryGit } from '../git.ts'
import { contentOf, forgeForStories, fsck, story } from './forge.ts'

story('a part of a repository can be fetched, and the rest later', () => {
  const forge = forgeForStories()
  const source = () => join(forge.directory, 'source.git')
  const url = () => forge.url('ada/engine', forge.ada)
  let clones = 0
  /** Clones into a bare repository of its own; answers its path. */
  const clone = async (...options: string[]): Promise<string> => {
    const path = join(forge.directory, `clone-${++clones}.git`)
    await git(['clone', '--quiet', '--bare', ...options, url(), path])
    return path
  }
  const count = async (cwd: string, ...revisions: string[]): Promise<number> => Number(await git(['rev-list', '--count', ...revisions], { cwd }))
  const boundary = async (cwd: string): Promise<string[]> =>
    (await Bun.file(join(cwd, 'shallow')).exists()) ? (await Bun.file(join(cwd, 'shallow')).text()).trim().split('\n').sort() : []

  beforeAll(async () => {
    await generateHistory(source(), { commits: 250, files: 60, bigFileBytes: 300_000 })
    await git(['push', '--quiet', '--mirror', url()], { cwd: source() })
  }, 120_000)

  for (const version of [0, 2]) {
    describe(`protocol ${version}`, () => {
      const asked = ['-c', `protocol.version=${version}`]

      test('a shallow clone has one commit, can be deepened step by step, and made whole', async () => {
        const path = await clone(...asked, '--depth=1', '--branch=main')
        expect(await count(path, 'main')).toBe(1)
        expect(await fsck(path)).toBe('')
        await git([...asked, 'fetch', '--quiet', '--depth=5', url(), 'main'], { cwd: path })
        const near = await count(path, 'main')
        expect(near).toBeGreaterThanOrEqual(5)
        await git([...asked, 'fetch', '--quiet', '--deepen=20', url(), 'main'], { cwd: path })
        expect(await count(path, 'main')).toBeGreaterThan(near)
        await git([...asked, 'fetch', '--quiet', '--unshallow', url(), 'main'], { cwd: path })
        expect(await boundary(path)).toEqual([])
        expect(await count(path, 'main')).toBe(await count(source(), 'main'))
        expect(await fsck(path)).toBe('')
      })

      test('a clone of depth 10 ends where stock git would end it', async () => {
        const path = await clone(...asked, '--depth=10', '--branch=main')
        const judge = join(forge.directory, `judge-of-depth-${version}.git`)
        await git(['clone', '--quiet', '--bare', '--depth=10', '--branch=main', `file://${source()}`, judge])
        expect(await boundary(path)).toEqual(await boundary(judge))
        expect((await contentOf(path)).objects).toEqual((await contentOf(judge)).objects)
      })

      test('a clone since a date, or without the history of a tag, ends where stock git would end it', async () => {
        const middle = await git(['log', '-1', '--skip=100', '--format=%ct', 'main'], { cwd: source() })
        const tag = (await git(['tag', '--merged', 'main~50'], { cwd: source() })).split('\n').at(-1)
        for (const option of [`--shallow-since=${middle}`, `--shallow-exclude=${tag}`]) {
          const path = await clone(...asked, option, '--branch=main')
          const judge = join(forge.directory, `judge-${++clones}.git`)
          await git(['clone', '--quiet', '--bare', option, '--branch=main', `file://${source()}`, judge])
          expect(await boundary(path)).toEqual(await boundary(judge))
          expect(await fsck(path)).toBe('')
        }
      })

      test('a clone without blobs gets them when they are looked at', async () => {
        const path = await clone(...asked, '--filter=blob:none')
        const present = await git(['rev-list', '--objects', '--all', '--missing=print'], { cwd: path })
        const missing = present.split('\n').filter((line) => line.startsWith('?'))
        expect(missing.length).toBeGreaterThan(300)
        expect(await git([...asked, 'show', 'main:CHANGES.ts'], { cwd: path })).toBe(await git(['show', 'main:CHANGES.ts'], { cwd: source() }))
        expect(await git([...asked, 'cat-file', '-s', 'main:assets/big.bin'], { cwd: path })).toBe('300000')
      })

      test('a clone without trees or with a depth of trees has what stock git would send', async () => {
        for (const filter of ['tree:0', 'tree:2', 'blob:limit=1k']) {
          const path = await clone(...asked, `--filter=${filter}`)
          const stored = await git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: path })
          const judged = await git(['rev-list', '--objects', '--no-object-names', '--branches', '--tags', `--filter=${filter}`], { cwd: source() })
          const tags = await git(['for-each-ref', '--format=%(objectname)', 'refs/tags'], { cwd: source() })
          expect(stored.split('\n')).toEqual([...new Set([...judged.split('\n'), ...tags.split('\n')])].sort())
          expect(await git([...asked, 'rev-parse', 'main:docs/latest'], { cwd: path })).toBe(await git(['rev-parse', 'main:docs/latest'], { cwd: source() }))
        }
      })

      test('a fetch brings what is new, and a pack as small as that', async () => {
        const path = await clone(...asked, '--branch=main')
        const branch = `news-${version}`
        await git(['branch', branch, 'main'], { cwd: source() })
        await appendCommits(source(), branch, 10, version)
        await git([...asked, 'push', '--quiet', url(), branch], { cwd: source() })
        const before = await packedBytes(path)
        await git([...asked, '-c', 'fetch.unpackLimit=1', 'fetch', '--quiet', url(), `${branch}:${branch}`], { cwd: path })
        expect(await git(['rev-parse', branch], { cwd: path })).toBe(await git(['rev-parse', branch], { cwd: source() }))
        expect((await packedBytes(path)) - before).toBeLessThan(200_000)
        expect(await fsck(path)).toBe('')
      })

      test('a commit that no ref names, but one reaches, can be asked for by its id', async () => {
        const path = join(forge.directory, `by-id-${version}.git`)
        await git(['init', '--quiet', '--bare', path])
        const wanted = await git(['rev-parse', 'main~30'], { cwd: source() })
        await git([...asked, 'fetch', '--quiet', '--depth=1', url(), wanted], { cwd: path })
        expect(await git(['rev-parse', 'FETCH_HEAD'], { cwd: path })).toBe(wanted)
      })
    })
  }

  test('a commit that nothing reaches cannot be asked for', async () => {
    const hidden = await git(['commit-tree', '-m', 'Hidden', 'main^{tree}'], { cwd: source() })
    await git(['push', '--quiet', url(), `${hidden}:refs/heads/hidden`], { cwd: source() })
    await git(['push', '--quiet', url(), ':refs/heads/hidden'], { cwd: source() })
    const path = join(forge.directory, 'hidden.git')
    await git(['init', '--quiet', '--bare', path])
    for (const version of [0, 2]) {
      const { exitCode, stderr } = await tryGit(['-c', `protocol.version=${version}`, 'fetch', url(), hidden], { cwd: path })
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 128, stderr: expect.stringMatching(/not our ref|unadvertised object/) })
    }
  })

  test('a filter by the content of a file is refused with a reason', async () => {
    const { exitCode, stderr } = await tryGit(['clone', '--bare', `--filter=sparse:oid=${'1'.repeat(40)}`, url(), join(forge.directory, 'sparse.git')])
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('sparse')
  })
})

async function packedBytes(path: string): Promise<number> {
  const counts = await git(['count-objects', '-v'], { cwd: path })
  return Number(/^size-pack: (\d+)$/m.exec(counts)?.[1]) * 1024
}
