import { crc32 } from 'node:zlib'

/** Bytes of a file that are checked together. */
const PART_BYTES = 256 * 1024
const SUM_BYTES = 4

/** A file by what it is checked by. */
export interface SummedBlob {
  digest: string
  /** Bytes. */
  size: number
  /** CRC-32 of each part of 256 KiB, the last of what is left, as 4 bytes, the lowest first. */
  sums: Uint8Array
}

/** Takes the sums of a file as it comes. */
export class Summing {
  readonly #sums: number[] = []
  #sum = 0
  /** Bytes of the part under way. */
  #length = 0

  add(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; ) {
      const some = rest.subarray(0, PART_BYTES - this.#length)
      rest = rest.subarray(some.length)
      this.#sum = crc32(some, this.#sum)
      this.#length += some.length
      if (this.#length === PART_BYTES) this.#endPart()
    }
  }

  /** The sums; nothing may be added after that. */
  end(): Uint8Array {
    if (this.#length > 0) this.#endPart()
    const sums = Buffer.alloc(this.#sums.length * SUM_BYTES)
    for (const [part, sum] of this.#sums.entries()) sums.writeUInt32LE(sum, part * SUM_BYTES)
    return sums
  }

  #endPart(): void {
    this.#sums.push(this.#sum)
    this.#sum = this.#length = 0
  }
}

/** The parts that the bytes `[start, end)` lie in, from where the first begins to where the last ends. */
export function partsAround({ size }: SummedBlob, start: number, end: number): { from: number; to: number } {
  return { from: start - (start % PART_BYTES), to: Math.min(size, Math.ceil(end / PART_BYTES) * PART_BYTES) }
}

/**
 * The bytes `[start, end)`, each given when its part has the sum that it had when it was stored; no more than a part is held.
 * @param source opens the bytes `[from, to)`
 * @throws Error that names the digest when they are others, or too few
 */
export async function* checkedBytes(
  blob: SummedBlob,
  start: number,
  end: number,
  source: (from: number, to: number) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  const { from, to } = partsAround(blob, start, end)
  let at = from
  let sum = 0
  let held: Uint8Array[] = []
  for await (const bytes of await source(from, to)) {
    for (let rest = bytes; rest.length > 0; ) {
      const part = Math.floor(at / PART_BYTES)
      const partEnd = Math.min(to, (part + 1) * PART_BYTES)
      if (at === partEnd) throw damaged(blob.digest, 'it has extra data at the end')
      const some = rest.subarray(0, partEnd - at)
      rest = rest.subarray(some.length)
      sum = crc32(some, sum)
      const wanted = some.subarray(Math.max(0, start - at), Math.max(0, end - at))
      if (wanted.length > 0) held.push(wanted)
      at += some.length
      if (at < partEnd) continue
      if (sum !== sumOf(blob, part)) throw damaged(blob.digest, `the content of bytes ${part * PART_BYTES} to ${partEnd} has changed`)
      yield* held
      held = []
      sum = 0
    }
  }
  if (at < to) throw damaged(blob.digest, `it has ${at} bytes instead of ${to} or more`)
}

function sumOf({ sums }: SummedBlob, part: number): number {
  return new DataView(sums.buffer, sums.byteOffset, sums.byteLength).getUint32(part * SUM_BYTES, true)
}

export function damaged(digest: string, reason: string): Error {
  return new Error(`Cannot read the file ${digest}: ${reason}`)
}
