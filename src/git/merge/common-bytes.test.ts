import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { commonPrefix, commonSuffix } from './common-bytes.ts'

const bytes = (text: string) => Buffer.from(text)

function slowPrefix(a: Uint8Array, b: Uint8Array): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

function slowSuffix(a: Uint8Array, b: Uint8Array, skip: number): number {
  let at = 0
  while (at < a.length - skip && at < b.length - skip && a[a.length - 1 - at] === b[b.length - 1 - at]) at++
  return at
}

describe('what two files begin and end with alike', () => {
  test.each([
    ['', '', 0, 0],
    ['', 'a', 0, 0],
    ['a', '', 0, 0],
    ['a', 'a', 1, 1],
    ['a', 'b', 0, 0],
    ['ab', 'a', 1, 0],
    ['ab', 'b', 0, 1],
    ['abc', 'abd', 2, 0],
    ['xbc', 'abc', 0, 2],
    ['aaaa', 'aa', 2, 2],
    ['abcabc', 'abc', 3, 3],
    ['abXcd', 'abYcd', 2, 2],
    ['abcd', 'abXYcd', 2, 2],
  ])('%j and %j: %d bytes before, %d behind', (a, b, before, behind) => {
    expect([commonPrefix(bytes(a), bytes(b)), commonSuffix(bytes(a), bytes(b), 0)]).toEqual([before, behind])
    expect([commonPrefix(bytes(b), bytes(a)), commonSuffix(bytes(b), bytes(a), 0)]).toEqual([before, behind])
  })

  test('bytes that are left out in front are never counted again behind', () => {
    expect(commonSuffix(bytes('aaa'), bytes('aaa'), 3)).toBe(0)
    expect(commonSuffix(bytes('aaa'), bytes('aa'), 2)).toBe(0)
    expect(commonSuffix(bytes('aaa'), bytes('aaaa'), 2)).toBe(1)
  })

  property('is what comparing byte by byte finds, wherever in a larger buffer they lie', 300, (random) => {
    const [a, b] = twoAlike(random)
    const skip = random.below(Math.min(a.length, b.length) + 1)
    expect(commonPrefix(a, b)).toBe(slowPrefix(a, b))
    expect(commonSuffix(a, b, skip)).toBe(slowSuffix(a, b, skip))
  })
})

function twoAlike(random: Random): [Uint8Array, Uint8Array] {
  const head = random.bytes(random.skewed(3000))
  const tail = random.bytes(random.skewed(3000))
  const within = (middle: Uint8Array): Uint8Array => {
    const room = Buffer.concat([random.bytes(random.below(9)), head, middle, tail, random.bytes(random.below(9))])
    const from = random.below(9)
    return room.subarray(Math.min(from, room.length), Math.max(Math.min(from, room.length), room.length - random.below(9)))
  }
  return [within(random.bytes(random.below(5))), within(random.bytes(random.below(5)))]
}
