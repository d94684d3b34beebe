import { describe, expect, test } from 'bun:test'
import { property } from '../../../test/seeds.ts'
import { kindOf } from '../store/contract.ts'
import { AFTER_PREFIX_FILE, PREFIX_DIRECTORY, TreeOrder, UNRELATED } from './tree-order.ts'

interface Entry {
  name: string
  isDirectory: boolean
}

const keyOf = ({ name, isDirectory }: Entry) => Buffer.from(isDirectory ? `${name}/` : name, 'latin1')

/** By the book: sorted by what names count as, and no name twice. */
function isRight(entries: readonly Entry[]): boolean {
  if (new Set(entries.map(({ name }) => name)).size < entries.length) return false
  return entries.every((entry, i) => i === 0 || Buffer.compare(keyOf(entries[i - 1] as Entry), keyOf(entry)) < 0)
}

/** The names one behind the other, as they would lie in a tree. */
function laidOut(entries: readonly Entry[]): { bytes: Buffer; places: [number, number, boolean][] } {
  const bytes = Buffer.from(entries.map(({ name }) => `${name}\0`).join(''), 'latin1')
  let at = 0
  const places = entries.map(({ name, isDirectory }): [number, number, boolean] => {
    const start = at
    at += name.length + 1
    return [start, start + name.length, isDirectory]
  })
  return { bytes, places }
}

function isTaken(order: TreeOrder, entries: readonly Entry[]): boolean {
  const { bytes, places } = laidOut(entries)
  order.open(bytes)
  const takeAll = () => {
    for (const place of places) order.nextOfAll(...place)
  }
  return kindOf(takeAll) === undefined
}

const names = ['a', 'a!', 'a-b', 'a.c', 'a0', 'ab', 'b']

describe('entries of a tree', () => {
  test('in every order of up to four are taken exactly when git would take them', () => {
    const all = names.flatMap((name) => [false, true].map((isDirectory): Entry => ({ name, isDirectory })))
    const order = new TreeOrder()
    let wrong = 0
    const check = (entries: readonly Entry[]) => {
      if (isTaken(order, entries) !== isRight(entries)) wrong++
    }
    for (const one of all) {
      for (const two of all) {
        check([one, two])
        for (const three of all) check([one, two, three])
      }
    }
    expect(wrong).toBe(0)
  })

  property('however many, with a file and a directory of one name however far apart', 300, (random) => {
    const order = new TreeOrder()
    const pool = Array.from({ length: 3 + random.below(20) }, () => `${random.pick(names)}${random.chance(0.5) ? random.pick(names) : ''}`)
    const chosen = [...new Set(pool)].map((name): Entry => ({ name, isDirectory: random.chance(0.4) }))
    const sorted = chosen.toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)))
    expect(isTaken(order, sorted)).toBe(true)
    const twin = { ...random.pick(sorted) }
    twin.isDirectory = !twin.isDirectory
    const doubled = [...sorted, twin].toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)))
    expect([doubled, isTaken(order, doubled)]).toEqual([doubled, false])
    if (sorted.length < 2) return
    const at = random.below(sorted.length - 1)
    const swapped = sorted.with(at, sorted[at + 1] as Entry).with(at + 1, sorted[at] as Entry)
    expect([swapped, isTaken(order, swapped)]).toEqual([swapped, false])
  })

  test.each<[Entry, Entry, number]>([
    [{ name: 'a', isDirectory: false }, { name: 'b', isDirectory: false }, UNRELATED],
    [{ name: 'a', isDirectory: false }, { name: 'a.c', isDirectory: false }, AFTER_PREFIX_FILE],
    [{ name: 'a', isDirectory: false }, { name: 'a0', isDirectory: false }, UNRELATED],
    [{ name: 'a.c', isDirectory: false }, { name: 'a', isDirectory: true }, PREFIX_DIRECTORY],
    [{ name: 'a', isDirectory: true }, { name: 'a0', isDirectory: false }, UNRELATED],
    [{ name: 'a-b', isDirectory: true }, { name: 'a', isDirectory: true }, PREFIX_DIRECTORY],
  ])('%j then %j: how one stands to the other', (one, two, relation) => {
    const { bytes, places } = laidOut([one, two])
    const order = new TreeOrder()
    order.open(bytes)
    expect([order.next(...(places[0] as [number, number, boolean])), order.next(...(places[1] as [number, number, boolean]))]).toEqual([UNRELATED, relation])
  })

  test('that are wrong are named in the error, shortened where a name is endless', () => {
    const order = new TreeOrder()
    const { bytes, places } = laidOut([
      { name: 'b', isDirectory: false },
      { name: 'a'.repeat(5000), isDirectory: false },
    ])
    order.open(bytes)
    order.next(...(places[0] as [number, number, boolean]))
    expect(() => order.next(...(places[1] as [number, number, boolean]))).toThrow(/"a{100}" comes after "b"/)
  })
})
