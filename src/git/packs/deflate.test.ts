import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { Random } from '../../../test/generate-history.ts'
import { deflateQuickly, deflateWhole } from './deflate.ts'

const SEED = Number(process.env.SEED ?? 20261122)

/** The sums of the check are reduced every 5552 bytes; all of the largest value is what would overflow first. */
const lengths = [0, 1, 2, 255, 5551, 5552, 5553, 11_104, 65_535, 65_536, 1_000_003]

const ways: [name: string, deflate: (data: Uint8Array) => Uint8Array][] = [
  ['quickly', deflateQuickly],
  ['whole', deflateWhole],
]

describe.each(ways)('%s', (_, deflate) => {
  test.each(lengths)('%d bytes of the largest value are what zlib reads again, its check included', (length) => {
    const data = new Uint8Array(length).fill(255)
    expect(inflateSync(deflate(data)).equals(data)).toBe(true)
  })

  test(`whatever is deflated is what zlib reads again (seed ${SEED})`, () => {
    const random = new Random(SEED)
    for (let round = 0; round < 300; round++) {
      const data = new Uint8Array(random.below(20_000))
      const kinds = 1 + random.below(256)
      for (let i = 0; i < data.length; i++) data[i] = random.below(kinds)
      if (!inflateSync(deflate(data)).equals(data)) throw new Error(`round ${round} of seed ${SEED}: not the same ${data.length} bytes`)
    }
  })

  test('what is deflated stays as it is when more is', () => {
    const all = Array.from({ length: 3 }, (_, i) => Buffer.alloc(1000, i))
    expect(all.map((data) => deflate(data)).map((stream) => inflateSync(stream))).toEqual(all)
  })
})
