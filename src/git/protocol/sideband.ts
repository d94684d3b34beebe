import type { Hasher } from '../objects/oid.ts'
import type { PacketFraming } from '../packs/write/pack-output.ts'
import { PackOutput, UNFRAMED } from '../packs/write/pack-output.ts'
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
 * (a client without either).
 */
export type Framing = 'side-band-64k' | 'side-band' | 'none'

const HEAD = 5

function bands(packetBytes: number): PacketFraming {
  return {
    packetBytes,
    headBytes: HEAD,
    writeHead(buffer, start, length, band = BAND_PACK) {
      writeLength(buffer, start, length)
      buffer[start + 4] = band
    },
  }
}

const framings: Record<Framing, PacketFraming> = { 'side-band-64k': bands(MAX_PKT), 'side-band': bands(1000), none: UNFRAMED }

/** A pack on its way to a client, with what is said beside it where the client has bands for that. */
export class SidebandOutput extends PackOutput {
  readonly #hasBands: boolean

  /** @param hasher sees every pack byte, for the pack's trailer */
  constructor(sink: ByteSink, framing: Framing, hasher?: Hasher) {
    super(sink, framings[framing], hasher)
    this.#hasBands = framing !== 'none'
  }

  /** A line a person reads. */
  progress(text: string): void {
    if (this.#hasBands) this.insert(BAND_PROGRESS, Buffer.from(text))
  }

  /** Tells the client why there is no more; the pack is cut off here. */
  error(text: string): void {
    if (this.#hasBands) this.insert(BAND_ERROR, Buffer.from(text))
  }

  /** An empty packet: something for a client, or a proxy, that waits. */
  keepAlive(): void {
    if (this.#hasBands) this.insert(BAND_PACK, nothing)
  }
}

const nothing = new Uint8Array()

const digits = Buffer.from('0123456789abcdef')

function writeLength(out: Uint8Array, at: number, length: number): void {
  out[at] = digits[(length >> 12) & 15] as number
  out[at + 1] = digits[(length >> 8) & 15] as number
  out[at + 2] = digits[(length >> 4) & 15] as number
  out[at + 3] = digits[length & 15] as number
}
