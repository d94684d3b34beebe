import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { appendCommits, generateHistory } from '../generate-history.ts'
import { type GitResult, git, tryGit } from '../git.ts'
import { commitFiles, contentOf, forgeForStories, newWorkingCopy, story } from './forge.ts'
import { steps } from './steps.ts'

story('refs move as git says, all or nothing where it says so', () => {
  const forge = forgeForStories()
  const url = () => forge.url('ada/engine', forge.ada)
  const copy = () => join(forge.directory, 'copy')
  const push = (...args: string[]): Promise<GitResult> =>
    tryGit(['push', ...args.slice(0, -1), url(), ...(args.slice(-1)[0] as string).split(' ')], { cwd: copy() })
  const remote = async (ref: string): Promise<string | undefined> => (await git(['ls-remote', url(), ref])).split('\t')[0] || undefined
  const head = (revision = 'HEAD'): Promise<string> => git(['rev-parse', revision], { cwd: copy() })

  beforeAll(async () => {
    await newWorkingCopy(copy())
    for (let i = 0; i < 5; i++) await commitFiles(copy(), `Commit ${i}`, { 'a.txt': `${i}\n`, [`file-${i}`]: 'x\n'.repeat(i) })
    await git(['push', '--quiet', url(), 'main'], { cwd: copy() })
  }, 120_000)

  test(
    'the branches of one repository move by pushes and stay by refusals',
    () =>
      steps({
        'new commits land, and are what a fetch then brings': async () => {
          const tip = await commitFiles(copy(), 'Next', { 'a.txt': 'next\n' })
          expect(await push('main')).toMatchObject({ exitCode: 0 })
          expect(await remote('refs/heads/main')).toBe(tip)
        },
        'a push of nothing new says so': async () => {
          const { exitCode, stderr } = await push('main')
          expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('up-to-date') })
        },
        'commits that another clone pushed are not overwritten without force': async () => {
          const other = join(forge.directory, 'other')
          await git(['clone', '--quiet', url(), other])
          const theirs = await commitFiles(other, 'Theirs', { 'b.txt': 'theirs\n' })
          await git(['push', '--quiet', 'origin', 'main'], { cwd: other })
          const ours = await commitFiles(copy(), 'Ours', { 'c.txt': 'ours\n' })
          expect(await push('main')).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/rejected.*fetch first|non-fast-forward/s) })
          expect(await remote('refs/heads/main')).toBe(theirs)
          expect(await push('--force', 'main')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('forced update') })
          expect(await remote('refs/heads/main')).toBe(ours)
          expect(await tryGit(['fetch', url(), theirs], { cwd: join(forge.directory, 'copy') })).toMatchObject({ exitCode: 128 })
        },
        'a lease is kept: a branch that moved meanwhile stays as it is': async () => {
          const before = await remote('refs/heads/main')
          await git(['commit', '--amend', '--quiet', '-m', 'Ours, better'], { cwd: copy() })
          expect(await push(`--force-with-lease=main:${'1'.repeat(40)}`, 'main')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('stale info') })
          expect(await remote('refs/heads/main')).toBe(before)
          expect(await push(`--force-with-lease=main:${before}`, 'main')).toMatchObject({ exitCode: 0 })
        },
        'a branch can be made, deleted, and made again elsewhere': async () => {
          expect(await push('main:refs/heads/feature/a')).toMatchObject({ exitCode: 0 })
          expect(await push(':feature/a')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('[deleted]') })
          expect(await remote('refs/heads/feature/a')).toBeUndefined()
          expect(await push('main~2:refs/heads/feature/a')).toMatchObject({ exitCode: 0 })
          expect(await remote('refs/heads/feature/a')).toBe(await head('main~2'))
        },
        'the default branch cannot be deleted': async () => {
          expect(await push(':main')).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/remote rejected.*default branch/s) })
          expect(await remote('refs/heads/main')).toBe(await head())
        },
        'a branch cannot be where another one needs a directory': async () => {
          expect(await push('main:refs/heads/feature')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('remote rejected') })
          expect(await push('main:refs/heads/feature/a/b')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('remote rejected') })
        },
        'tags come annotated, light, on blobs and on tags, and are peeled for those who list them': async () => {
          await git(['tag', '-a', '-m', 'One', 'v1'], { cwd: copy() })
          await git(['tag', 'light'], { cwd: copy() })
          await git(['tag', '-a', '-m', 'A blob', 'blob', 'HEAD:a.txt'], { cwd: copy() })
          await git(['tag', '-a', '-m', 'A tag', 'tag-of-tag', 'v1'], { cwd: copy() })
          expect(await push('--tags', 'main')).toMatchObject({ exitCode: 0 })
          const listed = await git(['ls-remote', '--tags', url()])
          expect(listed).toBe(await git(['ls-remote', '--tags', copy()]))
          expect(listed).toContain(`${await head()}\trefs/tags/tag-of-tag^{}`)
        },
        'an atomic push moves no ref when one of them may not move': async () => {
          await commitFiles(copy(), 'For an atomic push', { 'd.txt': 'd\n' })
          const before = await git(['ls-remote', url()])
          const { exitCode, stderr } = await push('--atomic', 'main main:refs/heads/fresh main:refs/heads/feature/a/b')
          expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('remote rejected') })
          expect(await git(['ls-remote', url()])).toBe(before)
        },
        'without that, the refs that may move do': async () => {
          const { exitCode } = await push('main main:refs/heads/fresh main:refs/heads/feature/a/b')
          expect(exitCode).toBe(1)
          expect(await remote('refs/heads/main')).toBe(await head())
          expect(await remote('refs/heads/fresh')).toBe(await head())
          expect(await remote('refs/heads/feature/a/b')).toBeUndefined()
        },
      }),
    120_000,
  )

  test('deleting a branch that does not exist succeeds with a warning, also in an atomic push', async () => {
    const warned = { exitCode: 0, stderr: expect.stringContaining('remote: warning: deleting a non-existent ref') }
    expect(await push(':refs/heads/absent')).toMatchObject(warned)
    expect(await push('--atomic', ':refs/heads/absent main:refs/heads/beside')).toMatchObject(warned)
    expect(await remote('refs/heads/beside')).toBe(await head('main'))
  })

  test('git prints the reason for a refused name, whatever characters it has, and the emoji of a word pass', async () => {
    expect(await push('main:refs/heads/\u202emain')).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/remote rejected.*text direction/) })
    expect(await push('main:refs/heads/\u{1f469}\u200d\u{1f4bb}')).toMatchObject({ exitCode: 0 })
    expect(await remote('refs/heads/\u{1f469}\u200d\u{1f4bb}')).toBe(await head('main'))
  })

  test('push options pass, whatever is in them', async () => {
    const options = ['ci.skip', 'repo.private=false; rm -rf /', '$(id)', 'grüße', 'x'.repeat(1000)].flatMap((option) => ['-o', option])
    expect(await push(...options, 'main:refs/heads/with-options')).toMatchObject({ exitCode: 0 })
    expect((await forge.api('GET /repos/ada/engine')).status).toBe(404)
  })

  test('who sends more push options than are taken in reads why', async () => {
    const options = Array.from({ length: 300 }, (_, i) => ['-o', `${i}`]).flat()
    expect(await push(...options, 'main:refs/heads/too-many')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('over 256 push options') })
    expect(await remote('refs/heads/too-many')).toBeUndefined()
  })

  test('a branch cannot point to what is no commit', async () => {
    expect(await push('main^{tree}:refs/heads/tree')).toMatchObject({ exitCode: 1 })
    expect(await push('main:a.txt:refs/heads/blob')).toMatchObject({ exitCode: 1 })
    expect(await remote('refs/heads/tree')).toBeUndefined()
  })

  test('a shallow clone can push what it has made', async () => {
    const shallow = join(forge.directory, 'shallow')
    await git(['clone', '--quiet', '--depth=1', url(), shallow])
    const tip = await commitFiles(shallow, 'From a shallow clone', { 'e.txt': 'e\n' })
    await git(['push', '--quiet', 'origin', 'HEAD:refs/heads/shallow'], { cwd: shallow })
    expect(await remote('refs/heads/shallow')).toBe(tip)
  })

  test('a mirror is made anew by a mirror push: refs come, move and go', async () => {
    const source = join(forge.directory, 'mirror-source.git')
    const target = forge.url('ada/mirrored', forge.ada)
    await generateHistory(source, { commits: 150, files: 60, bigFileBytes: 0, extraBranches: 30 })
    await git(['push', '--quiet', '--mirror', target], { cwd: source })
    await appendCommits(source, 'main', 3)
    for (const branch of (await git(['branch', '--list', 'topic/*', '--format=%(refname)'], { cwd: source })).split('\n').slice(0, 10))
      await git(['update-ref', '-d', branch], { cwd: source })
    await git(['push', '--quiet', '--mirror', target], { cwd: source })
    const clone = join(forge.directory, 'mirrored.git')
    await git(['clone', '--quiet', '--mirror', target, clone])
    expect(await contentOf(clone)).toEqual(await contentOf(source))
  })

  test('a pack that needs bases the server has is completed', async () => {
    await commitFiles(copy(), 'A long file', { long: Array.from({ length: 5000 }, (_, i) => `line ${i}\n`).join('') })
    await push('main')
    await commitFiles(copy(), 'One line changed', { long: Array.from({ length: 5000 }, (_, i) => (i === 77 ? 'changed\n' : `line ${i}\n`)).join('') })
    expect(await push('--thin', 'main')).toMatchObject({ exitCode: 0 })
    const clone = join(forge.directory, 'thin.git')
    await git(['clone', '--quiet', '--bare', url(), clone])
    expect(await git(['fsck', '--full', '--strict', '--no-dangling'], { cwd: clone })).toBe('')
  })

  test('a remote by the old name of a renamed repository, which git asks the password for, fetches and pushes on', async () => {
    const mine = join(forge.directory, 'renamed')
    await git(['push', '--quiet', forge.url('ada/before', forge.ada), 'main'], { cwd: copy() })
    const old = new URL(forge.url('ada/before'))
    old.username = 'ada'
    const helper = `credential.helper=!echo password=${forge.ada.token}; :`
    await git(['-c', helper, 'clone', '--quiet', old.href, mine])
    await git(['config', 'credential.helper', helper.slice('credential.helper='.length)], { cwd: mine })
    await forge.api('PATCH /repos/ada/before', forge.ada, { name: 'after' })
    const tip = await commitFiles(mine, 'After the renaming', { 'renamed.txt': 'x\n' })
    expect(await tryGit(['push', 'origin', 'main'], { cwd: mine })).toMatchObject({ exitCode: 0 })
    expect(await tryGit(['fetch', 'origin'], { cwd: mine })).toMatchObject({ exitCode: 0 })
    expect(await git(['ls-remote', forge.url('ada/after', forge.ada), 'refs/heads/main'])).toStartWith(tip)
  })
})
