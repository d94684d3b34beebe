import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { git, initBare, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { checkpointOf } from '../../checkpoint.ts'
import { defaultLimits } from '../../limits.ts'
import { SHA1 } from '../../objects/oid.ts'
import { DiskStore } from '../../store/disk.ts'
import { PackIndex } from '../pack-index.ts'
import { type JoinedSmall, joinSmallPacks } from './consolidate.ts'
import { idsIn } from './ids-in.fixture.ts'
import { encodeMtimes, mtimesPath } from './mtimes.ts'
import { publishPacks } from './publish.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0
const common = { limits: defaultLimits, checkpoint: checkpointOf() }
const newDirectory = (): string => join(root.path, `quarantine-${++made}`)

function joinSmall(store: DiskStore): Promise<JoinedSmall> {
  const directory = newDirectory()
  mkdirSync(directory)
  return joinSmallPacks(store, { directory, leftOut: new Set(), ...common })
}

/** Changes a file that is for reading alone, in its place. */
function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  edit(bytes)
  chmodSync(path, 0o600)
  writeFileSync(path, bytes)
}

describe('small packs', () => {
  /** `sizes` packs of so many blobs each. */
  function withPacks(sizes: readonly number[]): { gitDir: string; store: DiskStore; packs: string } {
    const gitDir = join(root.path, `packs-${++made}.git`)
    initBare(gitDir)
    for (const [i, size] of sizes.entries()) {
      const blobs = Array.from({ length: size }, (_, blob) => `blob\ndata <<E\npack ${i} blob ${blob}\nE\n`).join('')
      git(['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], { cwd: gitDir, stdin: blobs })
    }
    return { gitDir, store: DiskStore.open(gitDir), packs: join(gitDir, 'objects/pack') }
  }

  const rows: [sizes: number[], left: number[]][] = [
    [[10], [10]],
    [
      [100, 40, 10],
      [100, 40, 10],
    ],
    [[10, 10], [20]],
    [
      [100, 10, 10, 9],
      [100, 29],
    ],
    [[100, 60, 1], [161]],
    [[1, 1, 1, 1, 1, 1], [6]],
    [
      [81, 27, 9, 3, 1],
      [81, 27, 9, 3, 1],
    ],
    [
      [100, 27, 9, 3, 3],
      [100, 42],
    ],
    [
      [7, 200, 7],
      [200, 14],
    ],
  ]
  test.each(rows)('of %j objects become packs of %j: each of those that stay is at least twice all smaller ones', async (sizes, left) => {
    const { store, packs, gitDir } = withPacks(sizes)
    const before = new Set(store.packedOids())
    const outcome = await joinSmall(store)
    expect([outcome.dropped, outcome.replaced.loose]).toEqual([0, []])
    const fresh = publishPacks(outcome.packs, packs)
    for (const path of outcome.replaced.packs) {
      if (!fresh.has(basename(path, '.pack'))) for (const ending of ['pack', 'idx']) rmSync(path.replace(/pack$/, ending))
    }
    store.refresh()
    const counts = store.packs.map(({ index }) => index.count).sort((a, b) => b - a)
    expect(new Set(store.packedOids())).toEqual(before)
    expect(counts).toEqual(left)
    git(['fsck', '--full', '--no-dangling'], { cwd: gitDir })
    store.close()
  })

  test('are joined but for one of which an object does not match its ID in the index, though a larger pack has the same objects', async () => {
    const { store, packs } = withPacks([50, 3, 4, 4])
    const [idx = ''] = store.packs.filter(({ index }) => index.count === 3).map(({ index }) => index.path)
    store.close()
    const lastByteOfAnId = 8 + 256 * 4 + 19
    change(idx, (bytes) => {
      bytes[lastByteOfAnId] = (bytes[lastByteOfAnId] as number) ^ 1
      bytes.set(createHash('sha1').update(bytes.subarray(0, -20)).digest(), bytes.length - 20)
    })
    const damaged = DiskStore.open(join(packs, '..', '..'))
    const outcome = await joinSmall(damaged)
    const path = idx.replace(/idx$/, 'pack')
    expect([...outcome.damaged]).toEqual([[path, 'Cannot verify pack: its index does not match its content']])
    expect([outcome.packs.map((one) => idsIn(one).length), outcome.replaced.packs.length, outcome.replaced.packs.includes(path)]).toEqual([[8], 2, false])
    damaged.close()
  })

  test('are joined with their copies of what is damaged in one that is left out', async () => {
    const { gitDir, store, packs } = withPacks([50, 4, 3])
    const [large = ''] = store.packs.filter(({ index }) => index.count === 4).map(({ path }) => path)
    const copied = idsIn(large).slice(0, 2)
    git(['pack-objects', '-q', join(packs, 'pack')], { cwd: gitDir, stdin: copied.join('\n') })
    store.close()
    change(large, (bytes) => bytes.fill(0xff, 20, 24))
    const damaged = DiskStore.open(gitDir)
    const outcome = await joinSmall(damaged)
    expect([
      [...outcome.damaged.keys()],
      idsIn(outcome.packs[0] as string)
        .filter((oid) => copied.includes(oid))
        .sort(),
    ]).toEqual([[large], copied.sort()])
    damaged.close()
  })

  test('are not left to the copies of a larger pack that are damaged', async () => {
    const { gitDir, store, packs } = withPacks([50, 3, 3])
    const [large = ''] = store.packs.filter(({ index }) => index.count === 50).map(({ path }) => path)
    const [first] = [...(store.packs.find(({ path }) => path === large)?.index.offsetOrder() ?? [])]
    const copied = PackIndex.open(large.replace(/pack$/, 'idx'), SHA1).oidAt(first as number)
    git(['pack-objects', '-q', join(packs, 'pack')], { cwd: gitDir, stdin: copied })
    store.close()
    change(large, (bytes) => bytes.fill(0xff, 16, 20))
    const damaged = DiskStore.open(gitDir)
    const outcome = await joinSmall(damaged)
    expect([[...outcome.damaged.keys()], outcome.replaced.packs.length, idsIn(outcome.packs[0] as string).includes(copied)]).toEqual([[large], 3, true])
    damaged.close()
  })

  test('leave what lies in a larger pack already to that one, and cruft packs alone', async () => {
    const { gitDir, store, packs } = withPacks([50, 3, 3])
    const shared = idsIn(store.packs.toSorted((a, b) => b.index.count - a.index.count)[0]?.path as string).slice(0, 5)
    git(['pack-objects', '-q', join(packs, 'pack')], { cwd: gitDir, stdin: shared.join('\n') })
    const cruft = git(['pack-objects', '-q', join(packs, 'pack')], { cwd: gitDir, stdin: shared.slice(0, 2).join('\n') })
      .toString()
      .trim()
    const cruftPath = join(packs, `pack-${cruft}.pack`)
    await Bun.write(mtimesPath(cruftPath), encodeMtimes(Uint32Array.of(5, 6), Buffer.from(cruft, 'hex')))
    store.refresh()
    const outcome = await joinSmall(store)
    expect([outcome.packs.map((path) => idsIn(path).length), outcome.replaced.packs.length, outcome.replaced.packs.includes(cruftPath)]).toEqual([
      [6],
      3,
      false,
    ])
    store.close()
  })
})
