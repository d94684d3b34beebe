import { closeSync, openSync, readSync } from 'node:fs'
import { GitError } from '../errors.ts'
import type { EntryColumns } from './entry-table.ts'
import { inflateAgain } from './inflate.ts'

const SCRATCH_BYTES = 256 * 1024

/** Reads entries that pass 1 has accepted, by positioned reads of just their bytes. */
export class PackReader {
  readonly #fd: number
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)

  constructor(path: string) {
    this.#fd = openSync(path, 'r')
  }

  /** The inflated content of `entry`: the object, or the delta. */
  read(columns: EntryColumns, entry: number): Uint8Array {
    const start = columns.offsets[entry] + columns.headerLengths[entry]
    const length = columns.offsets[entry + 1] - start
    const bytes = length <= SCRATCH_BYTES ? this.#scratch : Buffer.allocUnsafeSlow(length)
    for (let done = 0; done < length; ) {
      const got = readSync(this.#fd, bytes, done, length - done, start + done)
      if (got === 0) throw new GitError('corrupt', 'Cannot read pack entry: the file ends early')
      done += got
    }
    return inflateAgain(bytes.subarray(0, length))
  }

  close(): void {
    closeSync(this.#fd)
  }
}
