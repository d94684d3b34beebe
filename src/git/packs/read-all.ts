import { readSync } from 'node:fs'

/** Reads into the first `length` bytes of `into` what lies from `position` on; answers how many there were, fewer only at the end of the file. */
export function readAll(fd: number, into: Uint8Array, length: number, position: number): number {
  let done = 0
  while (done < length) {
    const count = readSync(fd, into, done, length - done, position + done)
    if (count === 0) break
    done += count
  }
  return done
}
