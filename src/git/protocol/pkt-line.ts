import { isUtf8 } from 'node:buffer'
import { GitError } from '../errors.ts'

/** Source: `Documentation/gitprotocol-common.txt`. A pkt-line is four hex digits of length, themselves included, then the payload. */
export const MAX_PKT = 65520
export const MAX_PKT_PAYLOAD = MAX_PKT - 4

export const FLUSH = Buffer.from('0000')

export type Pkt = { type: 'data'; payload: Uint8Array } | { type: 'flush' } | { type: 'delim' } | { type: 'response-end' }

/** One data packet. @throws RangeError when the payload does not fit: a bug of ours, never of a client's */
export function encodePkt(payload: Uint8Array | string): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (body.length > MAX_PKT_PAYLOAD) throw new RangeError(`Cannot encode pkt-line: ${body.length} bytes are over ${MAX_PKT_PAYLOAD}`)
  const out = Buffer.allocUnsafe(body.length + 4)
  out.write((body.length + 4).toString(16).padStart(4, '0'), 'latin1')
  out.set(body, 4)
  return out
}

/**
 * The packet at `at` and where the next begins, or undefined when `bytes` ends first.
 * @throws GitError `protocol` on a malformed length
 */
export function decodePkt(bytes: Uint8Array, at: number): { pkt: Pkt; next: number } | undefined {
  if (at + 4 > bytes.length) return undefined
  let length = 0
  for (let i = 0; i < 4; i++) {
    const digit = hexDigit(bytes[at + i] as number)
    if (digit < 0) throw malformed(bytes.subarray(at, at + 4))
    length = length * 16 + digit
  }
  if (length === 0) return { pkt: { type: 'flush' }, next: at + 4 }
  if (length === 1) return { pkt: { type: 'delim' }, next: at + 4 }
  if (length === 2) return { pkt: { type: 'response-end' }, next: at + 4 }
  if (length < 4 || length > MAX_PKT) throw malformed(bytes.subarray(at, at + 4))
  if (at + length > bytes.length) return undefined
  return { pkt: { type: 'data', payload: bytes.subarray(at + 4, at + length) }, next: at + length }
}

/** The payload as text without its trailing newline. */
export function pktText(payload: Uint8Array): string {
  return Buffer.prototype.utf8Slice.call(payload, 0, textEnd(payload))
}

/** The same, with bytes that are not UTF-8 escaped. */
export function pktTextEscaped(payload: Uint8Array): string {
  const text = pktText(payload)
  return !text.includes('\ufffd') || isUtf8(payload) ? text : escapeBytes(payload.subarray(0, textEnd(payload)))
}

function textEnd(payload: Uint8Array): number {
  return payload.at(-1) === 10 ? payload.length - 1 : payload.length
}

/** Bytes that are not UTF-8, as text: decoded, different ones would become the same. No ref's name has a backslash in it. */
export function escapeBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)
}

/**
 * Reads packets off a byte stream; `rest()` hands over what follows them, as a push needs for its pack.
 * Holds one packet at most, whatever the chunks look like.
 */
export class PktReader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffer: Uint8Array = new Uint8Array(0)
  #at = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next packet, or undefined at a clean end. @throws GitError `protocol` when the stream ends inside a packet */
  async next(): Promise<Pkt | undefined> {
    for (;;) {
      const found = decodePkt(this.#buffer, this.#at)
      if (found) {
        this.#at = found.next
        return found.pkt
      }
      const more = await this.#source.next()
      const left = this.#buffer.subarray(this.#at)
      if (more.done) {
        if (left.length === 0) return undefined
        throw new GitError('protocol', 'Cannot read pkt-line: the stream ends inside a packet')
      }
      this.#buffer = left.length === 0 ? more.value : Buffer.concat([left, more.value])
      this.#at = 0
    }
  }

  /** Everything after the packets read so far, as it comes. */
  async *rest(): AsyncGenerator<Uint8Array> {
    const left = this.#buffer.subarray(this.#at)
    this.#buffer = new Uint8Array(0)
    this.#at = 0
    if (left.length > 0) yield left
    for (;;) {
      const more = await this.#source.next()
      if (more.done) return
      yield more.value
    }
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  if (byte >= 0x61 && byte <= 0x66) return byte - 0x57
  if (byte >= 0x41 && byte <= 0x46) return byte - 0x37
  return -1
}

function malformed(bytes: Uint8Array): GitError {
  return new GitError('protocol', `Cannot read pkt-line: "${Buffer.from(bytes).toString('latin1')}" is not a length`)
}
