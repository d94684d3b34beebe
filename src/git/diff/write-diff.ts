import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { ByteWriter } from './byte-writer.ts'
import { type ChangedFilesOptions, changedFiles, toldBy } from './changed-files.ts'
import { type Comparison, DEFAULT_MAX_FILE_BYTES, sizeOf } from './compare-file.ts'
import { BYTES_PER_LINE, MAX_LINES } from './line-diff.ts'
import { type PatchOptions, writePatch } from './patch.ts'
import type { FileChange } from './renames.ts'

/** Takes a part of a text; waits until there is room for more. */
export type Send = (bytes: Uint8Array) => Promise<void>

export type WriteDiffOptions = ChangedFilesOptions & MakeOptions

export interface MakeOptions extends PatchOptions {
  signal?: AbortSignal
  /** Does `work` once there is so much memory for it. Default: at once. */
  withMemory?: <T>(bytes: number, work: () => Promise<T>) => Promise<T>
}

/** Makes the patches of several parts at once, elsewhere; in the order of the parts. */
export type MakeParts = (parts: FileChange[][]) => Promise<Uint8Array[]>

const PIECE_BYTES = 128 * 1024
/** With so many files it pays to make their patches on several threads. */
const MANY_FILES = 1000
const PART_FILES = 200
/** Of both sides of all files of a part. */
const PART_BYTES = 16 << 20
/** The patch of a file with fewer on both sides is made without asking for memory. */
const SMALL_BYTES = 1 << 20
/** What making one takes for each byte of both sides: they, and what is written. */
const COPIES = 4
const PARTS_AT_ONCE = 4

/**
 * Sends what `git diff` prints between two trees, in pieces: no more is held at once than one file's patch, or a few parts'.
 * @param makeParts helps with many files
 */
export async function writeDiff(
  store: ObjectReader,
  from: Oid | undefined,
  to: Oid | undefined,
  options: WriteDiffOptions,
  send: Send,
  makeParts?: MakeParts,
): Promise<void> {
  const { changes } = await changedFiles(store, from, to, options)
  if (makeParts === undefined || changes.length < MANY_FILES) return writePatches(store, changes, options, send)
  const parts: FileChange[][] = []
  const sendParts = async (): Promise<void> => {
    for (const bytes of await makeParts(parts.splice(0))) await send(bytes)
    options.signal?.throwIfAborted()
  }
  for (const part of partsOf(store, changes)) {
    const isLarge = part.length === 1 && bytesOf(store, part[0] as FileChange) > PART_BYTES
    if (isLarge) await sendParts()
    if (isLarge) await writePatches(store, part, options, send)
    else parts.push(part)
    if (parts.length === PARTS_AT_ONCE) await sendParts()
  }
  if (parts.length > 0) await sendParts()
}

/** The patches of these files, in pieces. */
export async function writePatches(store: ObjectReader, changes: readonly FileChange[], options: WriteDiffOptions, send: Send): Promise<void> {
  const out = new ByteWriter(2 * PIECE_BYTES)
  const told = toldBy(store, options)
  for (const change of changes) {
    await makePatch(out, store, told.change(change), options)
    if (out.length >= PIECE_BYTES) await send(out.take())
    if (isDue()) await breathe()
    options.signal?.throwIfAborted()
  }
  if (out.length > 0) await send(out.take())
}

/** `writePatch`, once there is memory for it. */
export function makePatch(out: ByteWriter, store: ObjectReader, change: FileChange, options: MakeOptions): Promise<Comparison> {
  const { maxFileBytes = DEFAULT_MAX_FILE_BYTES, signal, withMemory } = options
  const bytes = Math.min(bytesOf(store, change), 2 * maxFileBytes)
  const make = () => runSteps(writePatch(out, store, change, options), signal)
  return withMemory && bytes > SMALL_BYTES ? withMemory(COPIES * bytes + BYTES_PER_LINE * Math.min(bytes, MAX_LINES), make) : make()
}

/** Of both sides of a file. */
export function bytesOf(store: ObjectReader, change: FileChange): number {
  return sizeOf(store, change.old) + sizeOf(store, change.new)
}

function* partsOf(store: ObjectReader, changes: readonly FileChange[]): Generator<FileChange[], void, undefined> {
  let part: FileChange[] = []
  let bytes = 0
  for (const change of changes) {
    const size = bytesOf(store, change)
    if (part.length === PART_FILES || (part.length > 0 && bytes + size > PART_BYTES)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(change)
    bytes += size
  }
  if (part.length > 0) yield part
}
