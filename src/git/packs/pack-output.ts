import type { Hasher } from '../objects/oid.ts'

/** Where a pack goes. Owns the bytes it is given (they are never written again), and makes the caller wait while its own reader is behind. */
export interface PackSink {
  write(bytes: Uint8Array): Promise<void> | void
}

/** The packets that a transport cuts a pack into. */
export interface PacketFraming {
  /** Bytes of a full packet, its head included. */
  packetBytes: number
  headBytes: number
  /** Writes the head of the packet of `length` bytes at `start`; without a band it is one of the pack's. */
  writeHead(buffer: Uint8Array, start: number, length: number, band?: number): void
}

const BUFFER = 2 * 65520

/** No packets: a file, or a client without side-bands. */
export const UNFRAMED: PacketFraming = { packetBytes: BUFFER, headBytes: 0, writeHead: () => {} }

/**
 * Pack bytes on their way out, framed in place: a buffer of about 128 KiB is laid out with gaps for packet heads,
 * `space()` lends the room between two gaps, so bytes read from a pack are never copied a second time.
 */
export class PackOutput {
  readonly #sink: PackSink
  readonly #framing: PacketFraming
  readonly #packet: number
  readonly #head: number
  #hasher: Hasher | undefined
  readonly #full: Uint8Array[] = []
  #buffer: Uint8Array = Buffer.allocUnsafeSlow(BUFFER)
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
    if (this.#at === this.#start + this.#packet) this.#close()
    return this.#buffer.subarray(this.#at, this.#start + this.#packet)
  }

  advance(bytes: number): void {
    this.#at += bytes
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
    const taken = bytes.subarray(0, this.#packet - this.#head)
    this.#buffer.set(taken, start)
    this.#at = start + taken.length
    this.#finishPacket(band)
  }

  /** Hands over the full buffers. */
  async drain(): Promise<void> {
    for (const buffer of this.#full.splice(0)) await this.#sink.write(buffer)
  }

  /** Hands over everything, the open packet included. */
  async flush(): Promise<void> {
    this.#close()
    await this.drain()
    if (this.#start === 0) return
    // A short end is copied out, so that it does not hold on to a large buffer.
    const isShort = this.#start < BUFFER / 8
    const last = isShort ? new Uint8Array(this.#buffer.subarray(0, this.#start)) : this.#buffer.subarray(0, this.#start)
    this.#open(isShort ? this.#buffer : Buffer.allocUnsafeSlow(BUFFER), 0)
    await this.#sink.write(last)
  }

  /** Appends the trailer: the digest of all pack bytes so far. */
  trailer(): void {
    if (this.#hasher === undefined) throw new Error('Cannot end pack: it was opened without a hasher')
    this.#close()
    const digest = this.#hasher.digest()
    this.#hasher = undefined
    this.write(digest)
  }

  /** Ends the open packet, if it holds anything. */
  #close(): void {
    const from = this.#start + this.#head
    if (this.#at === from) return
    this.#hasher?.update(this.#buffer.subarray(from, this.#at))
    this.#before += this.#at - from
    this.#finishPacket(undefined)
  }

  #finishPacket(band: number | undefined): void {
    this.#framing.writeHead(this.#buffer, this.#start, this.#at - this.#start, band)
    if (this.#at + this.#packet <= BUFFER) {
      this.#open(this.#buffer, this.#at)
      return
    }
    this.#full.push(this.#buffer.subarray(0, this.#at))
    this.#open(Buffer.allocUnsafeSlow(BUFFER), 0)
  }

  #open(buffer: Uint8Array, start: number): void {
    this.#buffer = buffer
    this.#start = start
    this.#at = start + this.#head
  }
}
