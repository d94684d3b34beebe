import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { git } from '../../../test/git-fixture.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { MemoryStore } from '../store/memory.ts'
import { ManyMerges } from './judged-merges.fixture.ts'
import { itemsByName, readTree, type TreeItem, type TreeItems } from './read-tree.ts'
import { SettledItems } from './settled-items.ts'
import { TreeWriter } from './tree-writer.ts'

interface Item {
  mode: number
  /** Bytes as latin1. */
  name: string
  oid: Oid
}

const modes = [0o100644, 0o100755, 0o120000, 0o040000, 0o160000]
/** Where a file and a directory of one name sort differently, beside names that begin alike. */
const names = [
  'a',
  'a-',
  'a-b',
  'a.',
  'a.c',
  'a0',
  'aa',
  'b',
  'b!',
  'b~',
  'A',
  '-',
  '.x',
  '\xc3\xa9',
  '\xff',
  '\xff\xff',
  'z/'.slice(0, 1),
  'zz',
  'name that is long',
]

const idOf = (n: number) => n.toString(16).padStart(40, '1') as Oid

/** As git sorts them: a directory as if its name ended in a slash. */
function sorted(items: readonly Item[]): Item[] {
  const key = ({ name, mode }: Item) => Buffer.from(mode === 0o040000 ? `${name}/` : name, 'latin1')
  return items.toSorted((a, b) => Buffer.compare(key(a), key(b)))
}

function encoded(items: readonly Item[]): Uint8Array {
  return Buffer.concat(items.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode.toString(8)} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]))
}

function someItems(random: Random, count: number): Item[] {
  const chosen = new Set(Array.from({ length: count }, () => (random.chance(0.5) ? random.pick(names) : `f${random.below(40)}`)))
  return [...chosen].map((name) => ({ name, mode: random.pick(modes), oid: idOf(random.below(30)) }))
}

/** A few items more, fewer, or other ones. */
function changed(random: Random, items: readonly Item[]): Item[] {
  const kept = items.filter(() => !random.chance(0.1)).map((item) => (random.chance(0.1) ? { ...item, mode: random.pick(modes), oid: idOf(99) } : item))
  const more = someItems(random, random.below(3)).filter(({ name }) => !kept.some((item) => item.name === name))
  return sorted([...kept, ...more])
}

const plain = (item: TreeItem | undefined) => item && { name: item.name, mode: item.mode, oid: item.oid }

describe('trees read beside one another', () => {
  property('have the entries that they have when read alone, wherever they share some', 150, (random) => {
    const store = new MemoryStore()
    const base = sorted(someItems(random, random.below(60)))
    const first = readTree(store, store.write('tree', encoded(base)))
    expect(first.items.map(plain)).toEqual(base)
    for (let i = 0; i < 4; i++) {
      const other = changed(random, base)
      expect(readTree(store, store.write('tree', encoded(other)), first).items.map(plain)).toEqual(other)
    }
  })

  property('share the very entries that they begin and end with alike', 60, (random) => {
    const store = new MemoryStore()
    const base = sorted(someItems(random, 30 + random.below(30)))
    const first = readTree(store, store.write('tree', encoded(base)))
    const at = random.below(base.length)
    const other = base.with(at, { ...(base[at] as Item), oid: idOf(1234) })
    const second = readTree(store, store.write('tree', encoded(other)), first)
    const shared = second.items.filter((item, i) => item === first.items[i]).length
    expect(shared).toBe(base.length - 1)
  })

  test('of nothing are empty', () => {
    const store = new MemoryStore()
    expect([readTree(store, undefined).items, readTree(store, store.format.emptyTree).items]).toEqual([[], []])
  })

  test.each([
    ['cut off in an id', (good: Uint8Array) => good.subarray(0, -1)],
    ['cut off in a name', (good: Uint8Array) => good.subarray(0, 9)],
    ['cut off in a mode', (good: Uint8Array) => good.subarray(0, 3)],
    ['with a mode that is no number', (good: Uint8Array) => Buffer.concat([Buffer.from('1x0644 a\0'), good])],
  ])('%s are refused rather than read in part', (_, damage) => {
    const store = new MemoryStore()
    const oid = store.write('tree', damage(encoded([{ mode: 0o100644, name: 'file', oid: idOf(1) }])))
    expect(() => readTree(store, oid)).toThrow('Cannot')
  })
})

describe('three trees, name by name', () => {
  property('give each name once, with all that it is, whatever it is in each', 300, (random) => {
    const base = sorted(someItems(random, random.below(40)))
    const versions = [base, changed(random, base), changed(random, base)]
    const store = new MemoryStore()
    const read: TreeItems[] = []
    for (const items of versions) read.push(readTree(store, store.write('tree', encoded(items)), read[0]))
    const found: (Item | undefined)[][] = []
    for (const named of itemsByName(read as [TreeItems, TreeItems, TreeItems])) found.push(named.map(plain))
    const all = [...new Set(versions.flat().map(({ name }) => name))]
    const expected = all.map((name) => versions.map((items) => items.find((item) => item.name === name)))
    const nameOf = (row: readonly ({ name: string } | undefined)[]) => row.find((item) => item !== undefined)?.name ?? ''
    const byName = <T extends { name: string }>(rows: (T | undefined)[][]) => rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    expect(byName(found)).toEqual(byName(expected))
  })
})

describe('trees that a merge writes', () => {
  property('are in git’s order whatever order their entries came in, with those that stay copied as they lie', 150, (random) => {
    const store = new MemoryStore()
    const old = sorted(someItems(random, random.below(40)))
    const { items } = readTree(store, store.write('tree', encoded(old)))
    const settled = new SettledItems()
    for (const item of items) settled.add(item)
    const writer = new TreeWriter(store)
    const now = new Map(old.map((item) => [item.name, item]))
    for (const item of shuffled(random, someItems(random, random.below(12)))) {
      settled.take(item.name)
      writer.add(`d/${item.name}`, item)
      now.set(item.name, item)
    }
    const written = writer.finish('d', settled.rest())
    if (now.size === 0) expect(written).toBeUndefined()
    else expect(Buffer.from(store.get(written as Oid).data)).toEqual(Buffer.from(encoded(sorted([...now.values()]))))
  })

  test('are those that git mktree makes of the same entries', () => {
    using merges = new ManyMerges([[{ f: '100644 f' }, { f: '100644 f' }, { f: '100644 f' }]])
    const items = names.map((name, i): Item => ({ name, mode: modes[i % modes.length] as number, oid: idOf(i) }))
    const type = (mode: number) => (mode === 0o040000 ? 'tree' : mode === 0o160000 ? 'commit' : 'blob')
    const lines = items.map(({ mode, name, oid }) => `${mode.toString(8).padStart(6, '0')} ${type(mode)} ${oid}\t${name}`)
    const stdin = Buffer.from(`${lines.join('\0')}\0`, 'latin1')
    const expected = git(['mktree', '-z', '--missing'], { cwd: merges.gitDir, stdin }).toString().trim()
    const store = new MemoryStore()
    const writer = new TreeWriter(store)
    for (const item of items.toReversed()) writer.add(item.name, item)
    expect(writer.finish('', [])).toBe(expected as Oid)
    const disk = DiskStore.open(merges.gitDir)
    expect(readTree(disk, expected as Oid).items.map(plain)).toEqual(sorted(items))
    disk.close()
  })

  test('are written anew where old entries have modes that git has given up', () => {
    const store = new MemoryStore()
    const raw = Buffer.concat([Buffer.from('100664 a\0'), Buffer.from(idOf(1), 'hex'), Buffer.from('040000 b\0'), Buffer.from(idOf(2), 'hex')])
    const { items } = readTree(store, store.write('tree', raw))
    const written = new TreeWriter(store).finish('', items) as Oid
    expect(Buffer.from(store.get(written).data).toString('latin1')).toStartWith('100644 a\0')
    expect(Buffer.from(store.get(written).data).toString('latin1')).toContain('40000 b\0')
    expect(Buffer.from(store.get(written).data).includes('040000')).toBe(false)
  })
})
