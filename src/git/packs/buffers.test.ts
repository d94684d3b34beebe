import { describe, expect, test } from 'bun:test'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { SHA1 } from '../objects/oid.ts'
import { kindOf } from '../store/contract.ts'
import { DeltaScratch } from './delta-scratch.ts'
import { PackWindows } from './pack-windows.ts'
import { BaseStack } from './receive/base-stack.ts'
import { type TreeFrame, TreeFrames } from './select/tree-frames.ts'
import { StreamWindow } from './window.ts'
import { type PacketFraming, PackOutput, UNFRAMED } from './write/pack-output.ts'

/** Packets of a few bytes, as `<length>:<band>` and what they hold. */
const small: PacketFraming = {
  packetBytes: 50,
  headBytes: 6,
  writeHead: (buffer, start, length, band = 1) => void Buffer.from(buffer.buffer, buffer.byteOffset).write(`${String(length).padStart(4, '0')}:${band}`, start),
}

function packetsIn(bytes: Buffer): { band: string; data: Buffer }[] {
  const packets = []
  for (let at = 0; at < bytes.length; ) {
    const length = Number(bytes.toString('latin1', at, at + 4))
    packets.push({ band: bytes.toString('latin1', at + 5, at + 6), data: bytes.subarray(at + 6, at + length) })
    at += length
  }
  return packets
}

describe('a pack on its way out', () => {
  property('is the same bytes in packets as without, progress between them, and its trailer is the hash of the pack alone', soak(10, 25), async (random) => {
    for (const framing of [small, UNFRAMED]) {
      const sent: Buffer[] = []
      const out = new PackOutput({ write: (bytes) => void sent.push(Buffer.from(bytes)) }, framing, SHA1.hasher())
      const pack: Uint8Array[] = []
      const progress: string[] = []
      for (let step = 0; step < 60; step++) {
        const bytes = random.bytes(random.skewed(random.chance(0.05) ? 300_000 : 200))
        const choice = random.next()
        if (choice < 0.5) {
          out.write(bytes)
          pack.push(bytes)
        } else if (choice < 0.8) {
          const space = out.space()
          const length = Math.min(space.length, bytes.length)
          space.set(bytes.subarray(0, length))
          out.advance(length)
          pack.push(bytes.slice(0, length))
        } else if (framing === small) {
          progress.push(`step ${step}`)
          out.insert(2, Buffer.from(`step ${step}`))
        }
        if (out.isFull && random.chance(0.7)) await out.drain()
        if (random.chance(0.1)) await out.flush()
        expect(out.offset).toBe(pack.reduce((sum, piece) => sum + piece.length, 0))
      }
      out.trailer()
      await out.flush()
      const whole = Buffer.concat(pack)
      const packets = framing === small ? packetsIn(Buffer.concat(sent)) : [{ band: '1', data: Buffer.concat(sent) }]
      const body = Buffer.concat(packets.filter(({ band }) => band === '1').map(({ data }) => data))
      expect(body.subarray(0, -20).equals(whole)).toBe(true)
      expect(body.subarray(-20).equals(new Bun.CryptoHasher('sha1').update(whole).digest())).toBe(true)
      expect(packets.filter(({ band }) => band === '2').map(({ data }) => data.toString())).toEqual(progress)
      expect(packets.every(({ data }) => data.length > 0 && data.length <= 44)).toBe(framing === small)
    }
  })

  test('what was handed over is never written to again', async () => {
    const sent: Uint8Array[] = []
    const out = new PackOutput({ write: (bytes) => void sent.push(bytes) }, small, SHA1.hasher())
    const copies: string[] = []
    for (let i = 0; i < 40; i++) {
      out.write(Buffer.alloc(i % 3 === 0 ? 400_000 : 70, i))
      await out.flush()
      copies.push(...sent.slice(copies.length).map((bytes) => new Bun.CryptoHasher('sha1').update(bytes as Uint8Array<ArrayBuffer>).digest('hex')))
    }
    expect(sent.map((bytes) => new Bun.CryptoHasher('sha1').update(bytes as Uint8Array<ArrayBuffer>).digest('hex'))).toEqual(copies)
  })
})

describe('a stream of pack bytes', () => {
  async function* pieces(bytes: Uint8Array, next: () => number, onReturn = (): void => {}): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < bytes.length; ) {
        const length = next()
        yield bytes.subarray(at, at + length)
        at += length
      }
    } finally {
      onReturn()
    }
  }

  property('whatever pieces it comes in, the reader sees all bytes in order, and the sink each byte once that was read past', soak(8, 20), async (random) => {
    const bytes = random.bytes(random.below(1_500_000))
    const kept: Buffer[] = []
    const window = new StreamWindow(
      pieces(bytes, () => 1 + random.skewed(300_000)),
      (read) => void kept.push(Buffer.from(read)),
      bytes.length,
    )
    const read: Buffer[] = []
    while (!window.ended || window.available > 0) {
      const wanted = 1 + random.skewed(700_000)
      await window.fill(wanted)
      expect(window.ended || window.available >= wanted).toBe(true)
      const length = Math.min(window.available, 1 + random.below(wanted))
      read.push(Buffer.from(window.view.subarray(window.at, window.at + length)))
      window.at += length
      expect(window.offset).toBe(read.reduce((sum, piece) => sum + piece.length, 0))
      if (length === 0) break
    }
    await window.fill(1)
    expect([Buffer.concat(read).equals(bytes), Buffer.concat(kept).equals(bytes)]).toEqual([true, true])
  })

  test('a byte more than allowed is a limit; exactly as many are not; a reader who leaves ends the source', async () => {
    let returned = false
    const source = () =>
      pieces(
        Buffer.alloc(100),
        () => 7,
        () => (returned = true),
      )
    const enough = new StreamWindow(source(), () => {}, 100)
    await enough.fill(100)
    expect(enough.available).toBe(100)
    const short = new StreamWindow(source(), () => {}, 99)
    expect(
      await short.fill(100).catch((error) =>
        kindOf(() => {
          throw error
        }),
      ),
    ).toBe('limit')
    returned = false
    const left = new StreamWindow(source(), () => {}, 100)
    await left.fill(1)
    await left.cancel()
    expect(returned).toBe(true)
  })
})

property('windows on several files show each file’s own bytes, to its end, also when files are let go of', soak(6, 15), (random) => {
  const windows = new PackWindows()
  const newFile = () => {
    const bytes = Buffer.from(random.bytes(1 + random.below(60_000)))
    const fill = (offset: number, into: Uint8Array): number => bytes.copy(into, 0, offset)
    return { bytes, windowKey: windows.nextKey(), fill }
  }
  const files = Array.from({ length: 30 }, newFile)
  for (let step = 0; step < 2000; step++) {
    const at = random.below(files.length)
    const file = files[at] as ReturnType<typeof newFile>
    const offset = random.below(file.bytes.length)
    windows.seek(file, offset)
    const shown = windows.bytes.subarray(windows.at, Math.min(windows.end, windows.at + PackWindows.maxLength))
    if (!file.bytes.subarray(offset, offset + PackWindows.maxLength).equals(shown)) throw new Error(`other bytes at ${offset} of file ${at}`)
    if (random.chance(0.02)) {
      windows.release(file)
      files[at] = newFile()
    }
  }
})

test('a file that fails to be read leaves no window that looks like it', () => {
  const windows = new PackWindows()
  let fails = false
  const fill = (offset: number, into: Uint8Array): number => {
    into.fill(offset === 0 ? 1 : 9)
    if (fails) throw new Error('EIO')
    return 100
  }
  const file = { windowKey: windows.nextKey(), fill }
  windows.seek(file, 0)
  fails = true
  // Far enough for the same place in memory.
  expect(() => windows.seek(file, 2 ** 20)).toThrow('EIO')
  fails = false
  windows.seek(file, 0)
  expect([...windows.bytes.subarray(0, 3), windows.end]).toEqual([1, 1, 1, 100])
})

describe('the stack of delta bases', () => {
  /** A walk down and up random families, as indexing does; what is on the stack must be what was put there, unless it says it forgot it. */
  property('the newest base is always there and whole, whatever the room; a forgotten one says so', soak(12, 30), (random) => {
    const stack = new BaseStack(random.pick([0, 4096, 20_000, 200_000]))
    const model: Buffer[] = []
    const fill = (index: number): void => {
      const data = model[index] as Buffer
      const isTree = index % 2 === 0
      const frame = stack.place(data.length, isTree, 20)
      Buffer.from(frame.bytes.buffer, frame.bytes.byteOffset + frame.start, data.length).set(data)
      if (index > 0) {
        const below = stack.frame(index - 1)
        expect(Buffer.from(below.bytes.subarray(below.start, below.start + below.length)).equals(model[index - 1] as Buffer)).toBe(true)
      }
      if (isTree && frame.edges.at >= 0) frame.edges.edges.fill(0xffffffff, frame.edges.at, frame.edges.at + 2)
      stack.push()
    }
    for (let step = 0; step < 300; step++) {
      if (random.chance(0.02)) stack.forgetAll()
      if (model.length > 0 && stack.isTopForgotten) {
        const top = stack.rewind()
        for (let index = 0; index <= top; index++) fill(index)
      }
      expect(stack.top).toBe(model.length - 1)
      if (model.length > 0) {
        const frame = stack.frame(stack.top)
        expect(Buffer.from(frame.bytes.subarray(frame.start, frame.start + frame.length)).equals(model.at(-1) as Buffer)).toBe(true)
      }
      // Up a long chain and down again, by turns.
      if (model.length === 0 || random.chance(step % 100 < 50 ? 0.85 : 0.15)) {
        model.push(Buffer.from(random.bytes(4 + random.skewed(12_000))))
        fill(model.length - 1)
      } else {
        stack.pop()
        model.pop()
      }
    }
  })
})

property('of two results made one after the other neither overwrites the other', soak(5, 10), (random) => {
  const { roomFor } = new DeltaScratch()
  let before = roomFor(0)
  for (let step = 0; step < 100; step++) {
    before.fill(step)
    const room = roomFor(random.skewed(2_000_000))
    room.fill(0xee)
    expect([room.length >= 0, before.every((byte) => byte === step % 256)]).toEqual([true, true])
    before = room.subarray(0, Math.min(room.length, 1000))
  }
})

test('trees kept for a walk keep their bytes and edges until they are let go of', () => {
  const frames = new TreeFrames()
  const lengths = [0, 33, 5000, 1_000_000, TreeFrames.maxLength]
  for (let tree = 0; tree < 120; tree++) {
    const frame = frames.make(tree, lengths[tree % lengths.length] as number)
    expect(frame.seen.includes(1)).toBe(false)
    frame.bytes.fill(tree)
    frame.edges.fill(tree)
    frame.seen.fill(1)
    if (tree % 10 === 9) expect(keptFrames(frames, tree)).toContain(tree)
  }
  const last = frames.make(1000, 10)
  frames.drop(last)
  expect(frames.find(1000)).toBeUndefined()
})

test.each([
  ['large trees', 8, 1000, 10_000, 3355],
  ['small trees', 2, 60_000, 33, 65_536],
])('of the %s of several walks no more are kept than of one', (_, walks, trees, length, most) => {
  const all = Array.from({ length: walks }, () => new TreeFrames())
  for (let tree = 0; tree < trees; tree++) for (const frames of all) frames.make(tree, length)
  const kept = all.map((frames) => Array.from({ length: trees }, (_, tree) => frames.find(tree)).filter((frame) => frame !== undefined).length)
  expect(kept.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(most)
  expect(Math.min(...kept)).toBeGreaterThan(100)
})

/** The trees that are still there, each found as it was filled. */
function keptFrames(frames: TreeFrames, newest: number): number[] {
  const kept = Array.from({ length: newest + 1 }, (_, tree) => tree).filter((tree) => frames.find(tree) !== undefined)
  for (const tree of kept) {
    const { bytes, edges, seen } = frames.find(tree) as TreeFrame
    const sampled = [bytes.at(0) ?? tree, bytes.at(bytes.length >> 1) ?? tree, bytes.at(-1) ?? tree, edges.at(0), edges.at(edges.length >> 1), edges.at(-1)]
    expect([...sampled, seen.at(0), seen.at(-1)]).toEqual([...Array(6).fill(tree), 1, 1])
  }
  return kept
}
