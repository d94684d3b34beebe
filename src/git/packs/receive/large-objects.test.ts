import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MapStore } from '../../../../test/map-store.ts'
import { outcome } from '../../../../test/outcome.ts'
import { idOf, makeDelta, PackBuilder } from '../../../../test/pack-builder.ts'
import { PATIENCE } from '../../../../test/seeds.ts'
import { soak } from '../../../../test/soak.ts'
import { defaultLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import { DiskStore, initBareRepository } from '../../store/disk.ts'
import { PackFile } from '../pack-file.ts'
import { PackIndex } from '../pack-index.ts'
import { publishPacks } from '../write/publish.ts'
import { PackReader } from './pack-reader.ts'
import { type ReceivePackOptions, receivePack } from './receive.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true }))

const MiB = 2 ** 20
const seed = Buffer.alloc(65_536, 'seed')

/** A delta that makes `size` bytes by copying `from` over and over. */
function repeating(from: number, size: number): Uint8Array {
  const ops: [number, number][] = []
  for (let left = size; left > 0; left -= from) ops.push([0, Math.min(left, from)])
  return makeDelta(from, size, ops)
}

function contentOf(size: number): Buffer {
  return Buffer.alloc(size, seed)
}

let count = 0

async function idsOf(pack: Uint8Array, options: Partial<ReceivePackOptions> = {}): Promise<Oid[]> {
  const own = join(directory, `${++count}`)
  mkdirSync(own)
  const source = (async function* () {
    yield pack
  })()
  const { idxPath } = await receivePack(source, { directory: own, store: new MapStore(), limits: defaultLimits, tips: [], ...options })
  const index = PackIndex.open(idxPath, SHA1)
  return Array.from({ length: index.count }, (_, position) => index.oidAt(position))
}

describe('large blobs made by deltas have their names', () => {
  const [small, large, larger] = [3 * MiB, 9 * MiB + 17, 33 * MiB + 1]

  test('when nothing is made from them, and when something is', async () => {
    const builder = new PackBuilder()
    const base = builder.add('blob', seed)
    builder.ofsDelta(base, repeating(seed.length, small))
    const middle = builder.ofsDelta(base, repeating(seed.length, large))
    builder.ofsDelta(
      middle,
      makeDelta(large, larger, [
        [0, large],
        [0, large],
        [0, large],
        [0, larger - 3 * large],
      ]),
    )
    const last = Buffer.concat([contentOf(large), contentOf(large), contentOf(large), contentOf(large)]).subarray(0, larger)
    const expected = [seed, contentOf(small), contentOf(large), last].map((data) => idOf('blob', data))
    expect(await idsOf(builder.build())).toEqual(expected.sort() as Oid[])
  })

  test('when something turns out by its name to be made from them', async () => {
    const builder = new PackBuilder()
    const base = builder.add('blob', seed)
    const name = idOf('blob', contentOf(large))
    builder.refDelta(name, makeDelta(large, 5, [[3, 5]]))
    builder.ofsDelta(base, repeating(seed.length, large))
    const expected = [idOf('blob', seed), name, idOf('blob', contentOf(large).subarray(3, 8))]
    expect(await idsOf(builder.build())).toEqual(expected.sort() as Oid[])
  })

  test('and take their turn when bases of tens of megabytes have to be held', async () => {
    const builder = new PackBuilder()
    const base = builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, larger))
    builder.ofsDelta(base, makeDelta(larger, 1, [[0, 1]]))
    let turns = 0
    const withMemory = <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
      if (bytes === Number.POSITIVE_INFINITY) turns++
      return work()
    }
    await idsOf(builder.build(), { withMemory })
    expect(turns).toBe(1)
    const leaf = new PackBuilder()
    leaf.ofsDelta(leaf.add('blob', seed), repeating(seed.length, larger))
    await idsOf(leaf.build(), { withMemory })
    expect(turns).toBe(1)
  })

  /** Large blobs, each made of the one before it, and a small one of each. */
  function deepChain(): { pack: Uint8Array; ids: Oid[] } {
    const builder = new PackBuilder()
    let base = builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, larger))
    const expected = [seed, contentOf(larger)]
    for (let depth = 1; depth < 6; depth++) {
      builder.ofsDelta(base, makeDelta(larger + depth - 1, 5, [[depth, 5]]))
      base = builder.ofsDelta(base, makeDelta(larger + depth - 1, larger + depth, [[0, larger + depth - 1], 'x']))
      expected.push(contentOf(depth + 5).subarray(depth), Buffer.concat([contentOf(larger), Buffer.alloc(depth, 'x')]))
    }
    return { pack: builder.build(), ids: expected.map((data) => idOf('blob', data)).sort() as Oid[] }
  }

  let chain: ReturnType<typeof deepChain> | undefined

  test.each([
    ['', 5],
    [', also on a full disk', 3],
  ])('and let others have the memory in between, however deep they stand on one another%s', async (full, least) => {
    using aside = spyOn(PackReader.prototype, 'setAside')
    if (full) aside.mockReturnValue(false)
    chain ??= deepChain()
    let passed = 0
    const pass = async () => void passed++
    const ids = await idsOf(chain.pack, { withMemory: (_bytes, work) => work({ isOver: true, pass }) })
    expect(ids).toEqual(chain.ids)
    expect(passed).toBeGreaterThanOrEqual(least)
  })

  test('are not made again and again for bases that there is no room for, more than the size of their pack allows', async () => {
    const builder = new PackBuilder()
    const size = 3 * MiB
    let base = builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, size))
    const again = makeDelta(size, size, [[0, size]])
    for (let depth = 1; depth < 20; depth++) {
      const [aside, next] = [builder.ofsDelta(base, again), builder.ofsDelta(base, again)]
      builder.ofsDelta(aside, again)
      base = next
    }
    const limits = { ...defaultLimits, deltaCacheBytes: 65_536, maxObjectBytes: 100 * MiB, maxExpansion: 1 }
    expect(await outcome(idsOf(builder.build(), { limits }))).toThrow('its deltas need more than 65536 bytes of bases at a time')
  })

  test('and are compared with what is stored without each being made from the first, and let others have the memory in between', async () => {
    const path = join(directory, `${++count}`)
    initBareRepository(path, 'main', SHA1)
    const [size, depth] = [4 * MiB + 1, 30]
    const builder = new PackBuilder()
    let base = builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, size))
    for (let i = 0; i < depth; i++) base = builder.ofsDelta(base, makeDelta(size + i, size + i + 1, [[0, size + i], 'x']))
    const receive = async (options: Partial<ReceivePackOptions>): Promise<string> => {
      const store = DiskStore.open(path)
      const source = (async function* () {
        yield builder.build()
      })()
      const { packPath } = await receivePack(source, { directory: join(path, 'objects'), store, limits: defaultLimits, tips: [], ...options })
      store.close()
      return packPath
    }
    publishPacks([await receive({})], join(path, 'objects', 'pack'))
    let passed = 0
    const pass = async () => void passed++
    using reads = spyOn(PackFile.prototype, 'entryHeaderAt')
    await receive({ withMemory: (_bytes, work) => work({ isOver: true, pass }) })
    expect(reads.mock.calls.length).toBeLessThan(8 * depth)
    expect(passed).toBeGreaterThanOrEqual(3 * depth)
  })

  test('and take their turn when they are compared with what is stored already, of which another is refused', async () => {
    const builder = new PackBuilder()
    builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, larger))
    const name = idOf('blob', contentOf(larger)) as Oid
    const store = new MapStore()
    let turns = 0
    const withMemory = <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
      if (bytes === Number.POSITIVE_INFINITY) turns++
      return work()
    }
    store.objects.set(name, { type: 'blob', data: contentOf(larger) })
    expect(await idsOf(builder.build(), { withMemory, store })).toContain(name)
    store.objects.set(name, { type: 'blob', data: contentOf(larger + 1).subarray(1) })
    expect(await outcome(idsOf(builder.build(), { withMemory, store }))).toThrow(`collision: its object ${name} differs`)
    expect(turns).toBe(2)
  })
})

/** What `receivePack` takes of memory at most, in MiB, for a pack that `prepare` leaves in `pack`, beside what it leaves in `store`. */
function peakOf(prepare: string): number {
  const script = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { join } from 'node:path'
    import { makeDelta, PackBuilder } from '${join(import.meta.dir, '../../../../test/pack-builder.ts')}'
    import { MapStore } from '${join(import.meta.dir, '../../../../test/map-store.ts')}'
    import { defaultLimits } from '${join(import.meta.dir, '../../limits.ts')}'
    import { DiskStore, initBareRepository } from '${join(import.meta.dir, '../../store/disk.ts')}'
    import { PackIndex } from '${join(import.meta.dir, '../pack-index.ts')}'
    import { publishPacks } from '${join(import.meta.dir, '../write/publish.ts')}'
    import { receivePack } from '${join(import.meta.dir, 'receive.ts')}'
    const receive = (pack, directory, store) =>
      receivePack((async function* () { yield pack })(), { directory, store, limits: defaultLimits, tips: [] })
    const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
    const forget = () => writeFileSync('/proc/self/clear_refs', '5')
    const repeating = (size) => {
      const ops = []
      for (let left = size; left > 0; left -= 65536) ops.push([0, Math.min(left, 65536)])
      return makeDelta(65536, size, ops)
    }
    const own = process.argv[1]
    const { pack, store } = await (async () => {${prepare}})()
    const before = peak()
    await receive(pack, own, store)
    console.log(peak() - before)
  `
  const own = join(directory, `${++count}`)
  mkdirSync(own)
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', script, own])
  expect(stderr.toString()).toBe('')
  return Number(stdout.toString())
}

/** As large as shows whether one is held whole, beside the tens of megabytes that receiving takes anyway. */
const LARGE_MIB = soak(96, 200)

/** A repository of two large objects, made by a pack of a few hundred bytes. */
const repositoryOfLarge = `
  const builder = new PackBuilder()
  const base = builder.add('blob', Buffer.alloc(65536, 'seed'))
  for (let i = 0; i < 2; i++) builder.ofsDelta(base, repeating(${LARGE_MIB} * 2 ** 20 + i))
  const pack = builder.build()
  const path = join(own, 'store.git')
  initBareRepository(path, 'main', (await import('${join(import.meta.dir, '../../objects/oid.ts')}')).SHA1)
  const made = await receive(pack, join(path, 'objects'), DiskStore.open(path))
  publishPacks([made.packPath], join(path, 'objects', 'pack'))
  const store = DiskStore.open(path)
`

test.skipIf(process.platform !== 'linux')(
  'large objects that are stored already take no memory to speak of when they are pushed again',
  () => {
    expect(peakOf(`${repositoryOfLarge} return { pack, store }`)).toBeLessThan(0.9 * LARGE_MIB)
  },
  PATIENCE,
)

test(
  'a pack of deltas on a large stored object can be read, and be stood on again, whether that lies as a delta or whole',
  async () => {
    const path = join(directory, `${++count}`)
    initBareRepository(path, 'main', SHA1)
    const land = async (fill: (builder: PackBuilder) => void): Promise<void> => {
      const builder = new PackBuilder()
      fill(builder)
      const store = DiskStore.open(path)
      const source = (async function* () {
        yield builder.build()
      })()
      const { packPath } = await receivePack(source, { directory: join(path, 'objects'), store, limits: defaultLimits, tips: [] })
      publishPacks([packPath], join(path, 'objects', 'pack'))
      store.close()
    }
    const size = 33 * MiB + 1
    const name = idOf('blob', contentOf(size)) as Oid
    await land((builder) => builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, size)))
    for (const from of [1, 2, 3]) await land((builder) => builder.refDelta(name, makeDelta(size, 5, [[from, 5]])))
    const store = DiskStore.open(path)
    for (const from of [1, 2, 3]) {
      const part = contentOf(8).subarray(from, from + 5)
      expect(Buffer.compare(store.get(idOf('blob', part) as Oid).data, part)).toBe(0)
    }
    const whole = SHA1.hasher().update(`blob ${size}\0`)
    for await (const bytes of store.pieces(name)) whole.update(Buffer.from(bytes))
    expect(Buffer.from(whole.digest()).toString('hex')).toBe(name)
    store.close()
  },
  PATIENCE,
)

test.skipIf(process.platform !== 'linux')(
  'large objects that are sent whole, and are stored already, are never whole in memory together',
  () => {
    const whole = `
      const again = new PackBuilder()
      for (let fill = 0; fill < ${soak(9, 14)}; fill++) again.add('blob', Buffer.alloc(50 * 2 ** 20, fill))
      const landed = await receive(again.build(), join(path, 'objects'), store)
      publishPacks([landed.packPath], join(path, 'objects', 'pack'))
      Bun.gc(true)
      forget()
      return { pack: again.build(), store }
    `
    // All of them together take 450 MiB. One at a time takes 150 to 330, depending on when memory is collected.
    expect(peakOf(`${repositoryOfLarge} ${whole}`)).toBeLessThan(soak(440, 500))
  },
  PATIENCE,
)

test.skipIf(process.platform !== 'linux')(
  'a delta on a large stored object takes memory for that object once',
  () => {
    const thin = `
    const [large] = [...store.packedOids()].filter((oid) => store.findHeader(oid).size > 2 ** 20)
    const delta = new PackBuilder()
    delta.refDelta(large, makeDelta(store.findHeader(large).size, 5, [[3, 5]]))
    return { pack: delta.build(), store }
  `
    expect(peakOf(`${repositoryOfLarge} ${thin}`)).toBeLessThan(1.75 * LARGE_MIB)
  },
  PATIENCE,
)

test.skipIf(process.platform !== 'linux')('a kilobyte that comes to hundreds of megabytes takes no memory to speak of', () => {
  const prepare = `
    const builder = new PackBuilder()
    const base = builder.add('blob', Buffer.alloc(65536))
    for (let i = 0; i < 2; i++) builder.ofsDelta(base, repeating(${soak(2000, 4000)} * 65536 + i))
    return { pack: builder.build(), store: new MapStore() }
  `
  expect(peakOf(prepare)).toBeLessThan(soak(120, 250))
})
