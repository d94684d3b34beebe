import { expect } from 'bun:test'
import { property } from '../../../test/seeds.ts'
import { ByteQueue, Credit } from '../byte-queue.ts'
import { SHA1 } from '../objects/oid.ts'
import { OUTPUT_BYTES, PackOutput, UNFRAMED } from '../packs/write/pack-output.ts'
import { ANSWER_WINDOW_BYTES, owned } from './messages.ts'
import { SharedBuffers } from './shared-buffers.ts'

/** As a worker and the main thread do it, on one. */
function wire() {
  const credit = new Credit(ANSWER_WINDOW_BYTES)
  const queue = new ByteQueue(ANSWER_WINDOW_BYTES, (count) => credit.give(count))
  const seen: Uint8Array[] = []
  const shared = new SharedBuffers((buffer) => seen.push(buffer))
  const sink = {
    spare: () => shared.spare(),
    async write(bytes: Uint8Array) {
      await credit.take(bytes.length)
      const nth = shared.lend(bytes)
      queue.push(nth < 0 ? owned(bytes) : (seen[nth] as Uint8Array))
    },
  }
  return { queue, seen, sink }
}

property('a reader who takes its time over a piece sees all bytes as they were written, in two buffers', 12, async (random) => {
  const { queue, seen, sink } = wire()
  const sent: Uint8Array[] = []
  const out = new PackOutput(sink, UNFRAMED, SHA1.hasher())
  const writing = (async () => {
    for (let step = 0; step < 40; step++) {
      const bytes = random.bytes(random.skewed(random.chance(0.3) ? 3 * OUTPUT_BYTES : 60_000))
      out.write(bytes)
      sent.push(bytes)
      if (random.chance(0.1)) await out.flush()
      else if (out.isFull && random.chance(0.9)) await out.drain()
    }
    await out.flush()
    queue.end()
  })()
  const read: Uint8Array[] = []
  for await (const piece of queue) {
    for (let turn = random.below(4); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve))
    read.push(piece.slice())
  }
  await writing
  expect(Buffer.concat(read).equals(Buffer.concat(sent))).toBe(true)
  expect(seen.length).toBeLessThanOrEqual(2)
})

property('a long pack, read as it comes, is written into the same two buffers over and over', 3, async (random) => {
  const { queue, seen, sink } = wire()
  const out = new PackOutput(sink, UNFRAMED)
  const bytes = random.bytes(OUTPUT_BYTES)
  const writing = (async () => {
    for (let piece = 0; piece < 30; piece++) {
      out.write(bytes)
      if (out.isFull) await out.drain()
    }
    queue.end()
  })()
  const memory = new Set<ArrayBufferLike>()
  for await (const piece of queue) memory.add(piece.buffer)
  await writing
  expect(seen.length).toBe(2)
  expect(memory.size).toBe(2)
})
