import { crc32, createDeflateRaw } from 'node:zlib'
import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import type { ArchiveWriter, EntryContent, PlacedEntry } from './archive-writer.ts'
import type { ChunkWriter } from './byte-sink.ts'
import { dosTime, type Field, fields, MAX_U16, MAX_U32 } from './zip-fields.ts'
import { zlibPieces } from './zlib-pump.ts'

const STORED = 0
const DEFLATED = 8
/** As git's default; libdeflate, which takes whole files, makes a little less of the same in less time. */
const LEVEL = 6
/** Flags: sizes follow the content; the name is UTF-8. */
const STREAMED = 8
const UTF8 = 0x800
/** Made on Unix by version 2.3: the upper half of the attributes is a mode. */
const UNIX = 0x0317
const PLAIN_VERSION = 10
const ZIP64_VERSION = 45
const MAX_DIRECTORY_BYTES = 256 * 1024 * 1024
const isAscii = /^[\x00-\x7f]*$/
const BINARY_SNIFF_BYTES = 8000

/** An entry as its two headers tell of it. */
interface Told {
  name: Uint8Array
  method: number
  flags: number
  crc: number
  packed: number
  size: number
}

/**
 * A zip archive as `git archive` writes it: deflated files, stored links with their Unix mode, the time in UTC, the commit's id as the
 * comment, 64-bit fields where 32 bits do not do. Sources: PKWARE's APPNOTE.TXT, git's `archive-zip.c`.
 */
export class ZipWriter implements ArchiveWriter {
  readonly #out: ChunkWriter
  readonly #time: number
  /** The central directory, written last. */
  #directory: Uint8Array[] = []
  #directoryBytes = 0
  #entries = 0
  #maker = 0

  /** @param time seconds since 1970 */
  constructor(out: ChunkWriter, time: number) {
    this.#out = out
    this.#time = time
  }

  async begin(): Promise<void> {}

  async add(entry: PlacedEntry, content: EntryContent): Promise<void> {
    const { offset } = this.#out
    const name = Buffer.from(entry.path, 'latin1')
    const flags = isAscii.test(entry.path) || !isUtf8(name) ? 0 : UTF8
    const told = content.isLarge ? await this.#addLarge(name, flags, content) : await this.#addWhole(name, flags, entry, content)
    this.#list(entry, told, isBinary(entry, content) ? 0 : 1, offset)
  }

  async end(commit: Oid | undefined): Promise<void> {
    const start = this.#out.offset
    for (const header of this.#directory) await this.#out.write(header)
    const size = this.#out.offset - start
    if (this.#entries > MAX_U16 || start > MAX_U32) await this.#endIn64(start, size)
    const count = Math.min(this.#entries, MAX_U16)
    const comment = commit ?? ''
    await this.#out.write(
      fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, Math.min(size, MAX_U32)], [4, Math.min(start, MAX_U32)], [2, comment.length]),
    )
    await this.#out.write(Buffer.from(comment))
  }

  async #addWhole(name: Uint8Array, flags: number, { kind }: PlacedEntry, content: EntryContent): Promise<Told> {
    const data = kind === 'file' || kind === 'symlink' ? content.whole() : new Uint8Array()
    const deflated = kind === 'file' && data.length > 0 ? Bun.deflateSync(data as Uint8Array<ArrayBuffer>, { level: LEVEL, library: 'libdeflate' }) : data
    const isSmaller = deflated.length < data.length
    const body = isSmaller ? deflated : data
    const told = { name, method: isSmaller ? DEFLATED : STORED, flags, crc: crc32(data), packed: body.length, size: data.length }
    await this.#out.write(this.#localHeader(told, false))
    await this.#out.write(body)
    return told
  }

  /** Sizes and checksum follow the content, because nobody knows them before. */
  async #addLarge(name: Uint8Array, flags: number, content: EntryContent): Promise<Told> {
    const told: Told = { name, method: DEFLATED, flags: flags | STREAMED, crc: 0, packed: 0, size: content.size }
    const isWide = content.size > 0x7fffffff
    await this.#out.write(this.#localHeader(told, isWide))
    const counted = (async function* () {
      for await (const piece of content.pieces()) {
        told.crc = crc32(piece, told.crc)
        yield piece
      }
    })()
    for await (const bytes of zlibPieces(createDeflateRaw({ level: LEVEL }), counted)) {
      told.packed += bytes.length
      await this.#out.write(bytes)
    }
    const width = isWide ? 8 : 4
    await this.#out.write(fields([4, 0x08074b50], [4, told.crc], [width, told.packed], [width, told.size]))
    return told
  }

  #localHeader({ name, method, flags, crc, packed, size }: Told, isWide: boolean): Uint8Array {
    const wide = isWide ? fields([2, 1], [2, 16], [8, size], [8, 0]) : new Uint8Array()
    const extra = Buffer.concat([this.#times(), wide])
    const sizes: Field[] = isWide
      ? [
          [4, MAX_U32],
          [4, MAX_U32],
        ]
      : [
          [4, packed],
          [4, flags & STREAMED ? 0 : size],
        ]
    const head = fields([4, 0x04034b50], [2, isWide ? ZIP64_VERSION : PLAIN_VERSION], [2, flags], [2, method], ...this.#date(), [4, crc], ...sizes)
    return Buffer.concat([head, fields([2, name.length], [2, extra.length]), name, extra])
  }

  /** Adds the entry to the central directory. */
  #list(entry: PlacedEntry, { name, method, flags, crc, packed, size }: Told, text: number, offset: number): void {
    const isWide = packed >= MAX_U32 || size >= MAX_U32 || offset >= MAX_U32
    const wide: Field[] = [size, packed, offset].filter((value) => value >= MAX_U32).map((value) => [8, value])
    const extra = Buffer.concat([this.#times(), isWide ? fields([2, 1], [2, wide.length * 8], ...wide) : new Uint8Array()])
    const { maker, attributes } = modeOf(entry)
    this.#maker = Math.max(this.#maker, maker)
    const least = (value: number): Field => [4, Math.min(value, MAX_U32)]
    const start = fields([4, 0x02014b50], [2, maker], [2, isWide ? ZIP64_VERSION : PLAIN_VERSION], [2, flags], [2, method], ...this.#date(), [4, crc])
    const rest = fields(least(packed), least(size), [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, text], [4, attributes], least(offset))
    const header = Buffer.concat([start, rest, name, extra])
    this.#directoryBytes += header.length
    if (this.#directoryBytes > MAX_DIRECTORY_BYTES) throw new GitError('limit', 'Cannot archive: the list of files is too long for a zip archive')
    this.#directory.push(header)
    this.#entries++
  }

  async #endIn64(start: number, size: number): Promise<void> {
    const record: Field[] = [
      [4, 0x06064b50],
      [8, 44],
      [2, this.#maker],
      [2, ZIP64_VERSION],
      [4, 0],
      [4, 0],
      [8, this.#entries],
      [8, this.#entries],
    ]
    await this.#out.write(fields(...record, [8, size], [8, start]))
    await this.#out.write(fields([4, 0x07064b50], [4, 0], [8, start + size], [4, 1]))
  }

  /** The extra field that tells the time in seconds since 1970. */
  #times(): Uint8Array {
    return fields([2, 0x5455], [2, 5], [1, 1], [4, Math.min(this.#time, MAX_U32)])
  }

  #date(): Field[] {
    const { time, date } = dosTime(this.#time)
    return [
      [2, time],
      [2, date],
    ]
  }
}

function modeOf({ kind, isExecutable }: PlacedEntry): { maker: number; attributes: number } {
  if (kind === 'directory' || kind === 'submodule') return { maker: 0, attributes: 16 }
  if (kind === 'symlink') return { maker: UNIX, attributes: 0o120777 * 0x10000 }
  return isExecutable ? { maker: UNIX, attributes: 0o100755 * 0x10000 } : { maker: 0, attributes: 0 }
}

/** For those who unpack with other line ends: by the `diff` attribute, or by a NUL near the start. */
function isBinary({ kind, attributes }: PlacedEntry, content: EntryContent): boolean {
  if (kind === 'directory' || kind === 'submodule' || attributes?.diff === false) return true
  if (attributes?.diff === true) return false
  return content.isLarge || content.whole().subarray(0, BINARY_SNIFF_BYTES).includes(0)
}

function isUtf8(bytes: Uint8Array): boolean {
  return !Buffer.from(bytes).toString().includes('\ufffd')
}
