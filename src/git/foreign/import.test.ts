import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { SHA1 } from '../objects/oid.ts'
import { PackIndex } from '../packs/pack-index.ts'
import { errorOf } from '../protocol/git-server.fixture.ts'
import { importRepository } from './import-repository.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0

function newDirectory(): string {
  const path = join(root.path, `${++made}`)
  mkdirSync(path)
  return path
}

const takeOver = (source: string, limits = defaultLimits) => importRepository(source, { directory: newDirectory(), limits })

/** Every file below a directory with its content: what nobody may have changed. */
function filesIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return names
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${file} ${new Bun.CryptoHasher('sha1').update(readFileSync(file)).digest('hex')}`)
}

property('comes over with all that its refs reach and nothing else, however it lies there, and is not touched', 5, async (random, seed) => {
  using history = new RandomHistory({ seed: seed + 300, commits: 40, merges: 0.3, lines: 4 })
  const refs = shuffled(random, history.oids).slice(0, 4)
  git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: `delete refs/heads/main\n${refs.map((oid, i) => `create refs/heads/b${i} ${oid}\n`).join('')}` })
  history.git('symbolic-ref', 'HEAD', 'refs/heads/b1')
  if (random.chance(0.7)) history.git('repack', '-dq')
  if (random.chance(0.5)) history.git('pack-refs', '--all')
  // Whatever lies beside a pack is not believed: neither its index nor the graph.
  history.git('commit-graph', 'write', '--reachable')
  const packs = join(history.gitDir, 'objects/pack')
  for (const name of readdirSync(packs).filter((file) => file.endsWith('.idx'))) {
    rmSync(join(packs, name))
    writeFileSync(join(packs, name), random.bytes(1200))
  }
  writeFileSync(join(history.gitDir, 'objects/info/commit-graph.tmp'), 'x')
  const before = filesIn(history.gitDir)
  const taken = await takeOver(history.gitDir)
  expect(filesIn(history.gitDir)).toEqual(before)
  expect([taken.headBranch as string, [...taken.refs].sort()]).toEqual(['b1', refs.map((oid, i) => [`refs/heads/b${i}`, oid]).sort()] as never)
  const index = PackIndex.open((taken.pack as { idxPath: string }).idxPath, SHA1)
  const found = Array.from({ length: index.count }, (_, i) => index.oidAt(i))
  for (const name of readdirSync(packs).filter((file) => file.endsWith('.pack'))) {
    rmSync(join(packs, name.replace(/pack$/, 'idx')))
    git(['index-pack', join(packs, name)])
  }
  expect(found).toEqual([...new Set(history.lines('rev-list', '--objects', '--no-object-names', ...refs))].sort() as Oid[])
})

describe('a repository that is not whole, or not what it seems, is refused with advice', () => {
  /** A small one of its own, loose, with one branch. */
  function small(): { gitDir: string; run: (...args: string[]) => string } {
    const gitDir = newDirectory()
    const run = (...args: string[]) => git(args, { cwd: gitDir }).toString().trim()
    run('init', '-q', '--bare', '-b', 'main', '.')
    const stream = [1, 2, 3].map((i) => `commit refs/heads/main\ncommitter A <a@b> ${i} +0000\ndata 1\nx\nM 100644 inline f\ndata 1\n${i}\n`).join('\n')
    git(['fast-import', '--quiet'], { cwd: gitDir, stdin: stream })
    return { gitDir, run }
  }

  const loosePath = (gitDir: string, oid: string) => join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2))
  const rows: [what: string, damage: (repo: ReturnType<typeof small>) => void, expected: RegExp][] = [
    ['a blob that is gone', ({ gitDir, run }) => rmSync(loosePath(gitDir, run('rev-parse', 'main:f'))), /^missing: /],
    ['a commit that is gone', ({ gitDir, run }) => rmSync(loosePath(gitDir, run('rev-parse', 'main~2'))), /^missing: /],
    [
      'a commit that is gone, of a shallow clone',
      ({ gitDir, run }) => {
        rmSync(loosePath(gitDir, run('rev-parse', 'main~2')))
        writeFileSync(join(gitDir, 'shallow'), `${run('rev-parse', 'main~1')}\n`)
      },
      /^missing: .*shallow clone. Run `git fetch --unshallow`/,
    ],
    [
      'objects that are borrowed',
      ({ gitDir }) => {
        renameSync(join(gitDir, 'objects'), join(gitDir, '../lender'))
        mkdirSync(join(gitDir, 'objects/info'), { recursive: true })
        writeFileSync(join(gitDir, 'objects/info/alternates'), join(gitDir, '../lender'))
      },
      /^missing: .*uses objects of another repository/,
    ],
    [
      'an object that holds another’s content',
      ({ gitDir, run }) => {
        const [a, b] = [run('rev-parse', 'main:f'), run('rev-parse', 'main~1:f')]
        rmSync(loosePath(gitDir, a))
        writeFileSync(loosePath(gitDir, a), readFileSync(loosePath(gitDir, b)))
      },
      /^(missing|corrupt|refused): /,
    ],
    [
      'a tree with a file called .git',
      ({ gitDir, run }) => {
        const tree = git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
          cwd: gitDir,
          stdin: Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(run('rev-parse', 'main:f'), 'hex')]),
        })
          .toString()
          .trim()
        const commit = git(['hash-object', '-t', 'commit', '-w', '--stdin'], {
          cwd: gitDir,
          stdin: `tree ${tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`,
        })
          .toString()
          .trim()
        run('update-ref', 'refs/heads/bad', commit)
      },
      /\.git/,
    ],
    ['a replacement, which counts for nothing', ({ run }) => void run('replace', 'main:f', run('rev-parse', 'main~1:f')), /^no error/],
    [
      'work that only a detached HEAD leads to',
      ({ gitDir, run }) => {
        const apart = git(['commit-tree', '-m', 'x', run('rev-parse', 'main^{tree}')], {
          cwd: gitDir,
          env: { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' },
        }).toString()
        writeFileSync(join(gitDir, 'HEAD'), apart)
      },
      /^refused: HEAD is detached/,
    ],
    ['objects without refs', ({ run }) => void run('update-ref', '-d', 'refs/heads/main'), /^refused: it has objects, but no refs/],
    [
      'an objects directory behind a link',
      ({ gitDir }) => {
        renameSync(join(gitDir, 'objects'), join(gitDir, '../elsewhere'))
        symlinkSync('../elsewhere', join(gitDir, 'objects'))
      },
      /^refused: it is not a bare git repository/,
    ],
    ['nothing wrong but a clock', ({ gitDir }) => utimesSync(join(gitDir, 'HEAD'), 1, 1), /^no error/],
  ]
  test.each(rows)('%s', async (_, damage, expected) => {
    const repo = small()
    damage(repo)
    expect(await errorOf(() => takeOver(repo.gitDir))).toMatch(expected)
    for (const name of ['lender', 'elsewhere']) rmSync(join(repo.gitDir, '..', name), { recursive: true, force: true })
  })

  test('an object over the limit', async () => {
    expect(await errorOf(() => takeOver(small().gitDir, { ...defaultLimits, maxObjectBytes: 10 }))).toStartWith('limit: ')
  })
})
