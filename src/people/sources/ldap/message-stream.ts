import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** What a directory may send. */
export interface MessageLimits {
  /** Bytes of one message: an entry with its picture, say. */
  message: number
  /** Bytes of all messages of a connection. */
  total: number
}

const SEQUENCE = 0x30

/**
 * A connection to a directory that hands on whole LDAP messages, one at a time, and ends when one is too large, is none, or all of them are too many.
 * Source: RFC 4511 §4.1.1 and §5.2, X.690 §8.1.3.
 */
export class MessageStream extends Duplex {
  /** The client asks whether the connection stands. */
  readonly connecting = false
  readonly readyState = 'open'
  readonly #socket: Socket
  readonly #limits: MessageLimits
  #chunks: Buffer[] = []
  #held = 0
  #needed = 2
  #total = 0

  /** @param socket connected, with nothing read from it yet */
  constructor(socket: Socket, limits: MessageLimits) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#limits = limits
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
    socket.on('end', () => this.push(null))
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, (error) => done(error))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  /** Joins what came only once a message is whole: an entry of many packets is copied once. */
  #take(chunk: Buffer): void {
    this.#total += chunk.length
    if (this.#total > this.#limits.total) return this.#refuse(`sent more than ${this.#limits.total} bytes`)
    this.#chunks.push(chunk)
    this.#held += chunk.length
    while (this.#held >= this.#needed && !this.destroyed) if (!this.#handOn()) return
  }

  /** @returns false when more has to come first */
  #handOn(): boolean {
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    this.#chunks = [bytes]
    const length = messageLength(bytes)
    if (length === undefined || length > this.#limits.message) {
      this.#refuse(length === undefined ? 'sent an invalid LDAP message' : `sent a message of ${length} bytes, the limit is ${this.#limits.message}`)
      return false
    }
    this.#needed = length
    if (bytes.length < length) return false
    this.#chunks = bytes.length === length ? [] : [bytes.subarray(length)]
    this.#held = bytes.length - length
    this.#needed = 2
    if (!this.push(bytes.subarray(0, length))) this.#socket.pause()
    return true
  }

  #refuse(reason: string): void {
    this.destroy(new Error(`the server ${reason}`))
  }
}

/**
 * How many bytes a message has with its header, of which the first two at least are there; as many as the header has while that is cut short. Undefined when it is none.
 */
export function messageLength(bytes: Buffer): number | undefined {
  const first = bytes[1] as number
  if (bytes[0] !== SEQUENCE) return undefined
  if (first < 0x80) return 2 + first
  const size = first - 0x80
  if (size === 0 || size > 4) return undefined
  return bytes.length < 2 + size ? 2 + size : 2 + size + bytes.readUIntBE(2, size)
}
