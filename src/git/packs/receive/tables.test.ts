import { describe, expect, test } from 'bun:test'
import { Random } from '../../../../test/generate-history.ts'
import { property, shuffled } from '../../../../test/seeds.ts'
import { SHA1 } from '../../objects/oid.ts'
import { kindOf } from '../../store/contract.ts'
import { orderByOffset } from '../offset-order.ts'
import { search } from '../offset-search.ts'
import { PackIndex } from '../pack-index.ts'
import { IntList } from '../select/int-list.ts'
import { EntryTable, findEntryAt, findEntryByOid, NONE, oidOf } from './entry-table.ts'
import { IS_ATTRIBUTES, IS_MODULES, IS_TIP, LinkTable } from './link-table.ts'
import { claimGroup, findGroup, RefBaseList } from './ref-bases.ts'
import { TagTargets } from './tag-targets.ts'
import { indexChunks, sortByOid } from './write-index.ts'

/** Twenty bytes of which only the first few differ between two ids, as a stranger who wants collisions of slots would choose them. */
function alike(number: number): Buffer {
  const raw = Buffer.alloc(20, 0xab)
  raw.writeUInt32BE(number, (number % 5) * 4)
  return raw
}

describe('the table of entries', () => {
  test('keeps every column while it grows beyond what the pack announced', () => {
    const table = new EntryTable(20, 3)
    for (let i = 0; i < 5000; i++) {
      const entry = table.add(12 + i * 10, 2 + (i % 5), 1 + (i % 4))
      table.columns.crcs[entry] = i * 7
      table.columns.sizes[entry] = 2 ** 33 + i
      table.columns.oids.set(alike(i), i * 20)
    }
    table.close(50_012)
    const { columns } = table
    expect([table.count, columns.offsets[5000]]).toEqual([5000, 50_012])
    for (let i = 0; i < 5000; i++) {
      const row = [
        columns.offsets[i],
        columns.headerLengths[i],
        columns.types[i],
        columns.crcs[i],
        columns.sizes[i],
        columns.bases[i],
        oidOf(columns, i) as string,
      ]
      expect(row).toEqual([12 + i * 10, 2 + (i % 5), 1 + (i % 4), i * 7, 2 ** 33 + i, NONE, alike(i).toString('hex')])
    }
  })

  property('finds entries by where they begin and by their ids, the first of several with one id, and no others', 20, (random) => {
    const table = new EntryTable(20, 0)
    const count = 1 + random.below(300)
    const raws: Buffer[] = []
    let offset = 12
    const offsets: number[] = []
    for (let i = 0; i < count; i++) {
      offsets.push(offset)
      table.add(offset, 2, 3)
      const raw = i > 0 && random.chance(0.2) ? random.pick(raws) : alike(random.below(2000))
      raws.push(raw)
      table.columns.oids.set(raw, i * 20)
      offset += 1 + random.below(2 ** 30)
    }
    table.close(offset)
    const order = sortByOid(table.columns, count)
    for (const [i, at] of offsets.entries()) expect(findEntryAt(table.columns, count, at)).toBe(i)
    for (const at of [0, 11, 13, offset]) if (!offsets.includes(at)) expect(findEntryAt(table.columns, count, at)).toBe(NONE)
    for (let i = 0; i < 200; i++) {
      const wanted = alike(random.below(2000))
      expect(findEntryByOid(table.columns, order, wanted)).toBe(raws.findIndex((raw) => raw.equals(wanted)))
    }
  })
})

describe('the order of ids', () => {
  test.each([3000, 70_000])('of %d entries is that of their bytes, and of their places where ids are equal', (count) => {
    const table = new EntryTable(20, count)
    const keys: string[] = []
    let state = count
    for (let i = 0; i < count; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      // Few first bytes, so that buckets are large and some ids are equal.
      const raw = Buffer.from([state >>> 30, (state >>> 24) & 3, (state >>> 16) & 255, ...Array(17).fill(0)])
      table.add(i, 2, 3)
      table.columns.oids.set(raw, i * 20)
      keys.push(`${raw.toString('hex')}${String(i).padStart(8, '0')}`)
    }
    const expected = keys.map((_, i) => i).sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1))
    expect([...sortByOid(table.columns, count)]).toEqual(expected)
  })

  property('an index written for offsets on both sides of 2^31 is read back row by row', 15, (random) => {
    const count = random.below(400)
    const table = new EntryTable(20, count)
    const rows = Array.from({ length: count }, (_, i) => {
      const offset = random.pick([12, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 45]) + i
      const entry = table.add(offset, 2, 3)
      table.columns.crcs[entry] = random.below(2 ** 32)
      const raw = random.bytes(20)
      table.columns.oids.set(raw, i * 20)
      return { oid: Buffer.from(raw).toString('hex'), offset, crc: table.columns.crcs[entry] as number }
    })
    const checksum = random.bytes(20)
    const chunks: Buffer[] = []
    for (const chunk of indexChunks(table.columns, sortByOid(table.columns, count), checksum, SHA1)) chunks.push(Buffer.from(chunk))
    const bytes = Buffer.concat(chunks)
    const index = new PackIndex('made.idx', bytes, SHA1)
    rows.sort((a, b) => (a.oid < b.oid ? -1 : 1))
    const read = rows.map((_, i) => ({ oid: index.oidAt(i) as string, offset: index.offsetAt(i), crc: index.crcAt(i) }))
    expect(read).toEqual(rows)
    expect(Buffer.from(index.packChecksum).equals(Buffer.from(checksum))).toBe(true)
    expect(new Bun.CryptoHasher('sha1').update(bytes.subarray(0, -20)).digest().equals(bytes.subarray(-20))).toBe(true)
    for (const position of [-1, count]) expect(() => index.oidAt(position)).toThrow(RangeError)
  })
})

property('positions are ordered by offset whatever their size, and equal offsets stay in place', 25, (random) => {
  const offsets = Array.from({ length: random.below(500) }, () => Math.floor(2 ** (random.next() * 53)))
  if (offsets.length > 3) offsets[2] = offsets[0] as number
  const expected = offsets.map((_, i) => i).sort((a, b) => (offsets[a] as number) - (offsets[b] as number) || a - b)
  const order = orderByOffset(offsets.length, (i) => offsets[i] as number)
  expect([...order]).toEqual(expected)
  const sorted = [...new Set(offsets)].sort((a, b) => a - b)
  for (const [i, value] of sorted.entries()) expect(search(sorted.length, (at) => sorted[at] as number, value)).toBe(i)
  expect(search(sorted.length, (at) => sorted[at] as number, -1)).toBe(-1)
})

test.each([0, 1, 4095, 4096, 4097, 70_000])('%d positions are ordered by offset, those of equal offsets by themselves', (count) => {
  for (const largest of [3, 65_535, 65_536, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER]) {
    const random = new Random(count + largest)
    const offsets = Array.from({ length: count }, () => Math.floor(random.next() * largest))
    if (count > 0) offsets[0] = largest
    const order = orderByOffset(count, (i) => offsets[i] as number)
    const isBefore = (a: number, b: number) => (offsets[a] as number) < (offsets[b] as number) || (offsets[a] === offsets[b] && a < b)
    expect(new Set(order).size).toBe(count)
    for (let i = 1; i < count; i++) if (!isBefore(order[i - 1] as number, order[i] as number)) throw new Error(`place ${i} of ${count} up to ${largest}`)
  }
})

property('a list of numbers is what an array is, beyond any first size', 10, (random) => {
  const [list, model] = [new IntList(), [] as number[]]
  for (let step = 0; step < 3000; step++) {
    const choice = random.next()
    if (choice < 0.7) {
      const item = random.below(2 ** 32)
      list.push(item)
      model.push(item)
    } else if (choice < 0.999) {
      expect(list.pop()).toBe(model.pop())
    } else {
      list.clear()
      model.length = 0
    }
  }
  expect([list.length, [...list.view()]]).toEqual([model.length, model])
  for (const [i, item] of model.entries()) expect(list.at(i)).toBe(item)
})

describe('the table of links', () => {
  property('is a map from ids to all that was asked of them, whoever asked first, while it grows', 12, (random) => {
    const table = new LinkTable(10_000)
    const model = new Map<string, { flags: number; from: number }>()
    for (let step = 0; step < 3000; step++) {
      const raw = random.chance(0.5) ? alike(random.below(600)) : Buffer.from(random.bytes(20))
      const hex = raw.toString('hex')
      const flags = 1 << random.below(7)
      table.from = step
      if (random.chance(0.5)) table.addHex(Buffer.from(`tree ${hex}\n`), 5, flags)
      else table.add(Buffer.concat([Buffer.from('100644 a\0'), raw]), 9, flags)
      const known = model.get(hex)
      model.set(hex, { flags: (known?.flags ?? 0) | flags, from: known?.from ?? step })
    }
    const same = LinkTable.of(table.columns)
    for (const [hex, { flags, from }] of model) {
      const slot = same.find(Buffer.from(hex, 'hex'), 0)
      expect([same.oidAt(slot) as string, same.flagsAt(slot), same.fromAt(slot)]).toEqual([hex, flags, from])
    }
    expect(table.columns.count).toBe(model.size)
    expect(table.find(Buffer.alloc(20, 1), 0)).toBe(-1)
  })

  test('takes as many ids as it may, and the same ones again, but not one more', () => {
    const table = new LinkTable(1000)
    for (let round = 0; round < 2; round++) for (let i = 0; i < 1000; i++) table.add(alike(i), 0, round === 0 ? IS_TIP : IS_MODULES)
    expect(kindOf(() => table.add(alike(1000), 0, IS_ATTRIBUTES))).toBe('limit')
    const slot = table.find(alike(999), 0)
    expect(table.flagsAt(slot)).toBe(IS_TIP | IS_MODULES)
    table.markFound(slot)
    expect(table.flagsAt(slot) & ~(IS_TIP | IS_MODULES)).not.toBe(0)
  })

  test('ids chosen to fall into one slot do not stand in long chains', () => {
    const table = new LinkTable(200_000)
    for (let i = 0; i < 50_000; i++) {
      const raw = Buffer.alloc(20)
      raw.writeUInt32BE(i * 65_536, 16)
      table.add(raw, 0, IS_TIP)
    }
    // A search goes on through all the slots that follow one another: in one chain of all ids that would be a thousand million steps.
    let [chain, longest] = [0, 0]
    for (const flags of table.columns.flags) {
      chain = flags === 0 ? 0 : chain + 1
      longest = Math.max(longest, chain)
    }
    expect(table.columns.count).toBe(50_000)
    expect(longest).toBeLessThan(2000)
  })
})

property('deltas that wait for the same base come together in the pack’s order, and only one thread gets each group', 20, (random) => {
  const list = new RefBaseList(20)
  const waiting = new Map<string, number[]>()
  const count = random.below(200)
  for (let entry = 0; entry < count; entry++) {
    const raw = alike(random.below(30))
    list.add(entry, Buffer.concat([Buffer.alloc(3), raw]), 3)
    waiting.set(raw.toString('hex'), [...(waiting.get(raw.toString('hex')) ?? []), entry])
  }
  const nextSibling = new Int32Array(count).fill(NONE)
  const groups = list.group(nextSibling)
  expect([groups.count, list.length]).toEqual([waiting.size, count])
  for (const [hex, entries] of shuffled(random, [...waiting])) {
    const group = findGroup(groups, Buffer.from(hex, 'hex'), 0)
    const chain: number[] = []
    for (let entry = groups.heads[group] as number; entry !== NONE; entry = nextSibling[entry] as number) chain.push(entry)
    expect(chain).toEqual(entries)
    expect([claimGroup(groups, group), claimGroup(groups, group)]).toEqual([true, false])
  }
  expect(findGroup(groups, Buffer.alloc(20, 1), 0)).toBe(NONE)
})

test('what tags point to is told for those that are asked for, from any thread’s list', () => {
  const targets = new TagTargets(20)
  for (let entry = 0; entry < 100; entry++) targets.add(entry * 3, Buffer.from(`object ${alike(entry).toString('hex')}\n`), 7)
  const wanted = new Map<number, undefined>([0, 1, 27, 297].map((entry) => [entry, undefined]))
  TagTargets.of(targets.columns, 20).fill(wanted)
  expect([...wanted]).toEqual([0, undefined, 9, 99].map((tag, i) => [[0, 1, 27, 297][i], tag === undefined ? undefined : alike(tag).toString('hex')]) as never)
})
