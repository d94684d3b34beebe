import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { property } from '../../../test/seeds.ts'
import { GitError } from '../errors.ts'
import { defaultLimits, type GitLimits } from '../limits.ts'
import { kindOf } from '../store/contract.ts'
import { ForeignDirectory } from './foreign-directory.ts'
import { parsePackedRefs, readForeignRefs } from './read-refs.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0
const [one, two] = ['1'.repeat(40), '2'.repeat(40)]

/** A directory that looks like a repository, with these files in it. */
function repository(files: Record<string, string>): string {
  const path = join(root.path, `r${++made}.git`)
  for (const folder of ['objects', 'refs']) mkdirSync(join(path, folder), { recursive: true })
  for (const [name, content] of Object.entries({ HEAD: 'ref: refs/heads/main\n', ...files })) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return path
}

const read = (path: string, limits: GitLimits = defaultLimits) => readForeignRefs(new ForeignDirectory(path), limits, () => undefined)
const refsOf = async (files: Record<string, string>) => Object.fromEntries((await read(repository(files))).refs) as Record<string, string>
const errorKind = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof GitError ? error.kind : String(error)),
  )

describe('the lines of packed-refs', () => {
  test.each<[string, [string, string][]]>([
    ['', []],
    ['# pack-refs with: peeled\n', []],
    [`${one} refs/heads/a\n`, [['refs/heads/a', one]]],
    [
      `${one} refs/tags/a\n^${two}\n${two} refs/tags/b\n`,
      [
        ['refs/tags/a', one],
        ['refs/tags/b', two],
      ],
    ],
    [`${one} refs/heads/with blank\n`, [['refs/heads/with blank', one]]],
    [`# a\n${one} a\n# b\n`, [['a', one]]],
  ])('%j', (text, expected) => {
    expect([...parsePackedRefs(text)]).toEqual(expected)
  })

  test.each([`${one} refs/heads/a`, 'nonsense\n', '\n', `${one}\n`])('%j are damaged', (text) => {
    expect(kindOf(() => [...parsePackedRefs(text)])).toBe('corrupt')
  })
})

describe('the refs of a repository that somebody else wrote', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['none', {}, {}],
    ['loose ones', { 'refs/heads/a': `${one}\n`, 'refs/tags/d/e': two }, { 'refs/heads/a': one, 'refs/tags/d/e': two }],
    ['packed ones', { 'packed-refs': `${one} refs/heads/a\n` }, { 'refs/heads/a': one }],
    ['loose before packed', { 'packed-refs': `${one} refs/heads/a\n`, 'refs/heads/a': `${two}\n` }, { 'refs/heads/a': two }],
    [
      'symbolic ones as what they lead to',
      { 'refs/heads/a': one, 'refs/remotes/o/HEAD': 'ref: refs/heads/a\n' },
      { 'refs/heads/a': one, 'refs/remotes/o/HEAD': one },
    ],
    ['symbolic ones that lead nowhere are none', { 'refs/heads/a': 'ref: refs/heads/none\n' }, {}],
    ['symbolic ones in a circle are none', { 'refs/heads/a': 'ref: refs/heads/b\n', 'refs/heads/b': 'ref: refs/heads/a\n' }, {}],
    ['locks and hidden files are none', { 'refs/heads/a.lock': one, 'refs/heads/.b': one, 'refs/heads/c': one }, { 'refs/heads/c': one }],
    ['what stands behind an id does not count', { 'refs/heads/a': `${one}\tfrom elsewhere\n` }, { 'refs/heads/a': one }],
  ])('%s', async (_, files, expected) => {
    expect(await refsOf(files)).toEqual(expected)
  })

  test.each<[string, Record<string, string>, string]>([
    ['an id cut off', { 'refs/heads/a': one.slice(1) }, 'corrupt'],
    ['an id in capitals', { 'refs/heads/a': 'A'.repeat(40) }, 'corrupt'],
    ['zeros', { 'refs/heads/a': '0'.repeat(40) }, 'corrupt'],
    ['nothing', { 'refs/heads/a': '' }, 'corrupt'],
    ['an id of SHA-256', { 'refs/heads/a': 'a'.repeat(64) }, 'refused'],
    ['a name that no ref may have', { 'packed-refs': `${one} refs/heads/..\n` }, 'refused'],
    ['a detached HEAD that is damaged', { HEAD: 'nonsense\n' }, 'corrupt'],
  ])('with %s are turned down', async (_, files, kind) => {
    expect(await errorKind(read(repository(files)))).toBe(kind)
  })

  test('no more than so many are read, loose and packed together, and a link is not followed', async () => {
    const limits = { ...defaultLimits, maxCommands: 10 }
    const packed = Array.from({ length: 6 }, (_, i) => `${one} refs/heads/p${i}\n`).join('')
    const loose = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`refs/heads/l${i}`, one]))
    expect(await errorKind(read(repository({ 'packed-refs': packed, ...loose(4) }), limits))).toBe('none')
    expect(await errorKind(read(repository({ 'packed-refs': packed, ...loose(5) }), limits))).toBe('limit')
    const path = repository({ 'refs/heads/a': one })
    symlinkSync('/etc/hostname', join(path, 'refs/heads/b'))
    expect(await errorKind(read(path))).toBe('refused')
  })

  test.each([
    ['no HEAD', 'HEAD'],
    ['no objects', 'objects'],
    ['no refs', 'refs'],
  ])('are not looked for where there is %s', async (_, missing) => {
    const path = repository({})
    rmSync(join(path, missing), { recursive: true })
    expect(await errorKind(read(path))).toBe('refused')
  })

  test('HEAD is a branch that is there, a detached commit, or nothing', async () => {
    const head = async (files: Record<string, string>) => {
      const { headBranch, detachedHead } = await read(repository(files))
      return [headBranch, detachedHead] as unknown[]
    }
    expect(await head({ 'refs/heads/main': one })).toEqual(['main', undefined])
    expect(await head({ 'packed-refs': `${one} refs/heads/main\n` })).toEqual(['main', undefined])
    expect(await head({})).toEqual([undefined, undefined])
    expect(await head({ HEAD: `${two}\n` })).toEqual([undefined, two])
  })

  property('are those that git lists, packed by turns', 4, async (random) => {
    const path = join(root.path, `r${++made}.git`)
    initBare(path)
    const blob = (text: string) => git(['hash-object', '-w', '--stdin'], { cwd: path, stdin: text }).toString().trim()
    const oids = ['a', 'b', 'c'].map(blob)
    for (let round = 0; round < 3; round++) {
      const updates = Array.from(
        { length: 8 },
        (_, i) => `update refs/tags/${random.pick(['x', 'y', 'ü'])}-${i + round * random.below(3)}/n ${random.pick(oids)}\n`,
      )
      git(['update-ref', '--stdin'], { cwd: path, stdin: [...new Map(updates.map((line) => [line.split(' ')[1], line])).values()].join('') })
      if (random.chance(0.6)) git(['pack-refs', '--all'], { cwd: path })
      const listed = git(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd: path }).toString().trim().split('\n')
      expect([...(await read(path)).refs].map(([name, oid]) => `${name} ${oid}`).sort()).toEqual(listed.sort())
    }
  })
})
