import { expect, test } from 'bun:test'
import type { CommitSource } from './commit-source.ts'
import { type LaneRow, Lanes } from './lanes.ts'
import { walkCommits } from './walk.ts'

/** A history by numbers: the newest commit is the highest, and each names its parents. */
function sourceOf(parents: Record<number, number[]>): CommitSource {
  return {
    size: Math.max(...Object.keys(parents).map(Number)) + 1,
    idOf: Number,
    oid: String,
    date: (id: number) => id,
    parents: (id: number) => parents[id] ?? [],
  } as unknown as CommitSource
}

function placed(source: CommitSource, tips: number[], maxLanes: number): (LaneRow & { id: number })[] {
  const lanes = new Lanes(maxLanes)
  return [...walkCommits(source, { include: tips as never })].map((id) => ({ id, ...lanes.place(id, source.parents(id)) }))
}

function rowsOf(parents: Record<number, number[]>, tips: number[], maxLanes = 10): (LaneRow & { id: number })[] {
  return placed(sourceOf(parents), tips, maxLanes)
}

test('a straight history is one column', () => {
  expect(rowsOf({ 3: [2], 2: [1], 1: [] }, [3])).toEqual([
    { id: 3, column: 0, into: [], through: [], out: [0] },
    { id: 2, column: 0, into: [0], through: [], out: [0] },
    { id: 1, column: 0, into: [0], through: [], out: [] },
  ])
})

test('a merge opens a column for its second parent, which ends where the two parted', () => {
  expect(rowsOf({ 4: [3, 2], 3: [1], 2: [1], 1: [] }, [4])).toEqual([
    { id: 4, column: 0, into: [], through: [], out: [0, 1] },
    { id: 3, column: 0, into: [0], through: [1], out: [0] },
    { id: 2, column: 1, into: [1], through: [0], out: [0] },
    { id: 1, column: 0, into: [0], through: [], out: [] },
  ])
})

test('a later page goes on as the first one would', () => {
  const history = { 6: [5, 3], 5: [4], 4: [2], 3: [2], 2: [1], 1: [] }
  const source = sourceOf(history)
  const first = new Lanes(10)
  for (const id of [6, 5]) first.place(id, source.parents(id))
  const second = new Lanes(
    10,
    [4, 3].map((id) => ({ id, column: first.columnOf(id) })),
  )
  expect([4, 3, 2, 1].map((id) => ({ id, ...second.place(id, source.parents(id)) }))).toEqual(rowsOf(history, [6]).slice(2))
})

test('more lines than there are columns leave commits without one, and nothing is beyond the last column', () => {
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i, i < 10 ? [] : [i - 10]]))
  const rows = rowsOf(wide, [10, 11, 12, 13, 14, 15, 16, 17, 18, 19], 3)
  expect(rows.some(({ column }) => column === -1)).toBe(true)
  expect(Math.max(...rows.flatMap(({ column, into, through, out }) => [column, ...into, ...through, ...out]))).toBe(2)
})

test('a commit dated before its parent ends its line instead of drawing one upwards', () => {
  const source = { ...sourceOf({ 2: [1], 1: [], 3: [2] }), date: (id: number) => ({ 3: 3, 2: 1, 1: 2 })[id] } as unknown as CommitSource
  const ids = placed(source, [3, 1], 10).map(({ id, out }) => [id, out])
  expect(ids).toEqual([
    [3, [0]],
    [1, []],
    [2, []],
  ])
})
