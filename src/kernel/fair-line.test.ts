import { expect, test } from 'bun:test'
import { FairLine } from './fair-line.ts'

function orderOf(sent: readonly (readonly string[])[]): string[] {
  const line = new FairLine<string>()
  for (const [i, names] of sent.entries()) line.push([...names, i].join(' '), names)
  expect(line.length).toBe(sent.length)
  const order: string[] = []
  for (let one = line.shift(); one !== undefined; one = line.shift()) order.push(one)
  expect([line.length, line.shift()]).toEqual([0, undefined])
  return order
}

test.each<[string, string[][], string[]]>([
  ['one sends all', [['a'], ['a'], ['a']], ['a 0', 'a 1', 'a 2']],
  ['one sends many and others few', [['a'], ['a'], ['a'], ['b'], ['c'], ['b']], ['a 0', 'b 3', 'c 4', 'a 1', 'b 5', 'a 2']],
  [
    'one goes by many names at one place',
    [
      ['a', '1'],
      ['a', '2'],
      ['a', '3'],
      ['b', '1'],
    ],
    ['a 1 0', 'b 1 3', 'a 2 1', 'a 3 2'],
  ],
  [
    'two share a place',
    [
      ['a', '1'],
      ['a', '1'],
      ['a', '1'],
      ['a', '2'],
    ],
    ['a 1 0', 'a 2 3', 'a 1 1', 'a 1 2'],
  ],
  ['some have no name', [['a'], [], ['b'], []], ['1', '3', 'a 0', 'b 2']],
])('where %s, each comes in turn', (_, sent, order) => expect(orderOf(sent)).toEqual(order))

test('who comes later comes behind those who wait for their next', () => {
  const line = new FairLine<number>()
  for (const one of [1, 2, 3]) line.push(one, ['a'])
  expect(line.shift()).toBe(1)
  line.push(4, ['b'])
  expect([line.shift(), line.shift(), line.shift(), line.shift()]).toEqual([2, 4, 3, undefined])
})
