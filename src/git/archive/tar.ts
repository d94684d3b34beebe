import type { Oid } from '../objects/oid.ts'
import type { ArchiveWriter, EntryContent, PlacedEntry } from './archive-writer.ts'
import type { ChunkWriter } from './byte-sink.ts'

const RECORD = 512
/** tar writes whole blocks. */
const BLOCK = 20 * RECORD
const NAME_BYTES = 100
const PREFIX_BYTES = 155
/** What eleven octal digits can say. */
const MAX_OCTAL = 0o77777777777
const UMASK = 0o002
const zeros = new Uint8Array(BLOCK)

/**
 * A tar archive, byte for byte what `git archive` writes with its default `tar.umask`: ustar, with pax headers for what does not fit,
 * and the commit's id in the global one. Sources: git's `archive-tar.c`, POSIX.1-2001 pax.
 */
export class TarWriter implements ArchiveWriter {
  readonly #out: ChunkWriter
  readonly #time: number

  /** @param time seconds since 1970 */
  constructor(out: ChunkWriter, time: number) {
    this.#out = out
    this.#time = time
  }

  async begin(commit: Oid | undefined): Promise<void> {
    let records = commit === undefined ? '' : paxRecord('comment', commit)
    if (this.#time > MAX_OCTAL) records += paxRecord('mtime', String(this.#time))
    if (records !== '') await this.#pax('g', 'pax_global_header', Buffer.from(records, 'latin1'))
  }

  async add(entry: PlacedEntry, content: EntryContent): Promise<void> {
    const target = entry.kind === 'symlink' ? Buffer.from(await content.whole()).toString('latin1') : ''
    const { name, prefix, records } = placeName(entry)
    const isLongTarget = target.length > NAME_BYTES
    const isLongFile = entry.kind === 'file' && content.size > MAX_OCTAL
    const pax = records + (isLongTarget ? paxRecord('linkpath', target) : '') + (isLongFile ? paxRecord('size', String(content.size)) : '')
    if (pax !== '') await this.#pax('x', `${entry.oid}.paxheader`, Buffer.from(pax, 'latin1'))
    const linkName = isLongTarget ? `see ${entry.oid}.paxheader` : target
    const size = entry.kind === 'file' && !isLongFile ? content.size : 0
    await this.#out.write(this.#header({ name, prefix, linkName, size, mode: modeOf(entry), type: typeFlags[entry.kind] }))
    if (entry.kind === 'file') await this.#content(content)
  }

  async end(): Promise<void> {
    const tail = BLOCK - (this.#out.offset % BLOCK)
    await this.#out.write(zeros.subarray(0, tail))
    // Two empty records end an archive.
    if (tail < 2 * RECORD) await this.#out.write(zeros)
  }

  async #content(content: EntryContent): Promise<void> {
    for await (const piece of content.pieces()) await this.#out.write(piece)
    await this.#pad(content.size)
  }

  async #pax(type: string, name: string, records: Uint8Array): Promise<void> {
    await this.#out.write(this.#header({ name, prefix: '', linkName: '', size: records.length, mode: 0o666, type }))
    await this.#out.write(records)
    await this.#pad(records.length)
  }

  async #pad(size: number): Promise<void> {
    const over = size % RECORD
    if (over > 0) await this.#out.write(zeros.subarray(over, RECORD))
  }

  #header(fields: { name: string; prefix: string; linkName: string; size: number; mode: number; type: string }): Uint8Array {
    const header = Buffer.alloc(RECORD)
    header.write(fields.name, 0, 'latin1')
    header.write(octal(fields.mode, 7), 100, 'latin1')
    header.write(octal(0, 7), 108, 'latin1')
    header.write(octal(0, 7), 116, 'latin1')
    header.write(octal(fields.size, 11), 124, 'latin1')
    header.write(octal(Math.min(this.#time, MAX_OCTAL), 11), 136, 'latin1')
    header.write(fields.type, 156, 'latin1')
    header.write(fields.linkName, 157, 'latin1')
    header.write('ustar\x0000root', 257, 'latin1')
    header.write('root', 297, 'latin1')
    header.write(octal(0, 7), 329, 'latin1')
    header.write(octal(0, 7), 337, 'latin1')
    header.write(fields.prefix, 345, 'latin1')
    header.write(octal(checksum(header), 7), 148, 'latin1')
    return header
  }
}

const typeFlags = { directory: '5', submodule: '5', symlink: '2', file: '0' }

function modeOf({ kind, isExecutable }: PlacedEntry): number {
  if (kind === 'symlink') return 0o777
  const isOpen = kind !== 'file' || isExecutable
  return (isOpen ? 0o777 : 0o666) & ~UMASK
}

/** Where a path goes: the name, the name and the prefix, or a pax header. */
function placeName({ path, oid }: PlacedEntry): { name: string; prefix: string; records: string } {
  if (path.length <= NAME_BYTES) return { name: path, prefix: '', records: '' }
  const cut = prefixLength(path)
  if (cut > 0 && path.length - cut - 1 <= NAME_BYTES) return { name: path.slice(cut + 1), prefix: path.slice(0, cut), records: '' }
  return { name: `${oid}.data`, prefix: '', records: paxRecord('path', path) }
}

/** The longest part before a slash that fits into the prefix. */
function prefixLength(path: string): number {
  let at = path.endsWith('/') ? path.length - 1 : path.length
  at = Math.min(at, PREFIX_BYTES) - 1
  while (at > 0 && path[at] !== '/') at--
  return at
}

/** A record tells its own length, the digits of that included. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = rest.length + 1
  while (String(length).length + rest.length > length) length++
  return `${length}${rest}`
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

/** The sum of all bytes, those of the checksum itself taken as spaces. */
function checksum(header: Uint8Array): number {
  let sum = 8 * 0x20
  for (let at = 0; at < RECORD; at++) sum += header[at] as number
  return sum
}
