import { beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { generateHistory } from '../generate-history.ts'
import { git, tryGit } from '../git.ts'
import { commitFiles, contentOf, forgeForStories, fsck, newWorkingCopy, storedRepositories, story } from './forge.ts'

story('a repository goes in by a push and comes back by a clone', () => {
  const forge = forgeForStories()
  const source = () => join(forge.directory, 'source.git')

  beforeAll(async () => {
    await generateHistory(source(), { commits: 150, files: 60, bigFileBytes: 300_000, extraBranches: 20 })
    await git(['push', '--quiet', '--mirror', forge.url('ada/engine', forge.ada)], { cwd: source() })
  }, 120_000)

  test('the first push creates the repository, private, and says so with its address', async () => {
    const copy = await newWorkingCopy(join(forge.directory, 'first'))
    await commitFiles(copy, 'Start', { 'README.md': '# First\n' })
    const { exitCode, stderr } = await tryGit(['push', forge.url('ada/first', forge.ada), 'HEAD'], { cwd: copy })
    expect(exitCode).toBe(0)
    expect(stderr).toContain('Created private repository ada/first')
    expect(stderr).toMatch(/remote: +http:\/\/localhost:\d+\/ada\/first\b/)
    const record = (await (await forge.api('GET /repos/ada/first', forge.ada)).json()) as Record<string, unknown>
    expect(record).toMatchObject({ full_name: 'ada/first', private: true, empty: false, default_branch: 'main' })
    expect((await forge.api('GET /repos/ada/first')).status).toBe(404)
  })

  test('a push option makes the new repository public, and changes nothing later', async () => {
    const copy = await newWorkingCopy(join(forge.directory, 'open'))
    await commitFiles(copy, 'Start', { a: 'a' })
    await git(['push', '--quiet', '-o', 'repo.private=false', forge.url('ada/open', forge.ada), 'main'], { cwd: copy })
    expect((await forge.api('GET /repos/ada/open')).status).toBe(200)
    await commitFiles(copy, 'More', { a: 'b' })
    await git(['push', '--quiet', '-o', 'repo.private=true', forge.url('ada/open', forge.ada), 'main'], { cwd: copy })
    expect((await forge.api('GET /repos/ada/open')).status).toBe(200)
  })

  test('a first branch that is not "main" becomes the default branch', async () => {
    const copy = await newWorkingCopy(join(forge.directory, 'trunk'))
    await commitFiles(copy, 'Start', { a: 'a' })
    await git(['push', '--quiet', forge.url('ada/trunk', forge.ada), 'main:trunk'], { cwd: copy })
    const clone = join(forge.directory, 'trunk-clone')
    await git(['clone', '--quiet', forge.url('ada/trunk', forge.ada), clone])
    expect(await git(['symbolic-ref', 'HEAD'], { cwd: clone })).toBe('refs/heads/trunk')
  })

  test('a push into the namespace of somebody else creates nothing', async () => {
    const eve = await forge.join('eve')
    const { exitCode, stderr } = await tryGit(['push', forge.url('ada/planted', eve), 'main'], { cwd: source() })
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('not found')
    expect((await forge.api('GET /repos/ada/planted', forge.ada)).status).toBe(404)
  })

  for (const version of [0, 1, 2]) {
    test(`protocol ${version}: a mirror clone has the same refs and objects, and fsck finds nothing`, async () => {
      const clone = join(forge.directory, `mirror-${version}.git`)
      await git(['-c', `protocol.version=${version}`, 'clone', '--quiet', '--mirror', forge.url('ada/engine', forge.ada), clone])
      expect(await contentOf(clone)).toEqual(await contentOf(source()))
      expect(await fsck(clone)).toBe('')
      expect(await git(['symbolic-ref', 'HEAD'], { cwd: clone })).toBe('refs/heads/main')
    })

    test(`protocol ${version}: a single branch comes with its tags and nothing else`, async () => {
      const clone = join(forge.directory, `single-${version}.git`)
      await git([
        '-c',
        `protocol.version=${version}`,
        'clone',
        '--quiet',
        '--bare',
        '--single-branch',
        '--branch=pages',
        forge.url('ada/engine', forge.ada),
        clone,
      ])
      const objects = await git(['rev-list', '--objects', '--no-object-names', 'pages'], { cwd: source() })
      const stored = await git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: clone })
      expect(stored.split('\n')).toEqual(objects.split('\n').sort())
    })
  }

  test('an address without ".git" is the same repository', async () => {
    const listed = await git(['ls-remote', forge.url('ada/engine', forge.ada).replace(/\.git$/, '')])
    expect(listed).toBe(await git(['ls-remote', forge.url('ada/engine', forge.ada)]))
  })

  test('stock git opens the repository on disk, finds nothing wrong and clones it', async () => {
    const stored = storedRepositories(forge.server.data)
    expect(stored.length).toBeGreaterThan(0)
    for (const path of stored) expect(await fsck(path)).toBe('')
    // The first push of all made it. Refs are written where stock git looks for them a moment after the push.
    const path = stored.find((one) => one.endsWith('/1.git')) ?? ''
    await eventually(async () => (await git(['branch', '--list', 'pages'], { cwd: path })) !== '')
    const clone = join(forge.directory, 'from-disk.git')
    await git(['clone', '--quiet', '--mirror', path, clone])
    expect(await contentOf(clone)).toEqual(await contentOf(source()))
  })

  test('after a restart everything is still there', async () => {
    await forge.restart()
    const clone = join(forge.directory, 'restarted.git')
    await git(['clone', '--quiet', '--mirror', forge.url('ada/engine', forge.ada), clone])
    expect(await contentOf(clone)).toEqual(await contentOf(source()))
    rmSync(clone, { recursive: true })
  })

  test('an empty repository can be cloned, and pushed to from the clone', async () => {
    await forge.api('POST /user/repos', forge.ada, { name: 'empty', private: true })
    const clone = join(forge.directory, 'empty')
    const { exitCode, stderr } = await tryGit(['clone', forge.url('ada/empty', forge.ada), clone])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('empty repository') })
    await commitFiles(clone, 'Start', { a: 'a' })
    await git(['push', '--quiet', 'origin', 'HEAD'], { cwd: clone })
    expect(await git(['ls-remote', 'origin', 'HEAD'], { cwd: clone })).toContain(await git(['rev-parse', 'HEAD'], { cwd: clone }))
  })
})
