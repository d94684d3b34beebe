import { describe, expect, test } from 'bun:test'
import { PackBuilder } from '../../../test/pack-builder.ts'
import { property } from '../../../test/seeds.ts'
import { kindOf } from '../store/contract.ts'
import { deltaSizes } from './delta.ts'
import {
  BLOB,
  COMMIT,
  decodeEntryHeader,
  type EntryHeader,
  emptyEntryHeader,
  encodeBaseDistance,
  encodeEntryHeader,
  MAX_ENTRY_HEADER,
  OFS_DELTA,
  REF_DELTA,
  TAG,
  TREE,
  typeCode,
  typeName,
} from './entry.ts'

function decoded(bytes: Uint8Array, at = 0): EntryHeader | undefined {
  const header = emptyEntryHeader()
  return decodeEntryHeader(bytes, at, 20, header) ? header : undefined
}

function encoded(type: number, size: number): Uint8Array {
  const out = new Uint8Array(MAX_ENTRY_HEADER)
  return out.slice(0, encodeEntryHeader(type, size, out, 0))
}

function distanceBytes(distance: number): Uint8Array {
  const out = new Uint8Array(16)
  return out.slice(0, encodeBaseDistance(distance, out, 0))
}

/** Values around which a length changes by a byte, with their neighbours. */
const edges = [0, 1, 15, 16, 127, 128, 2 ** 11, 2 ** 18, 2 ** 25, 2 ** 31, 2 ** 32, 2 ** 39, 2 ** 46, Number.MAX_SAFE_INTEGER]
  .flatMap((value) => [value - 1, value, value + 1])
  .filter((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER)

describe('the header of an entry', () => {
  // By hand, from the picture in gitformat-pack.
  test.each<[type: number, size: number, hex: string]>([
    [COMMIT, 0, '10'],
    [TREE, 15, '2f'],
    [BLOB, 16, 'b001'],
    [TAG, 300, 'cc12'],
    [BLOB, 2047, 'bf7f'],
    [BLOB, 2048, 'b08001'],
    [COMMIT, 2 ** 32, '908080808001'],
  ])('of type %d and size %d is %s', (type, size, hex) => {
    expect(Buffer.from(encoded(type, size)).toString('hex')).toBe(hex)
    expect(decoded(Buffer.from(hex, 'hex'))).toMatchObject({ type, size, dataAt: hex.length / 2, baseDistance: 0, baseOidAt: -1 })
  })

  test('holds any size that a number can be exact about, and nothing of it is lost', () => {
    for (const size of edges) {
      for (const type of [COMMIT, TREE, BLOB, TAG]) {
        const bytes = encoded(type, size)
        expect([size, decoded(bytes)?.size, decoded(bytes)?.type, decoded(bytes)?.dataAt]).toEqual([size, size, type, bytes.length])
      }
    }
  })

  test('a size or distance beyond that is refused, not rounded', () => {
    for (const bytes of [
      [0xb0, ...Array(7).fill(0xff), 0x7f],
      [0xff, ...Array(30).fill(0xff)],
      [0x60, ...Array(8).fill(0xff), 0x7f],
    ]) {
      expect(kindOf(() => decoded(Uint8Array.from(bytes)))).toBe('corrupt')
    }
  })

  test('asks for more bytes wherever it is cut off, with each kind of base', () => {
    const base = Buffer.alloc(20, 7)
    for (const whole of [
      encoded(BLOB, 2 ** 40),
      Buffer.concat([encoded(OFS_DELTA, 70_000), distanceBytes(2 ** 35)]),
      Buffer.concat([encoded(REF_DELTA, 5), base]),
    ]) {
      for (let length = 0; length < whole.length; length++) expect(decoded(whole.subarray(0, length))).toBeUndefined()
      expect(decoded(whole)?.dataAt).toBe(whole.length)
    }
  })

  test.each([0, 5])('type %d, which git has not given a meaning, is corrupt', (type) => {
    expect(kindOf(() => decoded(encoded(type, 3)))).toBe('corrupt')
    expect(kindOf(() => typeName(type))).toBe('corrupt')
  })

  test('names and codes of types are each other’s', () => {
    expect([COMMIT, TREE, BLOB, TAG].map(typeName)).toEqual(['commit', 'tree', 'blob', 'tag'])
    for (const code of [COMMIT, TREE, BLOB, TAG]) expect(typeCode(typeName(code))).toBe(code)
    for (const code of [OFS_DELTA, REF_DELTA, -1, 8]) expect(kindOf(() => typeName(code))).toBe('corrupt')
  })

  test('says where the id of a base lies, wherever the header stands', () => {
    for (const at of [0, 1, 500]) {
      const bytes = Buffer.concat([Buffer.alloc(at, 0xff), encoded(REF_DELTA, 1000), Buffer.alloc(20, 9), Buffer.from('x')])
      expect(decoded(bytes, at)).toEqual({ type: REF_DELTA, size: 1000, baseDistance: 0, baseOidAt: at + 2, dataAt: at + 22 })
    }
  })
})

describe('the distance to a base', () => {
  test.each<[distance: number, hex: string]>([
    [1, '01'],
    [127, '7f'],
    [128, '8000'],
    [255, '807f'],
    [256, '8100'],
    [16_511, 'ff7f'],
    [16_512, '808000'],
    [2_113_663, 'ffff7f'],
    [2_113_664, '80808000'],
  ])('%d is %s', (distance, hex) => {
    expect(Buffer.from(distanceBytes(distance)).toString('hex')).toBe(hex)
    expect(decoded(Buffer.concat([encoded(OFS_DELTA, 9), Buffer.from(hex, 'hex')]))).toMatchObject({ type: OFS_DELTA, baseDistance: distance })
  })

  test('any distance comes back as it was', () => {
    for (const distance of edges) expect(decoded(Buffer.concat([encoded(OFS_DELTA, 1), distanceBytes(distance)]))?.baseDistance).toBe(distance)
  })
})

property('random headers come back as they were, in the middle of other bytes, and as another encoder writes them', 40, (random) => {
  const size = Math.floor(2 ** (random.next() * 40))
  const distance = 1 + Math.floor(2 ** (random.next() * 40))
  const lead = random.bytes(random.below(9))
  const out = Buffer.concat([lead, Buffer.alloc(MAX_ENTRY_HEADER, 0xee)])
  const end = encodeBaseDistance(distance, out, encodeEntryHeader(OFS_DELTA, size, out, lead.length))
  expect(decoded(out, lead.length)).toEqual({ type: OFS_DELTA, size, baseDistance: distance, baseOidAt: -1, dataAt: end })
  expect(out.subarray(end).every((byte) => byte === 0xee)).toBe(true)
  const builder = new PackBuilder()
  builder.ofsDelta(0, new Uint8Array(), { size, distance, zlib: new Uint8Array() })
  expect(Buffer.from(builder.build().subarray(12, -20)).equals(out.subarray(lead.length, end))).toBe(true)
})

describe('the sizes that a delta begins with', () => {
  test.each<[hex: string, base: number, result: number]>([
    ['0000', 0, 0],
    ['7f8001', 127, 128],
    ['ffff038008', 65_535, 1024],
    ['808080801080808020', 2 ** 32, 2 ** 26],
  ])('%s are %d and %d', (hex, base, result) => {
    expect(deltaSizes(Buffer.from(`${hex}90`, 'hex'))).toEqual({ base, result, bodyAt: hex.length / 2 })
  })

  test.each(['', '80', '05', '0580', 'ff'.repeat(12), `05${'80'.repeat(9)}00`])('"%s" holds no two sizes', (hex) => {
    expect(kindOf(() => deltaSizes(Buffer.from(hex, 'hex')))).toBe('corrupt')
  })
})
