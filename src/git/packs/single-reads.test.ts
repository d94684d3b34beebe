import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Random } from '../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { MapStore } from '../../../test/map-store.ts'
import { outcome } from '../../../test/outcome.ts'
import { idOf, makeDelta, makeTag, PackBuilder } from '../../../test/pack-builder.ts'
import { property } from '../../../test/seeds.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { kindOf } from '../store/contract.ts'
import { DiskStore } from '../store/disk.ts'
import { applyDelta } from './delta.ts'
import { OFS_DELTA, typeName } from './entry.ts'
import { PackFile } from './pack-file.ts'
import { PackFirst } from './pack-first.ts'
import { receivePack } from './receive/receive.ts'
import { EntryReader } from './select/entry-reader.ts'
import { ObjectSpace } from './select/object-space.ts'
import { peelTo } from './select/tag-chain.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

function packIn(gitDir: string): PackFile {
  const directory = join(gitDir, 'objects', 'pack')
  const name = readdirSync(directory).find((one) => one.endsWith('.pack')) as string
  return PackFile.open(join(directory, name))
}

function packed(seed: number, random: Random): RandomHistory {
  const history = new RandomHistory({ seed, commits: 15 + random.below(20), merges: 0.2, lines: 30 + random.below(400) })
  git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: history.oids.map((oid, i) => `create refs/heads/b${i} ${oid}\n`).join('') })
  git(['repack', '-q', '-a', '-d', '-f', '--depth=30'], { cwd: history.gitDir })
  return history
}

describe('entries that are read one by one as they lie', () => {
  property('come to the objects that git has, deltas on what they stand on', 4, (random, seed) => {
    using history = packed(seed, random)
    const pack = packIn(history.gitDir)
    const known = MapStore.ofGit(history.gitDir)
    const reader = new EntryReader()
    let deltas = 0
    const contentAt = (offset: number): Uint8Array => {
      const { type, baseDistance } = reader.open(pack, offset)
      const data = reader.inflate(defaultLimits.maxObjectBytes)
      if (type !== OFS_DELTA) return data
      deltas++
      return applyDelta(contentAt(offset - baseDistance), data, defaultLimits.maxObjectBytes)
    }
    for (let position = 0; position < pack.index.count; position++) {
      const object = known.get(pack.index.oidAt(position))
      expect(Buffer.compare(contentAt(pack.index.offsetAt(position)), object.data)).toBe(0)
      const { type } = reader.open(pack, pack.index.offsetAt(position))
      if (type !== OFS_DELTA) expect(typeName(type)).toBe(object.type)
    }
    expect(deltas).toBeGreaterThan(0)
    pack.close()
  })

  property('are refused when they are longer than allowed by a byte, and where no entry is', 2, (random, seed) => {
    using history = packed(seed + 20, random)
    const pack = packIn(history.gitDir)
    const reader = new EntryReader()
    for (let position = 0; position < pack.index.count; position++) {
      const { size } = reader.open(pack, pack.index.offsetAt(position))
      expect(reader.inflate(size)).toHaveLength(size)
      if (size > 0) expect(kindOf(() => reader.inflate(size - 1))).toBe('limit')
    }
    expect(kindOf(() => reader.open(pack, pack.dataEnd))).toBe('corrupt')
    // What could not be opened is not taken for what was open before.
    expect(() => reader.inflate(defaultLimits.maxObjectBytes)).toThrow('no entry is open')
    pack.close()
  })
})

describe('zlib streams that are longer than they need be', () => {
  /** A zlib stream of `data` with empty blocks before it, five bytes each. */
  function padded(data: Uint8Array, blocks: number): Buffer {
    const stream = deflateSync(data)
    return Buffer.concat([stream.subarray(0, 2), Buffer.alloc(5 * blocks, Buffer.of(0, 0, 0, 0xff, 0xff)), stream.subarray(2)])
  }

  const base = Buffer.from('what both begin with, ')
  const ops = makeDelta(base.length, base.length + 5, [[0, base.length], 'this\n'])

  async function receive(blocks: number, directory: string): Promise<PackFile> {
    const builder = new PackBuilder()
    builder.ofsDelta(builder.add('blob', base, { zlib: padded(base, blocks) }), ops, { zlib: padded(ops, blocks) })
    const source = (async function* () {
      yield builder.build()
    })()
    return PackFile.open((await receivePack(source, { directory, store: new MapStore(), limits: defaultLimits, tips: [] })).packPath)
  }

  test.each([0, 200, 1000, 2000, 3000])('are read by all readers when they are taken in: %d empty blocks', async (blocks) => {
    using directory = temporaryDirectory()
    const pack = await receive(blocks, directory.path)
    const whole = pack.index.find(idOf('blob', base) as Oid)
    const made = pack.index.find(idOf('blob', `${base}this\n`) as Oid)
    expect([whole, made].map((position) => Buffer.from(pack.read(position).data).toString())).toEqual([`${base}`, `${base}this\n`])
    const reader = new EntryReader()
    const contents = [whole, made].map((position) => {
      reader.open(pack, pack.index.offsetAt(position))
      return Buffer.from(reader.inflate(1000))
    })
    expect(contents).toEqual([base, Buffer.from(ops)])
    pack.close()
  })

  test.each([4000, 200_000])('are refused when no reader would read them to their end: %d empty blocks', async (blocks) => {
    using directory = temporaryDirectory()
    expect(await outcome(receive(blocks, directory.path))).toThrow(/its zlib stream is longer than the \d+ bytes that 22 bytes may take/)
  })
})

describe('a pack that nobody else sees yet', () => {
  property('is seen before the store it is meant for, and the store behind it', 4, (random, seed) => {
    using history = packed(seed + 40, random)
    const pack = packIn(history.gitDir)
    const behind = new MapStore()
    const [both, only] = [pack.index.oidAt(0), idOf('blob', 'behind') as Oid]
    // Of an object that both have, the pack's is given.
    behind.objects.set(both, { type: 'blob', data: Buffer.from('an older one') })
    behind.objects.set(only, { type: 'blob', data: Buffer.from('behind') })
    const first = new PackFirst(pack, behind)
    const known = MapStore.ofGit(history.gitDir)
    for (let position = 0; position < pack.index.count; position++) {
      const oid = pack.index.oidAt(position)
      const { type, data } = known.get(oid)
      expect([first.has(oid), first.findHeader(oid)]).toEqual([true, { type, size: data.length }])
      expect(Buffer.compare(first.get(oid, type).data, data)).toBe(0)
      expect(first.findByPrefix(oid.slice(0, 10), 5)).toEqual([oid])
      expect(kindOf(() => first.get(oid, type === 'tag' ? 'blob' : 'tag'))).toBe('corrupt')
    }
    expect([first.has(only), first.findHeader(only), Buffer.from(first.get(only).data).toString()]).toEqual([true, { type: 'blob', size: 6 }, 'behind'])
    expect(first.findByPrefix(only.slice(0, 8), 5)).toEqual([only])
    const absent = 'e'.repeat(40) as Oid
    expect([first.has(absent), first.find(absent), first.findHeader(absent), first.findByPrefix('eeeeeeee', 5)]).toEqual([false, undefined, undefined, []])
    expect(kindOf(() => first.get(absent))).toBe('missing')
    const everything = first.findByPrefix('', 100_000)
    expect(everything).toEqual([...everything].sort())
    pack.close()
  })

  test('gives no more ids than asked for, and each once', () => {
    using history = packed(99, { below: () => 5 } as unknown as Random)
    const pack = packIn(history.gitDir)
    const behind = MapStore.ofGit(history.gitDir)
    const first = new PackFirst(pack, behind)
    const digit = pack.index.oidAt(0)[0] as string
    const all = [...behind.objects.keys()].filter((oid) => oid.startsWith(digit)).sort()
    for (const limit of [0, 1, 2, all.length, all.length + 1]) {
      const found = first.findByPrefix(digit, limit)
      expect([found.length, new Set(found).size, found.every((oid) => all.includes(oid))]).toEqual([
        Math.min(limit, all.length),
        Math.min(limit, all.length),
        true,
      ])
    }
    pack.close()
  })
})

describe('tags of tags', () => {
  const path = join(root.path, 'tags.git')
  initBare(path)
  const write = (type: string, text: string) =>
    git(['hash-object', '-w', '-t', type, '--stdin', '--literally'], { cwd: path, stdin: text }).toString().trim() as Oid
  const store = DiskStore.open(path)
  afterAll(() => store.close())
  const blob = write('blob', 'at the end\n')

  /** The outermost of so many tags; `store.write` takes them as they are. */
  function chain(length: number): Oid {
    let [oid, type] = [blob, 'blob']
    for (let i = 0; i < length; i++) [oid, type] = [store.write('tag', Buffer.from(makeTag(oid, type, `t${i}`))), 'tag']
    return oid
  }

  test.each([0, 1, 2, 60])('%d deep lead to what they are of, each visited once, the outermost first', (length) => {
    const space = new ObjectSpace(store)
    const visited: number[] = []
    const tip = chain(length)
    const end = peelTo(space, tip, (tag) => visited.push(tag))
    expect([end.oid, end.type, visited.length, new Set(visited).size]).toEqual([blob, 'blob', length, length])
    if (length > 0) expect(space.oid(visited[0] as number)).toBe(tip)
  })

  test('that name nothing, or nothing that is there, are told apart', () => {
    const lost = write('tag', makeTag('d'.repeat(40), 'commit'))
    const odd = write('tag', 'objects of desire\n')
    const space = new ObjectSpace(DiskStore.open(path))
    expect(kindOf(() => peelTo(space, lost, () => {}))).toBe('missing')
    expect(kindOf(() => peelTo(space, odd, () => {}))).toBe('corrupt')
    space.store.close()
  })
})
