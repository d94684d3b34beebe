import { inflateSync } from 'node:zlib'
import { GitError } from '../errors.ts'
import { decodeBase85 } from './base85.ts'
import type { PatchReader } from './patch-reader.ts'

/** One direction of a binary patch: the new content, or a delta that makes it. */
export interface BinaryHunk {
  kind: 'literal' | 'delta'
  data: Uint8Array
}

/**
 * Reads one of the parts below `GIT binary patch`; undefined when there is none. Source: git's `apply.c`, `parse_binary_hunk`.
 * @throws GitError `corrupt`, or `limit` when it inflates to more than `maxBytes`
 */
export function parseBinaryHunk(reader: PatchReader, maxBytes: number): BinaryHunk | undefined {
  const title = /^(literal|delta) (\d{1,15})\r?\n$/.exec(reader.peek())
  if (title === null) return undefined
  const start = reader.lineNumber
  const size = Number(title[2])
  if (size > maxBytes) throw new GitError('limit', `Cannot read patch: its binary content of ${size} bytes is over the limit of ${maxBytes} (line ${start})`)
  reader.next()
  const pieces: Uint8Array[] = []
  while (!isBlank(reader.peek())) pieces.push(decodeLine(reader))
  reader.next()
  return { kind: title[1] as BinaryHunk['kind'], data: inflate(reader, Buffer.concat(pieces), size, start) }
}

function isBlank(line: string): boolean {
  return line === '\n' || line === '\r\n'
}

function decodeLine(reader: PatchReader): Uint8Array {
  const line = reader.peek().replace(/\r?\n$/, '')
  const letter = line.charCodeAt(0)
  const length = letter >= 0x41 && letter <= 0x5a ? letter - 64 : letter >= 0x61 && letter <= 0x7a ? letter - 70 : 0
  if (length === 0) throw reader.corrupt('a line of binary content does not start with its length')
  const bytes = decodeBase85(line.slice(1), length)
  reader.next()
  return bytes
}

function inflate(reader: PatchReader, data: Uint8Array, size: number, line: number): Uint8Array {
  let inflated: Uint8Array
  try {
    inflated = inflateSync(data, { maxOutputLength: size + 1 })
  } catch (error) {
    throw new GitError('corrupt', reader.corrupt('binary content does not inflate', line).message, { cause: error })
  }
  if (inflated.length !== size) throw reader.corrupt(`binary content does not have the declared ${size} bytes`, line)
  return inflated
}
