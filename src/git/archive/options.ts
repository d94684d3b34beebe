import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'

export const archiveFormats = ['tar', 'tar.gz', 'tar.zst', 'zip'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]

export interface ArchiveOptions {
  format: ArchiveFormat
  /** Put before every path, with the slash that makes a directory of it: `engine-1.0/`. */
  prefix?: string
  /** Only these files and directories, from the root of the tree. */
  paths?: readonly string[]
  /** The name of the tag that the archive was requested by, for files with `export-subst`. */
  tag?: string
}

const MAX_PREFIX_BYTES = 1024
/** Goes up when the same archive comes to other bytes than before, so that nobody joins halves of two. */
const VERSION = 1

/**
 * Names the bytes of an archive: the same commit (or tree) and options make the same ones, so far as the objects go. Text fit for an
 * entity tag, without its quotes.
 */
export function archiveTag(oid: Oid, { format, prefix = '', paths, tag }: ArchiveOptions): string {
  const hash = new Bun.CryptoHasher('sha256')
  hash.update(JSON.stringify([VERSION, oid, format, prefix, paths ?? null, ...(tag === undefined ? [] : [tag])]))
  return hash.digest('hex').slice(0, 40)
}

/** @throws GitError `refused` when a prefix would lead out of the directory in which somebody unpacks */
export function checkPrefix(prefix: string): void {
  const isOutside = prefix.startsWith('/') || prefix.split('/').some((part) => part === '..' || part === '.')
  if (isOutside || /[\0-\x1f\\]/.test(prefix) || Buffer.byteLength(prefix) > MAX_PREFIX_BYTES)
    throw new GitError('refused', `Cannot archive: the prefix "${prefix.slice(0, 100)}" is not a relative path`)
}
