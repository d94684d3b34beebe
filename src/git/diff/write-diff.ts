import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { ByteWriter } from './byte-writer.ts'
import { type ChangedFilesOptions, changedFiles } from './changed-files.ts'
import { type PatchOptions, writePatch } from './patch.ts'

/** Takes a part of a text; waits until there is room for more. */
export type Send = (bytes: Uint8Array) => Promise<void>

export type WriteDiffOptions = ChangedFilesOptions & PatchOptions

const PIECE_BYTES = 128 * 1024

/** Sends what `git diff` prints between two trees, in pieces: no more than one file's patch is held at once. */
export async function writeDiff(store: ObjectReader, from: Oid | undefined, to: Oid | undefined, options: WriteDiffOptions, send: Send): Promise<void> {
  const { changes } = await changedFiles(store, from, to, options)
  const out = new ByteWriter(2 * PIECE_BYTES)
  for (const change of changes) {
    writePatch(out, store, change, options)
    if (out.length >= PIECE_BYTES) await send(out.take())
    if (isDue()) await breathe()
    options.signal?.throwIfAborted()
  }
  if (out.length > 0) await send(out.take())
}
