import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { assign } from './assignment.ts'

const matrixOf = (rows: readonly (readonly number[])[]) => ({ size: rows.length, values: Int32Array.from(rows.flat()) })

function costOf(rows: readonly (readonly number[])[], rowOf: Int32Array): number {
  return rowOf.reduce((sum, row, column) => sum + (rows[row]?.[column] as number), 0)
}

/** The least that any way of pairing costs, by trying them all. */
function leastCost(rows: readonly (readonly number[])[], column = 0, taken = 0): number {
  if (column === rows.length) return 0
  let least = Infinity
  for (const [row, costs] of rows.entries()) {
    if ((taken & (1 << row)) !== 0) continue
    least = Math.min(least, (costs[column] as number) + leastCost(rows, column + 1, taken | (1 << row)))
  }
  return least
}

/** The same for larger ones, by Bellman's way over sets of rows: no more alike to the code under test than counting is. */
function leastCostBySets(rows: readonly (readonly number[])[]): number {
  let sums = new Map<number, number>([[0, 0]])
  for (let column = 0; column < rows.length; column++) {
    const next = new Map<number, number>()
    for (const [taken, sum] of sums) {
      for (const [row, costs] of rows.entries()) {
        if ((taken & (1 << row)) !== 0) continue
        const set = taken | (1 << row)
        next.set(set, Math.min(next.get(set) ?? Infinity, sum + (costs[column] as number)))
      }
    }
    sums = next
  }
  return [...sums.values()][0] as number
}

/** As costs of commits are: many alike, some out of the question, some for nothing. */
function costs(random: Random, size: number): number[][] {
  const range = random.pick([1, 2, 5, 100, 65_536, 2_000_000])
  return Array.from({ length: size }, () => Array.from({ length: size }, () => (random.chance(0.1) ? 0 : random.chance(0.2) ? 65_536 : random.below(range))))
}

function expectPermutation(rowOf: Int32Array): void {
  expect([...rowOf].sort((a, b) => a - b)).toEqual(Array.from(rowOf, (_, i) => i))
}

describe('pairing rows with columns', () => {
  property('costs least of all ways there are, and gives each its own', 250, (random) => {
    const rows = costs(random, 2 + random.below(6))
    const rowOf = assign(matrixOf(rows))
    expectPermutation(rowOf)
    expect(costOf(rows, rowOf)).toBe(leastCost(rows))
  })

  property('costs least where there are a dozen', 6, (random) => {
    const rows = costs(random, 10 + random.below(3))
    const rowOf = assign(matrixOf(rows))
    expectPermutation(rowOf)
    expect(costOf(rows, rowOf)).toBe(leastCostBySets(rows))
  })

  property('finds the one pairing that costs nothing, wherever that is', 30, (random) => {
    const size = 2 + random.below(60)
    const hidden = shuffled(
      random,
      Array.from({ length: size }, (_, i) => i),
    )
    const rows = Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => (hidden[column] === row ? 0 : 1 + random.below(50))))
    expect([...assign(matrixOf(rows))]).toEqual(hidden)
  })

  property('costs as much more as every row is made dearer', 40, (random) => {
    const rows = costs(random, 3 + random.below(4))
    const dearer = rows.map((row) => row.map((cost) => cost + 7))
    expect(costOf(dearer, assign(matrixOf(dearer)))).toBe(leastCost(rows) + 7 * rows.length)
  })

  test.each<[name: string, rows: number[][], rowOf: number[]]>([
    ['nothing', [], []],
    ['one, whatever it costs', [[65_536]], [0]],
    [
      'two that each want the same',
      [
        [1, 2],
        [1, 9],
      ],
      [1, 0],
    ],
    [
      'a chain in which all must give way to the last',
      [
        [1, 2, 9, 9],
        [9, 1, 2, 9],
        [9, 9, 1, 2],
        [1, 9, 9, 9],
      ],
      [3, 0, 1, 2],
    ],
  ])('of %s is what anybody would say', (_, rows, rowOf) => expect([...assign(matrixOf(rows))]).toEqual(rowOf))

  test('of five hundred commits that are all alike ends', () => {
    const size = 500
    expectPermutation(assign({ size, values: new Int32Array(size * size).fill(1 << 16) }))
    expectPermutation(assign({ size, values: Int32Array.from({ length: size * size }, (_, i) => (i * 7919) % 1009) }))
  })
})
