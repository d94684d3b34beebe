import { expect, test } from 'bun:test'
import { BaseCache } from './base-cache.ts'

const blob = (length: number) => ({ type: 'blob' as const, data: new Uint8Array(length) })
const KiB = 1024

test('the cache stays within its bytes, and what was used last stays longest', () => {
  const cache = new BaseCache(100 * KiB)
  const shelf = cache.shelf()
  for (let i = 0; i < 4; i++) shelf.add(i, blob(20 * KiB))
  shelf.find(0)
  shelf.add(4, blob(20 * KiB))
  expect([0, 1, 2, 3, 4].map((offset) => shelf.find(offset) !== undefined)).toEqual([true, false, true, true, true])
  expect(cache.bytes).toBeLessThanOrEqual(100 * KiB)
})

test('one object cannot take the whole cache', () => {
  const shelf = new BaseCache(100 * KiB).shelf()
  shelf.add(1, blob(KiB))
  shelf.add(2, blob(26 * KiB))
  expect([shelf.find(1) !== undefined, shelf.find(2)]).toEqual([true, undefined])
})

test('many empty objects do not fill memory', () => {
  const cache = new BaseCache(100 * KiB)
  const shelf = cache.shelf()
  for (let i = 0; i < 10_000; i++) shelf.add(i, blob(0))
  expect(Array.from({ length: 10_000 }, (_, i) => shelf.find(i)).filter(Boolean).length).toBeLessThan(500)
})

test('shelves are apart, and clearing one leaves the others', () => {
  const cache = new BaseCache(100 * KiB)
  const [one, other] = [cache.shelf(), cache.shelf()]
  one.add(1, blob(1))
  other.add(1, blob(2))
  one.clear()
  expect([one.find(1), other.find(1)?.data.length]).toEqual([undefined, 2])
  other.clear()
  expect(cache.bytes).toBe(0)
})

test('an object whose bytes were transferred away is forgotten', () => {
  const shelf = new BaseCache(100 * KiB).shelf()
  const object = blob(KiB)
  shelf.add(1, object)
  structuredClone(object.data, { transfer: [object.data.buffer] })
  expect(shelf.find(1)).toBeUndefined()
})
