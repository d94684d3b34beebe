import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../../errors.ts'
import { expandedAtMost, type GitLimits } from '../../limits.ts'
import type { ObjectFormat } from '../../objects/oid.ts'
import { oidAt } from '../../objects/oid.ts'
import { type ObjectHeader, type ObjectReader, piecesOf } from '../../store/types.ts'
import { deflatedPieces, deflateQuickly } from '../deflate.ts'
import type { RunRecorder } from '../delta-into.ts'
import { encodeEntryHeader, MAX_ENTRY_HEADER, typeCode } from '../entry.ts'
import { writeAll } from '../write-all.ts'
import type { BaseFrame } from './base-stack.ts'
import { DeltaWalk, isUnresolved } from './delta-walk.ts'
import type { EntryTable } from './entry-table.ts'
import { NONE } from './entry-table.ts'
import type { Forest } from './forest.ts'
import { adoptGroup } from './forest.ts'
import { type MemoryTurn, passIfOver } from './memory-turn.ts'
import type { ObjectChecker } from './object-checker.ts'
import { PackReader } from './pack-reader.ts'
import { nameEntry, refusal } from './refusal.ts'
import { CONTROL_LENGTH, Resolver, resolveFamily } from './shard.ts'

export interface ThinInput {
  packPath: string
  /** Open for reading and writing. */
  fd: number
  table: EntryTable
  forest: Forest
  store: ObjectReader
  limits: GitLimits
  checker?: ObjectChecker | undefined
  onProgress?: (done: number) => void
  turn?: MemoryTurn | undefined
}

const READ_BYTES = 1024 * 1024
/** Bases larger than this are made one pack at a time, and from the repository they come in pieces. */
export const LARGE_BASE_BYTES = 32 * 1024 * 1024
/** A base goes again when packs are joined, for the repository has it already: it is made small quickly rather than very small. */
const BASE_LEVEL = 1

/**
 * Resolves what pass 2 could not: deltas whose base only the repository has. Appends those bases to the pack, where its trailing
 * checksum was, as `git index-pack --fix-thin` does. The pack needs `sealPack` afterwards if any was appended.
 * @throws GitError `missing` when a base is nowhere
 */
export async function completeThin(input: ThinInput): Promise<void> {
  const groups = groupsByPlace(input.forest)
  if (groups.length > 0) await appendBases(input, groups)
  refuseUnresolved(input.table, input.forest)
}

async function appendBases(input: ThinInput, groups: number[]): Promise<void> {
  const { table, forest, limits } = input
  const { columns, count } = table
  const sentBytes = columns.offsets[count] as number
  const reader = new PackReader(input.packPath)
  const control = new Int32Array(CONTROL_LENGTH)
  try {
    const resolver = new ThinResolver(columns, forest, input.store.format, input.checker)
    const walk = new DeltaWalk({ columns, count, forest, reader, limits, cacheBytes: limits.deltaCacheBytes }, resolver)
    let baseBytes = 0
    for (const group of groups) {
      // The deltas on another base may have made this one in the meantime.
      if (forest.groups.claims[group] !== 0) continue
      const entry = await appendBase(input, group)
      if (entry === NONE) continue
      baseBytes += table.columns.sizes[entry] as number
      if (baseBytes > expandedAtMost(limits, sentBytes))
        throw refusal('limit', `the stored objects that its deltas need inflate to more than ${limits.maxExpansion} times its size`)
      adoptGroup(columns, forest.groups, forest.firstChild, forest.nextSibling, entry)
      await resolveFamily(walk, entry, control, () => {
        input.onProgress?.(table.count)
        return passIfOver(input.turn, walk)
      })
    }
  } finally {
    reader.close()
  }
}

/** The families' roots are the repository's own: their links are its own as well. */
class ThinResolver extends Resolver {
  override visit(entry: number, type: number, made: BaseFrame, base: BaseFrame | undefined, runs: RunRecorder): void {
    if (base !== undefined) super.visit(entry, type, made, base, runs)
  }
}

/** The groups that still wait, in the order in which their first deltas lie in the pack. */
function groupsByPlace(forest: Forest): number[] {
  const { count, heads, claims } = forest.groups
  const groups: number[] = []
  for (let group = 0; group < count; group++) if (claims[group] === 0) groups.push(group)
  return groups.sort((a, b) => (heads[a] as number) - (heads[b] as number))
}

/** Appends the base that a group of deltas waits for, and returns its entry; `NONE` when the repository has none. */
async function appendBase(input: ThinInput, group: number): Promise<number> {
  const { forest, store, limits } = input
  const oid = oidAt(forest.groups.oids, group * forest.groups.rawLength, forest.groups.rawLength)
  const header = store.findHeader(oid)
  if (header === undefined) return NONE
  if (header.size > limits.maxObjectBytes)
    throw new GitError('limit', `Cannot read object: its ${header.size} bytes are over the limit of ${limits.maxObjectBytes}`)
  const entry = new AppendedEntry(input, header)
  const name = store.format.hasher().update(`${header.type} ${header.size}\0`)
  if (header.size <= LARGE_BASE_BYTES) {
    const { data } = store.get(oid)
    name.update(data)
    entry.write(deflateQuickly(data))
  } else {
    const deflated = deflatedPieces(piecesOf(store, oid), BASE_LEVEL, (bytes) => name.update(bytes))
    for await (const bytes of deflated) {
      entry.write(bytes)
      if (isDue()) await breathe()
    }
  }
  return entry.end(name.digest())
}

/** What lies behind the last entry of the pack as it grows. */
class AppendedEntry {
  readonly #input: ThinInput
  readonly #entry: number
  #at: number
  #crc = 0

  constructor(input: ThinInput, { type, size }: ObjectHeader) {
    const { table } = input
    this.#input = input
    this.#at = table.columns.offsets[table.count] as number
    const header = Buffer.alloc(MAX_ENTRY_HEADER)
    const headerLength = encodeEntryHeader(typeCode(type), size, header, 0)
    this.#entry = table.add(this.#at, headerLength, typeCode(type))
    table.columns.sizes[this.#entry] = size
    this.write(header.subarray(0, headerLength))
  }

  write(bytes: Uint8Array): void {
    writeAll(this.#input.fd, bytes, this.#at)
    this.#at += bytes.length
    this.#crc = crc32(bytes, this.#crc)
  }

  end(name: Uint8Array): number {
    const { table, store } = this.#input
    table.columns.crcs[this.#entry] = this.#crc
    table.columns.oids.set(name, this.#entry * store.format.rawLength)
    table.close(this.#at)
    return this.#entry
  }
}

/** @throws GitError when there are deltas whose base has not been found */
export function refuseUnresolved(table: EntryTable, forest: Forest): void {
  const { groups } = forest
  for (let group = 0; group < groups.count; group++) {
    if (groups.claims[group] !== 0) continue
    const head = groups.heads[group] as number
    const base = oidAt(groups.oids, group * groups.rawLength, groups.rawLength)
    const where = nameEntry(head, table.columns.offsets[head] as number)
    throw refusal('missing', `${where}: its delta base ${base} is neither in the pack nor in the repository, or depends on this object`)
  }
  for (let entry = 0; entry < table.count; entry++) {
    if (isUnresolved(table.columns, entry))
      throw new GitError('corrupt', `Cannot accept pack: ${nameEntry(entry, table.columns.offsets[entry] as number)}: its delta has no base`)
  }
}

/**
 * Writes the number of entries into the pack's header and the checksum after its last entry. Returns the checksum and the pack's length.
 */
export async function sealPack(fd: number, table: EntryTable, format: ObjectFormat): Promise<{ checksum: Uint8Array; bytes: number }> {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(table.count)
  writeAll(fd, number, 8)
  const end = table.columns.offsets[table.count] as number
  const hasher = format.hasher()
  const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, end))
  for (let at = 0; at < end; ) {
    const got = readSync(fd, buffer, 0, Math.min(buffer.length, end - at), at)
    if (got === 0) throw new GitError('corrupt', 'Cannot complete pack: its file ends early')
    hasher.update(buffer.subarray(0, got))
    at += got
    if (isDue()) await breathe()
  }
  const checksum = hasher.digest()
  writeAll(fd, checksum, end)
  return { checksum, bytes: end + checksum.length }
}
