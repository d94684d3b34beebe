import { GitError } from '../errors.ts'
import type { ObjectType, Oid } from './oid.ts'
import { isOid } from './oid.ts'

/** A commit or tag cut in two: `key value` lines, and the message behind the first empty line. */
export interface HeaderAndMessage {
  /** Keys with values, in order; the lines of a folded value are joined by line breaks. */
  headers: [key: string, value: string][]
  message: string
}

const LF = 10

/** Reads a commit's or tag's bytes as text, in UTF-8 or what an `encoding` line says. Nothing but the split is checked. */
export function splitHeader(data: Uint8Array): HeaderAndMessage {
  const end = headerEnd(data)
  const headers = unfold(utf8(data, 0, end))
  const label = headers.find(([key]) => key === 'encoding')?.[1]
  const decoder = label === undefined ? undefined : findDecoder(label)
  if (decoder === undefined) return { headers, message: utf8(data, Math.min(end + 2, data.length), data.length) }
  return { headers: unfold(decoder.decode(data.subarray(0, end))), message: decoder.decode(data.subarray(end + 2)) }
}

/** `key value` lines, those of folded values indented by a space; source: git's `commit.c`, `add_extra_header`. */
export function headerLine(key: string, value: string): string {
  return `${key} ${value.replaceAll('\n', '\n ')}\n`
}

/** The id in `value`. @throws GitError `corrupt` */
export function idIn(type: ObjectType, key: string, value: string | undefined): Oid {
  if (value === undefined) throw new GitError('corrupt', `Cannot read ${type}: it has no "${key}" line`)
  if (!isOid(value)) throw new GitError('corrupt', `Cannot read ${type}: its "${key}" line is not an object ID`)
  return value
}

/** Where the header ends: at the line break that the empty line follows, or at the end. */
function headerEnd(data: Uint8Array): number {
  for (let at = data.indexOf(LF); at >= 0; at = data.indexOf(LF, at + 1)) if (data[at + 1] === LF) return at
  return data.length
}

/** A folded value is cut out as a whole: its lines, of which there may be hundreds of thousands, are no texts of their own. */
function unfold(text: string): [string, string][] {
  const headers: [string, string][] = []
  // An empty line is there at the beginning at most.
  for (let at = text[0] === '\n' ? 1 : 0; at < text.length; ) {
    const lineEnd = endOf(text, at)
    let end = lineEnd
    while (text[end + 1] === ' ') end = endOf(text, end + 1)
    const [key, first] = cut(text.slice(at, lineEnd))
    headers.push([key, end > lineEnd ? first + text.slice(lineEnd, end).replaceAll('\n ', '\n') : first])
    at = end + 1
  }
  return headers
}

/** Where the line that begins at `at` ends. */
function endOf(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function cut(line: string): [string, string] {
  const space = line.indexOf(' ')
  return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]
}

/** Undefined for UTF-8 and for labels that nobody knows. */
function findDecoder(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label as Bun.Encoding)
    return decoder.encoding === 'utf-8' ? undefined : decoder
  } catch {
    return undefined
  }
}

function utf8(data: Uint8Array, from: number, to: number): string {
  return Buffer.prototype.utf8Slice.call(data, from, to)
}
