import { describe, expect, test } from 'bun:test'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { git } from '../../../test/git-fixture.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { checkpointOf } from '../checkpoint.ts'
import { CommitSource } from '../history/commit-source.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { enumerateObjects } from '../packs/select/enumerate.ts'
import { ObjectSpace } from '../packs/select/object-space.ts'
import { parseFilter } from '../protocol/filter.ts'
import { DiskStore } from '../store/disk.ts'
import { bitmapPath } from './bitmap-path.ts'
import { findPackBitmap } from './pack-bitmap.ts'
import { writeBitmaps } from './write-bitmap.ts'

interface Ask {
  wants: readonly Oid[]
  haves?: readonly Oid[]
  filter?: string
}

/** Asks a store that was opened for it alone, in the order of ids. */
async function chosen(gitDir: string, { wants, haves = [], filter }: Ask, usesBitmaps: boolean): Promise<Oid[]> {
  const store = DiskStore.open(gitDir)
  const selection = await enumerateObjects(new ObjectSpace(store), new CommitSource(store), {
    wants,
    haves,
    filter: filter === undefined ? undefined : parseFilter(filter),
    limits: defaultLimits,
    checkpoint: checkpointOf(),
    usesBitmaps,
  })
  const oids = [...selection.numbers.view()].map((number) => selection.space.oid(number)).sort()
  store.close()
  return oids
}

function countOf(gitDir: string): number | undefined {
  const store = DiskStore.open(gitDir)
  const [pack] = new ObjectSpace(store).packs
  const count = pack && findPackBitmap(pack, SHA1)?.count
  store.close()
  return count
}

/** Where the bitmaps of a repository that has some lie. */
function fileOf(gitDir: string): string {
  const store = DiskStore.open(gitDir)
  const path = bitmapPath(new ObjectSpace(store).packs[0]?.path as string)
  store.close()
  return path
}

/** Commits that have a bitmap. */
function tipsIn(gitDir: string): Oid[] {
  const store = DiskStore.open(gitDir)
  const [pack] = new ObjectSpace(store).packs
  const bitmap = pack && findPackBitmap(pack, SHA1)
  const found = Array.from({ length: pack?.index.count ?? 0 }, (_, position) => position).filter((position) => bitmap?.findReached(position))
  const oids = found.map((position) => pack?.index.oidAt(position) as Oid)
  store.close()
  return oids
}

/** A history whose older part lies in a pack with git's bitmaps, and the rest in another or loose. */
function withBitmaps(seed: number, commits: number): RandomHistory {
  const history = new RandomHistory({ seed, commits, merges: 0.3, octopuses: 0.2, skew: 0.2, lines: 3 })
  const older = history.oids.slice(0, Math.floor(commits * 0.8))
  const stdin = [...history.oids, ...older.map((oid) => `^${oid}`)].join('\n')
  const newer = git(['pack-objects', '-q', '--revs', '--stdout'], { cwd: history.gitDir, stdin })
  history.git('update-ref', '-d', 'refs/heads/main')
  git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: older.map((oid) => `create refs/heads/c-${oid} ${oid}\n`).join('') })
  history.git('repack', '-adbq')
  git(seed % 2 === 0 ? ['index-pack', '--stdin'] : ['unpack-objects', '-q'], { cwd: history.gitDir, stdin: newer })
  return history
}

const filters = [undefined, 'blob:none', 'blob:limit=50', 'tree:2', 'object:type=tree', 'object:type=blob', 'combine:blob:none+object:type=commit']

property('what is sent by bitmaps is what a walk finds, with any filter', 4, async (random, seed) => {
  using history = withBitmaps(seed, 80)
  expect(countOf(history.gitDir)).toBeGreaterThan(0)
  for (const filter of filters) {
    const wants = [history.pickLate(), history.pick(), random.pick(history.oids)]
    expect(await chosen(history.gitDir, { wants, filter }, true)).toEqual(await chosen(history.gitDir, { wants, filter }, false))
  }
})

property('by bitmaps a receiver gets all that it lacks, and nothing that it has', soak(1, 2), async (_, seed) => {
  using history = withBitmaps(seed, 700)
  const wants = [history.oids.at(-1) as Oid, history.pickLate()]
  for (const haves of [[history.oids[20] as Oid], [history.oids[5] as Oid, history.oids[90] as Oid], [history.oids[600] as Oid]]) {
    const known = new Set(await chosen(history.gitDir, { wants: haves }, false))
    const all = await chosen(history.gitDir, { wants }, false)
    const sent = await chosen(history.gitDir, { wants, haves }, true)
    const walked = new Set(await chosen(history.gitDir, { wants, haves }, false))
    expect(all.filter((oid) => !known.has(oid) && !sent.includes(oid))).toEqual([])
    expect(sent.filter((oid) => !walked.has(oid))).toEqual([])
  }
})

property('bitmaps that are written are sound to git, and tell what a walk finds', 4, async (random, seed) => {
  using history = withBitmaps(seed, seed === 1 ? 700 : 80)
  const { gitDir } = history
  rmSync(fileOf(gitDir))
  const store = DiskStore.open(gitDir)
  const source = new CommitSource(store)
  const tips = seed % 2 === 0 ? history.oids : history.oids.slice(-5)
  const written = await writeBitmaps(store, source, { tips, least: 1, checkpoint: checkpointOf() })
  expect(written).toBeGreaterThan(0)
  store.close()
  expect(countOf(gitDir)).toBe(written)
  // The newest commit in the pack itself, which git has a bitmap of then, or walks to one.
  const inPack = history.oids[Math.floor(history.oids.length * 0.8) - 1] as Oid
  git(['rev-list', '--test-bitmap', seed % 2 === 0 ? inPack : (tipsIn(gitDir)[0] as string)], { cwd: gitDir })
  for (const want of [inPack, history.pickLate(), history.pick()]) {
    const byGit = git(['rev-list', '--count', '--objects', '--use-bitmap-index', want], { cwd: gitDir }).toString().trim()
    expect(byGit).toBe(git(['rev-list', '--count', '--objects', want], { cwd: gitDir }).toString().trim())
  }
  for (const filter of filters) {
    const wants = [history.pickLate(), random.pick(history.oids)]
    expect(await chosen(gitDir, { wants, filter }, true)).toEqual(await chosen(gitDir, { wants, filter }, false))
  }
})

const fill = (bytes: Buffer, at: number, length: number, value = 0xff): Buffer => Buffer.from(bytes).fill(value, at, at + length)
const flip = (bytes: Buffer, at: number): Buffer => fill(bytes, at, 1, (bytes[at] as number) ^ 4)

describe('a file of bitmaps that cannot be believed', () => {
  const damages: [name: string, damage: (bytes: Buffer) => Buffer, sums: boolean][] = [
    ['with a bit that has changed', (bytes) => flip(bytes, bytes.length >> 1), false],
    ['that is cut off', (bytes) => bytes.subarray(0, bytes.length - 30), false],
    ['that is empty', () => Buffer.alloc(0), false],
    ['of another version', (bytes) => flip(bytes, 5), true],
    ['of another pack', (bytes) => flip(bytes, 20), true],
    ['with more entries than bytes', (bytes) => fill(bytes, 8, 4), true],
    ['with a bitmap that is longer than the file', (bytes) => fill(bytes, 36, 4), true],
    ['with a run of more bits than there are objects', (bytes) => fill(bytes, 40, 8), true],
    ['with bits all over', (bytes) => fill(bytes, 40, bytes.length - 60), true],
  ]
  test.each(damages)('%s changes nothing', async (_, damage, sums) => {
    using history = withBitmaps(7, 60)
    const wants = [history.oids.at(-1) as Oid]
    const expected = await chosen(history.gitDir, { wants, filter: 'object:type=tree' }, false)
    const path = fileOf(history.gitDir)
    const bytes = damage(readFileSync(path))
    if (sums) bytes.set(SHA1.hasher().update(bytes.subarray(0, -20)).digest(), bytes.length - 20)
    chmodSync(path, 0o644)
    writeFileSync(path, bytes)
    expect(await chosen(history.gitDir, { wants, filter: 'object:type=tree' }, true)).toEqual(expected)
  })
})
