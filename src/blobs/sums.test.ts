import { expect, test } from 'bun:test'
import { outcome } from '../../test/outcome.ts'
import { checkedBytes, Summing } from './sums.ts'

const KIB = 1024
const bytes = Uint8Array.from({ length: 700 * KIB }, (_, at) => (at * 7) % 253)

/** Pieces as a disk or a bucket may send them; says how many were asked for. */
async function* pieces(all: Uint8Array, size: number, told = { asked: 0 }): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.length; at += size) {
    told.asked++
    yield all.subarray(at, at + size)
  }
}

function summed(size: number) {
  const summing = new Summing()
  for (let at = 0; at < bytes.length; at += size) summing.add(bytes.subarray(at, at + size))
  return { digest: 'it', size: bytes.length, sums: summing.end() }
}

test.each([1000, 64 * KIB, 256 * KIB, 257 * KIB, 700 * KIB])('sums are the same whether a file comes in pieces of %d bytes or whole', async (size) => {
  expect(summed(size)).toEqual(summed(bytes.length))
  const read = checkedBytes(summed(size), 1, bytes.length, (from, to) => pieces(bytes.subarray(from, to), size))
  expect(Buffer.concat(await Array.fromAsync(read)).equals(bytes.subarray(1))).toBe(true)
})

test('of what a slow reader does not take yet no more than one part is read', async () => {
  const told = { asked: 0 }
  const read = checkedBytes(summed(KIB), 0, bytes.length, (from, to) => pieces(bytes.subarray(from, to), 64 * KIB, told))
  await read.next()
  expect(told.asked).toBe(4)
  await read.return(undefined)
})

test.each([
  ['too few bytes', bytes.subarray(0, 650 * KIB), `it has ${650 * KIB} bytes instead of ${700 * KIB} or more`],
  ['too many', Buffer.concat([bytes, bytes]), 'it has extra data at the end'],
  ['others', bytes.with(300 * KIB, 1), `the content of bytes ${256 * KIB} to ${512 * KIB} has changed`],
])('a source that gives %s is found out', async (_, given, reason) => {
  const read = checkedBytes(summed(KIB), 0, bytes.length, () => pieces(given, 100 * KIB))
  expect(await outcome(Array.fromAsync(read))).toThrow(`Cannot read the file it: ${reason}`)
})
