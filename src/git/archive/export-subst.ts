import { formatCommit, type NamedCommit } from './format-commit.ts'

const OPEN = Buffer.from('$Format:')
const CLOSE = 0x24
/** What the placeholders of one file may add; further ones stay as they are written. */
const MAX_ADDED_BYTES = 1024 * 1024
const MAX_FORMAT_BYTES = 4096

/** `data` with each `$Format:…$` filled in. Source: `format_subst` of git's `archive.c`. */
export function substituted(data: Uint8Array, commit: NamedCommit): Uint8Array {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  const parts: Uint8Array[] = []
  let done = 0
  let added = 0
  for (let open = bytes.indexOf(OPEN); open >= 0; open = bytes.indexOf(OPEN, Math.max(done, open + 1))) {
    const start = open + OPEN.length
    const close = bytes.indexOf(CLOSE, start)
    if (close < 0) break
    const filled = close - start <= MAX_FORMAT_BYTES ? formatCommit(commit, bytes.toString('utf8', start, close)) : undefined
    if (filled === undefined || added + filled.length > MAX_ADDED_BYTES) continue
    added += filled.length
    parts.push(bytes.subarray(done, open), filled)
    done = close + 1
  }
  return done === 0 ? data : Buffer.concat([...parts, bytes.subarray(done)])
}
