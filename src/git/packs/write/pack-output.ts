import type { Hasher } from '../../objects/oid.ts'

/** Where bytes go. Owns what it is given, which is written again only where it gives it back; makes the caller wait while its own reader is behind. */
export interface PackSink {
  write(bytes: Uint8Array): Promise<void> | void
  /** A buffer of `OUTPUT_BYTES` that it is done with: memory that was used is cheaper than new. */
  spare?(): Uint8Array | undefined
}

/** The packets that a transport cuts a pack into. */
export interface PacketFraming {
  /** Bytes of a full packet, its head included. */
  packetBytes: number
  headBytes: number
  /** Writes the head of the packet of `length` bytes at `start`; without a band it is one of the pack's. */
  writeHead(buffer: Uint8Array, start: number, length: number, band?: number): void
}

/** What a pack goes out in at a time: every one costs all threads on its way a turn. */
export const OUTPUT_BYTES = 4 * 65520

/** No packets: a file, or a client without side-bands. */
export const UNFRAMED: PacketFraming = { packetBytes: OUTPUT_BYTES, headBytes: 0, writeHead: () => {} }

/**
 * Pack bytes on their way out, framed in place: a buffer of about 256 KiB is laid out with gaps for packet heads,
 * `space()` lends the room between two gaps, so bytes read from a pack are never copied a second time.
 */
export class PackOutput {
  readonly #sink: PackSink
  readonly #framing: PacketFraming
  readonly #packet: number
  readonly #head: number
  #hasher: Hasher | undefined
  readonly #full: Uint8Array[] = []
  /** Taken when its first byte comes. */
  #buffer: Uint8Array | undefined
  /** Where the open packet begins, and where its next byte goes. */
  #start = 0
  #at: number
  /** Pack bytes before the open packet. */
  #before = 0

  /** @param hasher sees every pack byte, for the pack's trailer */
  constructor(sink: PackSink, framing: PacketFraming, hasher?: Hasher) {
    this.#sink = sink
    this.#framing = framing
    this.#head = framing.headBytes
    this.#packet = framing.packetBytes
    this.#hasher = hasher
    this.#at = this.#head
  }

  /** Pack bytes taken so far: the offset of the next. */
  get offset(): number {
    return this.#before + this.#at - this.#start - this.#head
  }

  /** True when full buffers wait: the caller should await `drain()` before it goes on. */
  get isFull(): boolean {
    return this.#full.length > 0
  }

  /** Room for at least one byte; fill it from its start, then call `advance`. */
  space(): Uint8Array {
    return this.#taken().subarray(this.#at, this.#start + this.#packet)
  }

  advance(bytes: number): void {
    this.#at += bytes
    if (this.#at === this.#start + this.#packet) this.#close()
  }

  /** Copies `bytes[from..to)`. */
  write(bytes: Uint8Array, from = 0, to = bytes.length): void {
    while (from < to) {
      const space = this.space()
      const length = Math.min(space.length, to - from)
      space.set(bytes.subarray(from, from + length))
      this.advance(length)
      from += length
    }
  }

  /** A packet between those of the pack, of at most one packet's worth of `bytes`; only where there are packets. */
  insert(band: number, bytes: Uint8Array): void {
    this.#close()
    const start = this.#start + this.#head
    const told = bytes.subarray(0, this.#packet - this.#head)
    const buffer = this.#taken()
    buffer.set(told, start)
    this.#at = start + told.length
    this.#finishPacket(buffer, band)
  }

  /** Hands over the full buffers. */
  async drain(): Promise<void> {
    for (const buffer of this.#full.splice(0)) await this.#sink.write(buffer)
  }

  /** Hands over everything, the open packet included. */
  async flush(): Promise<void> {
    this.#close()
    await this.drain()
    if (this.#buffer === undefined || this.#start === 0) return
    // Copied out: an end is mostly short, and the buffer is wanted for what comes after it.
    const last = new Uint8Array(this.#buffer.subarray(0, this.#start))
    this.#open(this.#buffer, 0)
    await this.#sink.write(last)
  }

  /** Appends the trailer: the digest of all pack bytes so far. */
  trailer(): Uint8Array {
    if (this.#hasher === undefined) throw new Error('Cannot end pack: it was opened without a hasher')
    this.#close()
    const digest = this.#hasher.digest()
    this.#hasher = undefined
    this.write(digest)
    return digest
  }

  /** Ends the open packet, if it holds anything. */
  #close(): void {
    const from = this.#start + this.#head
    if (this.#buffer === undefined || this.#at === from) return
    this.#hasher?.update(this.#buffer.subarray(from, this.#at))
    this.#before += this.#at - from
    this.#finishPacket(this.#buffer, undefined)
  }

  #finishPacket(buffer: Uint8Array, band: number | undefined): void {
    this.#framing.writeHead(buffer, this.#start, this.#at - this.#start, band)
    const isFull = this.#at + this.#packet > OUTPUT_BYTES
    if (isFull) this.#full.push(buffer.subarray(0, this.#at))
    this.#open(isFull ? undefined : buffer, isFull ? 0 : this.#at)
  }

  #taken(): Uint8Array {
    this.#buffer ??= this.#sink.spare?.() ?? Buffer.allocUnsafeSlow(OUTPUT_BYTES)
    return this.#buffer
  }

  #open(buffer: Uint8Array | undefined, start: number): void {
    this.#buffer = buffer
    this.#start = start
    this.#at = start + this.#head
  }
}
