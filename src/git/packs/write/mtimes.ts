import { readFileSync } from 'node:fs'
import { GitError } from '../../errors.ts'
import { SHA1 } from '../../objects/oid.ts'

/**
 * When each object of a cruft pack was last of use: seconds, in the order of the pack's index.
 * Source: `Documentation/gitformat-pack.txt`, "pack-*.mtimes files".
 */
const MAGIC = 0x4d544d45
const VERSION = 1
const SHA1_ID = 1
const HEADER_BYTES = 12

export function mtimesPath(packPath: string): string {
  return packPath.replace(/\.pack$/, '.mtimes')
}

/** @throws GitError `corrupt` when it is not for a pack of `count` objects */
export function readMtimes(path: string, count: number): Uint32Array {
  const bytes = readFileSync(path)
  const wanted = HEADER_BYTES + count * 4 + 2 * SHA1.rawLength
  if (bytes.length !== wanted || bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== VERSION) {
    throw new GitError('corrupt', `Cannot read mtimes: ${bytes.length} bytes do not match a pack of ${count} objects`)
  }
  return Uint32Array.from({ length: count }, (_, i) => bytes.readUInt32BE(HEADER_BYTES + i * 4))
}

/** @param packChecksum raw, as at the end of the pack */
export function encodeMtimes(mtimes: Uint32Array, packChecksum: Uint8Array): Uint8Array {
  const body = Buffer.alloc(HEADER_BYTES + mtimes.length * 4)
  body.writeUInt32BE(MAGIC, 0)
  body.writeUInt32BE(VERSION, 4)
  body.writeUInt32BE(SHA1_ID, 8)
  for (let i = 0; i < mtimes.length; i++) body.writeUInt32BE(mtimes[i] as number, HEADER_BYTES + i * 4)
  const digest = SHA1.hasher().update(body).update(packChecksum).digest()
  return Buffer.concat([body, packChecksum, digest])
}
