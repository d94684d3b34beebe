import { deflateSync } from 'node:zlib'
import { makeDelta } from '../packs/write/make-delta.ts'
import { encodeBase85 } from './base85.ts'
import type { ByteWriter } from './byte-writer.ts'

const LINE_BYTES = 52
const LEVEL = 1
/** Contents larger than this are not looked into for a delta. */
const MAX_DELTA_BYTES = 16 << 20

/** Writes a patch of binary contents, both ways, as `git diff --binary` does. Source: git's `diff.c`, `emit_binary_diff`. */
export function writeBinaryPatch(out: ByteWriter, before: Uint8Array, after: Uint8Array): void {
  out.text('GIT binary patch\n')
  writeDirection(out, before, after)
  writeDirection(out, after, before)
}

/** Whichever is shorter: the content itself, or what makes it of the other one. */
function writeDirection(out: ByteWriter, from: Uint8Array, to: Uint8Array): void {
  const literal = deflateSync(to, { level: LEVEL })
  const delta = from.length > 0 && to.length > 0 && from.length + to.length < MAX_DELTA_BYTES ? makeDelta(from, to, literal.length) : undefined
  const deflated = delta === undefined ? undefined : deflateSync(delta, { level: LEVEL })
  if (delta !== undefined && deflated !== undefined && deflated.length < literal.length) writeBody(out, `delta ${delta.length}`, deflated)
  else writeBody(out, `literal ${to.length}`, literal)
}

function writeBody(out: ByteWriter, title: string, data: Uint8Array): void {
  out.text(`${title}\n`)
  for (let at = 0; at < data.length; at += LINE_BYTES) {
    const line = data.subarray(at, at + LINE_BYTES)
    out.text(`${lengthLetter(line.length)}${encodeBase85(line)}\n`)
  }
  out.text('\n')
}

function lengthLetter(length: number): string {
  return String.fromCharCode(length <= 26 ? 64 + length : 70 + length)
}
