import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import type { Send } from '../diff/write-diff.ts'

/** Up to this, bytes are sent as they are. */
const LARGE_BYTES = 1024 * 1024
const PIECE_BYTES = 128 * 1024

/** A file without a name is gone once it is closed. */
const removesOpen = process.platform !== 'win32'

/**
 * Sends what is large from a passing file: a slow reader holds disk, and little memory. Where there is no room on disk it holds that memory.
 * @param path where there is no file
 */
export function spooledSend(path: string, send: Send): Send {
  return (bytes) => {
    const file = bytes.length > LARGE_BYTES ? spool(path, bytes) : undefined
    return file === undefined ? send(bytes) : sendFile(file, path, send)
  }
}

/** The bytes in an open file; undefined where they cannot be written. */
function spool(path: string, bytes: Uint8Array): number | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'wx+', 0o600)
    if (removesOpen) rmSync(path)
    writeFileSync(file, bytes)
    return file
  } catch {
    if (file === undefined) return undefined
    closeSync(file)
    rmSync(path, { force: true })
    return undefined
  }
}

async function sendFile(file: number, path: string, send: Send): Promise<void> {
  try {
    for (let at = 0; ; ) {
      const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
      const length = readSync(file, piece, 0, PIECE_BYTES, at)
      if (length === 0) return
      at += length
      await send(piece.subarray(0, length))
    }
  } finally {
    closeSync(file)
    if (!removesOpen) rmSync(path, { force: true })
  }
}
