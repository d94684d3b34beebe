import { describe, expect, test } from 'bun:test'
import { makeDelta } from '../../../test/pack-builder.ts'
import { GitError } from '../errors.ts'
import { randomFrom } from '../history/random-history.fixture.ts'
import { applyDelta, deltaSizes } from './delta.ts'
import { applyDeltaInto, deltaPieces } from './delta-into.ts'

type Op = readonly [number, number] | Uint8Array

/** A base and the instructions of a delta for it, copies and inserts of all sizes. */
function randomDelta(seed: number): { base: Uint8Array; ops: Op[]; result: Buffer } {
  const random = randomFrom(seed)
  const upTo = (most: number): number => Math.floor(random() * most)
  const base = Buffer.from(Array.from({ length: 1 + upTo(seed % 5 === 0 ? 200_000 : 500) }, () => upTo(256)))
  const ops = Array.from({ length: 1 + upTo(40) }, (): Op => {
    const from = upTo(base.length)
    return random() < 0.6 ? [from, 1 + upTo(base.length - from)] : Buffer.from(Array.from({ length: 1 + upTo(300) }, () => upTo(256)))
  })
  const result = Buffer.concat(ops.map((op) => (op instanceof Uint8Array ? op : base.subarray(op[0], op[0] + op[1]))))
  return { base, ops, result }
}

function inPieces(base: Uint8Array, delta: Uint8Array): Buffer {
  const { result, bodyAt } = deltaSizes(delta)
  const pieces: Uint8Array[] = []
  // In the middle of a larger array, as bases lie.
  const around = Buffer.concat([Buffer.alloc(7, 1), base, Buffer.alloc(7, 2)])
  for (const bytes of deltaPieces(around, 7, base.length, delta, bodyAt, result)) pieces.push(Buffer.from(bytes))
  expect(Math.max(0, ...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(Math.max(64 * 1024, base.length))
  return Buffer.concat(pieces)
}

test('a delta makes the same whole, in an arena and in pieces', () => {
  for (let seed = 1; seed <= 120; seed++) {
    const { base, ops, result } = randomDelta(seed)
    const delta = makeDelta(base.length, result.length, [...ops])
    expect(Buffer.compare(Buffer.from(applyDelta(base, delta, 2 ** 30)), result)).toBe(0)
    expect(Buffer.compare(inPieces(base, delta), result)).toBe(0)
    const arena = Buffer.concat([base, Buffer.alloc(result.length + 3)])
    applyDeltaInto(arena, 0, base.length, delta, deltaSizes(delta).bodyAt, arena, base.length, result.length, undefined)
    expect(Buffer.compare(arena.subarray(base.length, base.length + result.length), result)).toBe(0)
    expect([...arena.subarray(-3)]).toEqual([0, 0, 0])
  }
})

describe('a delta that does not fit is refused, whichever way it is applied', () => {
  const base = Buffer.from('0123456789')
  const rows: [name: string, delta: Uint8Array][] = [
    ['a copy from behind the base', makeDelta(10, 5, [[6, 5]])],
    ['a copy beyond the result', makeDelta(10, 5, [[0, 6]])],
    ['an insert beyond the result', makeDelta(10, 2, ['abc'])],
    ['too short a result', makeDelta(10, 9, [[0, 8]])],
    ['an insert cut off', makeDelta(10, 3, ['abc']).subarray(0, -1)],
    ['a copy cut off', makeDelta(10, 3, [[1, 3]]).subarray(0, -1)],
    ['a reserved instruction', Buffer.concat([makeDelta(10, 3, []), Buffer.from([0, 1, 2])])],
    ['no instructions', makeDelta(10, 1, [])],
  ]
  test.each(rows)('%s', (_, delta) => {
    expect(() => applyDelta(base, delta, 100)).toThrow(GitError)
    expect(() => inPieces(base, delta)).toThrow(GitError)
  })
})

test('random bytes as a delta throw nothing but a GitError, and never reach outside', () => {
  const random = randomFrom(99)
  const base = Buffer.from('0123456789')
  for (let run = 0; run < 2000; run++) {
    const delta = Buffer.from([10, 20, ...Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * 256))])
    const made = [applyDelta, (own: Uint8Array, instructions: Uint8Array) => inPieces(own, instructions)].map((apply) => {
      try {
        return Buffer.from(apply(base, delta, 100)).toString('hex')
      } catch (error) {
        if (!(error instanceof GitError)) throw error
        return error.kind
      }
    })
    expect(made[1]).toBe(made[0])
  }
})
