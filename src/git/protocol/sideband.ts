import type { Hasher } from '../objects/oid.ts'
import type { ByteSink } from './context.ts'
import { MAX_PKT, MAX_PKT_PAYLOAD } from './pkt-line.ts'

/** Source: `Documentation/gitprotocol-pack.txt`, "Packfile Data". */
export const BAND_PACK = 1
export const BAND_PROGRESS = 2
export const BAND_ERROR = 3

const CHUNK = 64 * 1024
/** What may wait in memory before a writer should be awaited. */
const HIGH_WATER = 256 * 1024

/** Gathers small packets into large writes. With `sideband` every data packet starts with band 1, as `sideband-all` asks. */
export class PktWriter {
  readonly #sink: ByteSink
  readonly #full: Uint8Array[] = []
  #chunk = Buffer.allocUnsafeSlow(CHUNK)
  #at = 0
  sideband = false

  constructor(sink: ByteSink) {
    this.#sink = sink
  }

  /** True when enough has gathered that the caller should await `send()`. */
  get isFull(): boolean {
    return this.#full.length * CHUNK >= HIGH_WATER
  }

  /** Adds a data packet of `text`. @throws RangeError when it is longer than a packet may be */
  line(text: string): void {
    if (this.sideband) this.band(BAND_PACK, text)
    else this.#packet(text, undefined)
  }

  /** Adds a packet on one band. */
  band(band: number, text: string): void {
    this.#packet(text, band)
  }

  flush(): void {
    this.#special('0000')
  }

  delim(): void {
    this.#special('0001')
  }

  /** Hands over everything gathered so far. */
  async send(): Promise<void> {
    for (const chunk of this.#full.splice(0)) await this.#sink.write(chunk)
    if (this.#at === 0) return
    const last = this.#chunk.subarray(0, this.#at)
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK)
    this.#at = 0
    await this.#sink.write(last)
  }

  #packet(text: string, band: number | undefined): void {
    const head = band === undefined ? 4 : 5
    // UTF-8 takes three bytes at most for each unit of a JavaScript string.
    if (text.length * 3 + head > MAX_PKT_PAYLOAD && Buffer.byteLength(text) + head > MAX_PKT) throw new RangeError('Cannot encode pkt-line: text too long')
    this.#room(Math.min(text.length * 3 + head, MAX_PKT))
    const length = head + this.#chunk.write(text, this.#at + head, 'utf8')
    writeLength(this.#chunk, this.#at, length)
    if (band !== undefined) this.#chunk[this.#at + 4] = band
    this.#at += length
  }

  #special(digits: string): void {
    this.#room(4)
    this.#at += this.#chunk.write(digits, this.#at, 'latin1')
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= CHUNK) return
    this.#full.push(this.#chunk.subarray(0, this.#at))
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK)
    this.#at = 0
  }
}

/**
 * How pack bytes travel: `side-band-64k`, the old `side-band` with packets of 1,000 bytes, or bare
 * (a client without either, or a file).
 */
export type Framing = 'side-band-64k' | 'side-band' | 'none'

const packetSizes: Record<Framing, number> = { 'side-band-64k': MAX_PKT, 'side-band': 1000, none: 0 }
const HEAD = 5
const BUFFER = 16 * MAX_PKT

/**
 * Pack bytes on their way out, framed in place: a buffer of about 1 MiB is laid out with gaps for packet headers,
 * `space()` lends the room between two gaps, so bytes read from a pack are never copied a second time.
 */
export class PackOutput {
  readonly #sink: ByteSink
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
  constructor(sink: ByteSink, framing: Framing, hasher?: Hasher) {
    this.#sink = sink
    this.#head = framing === 'none' ? 0 : HEAD
    this.#packet = packetSizes[framing] || BUFFER
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

  /** A line a person reads; only where there is a band for it. */
  progress(text: string): void {
    if (this.#head > 0) this.#message(BAND_PROGRESS, text)
  }

  /** Tells the client why there is no more; the pack is cut off here. */
  error(text: string): void {
    if (this.#head > 0) this.#message(BAND_ERROR, text)
  }

  /** An empty packet: something for a client, or a proxy, that waits. */
  keepAlive(): void {
    if (this.#head === 0) return
    this.#close()
    this.#at = this.#start + HEAD
    this.#finishPacket(BAND_PACK)
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

  #message(band: number, text: string): void {
    this.#close()
    const bytes = Buffer.from(text).subarray(0, this.#packet - HEAD)
    this.#buffer.set(bytes, this.#start + HEAD)
    this.#at = this.#start + HEAD + bytes.length
    this.#finishPacket(band)
  }

  /** Ends the open packet, if it holds anything. */
  #close(): void {
    const from = this.#start + this.#head
    if (this.#at === from) return
    this.#hasher?.update(this.#buffer.subarray(from, this.#at))
    this.#before += this.#at - from
    this.#finishPacket(BAND_PACK)
  }

  #finishPacket(band: number): void {
    if (this.#head > 0) {
      writeLength(this.#buffer, this.#start, this.#at - this.#start)
      this.#buffer[this.#start + 4] = band
    }
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

const digits = Buffer.from('0123456789abcdef')

function writeLength(out: Uint8Array, at: number, length: number): void {
  out[at] = digits[(length >> 12) & 15]
  out[at + 1] = digits[(length >> 8) & 15]
  out[at + 2] = digits[(length >> 4) & 15]
  out[at + 3] = digits[length & 15]
}
