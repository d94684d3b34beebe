/** The bytes with their length before them, as RFC 4251 §5 writes strings. */
export function wireString(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Reads what RFC 4251 §5 defines; undefined where the bytes end too early. */
export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** What was read so far. */
  get past(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }

  bytes(count: number): Buffer | undefined {
    if (this.#at + count > this.#bytes.length) return undefined
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  uint32(): number | undefined {
    return this.bytes(4)?.readUInt32BE()
  }

  uint64(): bigint | undefined {
    return this.bytes(8)?.readBigUInt64BE()
  }

  string(): Buffer | undefined {
    const length = this.uint32()
    return length === undefined ? undefined : this.bytes(length)
  }

  text(): string | undefined {
    return this.string()?.toString()
  }

  /** A positive number, without the zeros before it; a first bit that is set makes it a negative one. */
  integer(): Buffer | undefined {
    const bytes = this.string()
    const start = bytes?.findIndex((byte) => byte !== 0) ?? -1
    return start < 0 || (bytes?.[0] as number) >= 0x80 ? undefined : bytes?.subarray(start)
  }
}
