import { expect } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { property } from '../../../test/seeds.ts'
import { inflateInto } from './inflate-into.ts'

property('a stream is inflated to its end and no further, and one that is not whole is refused', 200, (random) => {
  const data = Buffer.from(Array.from({ length: random.skewed(5000) }, () => random.below(random.pick([2, 16, 256]))))
  const stream = deflateSync(data, { level: random.below(10) })
  const [before, behind, start] = [random.below(20), random.below(20), random.below(20)]
  const from = Buffer.concat([Buffer.alloc(before, 0x78), stream, Buffer.alloc(behind, 0x78)])
  const inflate = (size: number, bytes = from, end = bytes.length) => {
    const to = Buffer.alloc(start + size + 1 + 8, 0xaa)
    const used = inflateInto(bytes, before, end, to, start, size)
    expect([...to.subarray(0, start), ...to.subarray(start + size + 1)].every((byte) => byte === 0xaa)).toBe(true)
    return { used, made: to.subarray(start, start + size) }
  }
  const whole = { used: stream.length, made: data }
  expect(inflate(data.length)).toEqual(whole)
  // Another size than it has.
  expect(inflate(data.length + 1).used).toBe(0)
  if (data.length > 0) expect(inflate(random.below(data.length)).used).toBe(0)
  // Cut off.
  expect(inflate(data.length, from, before + random.below(stream.length)).used).toBe(0)
  // Damaged: its checksum tells.
  const damaged = Buffer.from(from)
  const at = before + random.below(stream.length)
  damaged[at] = (damaged[at] as number) ^ (1 << random.below(8))
  const { used, made } = inflate(data.length, damaged)
  if (used > 0) expect(made).toEqual(data)
  // What failed leaves nothing behind.
  expect(inflate(data.length)).toEqual(whole)
})
