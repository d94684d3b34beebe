import { closeSync, fsyncSync, openSync } from 'node:fs'
import { writeAll } from '../packs/write-all.ts'

/** Writes a whole file; its content is durable when this returns, its name once its directory is synced. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'w', 0o644)
  try {
    writeAll(fd, bytes, 0)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
