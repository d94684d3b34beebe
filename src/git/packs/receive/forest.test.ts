import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { awake } from '#kernel/breathe.ts'
import { turns } from '../../../../test/eventually.ts'
import { Random } from '../../../../test/generate-history.ts'
import { git, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { MapStore } from '../../../../test/map-store.ts'
import { idOf, makeDelta, PackBuilder } from '../../../../test/pack-builder.ts'
import { PATIENCE, property } from '../../../../test/seeds.ts'
import { stopwatch } from '../../../../test/stopwatch.ts'
import { defaultLimits, type GitLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import { kindOf } from '../../store/contract.ts'
import { PackFile } from '../pack-file.ts'
import { newReadCache } from '../read-cache.ts'
import { indexPack } from './index-pack.ts'
import { receivePack } from './receive.ts'
import { resolveShard } from './shard.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0

function newDirectory(): string {
  const path = join(root.path, `${++made}`)
  mkdirSync(path)
  return path
}

async function* inPieces(bytes: Uint8Array, random: Random): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + random.skewed(20_000)
    yield bytes.subarray(at, at + length)
    at += length
  }
}

/** A delta that keeps parts of its base, in some order, and adds something of its own. */
function deltaOf(random: Random, base: Buffer): { delta: Uint8Array; result: Buffer } {
  const ops: ([number, number] | Buffer)[] = []
  for (let i = 1 + random.below(6); i > 0; i--) {
    const from = random.below(base.length)
    ops.push(random.chance(0.6) ? [from, 1 + random.below(base.length - from)] : Buffer.from(random.bytes(1 + random.skewed(400))))
  }
  ops.push(Buffer.from(`${random.below(1e9)}`))
  const result = Buffer.concat(ops.map((op) => (op instanceof Buffer ? op : base.subarray(op[0], op[0] + op[1]))))
  return { delta: makeDelta(base.length, result.length, ops), result }
}

interface Forest {
  pack: Uint8Array
  /** By id, all that comes of the pack. */
  contents: Map<Oid, Buffer>
  /** What a thin pack stands on. */
  store: MapStore
}

/** Families of deltas on deltas, by place and by name, their bases before or after them or only in the repository. */
function someForest(random: Random, isThin: boolean): Forest {
  const builder = new PackBuilder()
  const contents = new Map<Oid, Buffer>()
  const store = new MapStore()
  const places: { at: number; data: Buffer }[] = []
  /** Deltas whose base comes later in the pack. */
  const waiting: (() => void)[] = []
  const note = (data: Buffer): boolean => {
    const oid = idOf('blob', data) as Oid
    if (contents.has(oid) || store.has(oid)) return false
    contents.set(oid, data)
    return true
  }
  for (let i = 20 + random.below(80); i > 0; i--) {
    const whole = Buffer.from(random.bytes(1 + random.skewed(random.chance(0.1) ? 60_000 : 900)))
    const parent = places.length > 0 && random.chance(0.8) ? random.pick(random.chance(0.5) ? places.slice(-3) : places) : undefined
    if (parent === undefined) {
      if (isThin && random.chance(0.3)) {
        store.objects.set(idOf('blob', whole) as Oid, { type: 'blob', data: whole })
        const { delta, result } = deltaOf(random, whole)
        if (note(result)) builder.refDelta(idOf('blob', whole), delta)
        continue
      }
      if (note(whole)) places.push({ at: builder.add('blob', whole), data: whole })
      continue
    }
    const { delta, result } = deltaOf(random, parent.data)
    if (!note(result)) continue
    const kind = random.next()
    if (kind < 0.6) places.push({ at: builder.ofsDelta(parent.at, delta), data: result })
    else if (kind < 0.8) places.push({ at: builder.refDelta(idOf('blob', parent.data), delta), data: result })
    else {
      // Named before it comes: a delta on a delta that is still to be written.
      const inner = deltaOf(random, result)
      if (note(inner.result)) builder.refDelta(idOf('blob', result), inner.delta)
      waiting.push(() => builder.ofsDelta(parent.at, delta))
    }
  }
  for (const add of waiting) add()
  return { pack: builder.build(), contents, store }
}

function expectContents(packPath: string, contents: ReadonlyMap<Oid, Buffer>, random: Random): void {
  const cache = newReadCache(random.pick([0, 3000, 1 << 20]))
  const pack = PackFile.open(packPath, { cache })
  for (const [oid, data] of contents) {
    const position = pack.index.find(oid)
    if (position < 0) throw new Error(`${oid} is not in the index`)
    const found = pack.read(position)
    if (!data.equals(found.data)) throw new Error(`${oid} reads otherwise than it was made`)
    expect(pack.headerOf(pack.index.offsetAt(position))).toEqual({ type: 'blob', size: data.length })
  }
  pack.close()
}

/** From next to no memory for bases, so that each is made many times, to plenty. */
const memories = [0, 5000, 100_000, defaultLimits.deltaCacheBytes]

property(
  'every object of a pack is named right and reads right, however its deltas stand on one another and however little memory there is',
  12,
  async (random) => {
    const { pack, contents, store } = someForest(random, random.chance(0.5))
    const limits: GitLimits = { ...defaultLimits, deltaCacheBytes: random.pick(memories) }
    const received = await receivePack(inPieces(pack, random), { directory: newDirectory(), store, limits, tips: [] })
    expectContents(received.packPath, contents, random)
    // git agrees on the index, byte for byte, crc and all.
    const judged = join(newDirectory(), 'judged.pack')
    writeFileSync(judged, await Bun.file(received.packPath).bytes())
    git(['index-pack', judged])
    expect(Buffer.compare(await Bun.file(judged.replace(/pack$/, 'idx')).bytes(), await Bun.file(received.idxPath).bytes())).toBe(0)
  },
)

property('an index made of the pack alone is the same', 6, async (random) => {
  const { pack, contents } = someForest(random, false)
  const path = join(newDirectory(), 'pack-1.pack')
  writeFileSync(path, pack)
  await indexPack(path, path.replace(/pack$/, 'idx'), { limits: { ...defaultLimits, deltaCacheBytes: random.pick(memories) } })
  expectContents(path, contents, random)
})

test(
  'families shared out among threads, some late and some that never come, are resolved once each, while others wait for the memory',
  async () => {
    const builder = new PackBuilder()
    const contents = new Map<Oid, Buffer>()
    const note = (data: Buffer): Buffer => {
      contents.set(idOf('blob', data) as Oid, data)
      return data
    }
    for (let family = 0; family < 120; family++) {
      const base = note(Buffer.from(`family ${family} `.repeat(30)))
      let at = builder.add('blob', base)
      let data = base
      for (let child = 0; child < 40; child++) {
        const result = note(Buffer.concat([data.subarray(0, 200), Buffer.from(`child ${child} of ${family}`)]))
        const next = builder.ofsDelta(at, makeDelta(data.length, result.length, [[0, Math.min(200, data.length)], result.subarray(Math.min(200, data.length))]))
        if (child % 3 === 0) [at, data] = [next, result]
      }
    }
    const random = new Random(3)
    let passed = 0
    const turn = {
      get isOver() {
        return random.chance(0.2)
      },
      pass: async () => void passed++,
    }
    for (const delay of [0, 30, Number.POSITIVE_INFINITY]) {
      let now = 0
      using _clock = stopwatch(() => (now += random.chance(0.5) ? 10 : 0))
      awake()
      const resolveShards = (inputs: Parameters<typeof resolveShard>[0][]) =>
        delay === Number.POSITIVE_INFINITY ? new Promise<never>(() => {}) : turns(delay).then(() => Promise.all([...inputs, ...inputs].map(resolveShard)))
      const source = (async function* () {
        yield builder.build()
      })()
      const received = await receivePack(source, {
        ...{ directory: newDirectory(), store: new MapStore(), limits: defaultLimits, tips: [], resolveShards },
        withMemory: (_bytes, work) => work(turn),
      })
      const pack = PackFile.open(received.packPath)
      for (const [oid, data] of contents) expect(data.equals(pack.read(pack.index.find(oid)).data)).toBe(true)
      pack.close()
    }
    expect(passed).toBeGreaterThan(3)
  },
  PATIENCE,
)

describe('a thread that fails', () => {
  test('fails the push: nothing is stored of what it was to resolve', async () => {
    const builder = new PackBuilder()
    const base = builder.add('blob', 'x'.repeat(100))
    for (let i = 0; i < 2500; i++) builder.ofsDelta(base, makeDelta(100, 104, [[0, 100], String(1000 + i)]))
    builder.ofsDelta(base, makeDelta(99, 104, [[0, 99], 'wrong']))
    const directory = newDirectory()
    const source = (async function* () {
      yield builder.build()
    })()
    const resolveShards = (inputs: Parameters<typeof resolveShard>[0][]) => Promise.all(inputs.map(resolveShard))
    const failure = await receivePack(source, { directory, store: new MapStore(), limits: defaultLimits, tips: [], resolveShards }).catch(
      (error: unknown) => error,
    )
    expect(
      kindOf(() => {
        throw failure
      }),
    ).toBe('corrupt')
    expect([...new Bun.Glob('*').scanSync(directory)]).toEqual([])
  })
})
