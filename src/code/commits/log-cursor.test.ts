import { expect, test } from 'bun:test'
import type { Oid } from '#git/objects/oid.ts'
import { formatCursor, parseCursor } from './log-cursor.ts'

const oid = (digit: string) => digit.repeat(40) as Oid

test('a place in a history reads back as it was written', () => {
  const waiting = [
    { oid: oid('a'), column: 0 },
    { oid: oid('0'), column: 23 },
    { oid: oid('f'), column: -1 },
  ]
  for (const oldest of [1_700_000_000, 0, -5]) {
    const { after, front } = formatCursor({ after: oid('1'), front: { waiting, oldest } })
    expect(parseCursor(after, front)).toEqual({
      after: oid('1'),
      front: { oldest, waiting: waiting.map(({ oid, column }) => ({ prefix: oid.slice(0, 16), column })) },
    })
  }
  expect(parseCursor(oid('1'), formatCursor({ after: oid('1'), front: undefined }).front)).toEqual({ after: oid('1'), front: undefined })
})

test.each([['x'], [''], ['zzzzzzzzzzzzzzz.'], ['1.'], ['1.abc'], ['1.!aaaaaaaaaaa'], [`${'1'.repeat(1500)}`]])(
  '%j is no front, and what has none still has its place',
  (front) => {
    expect(parseCursor(oid('1'), front)).toEqual({ after: oid('1'), front: undefined })
    expect(parseCursor('nothing', front)).toBeUndefined()
  },
)
