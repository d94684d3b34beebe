import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { linkSync, mkdtempSync, readdirSync, readlinkSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { idOf, makeDelta, PackBuilder } from '../../../test/pack-builder.ts'
import type { GitLimits } from '../limits.ts'
import { defaultLimits } from '../limits.ts'
import { kindOf } from '../store/contract.ts'
import { OpenFiles } from './open-files.ts'
import { PackFile } from './pack-file.ts'
import { newReadCache } from './read-cache.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true }))

const base = 'some text of which deltas can copy a part or all\n'
let made = 0

/** Writes a pack, and an index that says that `offsets` are where the objects of these ids lie, true or not. */
function packOf(pack: Uint8Array, objects: Record<string, number>, limits: GitLimits = defaultLimits): PackFile {
  const path = join(directory, `pack-${++made}.pack`)
  writeFileSync(path, pack)
  writeFileSync(path.replace('.pack', '.idx'), indexOf(pack, objects))
  return PackFile.open(path, { limits })
}

function indexOf(pack: Uint8Array, objects: Record<string, number>): Uint8Array {
  const oids = Object.keys(objects).sort()
  const fanout = Array.from({ length: 256 }, (_, byte) => oids.filter((oid) => Number.parseInt(oid.slice(0, 2), 16) <= byte).length)
  const words = (numbers: number[]) => Buffer.concat(numbers.map((number) => Buffer.from(number.toString(16).padStart(8, '0'), 'hex')))
  const tables = [
    words([0xff744f63, 2, ...fanout]),
    Buffer.from(oids.join(''), 'hex'),
    words(oids.map(() => crc32(''))),
    words(oids.map((oid) => objects[oid] as number)),
  ]
  const body = Buffer.concat([...tables, pack.subarray(-20)])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

const id = (digit: string) => digit.repeat(40)

describe('damage in a pack is told, and nothing else happens', () => {
  test('deltas that stand on one another in a circle', () => {
    const builder = new PackBuilder()
    const delta = makeDelta(base.length, base.length, [[0, base.length]])
    const one = builder.refDelta(id('2'), delta)
    const two = builder.refDelta(id('1'), delta)
    const pack = packOf(builder.build(), { [id('1')]: one, [id('2')]: two })
    expect(kindOf(() => pack.readEntry(one))).toBe('corrupt')
    expect(kindOf(() => pack.headerOf(two))).toBe('corrupt')
  })

  test('a delta that stands on itself, on nothing, or on what lies before the first entry', () => {
    const builder = new PackBuilder()
    const delta = makeDelta(1, 1, ['x'])
    const offsets = [
      builder.refDelta(id('1'), delta),
      builder.refDelta(id('f'), delta),
      builder.ofsDelta(0, delta, { distance: 0 }),
      builder.ofsDelta(0, delta, { distance: 200 }),
    ]
    const pack = packOf(builder.build(), Object.fromEntries(offsets.map((offset, i) => [id(`${i + 1}`), offset])))
    for (const offset of offsets) expect([kindOf(() => pack.readEntry(offset)), kindOf(() => pack.headerOf(offset))]).toEqual(['corrupt', 'corrupt'])
  })

  test('a chain longer than the limit; one as long as the limit reads', () => {
    const builder = new PackBuilder()
    const offsets = [builder.add('blob', base)]
    for (let i = 0; i < 50; i++) offsets.push(builder.ofsDelta(offsets[i] as number, makeDelta(base.length, base.length, [[0, base.length]])))
    const objects = Object.fromEntries(offsets.map((offset, i) => [idOf('blob', `${i}`), offset]))
    const pack = packOf(builder.build(), objects, { ...defaultLimits, maxDeltaDepth: 49 })
    expect(kindOf(() => pack.readEntry(offsets[50] as number))).toBe('corrupt')
    expect(Buffer.from(pack.readEntry(offsets[49] as number).data).toString()).toBe(base)
  })

  test.each([
    { name: 'a size too small', options: { size: 3 } },
    { name: 'a size too large', options: { size: 300 } },
    { name: 'an unknown type', options: { type: 5 } },
    { name: 'no zlib stream', options: { zlib: Buffer.from('nothing compressed') } },
    { name: 'a zlib stream that is cut off', options: { zlib: deflateSync(base).subarray(0, 20) } },
    { name: 'a small size and a stream of 50 MB', options: { size: 100, zlib: deflateSync(Buffer.alloc(50_000_000)) } },
  ])('$name', ({ options }) => {
    const builder = new PackBuilder()
    const offset = builder.add('blob', base, options)
    const pack = packOf(builder.build(), { [id('1')]: offset })
    expect(kindOf(() => pack.readEntry(offset))).toBe('corrupt')
  })

  test('offsets that lead nowhere', () => {
    const builder = new PackBuilder()
    builder.add('blob', base)
    const bytes = builder.build()
    for (const offset of [0, 11, bytes.length - 20, bytes.length - 1, bytes.length, 0x7fffffff]) {
      expect(kindOf(() => packOf(bytes, { [id('1')]: offset }).read(0))).toBe('corrupt')
    }
  })

  test('whatever byte of a pack is changed, reading ends in an object or a GitError', () => {
    const builder = new PackBuilder()
    const first = builder.add('blob', base)
    const second = builder.ofsDelta(first, makeDelta(base.length, 9, [[0, 5], 'text']))
    const third = builder.refDelta(id('2'), makeDelta(9, 10, [[0, 9], '!']))
    const good = builder.build()
    const { path } = packOf(good, { [id('1')]: first, [id('2')]: second, [id('3')]: third })
    const cache = newReadCache(0)
    for (let at = 12; at < good.length - 20; at++) {
      for (const value of [0xff, (good[at] as number) ^ 0x10]) {
        const bad = Buffer.from(good)
        bad[at] = value
        writeFileSync(path, bad)
        const pack = PackFile.open(path, { cache })
        for (const offset of [first, second, third]) {
          kindOf(() => pack.readEntry(offset))
          kindOf(() => pack.headerOf(offset))
        }
        pack.close()
      }
    }
  })

  test('a pack that is not the one its index is for', () => {
    const builder = new PackBuilder()
    const offset = builder.add('blob', base)
    const good = builder.build()
    const cases = [builder.build({ count: 2 }), builder.build({ version: 4 }), builder.build({ magic: 'PICK' }), good.subarray(0, 30), new Uint8Array()]
    for (const bytes of cases) expect(kindOf(() => packOf(bytes, { [id('1')]: offset }))).toBe('corrupt')
    const path = join(directory, 'pack-other.pack')
    writeFileSync(path, good)
    writeFileSync(path.replace('.pack', '.idx'), indexOf(Buffer.alloc(20), { [id('1')]: offset }))
    expect(() => PackFile.open(path)).toThrow(/another pack/)
  })
})

describe('limits hold before memory is taken', () => {
  test('an entry that says it is huge', () => {
    const builder = new PackBuilder()
    const offset = builder.add('blob', base, { size: 2 ** 45 })
    expect(kindOf(() => packOf(builder.build(), { [id('1')]: offset }).readEntry(offset))).toBe('limit')
  })

  test('a small delta with a huge result', () => {
    const builder = new PackBuilder()
    const first = builder.add('blob', base)
    const second = builder.ofsDelta(first, makeDelta(base.length, 2 ** 40, [[0, base.length]]))
    const pack = packOf(builder.build(), { [id('1')]: first, [id('2')]: second })
    expect(kindOf(() => pack.readEntry(second))).toBe('limit')
    expect(pack.headerOf(second)).toEqual({ type: 'blob', size: 2 ** 40 })
  })

  test('what the caller does not want that large', () => {
    const builder = new PackBuilder()
    const first = builder.add('blob', Buffer.alloc(100_000))
    const second = builder.ofsDelta(first, makeDelta(100_000, 5, [[0, 5]]))
    const pack = packOf(builder.build(), { [id('1')]: first, [id('2')]: second })
    expect(kindOf(() => pack.readEntry(first, 99_999))).toBe('limit')
    expect(pack.readEntry(second, 5).data.length).toBe(5)
    expect(kindOf(() => pack.readEntry(second, 4))).toBe('limit')
  })
})

describe('a pack', () => {
  test('is read whole: tiny, large, hard to compress, not compressed', () => {
    const noise = Buffer.concat(Array.from({ length: 10_000 }, (_, i) => createHash('sha1').update(`${i}`).digest()))
    const blobs = [Buffer.alloc(0), Buffer.from('x'), noise.subarray(0, 4090), noise.subarray(0, 5000), noise, Buffer.alloc(3_000_000, 'abc')]
    const builder = new PackBuilder()
    const offsets = blobs.map((blob, i) => builder.add('blob', blob, { zlib: deflateSync(blob, { level: i % 2 === 0 ? 0 : 9 }) }))
    const pack = packOf(builder.build(), Object.fromEntries(blobs.map((blob, i) => [idOf('blob', blob), offsets[i] as number])))
    for (const [i, blob] of blobs.entries()) {
      expect(Buffer.compare(pack.readEntry(offsets[i] as number).data, blob)).toBe(0)
      expect(pack.headerOf(offsets[i] as number)).toEqual({ type: 'blob', size: blob.length })
    }
  })

  test('is read also where its maker put many empty blocks into a zlib stream', () => {
    const [head, end] = [Buffer.from([0x78, 0x01]), deflateSync(base).subarray(-4)]
    const stream = Buffer.concat([head, Buffer.alloc(50, Buffer.from([0, 0, 0, 0xff, 0xff])), deflateRawSync(base), end])
    const builder = new PackBuilder()
    const offset = builder.add('blob', base, { zlib: stream })
    builder.add('blob', Buffer.alloc(20_000), { zlib: Buffer.alloc(20_000) })
    const pack = packOf(builder.build({ count: 1 }), { [id('1')]: offset })
    expect(Buffer.from(pack.readEntry(offset).data).toString()).toBe(base)
  })

  test('says of an entry where its data and its base lie', () => {
    const builder = new PackBuilder()
    const first = builder.add('blob', base)
    const delta = makeDelta(base.length, 5, [[0, 5]])
    const [second, third] = [builder.ofsDelta(first, delta), builder.refDelta(id('1'), delta)]
    const pack = packOf(builder.build(), { [id('1')]: first, [id('2')]: second, [id('3')]: third })
    expect(pack.entryHeaderAt(first)).toEqual({ type: 3, size: base.length, dataAt: first + 2, baseAt: -1 })
    expect(pack.entryHeaderAt(second)).toEqual({ type: 6, size: delta.length, dataAt: second + 2, baseAt: first })
    expect(pack.entryHeaderAt(third)).toEqual({ type: 7, size: delta.length, dataAt: third + 21, baseAt: first })
  })

  test('that was deleted is readable until it is closed', () => {
    const builder = new PackBuilder()
    const offset = builder.add('blob', base)
    const pack = packOf(builder.build(), { [id('1')]: offset })
    unlinkSync(pack.path)
    expect(pack.read(0).data.length).toBe(base.length)
    pack.close()
    expect(kindOf(() => pack.read(0))).toBe('missing')
  })

  test('gives any stretch of its bytes, and refuses what lies behind its end', () => {
    const builder = new PackBuilder()
    const offset = builder.add('blob', Buffer.alloc(50_000))
    const bytes = builder.build()
    const pack = packOf(bytes, { [id('1')]: offset })
    expect(Buffer.compare(pack.readAt(0, pack.size), bytes)).toBe(0)
    expect(pack.dataEnd).toBe(bytes.length - 20)
    expect(kindOf(() => pack.readAt(pack.size - 4, 5))).toBe('corrupt')
  })
})

/** Names of the packs that are open, by what Linux says of this process. */
function openPacks(): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => link.startsWith(join(directory, 'many-'))).map((link) => link.slice(directory.length + 1))
}

test.skipIf(process.platform !== 'linux')('of many packs those read last are open, and the others open again when they are read', () => {
  const cache = { ...newReadCache(0), files: new OpenFiles(2) }
  const packs = ['a', 'b', 'c', 'd'].map((text) => {
    const path = join(directory, `many-${text}.pack`)
    const builder = new PackBuilder()
    const at = builder.add('blob', text)
    writeFileSync(path, builder.build())
    writeFileSync(path.replace('.pack', '.idx'), indexOf(builder.build(), { [idOf('blob', text)]: at }))
    return { path, at, text, pack: PackFile.open(path, { cache }) }
  })
  const bytesOf = ({ pack, at }: (typeof packs)[number]) => pack.readAt(at, 4).toString()
  const read = packs.map(bytesOf)
  expect(openPacks().sort()).toEqual(['many-c.pack', 'many-d.pack'])
  expect(packs.map(bytesOf)).toEqual(read)
  // One that was deleted while it is open is not given up, as nothing would bring it back; nor one that only a fork has still.
  linkSync(packs[3]?.path as string, join(directory, 'of-a-fork.pack'))
  for (const one of [2, 3]) unlinkSync(packs[one]?.path as string)
  expect(packs.map(bytesOf)).toEqual(read)
  for (const { pack } of packs) pack.close()
})
