import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Random } from '../../../../test/generate-history.ts'
import { git, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { property } from '../../../../test/seeds.ts'
import { checkpointOf } from '../../checkpoint.ts'
import { CommitSource } from '../../history/commit-source.ts'
import { RandomHistory } from '../../history/random-history.fixture.ts'
import { defaultLimits } from '../../limits.ts'
import { type Oid, SHA1 } from '../../objects/oid.ts'
import { kindOf } from '../../store/contract.ts'
import { DiskStore, initBareRepository } from '../../store/disk.ts'
import { type Consolidated, consolidate, packReachable } from './consolidate.ts'
import { copyMissing } from './copy-missing.ts'
import { idsIn } from './ids-in.fixture.ts'
import { encodeMtimes, mtimesPath, readMtimes } from './mtimes.ts'
import { publishPacks } from './publish.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0
/** When the oldest object was of use, in seconds; git takes smaller numbers for no times. */
const START = 1_000_000_000
const common = { limits: defaultLimits, checkpoint: checkpointOf() }
const newDirectory = (): string => join(root.path, `quarantine-${++made}`)

/** A repository that upkeep has reason to visit: old branches gone, objects of all ages that nothing reaches, loose and packed. */
class Untidy {
  readonly history: RandomHistory
  readonly store: DiskStore
  readonly tips: Oid[]
  /** When each object that no ref reaches was last of use. */
  readonly ages = new Map<Oid, number>()
  readonly #random: Random

  constructor(random: Random, seed: number) {
    this.#random = random
    this.history = new RandomHistory({ seed, commits: 30, merges: 0.3, lines: 4 })
    this.tips = [this.history.oids[10] as Oid, this.history.oids[14] as Oid]
    const { gitDir } = this.history
    const refs = this.tips.map((oid, i) => `create refs/heads/b${i} ${oid}\n`)
    git(['update-ref', '--stdin'], { cwd: gitDir, stdin: `${refs.join('')}delete refs/heads/main\n` })
    this.history.git('symbolic-ref', 'HEAD', 'refs/heads/b0')
    this.#unpack()
    this.store = DiskStore.open(gitDir)
    const reachable = this.reachable()
    const lost = [...this.store.looseOids()].filter((oid) => !reachable.has(oid))
    for (const oid of lost) this.setAge(oid, START + random.below(1000))
    this.#packSome(lost)
    this.store.refresh()
  }

  get gitDir(): string {
    return this.history.gitDir
  }

  /** Larger histories come as a pack. */
  #unpack(): void {
    const directory = join(this.gitDir, 'objects/pack')
    for (const name of readdirSync(directory).filter((file) => file.endsWith('.pack'))) {
      const pack = readFileSync(join(directory, name))
      for (const file of readdirSync(directory)) rmSync(join(directory, file))
      git(['unpack-objects', '-q'], { cwd: this.gitDir, stdin: pack })
    }
  }

  reachable(oids: readonly Oid[] = this.tips): Set<Oid> {
    if (oids.length === 0) return new Set()
    const stdin = oids.join('\n')
    return new Set(git(['rev-list', '--objects', '--no-object-names', '--stdin'], { cwd: this.gitDir, stdin }).toString().trim().split('\n') as Oid[])
  }

  all(): Oid[] {
    return this.history.lines('cat-file', '--batch-all-objects', '--batch-check=%(objectname)') as Oid[]
  }

  setAge(oid: Oid, seconds: number): void {
    this.ages.set(oid, seconds)
    utimesSync(join(this.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)), seconds, seconds)
  }

  /** Some of them into a pack that is as old as a pack can be: all of it at once. */
  #packSome(lost: readonly Oid[]): void {
    const chosen = lost.filter(() => this.#random.chance(0.3))
    if (chosen.length === 0) return
    const name = git(['pack-objects', '-q', join(this.gitDir, 'objects/pack/pack')], { cwd: this.gitDir, stdin: chosen.join('\n') })
      .toString()
      .trim()
    git(['prune-packed', '-q'], { cwd: this.gitDir })
    const seconds = START + this.#random.below(1000)
    utimesSync(join(this.gitDir, 'objects/pack', `pack-${name}.pack`), seconds, seconds)
    for (const oid of chosen) this.ages.set(oid, seconds)
  }

  consolidate(cutoff: number): Promise<Consolidated> {
    const directory = newDirectory()
    mkdirSync(directory)
    const objects = join(this.gitDir, 'objects')
    return consolidate(this.store, new CommitSource(this.store), { tips: this.tips, cutoff, objects, directory, ...common })
  }

  /** What upkeep does with the answer: new packs in, what they replace out. */
  replace({ packs, replaced }: Consolidated): void {
    const kept = publishPacks(packs, join(this.gitDir, 'objects/pack'))
    for (const path of replaced.packs) {
      const stem = path.slice(0, -'.pack'.length)
      if (!kept.has(basename(stem))) for (const ending of ['.idx', '.pack', '.mtimes']) rmSync(stem + ending, { force: true })
    }
    for (const oid of replaced.loose) rmSync(join(this.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)))
    this.store.refresh()
  }

  [Symbol.dispose](): void {
    this.store.close()
    this.history[Symbol.dispose]()
  }
}

property(
  'what refs reach is kept, all of it; what nothing reaches goes when it is old, and stays, with what it stands on, while it is young',
  5,
  async (random, seed) => {
    using repo = new Untidy(random, seed)
    const cutoff = START + random.below(1000)
    const [reachable, all] = [repo.reachable(), repo.all()]
    const outcome = await repo.consolidate(cutoff)
    const young = [...repo.ages].filter(([, age]) => age >= cutoff).map(([oid]) => oid)
    const spared = [...repo.reachable(young)].filter((oid) => !reachable.has(oid))
    const packs = outcome.packs.map((path) => ({ path, ids: idsIn(path), isCruft: existsSync(mtimesPath(path)) }))
    const idsOf = (isCruft: boolean) => packs.filter((pack) => pack.isCruft === isCruft).flatMap(({ ids }) => ids)
    expect(new Set(idsOf(false))).toEqual(reachable)
    expect(idsOf(true).sort()).toEqual(spared.sort())
    expect([outcome.kept, outcome.dropped]).toEqual([spared.length, all.length - reachable.size - spared.length])
    // Nothing has been taken away yet.
    expect(repo.all()).toEqual(all)
    repo.replace(outcome)
    expect(repo.all()).toEqual([...reachable, ...spared].sort())
    expect(repo.history.git('fsck', '--full', '--no-dangling', '--connectivity-only')).toBe('')
    for (const { path } of packs) repo.history.git('verify-pack', join(repo.gitDir, 'objects/pack', basename(path)))
  },
)

property('stock git reads from a cruft pack how old each object is', 3, async (random, seed) => {
  using repo = new Untidy(random, seed + 50)
  const reachable = repo.reachable()
  repo.replace(await repo.consolidate(0))
  const line = START + random.below(1000)
  const later = [...repo.ages].filter(([, age]) => age > line).map(([oid]) => oid)
  const expected = [...new Set([...reachable, ...repo.reachable(later)])].sort()
  repo.history.git('repack', '-q', '--cruft', `--cruft-expiration=${line}`, '-d')
  expect(repo.all()).toEqual(expected)
})

property('ages survive one consolidation after another, and one of nothing new changes nothing', 3, async (random, seed) => {
  using repo = new Untidy(random, seed + 80)
  const reachable = repo.reachable()
  repo.replace(await repo.consolidate(0))
  const names = () => readdirSync(join(repo.gitDir, 'objects/pack')).sort()
  const before = names()
  repo.replace(await repo.consolidate(0))
  expect(names()).toEqual(before)
  const middle = START + 500
  repo.replace(await repo.consolidate(middle))
  const young = [...repo.ages].filter(([, age]) => age >= middle).map(([oid]) => oid)
  expect(repo.all()).toEqual([...new Set([...reachable, ...repo.reachable(young)])].sort())
  // The pack is as old as the youngest of what is in it.
  for (const path of repo.store.packs.map((pack) => pack.path).filter((one) => existsSync(mtimesPath(one)))) {
    expect(statSync(path).mtimeMs / 1000).toBe(Math.max(...readMtimes(mtimesPath(path), idsIn(path).length)))
  }
})

test('a cruft pack whose ages are lost or damaged is as old as its file: nothing of it goes too soon', async () => {
  for (const damage of [(path: string) => rmSync(path), (path: string) => Bun.write(path, readFileSync(path).subarray(0, -1))]) {
    using repo = new Untidy(new Random(7), 7)
    repo.replace(await repo.consolidate(0))
    const [cruft] = repo.store.packs.map((pack) => pack.path).filter((path) => existsSync(mtimesPath(path))) as [string]
    const ids = idsIn(cruft)
    await damage(mtimesPath(cruft))
    utimesSync(cruft, START + 10_000, START + 10_000)
    expect((await repo.consolidate(START + 10_000)).kept).toBe(ids.length)
    expect((await repo.consolidate(START + 10_001)).kept).toBe(0)
  }
})

test('an object that is lost is an error, and the store stays as it was', async () => {
  using repo = new Untidy(new Random(3), 3)
  const before = repo.all()
  const tree = repo.history.git('rev-parse', `${repo.tips[0]}^{tree}`).trim()
  repo.history.git('repack', '-adq')
  const gone = '9'.repeat(40) as Oid
  const directory = newDirectory()
  const tips = [...repo.tips, gone]
  const failed = await consolidate(repo.store, new CommitSource(repo.store), {
    tips,
    cutoff: 0,
    objects: join(repo.gitDir, 'objects'),
    directory,
    ...common,
  }).catch((error: unknown) => error)
  expect(
    kindOf(() => {
      throw failed
    }),
  ).toBe('missing')
  expect([existsSync(directory) ? readdirSync(directory) : [], repo.all().length > 0, repo.store.has(tree as Oid), before.length > 0]).toEqual([
    [],
    true,
    true,
    true,
  ])
})

describe('the ages of objects', () => {
  property('come back as they were written, over all of 32 bits', 5, async (random) => {
    const mtimes = Uint32Array.from({ length: random.below(50) }, () => random.below(2 ** 32))
    const path = join(root.path, `${++made}.mtimes`)
    const bytes = encodeMtimes(mtimes, random.bytes(20))
    await Bun.write(path, bytes)
    expect(readMtimes(path, mtimes.length)).toEqual(mtimes)
    const body = bytes.subarray(0, -20)
    expect(
      new Bun.CryptoHasher('sha1')
        .update(body as Uint8Array<ArrayBuffer>)
        .digest()
        .equals(bytes.subarray(-20)),
    ).toBe(true)
  })

  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['nothing', () => new Uint8Array()],
    ['too short', (bytes) => bytes.subarray(0, -1)],
    ['too long', (bytes) => Buffer.concat([bytes, Buffer.alloc(4)])],
    ['another magic', (bytes) => Buffer.concat([Buffer.from('MTMX'), bytes.subarray(4)])],
    ['another version', (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.from([0, 0, 0, 2]), bytes.subarray(8)])],
  ])('a file with %s is refused', async (_, change) => {
    const path = join(root.path, `${++made}.mtimes`)
    await Bun.write(path, change(encodeMtimes(Uint32Array.of(1, 2, 3), Buffer.alloc(20))))
    expect(kindOf(() => readMtimes(path, 3))).toBe('corrupt')
  })
})

test('what refs reach is packed while the pack that holds it is joined with others', async () => {
  using history = new RandomHistory({ seed: 5, commits: 30, merges: 0.3, lines: 4 })
  history.git('repack', '-adq')
  const store = DiskStore.open(history.gitDir)
  const tip = history.oids[20] as Oid
  const packsNow = () => readdirSync(join(history.gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'))
  const before = packsNow()
  // So many others were read meanwhile.
  for (const pack of store.packs) pack.rest()
  let isJoined = false
  const checkpoint = () => {
    if (!isJoined) history.git('repack', '-adFq', '--depth=0', '--window=0')
    isJoined = true
    return undefined
  }
  const directory = newDirectory()
  mkdirSync(directory)
  const [path = ''] = await packReachable(store, new CommitSource(store), { tips: [tip], directory, limits: defaultLimits, checkpoint })
  expect(packsNow()).not.toEqual(before)
  const reached = history.lines('rev-list', '--objects', '--no-object-names', tip) as Oid[]
  expect(idsIn(path).sort()).toEqual(reached.sort())
  store.close()
})

test.each([false, true])(
  'what another repository lacks is copied while the pack that holds it is joined with others (once its commits are found: %j)',
  async (isLate) => {
    using history = new RandomHistory({ seed: 6, commits: 30, merges: 0.3, lines: 4 })
    history.git('repack', '-adq')
    const from = DiskStore.open(history.gitDir)
    const [before] = from.packs
    before?.rest()
    const tip = history.oids[20] as Oid
    const turn = isLate ? history.lines('rev-list', tip).length + 1 : 1
    let turns = 0
    const checkpoint = () => {
      // So many others were read meanwhile.
      if (++turns === turn - 1) before?.rest()
      if (turns === turn) history.git('repack', '-adFq', '--depth=0', '--window=0')
      return undefined
    }
    const directory = newDirectory()
    mkdirSync(directory)
    const gitDir = join(newDirectory(), 'lacking.git')
    initBareRepository(gitDir, 'main', SHA1)
    const store = DiskStore.open(gitDir)
    const { packPath } = await copyMissing(from, new CommitSource(from), { directory, store, limits: defaultLimits, tips: [tip], checkpoint })
    expect(existsSync(before?.path ?? '')).toBe(false)
    const reached = history.lines('rev-list', '--objects', '--no-object-names', tip) as Oid[]
    expect(idsIn(packPath).sort()).toEqual(reached.sort())
    from.close()
    store.close()
  },
)
