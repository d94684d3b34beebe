import { describe, expect, test } from 'bun:test'
import { SHA1 } from '../objects/oid.ts'
import { Collected } from './git-server.fixture.ts'
import { decodePkt, MAX_PKT } from './pkt-line.ts'
import type { Framing } from './sideband.ts'
import { PktWriter, SidebandOutput } from './sideband.ts'

/** Takes a sideband stream apart: what each band says, and how long the longest packet is. */
function split(bytes: Uint8Array): { pack: Buffer; progress: string; longest: number } {
  const pack: Uint8Array[] = []
  let progress = ''
  let longest = 0
  for (let at = 0; at < bytes.length; ) {
    const found = decodePkt(bytes, at)
    if (found?.pkt.type !== 'data') throw new Error('a data packet was expected')
    longest = Math.max(longest, found.next - at)
    at = found.next
    const [band] = found.pkt.payload
    if (band === 1) pack.push(found.pkt.payload.subarray(1))
    else progress += Buffer.from(found.pkt.payload.subarray(1)).toString()
  }
  return { pack: Buffer.concat(pack), progress, longest }
}

describe.each<[Framing, number]>([
  ['side-band-64k', MAX_PKT],
  ['side-band', 1000],
])('%s', (framing, longest) => {
  test('carries every byte in order, with progress in between, and the digest at the end', async () => {
    const sink = new Collected()
    const out = new SidebandOutput(sink, framing, SHA1.hasher())
    const data = Buffer.alloc(2_500_000)
    for (let i = 0; i < data.length; i++) data[i] = (i * 7919) >> 8
    out.write(data, 0, 1)
    out.progress('one\n')
    out.keepAlive()
    out.write(data, 1, 1_200_000)
    out.progress('two\n')
    for (let at = 1_200_000; at < data.length; ) {
      const space = out.space()
      const length = Math.min(space.length, data.length - at)
      space.set(data.subarray(at, at + length))
      out.advance(length)
      at += length
    }
    expect(out.offset).toBe(data.length)
    expect(out.isFull).toBe(true)
    out.trailer()
    await out.flush()
    const found = split(sink.bytes)
    expect(found.progress).toBe('one\ntwo\n')
    expect(found.longest).toBe(longest)
    expect(found.pack.equals(Buffer.concat([data, SHA1.hasher().update(data).digest()]))).toBe(true)
  })
})

test('without a sideband, bytes go out bare and messages nowhere', async () => {
  const sink = new Collected()
  const out = new SidebandOutput(sink, 'none')
  out.write(Buffer.from('PA'))
  out.progress('nobody hears')
  out.error('nobody hears')
  out.keepAlive()
  await out.flush()
  out.write(Buffer.from('CK'))
  await out.flush()
  expect(sink.bytes.toString()).toBe('PACK')
})

test('lines are gathered into few writes, and no write is written to again', async () => {
  const sink = new Collected()
  const out = new PktWriter(sink)
  const names = Array.from({ length: 20_000 }, (_, i) => `refs/heads/ä${i}\n`)
  for (const name of names) {
    out.line(name)
    if (out.isFull) await out.send()
  }
  out.flush()
  await out.send()
  const expected = names.map((name) => `${(Buffer.byteLength(name) + 4).toString(16).padStart(4, '0')}${name}`).join('')
  expect(sink.bytes.toString()).toBe(`${expected}0000`)
})

test('a line that no packet can hold is a bug, and says so', () => {
  expect(() => new PktWriter(new Collected()).line('x'.repeat(65_517))).toThrow(RangeError)
})
