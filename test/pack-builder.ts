import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** Makes packs by hand, well-formed or not; it shares no code with what it tests. Source: `Documentation/gitformat-pack.txt`. */

const typeCodes = { commit: 1, tree: 2, blob: 3, tag: 4 } as const
export type BuiltType = keyof typeof typeCodes

export interface EntryOptions {
  /** Entry type instead of the right one. */
  type?: number
  /** Inflated size to announce instead of the true one. */
  size?: number
  /** The zlib stream instead of a good one. */
  zlib?: Uint8Array
}

/** What of the pack's frame to write instead of the truth, and what to put after its end. */
export interface BuildOptions {
  magic?: string
  version?: number
  count?: number
  checksum?: Uint8Array
  junk?: Uint8Array
}

export class PackBuilder {
  readonly #parts: Buffer[] = []
  #length = 12
  count = 0

  /** Adds an object and returns where it begins. */
  add(type: BuiltType, data: string | Uint8Array, options: EntryOptions = {}): number {
    return this.#entry(options.type ?? typeCodes[type], Buffer.alloc(0), Buffer.from(data), options)
  }

  /** Adds an OFS_DELTA for the entry that begins at `base`; `distance` replaces the true distance. */
  ofsDelta(base: number, delta: Uint8Array, options: EntryOptions & { distance?: number } = {}): number {
    return this.#entry(6, encodeDistance(options.distance ?? this.#length - base), delta, options)
  }

  refDelta(base: string, delta: Uint8Array, options: EntryOptions = {}): number {
    return this.#entry(7, Buffer.from(base, 'hex'), delta, options)
  }

  /** The pack, with a true checksum unless `checksum` replaces it. */
  build(options: BuildOptions = {}): Uint8Array {
    const header = Buffer.alloc(12)
    header.write(options.magic ?? 'PACK', 'latin1')
    header.writeUInt32BE(options.version ?? 2, 4)
    header.writeUInt32BE(options.count ?? this.count, 8)
    const body = Buffer.concat([header, ...this.#parts])
    return Buffer.concat([body, options.checksum ?? createHash('sha1').update(body).digest(), options.junk ?? Buffer.alloc(0)])
  }

  #entry(type: number, base: Uint8Array, data: Uint8Array, options: EntryOptions): number {
    const at = this.#length
    const bytes = Buffer.concat([encodeSize(type, options.size ?? data.length), base, options.zlib ?? deflateSync(data)])
    this.#parts.push(bytes)
    this.#length += bytes.length
    this.count++
    return at
  }
}

/** The id of an object. */
export function idOf(type: BuiltType, data: string | Uint8Array): string {
  const bytes = Buffer.from(data)
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

/** A delta that copies and inserts: `[offset, length]` copies, a string or bytes are inserted. The sizes may lie. */
export function makeDelta(baseSize: number, resultSize: number, ops: (readonly [number, number] | string | Uint8Array)[]): Uint8Array {
  const parts: Uint8Array[] = [encodeVarint(baseSize), encodeVarint(resultSize)]
  for (const op of ops) {
    if (typeof op === 'string' || op instanceof Uint8Array) parts.push(...inserts(Buffer.from(op)))
    else parts.push(...copies(op[0], op[1]))
  }
  return Buffer.concat(parts)
}

function inserts(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += 127) {
    const piece = bytes.subarray(at, at + 127)
    parts.push(Buffer.from([piece.length]), piece)
  }
  return parts
}

function copies(offset: number, length: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let done = 0; done < length; done += 0xffffff) parts.push(copy(offset + done, Math.min(0xffffff, length - done)))
  return parts
}

function copy(offset: number, length: number): Uint8Array {
  const at = [offset & 255, (offset >>> 8) & 255, (offset >>> 16) & 255, offset >>> 24]
  return Buffer.from([0xff, ...at, length & 255, (length >>> 8) & 255, length >>> 16])
}

function encodeVarint(value: number): Uint8Array {
  const bytes = []
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  return Buffer.from([...bytes, value])
}

function encodeSize(type: number, size: number): Uint8Array {
  const bytes = [(type << 4) | (size % 16)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) | 128
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

function encodeDistance(distance: number): Uint8Array {
  const bytes = [distance % 128]
  for (let rest = Math.floor(distance / 128) - 1; rest >= 0; rest = Math.floor(rest / 128) - 1) bytes.unshift(128 | (rest % 128))
  return Buffer.from(bytes)
}

/** A tree of `[mode, name, id]` entries, in the order given. */
export function makeTree(entries: readonly (readonly [string, string | Uint8Array, string])[]): Buffer {
  return Buffer.concat(entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), Buffer.from(id, 'hex')]))
}

const ident = 'A U Thor <author@example.com> 1700000000 +0100'

export function makeCommit(tree: string, parents: readonly string[] = [], message = 'message\n'): string {
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${ident}`, `committer ${ident}`]
  return `${lines.join('\n')}\n\n${message}`
}

export function makeTag(target: string, type: string, name = 'v1'): string {
  return `object ${target}\ntype ${type}\ntag ${name}\ntagger ${ident}\n\nmessage\n`
}
