import { writeSync } from 'node:fs'

/** Writes all of `bytes` at `position`, however many calls the system makes of it. */
export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done)
}
