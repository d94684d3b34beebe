import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitIn, tryGit } from '../../../test/git.ts'
import { outcome } from '../../../test/outcome.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { encodeTree, FILE_MODE } from '../objects/tree.ts'
import { DiskStore } from '../store/disk.ts'
import { GitService } from '../workers/service.ts'
import { ArchiveCache } from './archive-cache.ts'

const history = new RandomHistory({ seed: 3, commits: 80 })
const directory = mkdtempSync(join(tmpdir(), 'pf-archives-'))
const git = new GitService({ directory, limits: defaultLimits, workers: 1 })
git.create(1, 'main', SHA1)
const tip = history.oids.at(-1) as Oid
gitIn(git.pathOf(1), 'fetch', '-q', history.gitDir, `${tip}:refs/heads/main`)
gitIn(git.pathOf(1), 'tag', '-a', '-m', 'one', 'v1', tip)

afterAll(async () => {
  await git.close()
  history[Symbol.dispose]()
  rmSync(directory, { recursive: true, force: true })
})

async function bytesOf(outgoing: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const bytes of outgoing) pieces.push(bytes)
  return Buffer.concat(pieces)
}

test('an archive made in a worker is the one git makes', async () => {
  const { tag, open } = git.archive(1, tip, { format: 'tar', prefix: 'x/' })
  const bytes = await bytesOf(open().outgoing)
  const theirs = Bun.spawnSync(['git', '-C', git.pathOf(1), 'archive', '--format=tar', '--prefix=x/', tip]).stdout
  expect([tag.length, Buffer.compare(bytes, theirs)]).toEqual([40, 0])
})

test('what a worker fails with reaches the reader', async () => {
  const call = git.archive(1, '7'.repeat(40) as Oid, { format: 'zip' }).open()
  expect(await outcome(bytesOf(call.outgoing))).toThrow('Cannot find object')
  expect(() => git.archive(1, tip, { format: 'zip', prefix: '../' })).toThrow('not a relative path')
})

test('archives go through the cache', async () => {
  const cache = new ArchiveCache({ directory: join(directory, 'cache'), maxBytes: 100_000_000 })
  const { tag, open } = git.archive(1, tip, { format: 'tar.gz' })
  const [a, b] = await Promise.all([cache.open(`1-${tag}.tar.gz`, open), cache.open(`1-${tag}.tar.gz`, open)])
  const whole = await new Response(a?.stream()).bytes()
  expect([whole[0], whole[1], whole.length]).toEqual([0x1f, 0x8b, a?.size as number])
  expect(Buffer.compare(await new Response(b?.stream(10)).bytes(), whole.subarray(10))).toBe(0)
})

test('a bundle verifies, clones, and holds no more than its refs reach', async () => {
  const older = history.oids[20] as Oid
  gitIn(git.pathOf(1), 'fetch', '-q', history.gitDir, `${older}:refs/heads/older`)
  const tagOid = gitIn(git.pathOf(1), 'rev-parse', 'v1').trim() as Oid
  const lists: { name: string; oid: Oid }[][] = [
    [{ name: 'refs/heads/main', oid: tip }],
    [{ name: 'refs/heads/older', oid: older }],
    [
      { name: 'refs/heads/main', oid: tip },
      { name: 'refs/tags/v1', oid: tagOid },
    ],
  ]
  for (const [i, refs] of lists.entries()) {
    const file = join(directory, `${i}.bundle`)
    const copy = join(directory, `copy-${i}`)
    writeFileSync(file, await bytesOf(git.bundle(1, refs).outgoing))
    expect(await tryGit(['bundle', 'verify', file], { cwd: git.pathOf(1) })).toMatchObject({ exitCode: 0 })
    expect(gitIn(directory, 'bundle', 'list-heads', file).trim().split('\n')).toEqual(refs.map(({ name, oid }) => `${oid} ${name}`))
    gitIn(directory, 'clone', '-q', '--mirror', file, copy)
    const objects = (where: string, ...tips: string[]) =>
      gitIn(where, 'rev-list', '--objects', '--no-object-names', ...tips)
        .split('\n')
        .sort()
    expect(gitIn(copy, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n').sort()).toEqual(
      objects(git.pathOf(1), ...refs.map(({ oid }) => oid)),
    )
  }
})

test('a bundle of nothing, or with a name that would break its list, is refused', async () => {
  expect(await outcome(bytesOf(git.bundle(1, []).outgoing))).toThrow('no refs')
  expect(await outcome(bytesOf(git.bundle(1, [{ name: 'refs/heads/a\nb', oid: tip }]).outgoing))).toThrow('not a valid ref name')
  expect(await outcome(bytesOf(git.bundle(1, [{ name: 'HEAD', oid: '8'.repeat(40) as Oid }]).outgoing))).toThrow('Cannot find')
})

test('a reader who goes away frees the worker', async () => {
  const store = DiskStore.open(git.pathOf(1))
  const large = store.write('tree', encodeTree([{ mode: FILE_MODE, name: 'large', oid: store.write('blob', Buffer.alloc(12_000_000)) }]))
  const call = git.archive(1, large, { format: 'tar' }).open()
  await call.outgoing[Symbol.asyncIterator]().next()
  call.abort()
  expect(await outcome(call.result)).toThrow('disconnected')
  expect((await bytesOf(git.archive(1, tip, { format: 'tar' }).open().outgoing)).length).toBeGreaterThan(10_000)
})
