import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { awake } from '#kernel/breathe.ts'
import type { Random } from '../../../../test/generate-history.ts'
import { git, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { type BuiltType, idOf, makeCommit, makeDelta, makeTag, makeTree, PackBuilder } from '../../../../test/pack-builder.ts'
import { property, shuffled } from '../../../../test/seeds.ts'
import { soak } from '../../../../test/soak.ts'
import { stopwatch } from '../../../../test/stopwatch.ts'
import { GitError } from '../../errors.ts'
import { defaultLimits } from '../../limits.ts'
import { type Oid, SHA1 } from '../../objects/oid.ts'
import { MemoryStore } from '../../store/memory.ts'
import { PackFile } from '../pack-file.ts'
import { PackIndex } from '../pack-index.ts'
import { type ReceivedPack, type ReceivePackOptions, receivePack } from './receive.ts'
import { resolveShard } from './shard.ts'
import { verifyPack } from './verify.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0

interface Object {
  type: BuiltType
  data: Buffer
}

/** A closed handful of objects: versions of files that share most of their bytes, trees, commits on one another, tags of tags. */
function someObjects(random: Random): Object[] {
  const objects: Object[] = []
  const add = (type: BuiltType, data: string | Uint8Array): string => {
    const bytes = Buffer.from(data)
    if (!objects.some((object) => object.type === type && object.data.equals(bytes))) objects.push({ type, data: bytes })
    return idOf(type, bytes)
  }
  // Of smaller ones the bases need no turn with the memory.
  if (random.chance(0.3)) add('blob', Buffer.alloc(1_100_000, 'large'))
  let file = Buffer.from(random.bytes(random.skewed(4000)))
  let parents: string[] = []
  for (let i = 0; i < 3 + random.below(5); i++) {
    const at = random.below(file.length + 1)
    file = Buffer.concat([file.subarray(0, at), random.bytes(random.below(30)), file.subarray(Math.min(file.length, at + random.below(40)))])
    const entries: [string, string, string][] = [['100644', 'file', add('blob', file)]]
    if (random.chance(0.5)) entries.unshift(['100644', 'empty', add('blob', '')])
    if (random.chance(0.5)) entries.push(['40000', 'sub', add('tree', makeTree([['100755', 'x', add('blob', `${i}`)]]))])
    const commit = add('commit', makeCommit(add('tree', makeTree(entries)), parents, `${i}\n`))
    parents = random.chance(0.8) ? [commit] : []
    if (random.chance(0.3)) add('tag', makeTag(add('tag', makeTag(commit, 'commit', `t${i}`)), 'tag', `tt${i}`))
  }
  return objects
}

/** Any delta that makes `to` of `from`: not a good one, but one that fits. */
function someDelta(random: Random, from: Buffer, to: Buffer): Uint8Array {
  const ops: (readonly [number, number] | Buffer)[] = []
  for (let at = 0; at < to.length; ) {
    const length = Math.min(to.length - at, 1 + random.below(300))
    const piece = to.subarray(at, at + length)
    const found = from.indexOf(piece)
    ops.push(found >= 0 ? [found, length] : piece)
    at += length
  }
  return makeDelta(from.length, to.length, ops)
}

/** The objects in any order, whole or as deltas of either kind, on bases before or behind them, some of them twice where that is wished. */
function anyPack(random: Random, objects: readonly Object[], absent: readonly Object[] = [], isDoubled = false): Uint8Array {
  const builder = new PackBuilder()
  const placed: { object: Object; at: number }[] = []
  const rest = shuffled(random, objects)
  // A base by id may come behind its delta, but must not come of it: objects stand only on those further on in this order.
  for (const [i, object] of rest.entries()) {
    const twice = isDoubled && random.chance(0.2) ? 2 : 1
    for (let copy = 0; copy < twice; copy++) {
      const { type, data } = object
      const behind = rest.slice(i + 1).filter((other) => other.type === type)
      const before = placed.filter((other) => other.object.type === type && other.object !== object)
      const elsewhere = absent.filter((other) => other.type === type)
      // A delta that makes nothing is too short for git.
      const choice = data.length === 0 ? 1 : random.next()
      if (choice < 0.3 && before.length > 0) {
        const base = random.pick(before)
        if (isFree(base.object, object)) placed.push({ object, at: builder.ofsDelta(base.at, someDelta(random, base.object.data, data)) })
        else placed.push({ object, at: builder.add(type, data) })
      } else if (choice < 0.5 && behind.length > 0) {
        const base = random.pick(behind)
        builder.refDelta(idOf(type, base.data), someDelta(random, base.data, data))
        standing.set(object, base)
      } else if (choice < 0.7 && elsewhere.length > 0) {
        const base = random.pick(elsewhere)
        builder.refDelta(idOf(type, base.data), someDelta(random, base.data, data))
      } else placed.push({ object, at: builder.add(type, data) })
    }
  }
  standing.clear()
  return builder.build()

  /** Whether `object` may stand on `base`: not when that stands on it. */
  function isFree(base: Object, object: Object): boolean {
    for (let at: Object | undefined = base; at !== undefined; at = standing.get(at)) if (at === object) return false
    standing.set(object, base)
    return true
  }
}

const standing = new Map<Object, Object>()

async function* inPieces(random: Random, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const most = random.pick([1, 7, 100, 5000, 100_000])
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + random.below(most)
    yield bytes.subarray(at, at + length)
    at += length
  }
}

/** Memory that others wait for at any time. */
function awaitedMemory(random: Random): NonNullable<ReceivePackOptions['withMemory']> {
  const turn = {
    get isOver() {
      return random.chance(0.5)
    },
    pass: () => Promise.resolve(),
  }
  return (_bytes, work) => work(turn)
}

async function receive(random: Random, pack: Uint8Array, store: MemoryStore, cache = defaultLimits.deltaCacheBytes): Promise<ReceivedPack> {
  let now = 0
  using _clock = random.chance(0.5) ? stopwatch(() => (now += random.chance(0.5) ? 10 : 0)) : undefined
  awake()
  const directory = join(root.path, `q${++made}`)
  mkdirSync(directory)
  const resolveShards = (inputs: unknown[]) => Promise.all(inputs.map((input) => resolveShard(input as never)))
  return await receivePack(inPieces(random, pack), {
    ...{ directory, store, limits: { ...defaultLimits, deltaCacheBytes: cache }, tips: [] },
    ...(random.chance(0.3) ? { resolveShards: resolveShards as never } : {}),
    ...(random.chance(0.5) ? { withMemory: awaitedMemory(random) } : {}),
  })
}

function expectObjects(received: ReceivedPack, objects: readonly Object[]): void {
  const pack = PackFile.open(received.packPath, { limits: defaultLimits })
  for (const { type, data } of objects) {
    const position = pack.index.find(idOf(type, data) as Oid)
    expect(position).toBeGreaterThanOrEqual(0)
    const found = pack.read(position)
    expect([found.type, Buffer.compare(found.data, data)]).toEqual([type, 0])
    expect(pack.headerOf(pack.index.offsetAt(position))).toEqual({ type, size: data.length })
    expect([pack.typeAt(position), pack.typeAt(position)]).toEqual([type, type])
  }
  expect(new Set(Array.from({ length: pack.index.count }, (_, i) => pack.index.oidAt(i))).size).toBeLessThanOrEqual(pack.index.count)
  pack.close()
}

/** The index that git makes of the same pack. */
function gitIndex(received: ReceivedPack): Buffer {
  const judged = `${received.packPath}.judged.pack`
  writeFileSync(judged, readFileSync(received.packPath))
  git(['index-pack', judged])
  return readFileSync(judged.replace(/pack$/, 'idx'))
}

describe('objects in any order, on bases before and behind them, by place or by name, in pieces of any length', () => {
  property('come out as they went in, under the index that git makes', soak(12, 30), async (random) => {
    const objects = someObjects(random)
    const received = await receive(random, anyPack(random, objects), new MemoryStore(), random.chance(0.3) ? 100 : undefined)
    expectObjects(received, objects)
    expect(readFileSync(received.idxPath).equals(gitIndex(received))).toBe(true)
    const { objects: count } = await verifyPack(received.packPath, received.idxPath, defaultLimits)
    expect(count).toBe(received.objects)
  })

  property('come out as they went in where some come twice, which git cannot read in every order', soak(8, 20), async (random) => {
    const objects = someObjects(random)
    expectObjects(await receive(random, anyPack(random, objects, [], true), new MemoryStore()), objects)
  })

  property('stand on what the repository has, which comes along into a pack that stands alone', soak(12, 30), async (random) => {
    const all = someObjects(random)
    const store = new MemoryStore()
    const [there, sent] = [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)]
    for (const { type, data } of there) store.write(type, data)
    const received = await receive(random, anyPack(random, sent, there), store)
    expectObjects(received, sent)
    expect(received.objects).toBeGreaterThanOrEqual(sent.length)
    expect(readFileSync(received.idxPath).equals(gitIndex(received))).toBe(true)
  })
})

describe('a pack and its index, once stored', () => {
  test('are known to be damaged whichever byte changes, the pack’s or the index’s', async () => {
    const { Random } = await import('../../../../test/generate-history.ts')
    const random = new Random(5)
    const received = await receive(random, anyPack(random, someObjects(random)), new MemoryStore())
    const [pack, idx] = [join(root.path, 'flipped.pack'), join(root.path, 'flipped.idx')]
    const good = { pack: readFileSync(received.packPath), idx: readFileSync(received.idxPath) }
    writeFileSync(pack, good.pack)
    writeFileSync(idx, good.idx)
    for (const [path, bytes] of [
      [pack, good.pack],
      [idx, good.idx],
    ] as const) {
      for (let at = random.below(9); at < bytes.length; at += 1 + random.below(90)) {
        const bad = Buffer.from(bytes)
        bad[at] = (bad[at] as number) ^ (1 << random.below(8))
        writeFileSync(path, bad)
        const fault = await verifyPack(pack, idx, defaultLimits).then(
          () => undefined,
          (error: unknown) => error,
        )
        expect([path, at, fault instanceof GitError]).toEqual([path, at, true])
      }
      writeFileSync(path, bytes)
    }
    expect((await verifyPack(pack, idx, defaultLimits)).objects).toBe(received.objects)
  })

  test('have an index of the very bytes that the format says: sorted ids, sums, two checksums', async () => {
    const { Random } = await import('../../../../test/generate-history.ts')
    const random = new Random(6)
    const received = await receive(random, anyPack(random, someObjects(random)), new MemoryStore())
    const [pack, idx] = [readFileSync(received.packPath), readFileSync(received.idxPath)]
    const count = idx.readUInt32BE(8 + 255 * 4)
    expect(idx.length).toBe(8 + 1024 + count * 28 + 40)
    expect(idx.subarray(-40, -20).equals(pack.subarray(-20))).toBe(true)
    expect(idx.subarray(-20).equals(createHash('sha1').update(idx.subarray(0, -20)).digest())).toBe(true)
    expect(pack.subarray(-20).equals(createHash('sha1').update(pack.subarray(0, -20)).digest())).toBe(true)
    const index = PackIndex.open(received.idxPath, SHA1)
    const ids = Array.from({ length: count }, (_, i) => index.oidAt(i))
    expect(ids).toEqual(ids.toSorted())
    for (let byte = 0; byte < 256; byte++) {
      expect(idx.readUInt32BE(8 + byte * 4)).toBe(ids.filter((oid) => Number.parseInt(oid.slice(0, 2), 16) <= byte).length)
    }
    const offsets = [...index.offsetOrder()].map((position) => index.offsetAt(position))
    for (const [i, position] of [...index.offsetOrder()].entries()) {
      const entry = pack.subarray(offsets[i], offsets[i + 1] ?? pack.length - 20)
      expect(index.crcAt(position)).toBe(Bun.hash.crc32(entry))
    }
    expect(received.name).toBe(pack.subarray(-20).toString('hex'))
  })
})
