import { describe, expect, test } from 'bun:test'
import { LruMap } from './lru-map.ts'

describe('a map of three', () => {
  const three = (onDrop?: (value: string) => void) => {
    const map = new LruMap<number, string>(3, onDrop ? { onDrop } : {})
    for (const key of [1, 2, 3]) map.set(key, `${key}`)
    return map
  }

  test.each<[string, (map: LruMap<number, string>) => unknown, number[]]>([
    ['lets go of what was set first', (map) => map.set(4, '4'), [2, 3, 4]],
    ['keeps what was asked for since', (map) => [map.get(1), map.set(4, '4')], [3, 1, 4]],
    ['takes a new value for a use', (map) => [map.set(1, 'one'), map.set(4, '4')], [3, 1, 4]],
    ['has room again where something was deleted', (map) => [map.delete(2), map.set(4, '4')], [1, 3, 4]],
    ['is not changed by looking whether something is there', (map) => [map.has(1), map.set(4, '4')], [2, 3, 4]],
    ['makes what it lacks, once', (map) => [map.getOrInsertComputed(4, String), map.getOrInsertComputed(4, () => 'again')], [2, 3, 4]],
    ['has room for all again when it was cleared', (map) => [map.clear(), map.set(1, '1'), map.set(2, '2'), map.set(3, '3')], [1, 2, 3]],
  ])('%s', (_, use, left) => {
    const map = three()
    use(map)
    expect([...map.keys()]).toEqual(left)
  })

  test('says what it lets go of, and not what others delete or replace', () => {
    const dropped: string[] = []
    const map = three((value) => dropped.push(value))
    map.delete(1)
    map.set(2, 'two').set(4, '4').set(5, '5').set(6, '6')
    expect(dropped).toEqual(['3', 'two'])
  })
})

test('sizes count, and what is larger than all may be takes the place of nothing', () => {
  const map = new LruMap<string, number[]>(10, { sizeOf: ({ length }) => length })
  map.set('a', Array(4)).set('b', Array(6)).set('c', Array(11))
  expect([...map.keys()]).toEqual(['a', 'b'])
  map.set('d', Array(1))
  expect([...map.keys()]).toEqual(['b', 'd'])
  map.set('b', Array(9))
  expect([...map.keys()]).toEqual(['d', 'b'])
})
