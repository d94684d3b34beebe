import type { Context } from '#context.ts'
import { type FileText, needsCharset, readFileText } from '#git/diff/file-text.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Where } from '#git/workers/service.ts'

/** The encoding of larger files is not detected. */
const MAX_BYTES = 32 * 1024 * 1024

/** A file in a tree. */
export interface FileAt {
  tree: Oid
  path: string
  oid: Oid
}

/**
 * Decodes a file in the encoding that `.gitattributes` names or that is detected from its bytes. Undefined for a file that is not text.
 * @param isCut whether `data` is only the beginning
 */
export async function readTextAt(context: Pick<Context, 'git'>, where: Where, file: FileAt, data: Uint8Array, isCut = false): Promise<FileText | undefined> {
  return readFileText(data, isCut, await findCharset(context, where, file, data))
}

/** Detects, in a worker, the encoding of a text that is not UTF-8. Undefined when the encoding is not known. */
export async function findCharset({ git }: Pick<Context, 'git'>, where: Where, file: FileAt, data: Uint8Array): Promise<string | undefined> {
  return needsCharset(data) ? git.run('charsetAt', where, { ...file, maxBytes: MAX_BYTES }) : undefined
}
