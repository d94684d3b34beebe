import { isUtf8 } from 'node:buffer'
import type { Contents } from './contents.ts'
import { isBinary } from './line-stats.ts'

/** What a file says, and in which encoding. */
export interface FileText {
  text: string
  /** As people call it; undefined for UTF-8, and for what is ASCII. */
  charset: string | undefined
}

/** Its first character, as the two bytes that say which one of a character's two comes first. Source: RFC 2781. */
const byteOrders = [
  { mark: [0xff, 0xfe], decoder: new TextDecoder('utf-16le', { fatal: true }) },
  { mark: [0xfe, 0xff], decoder: new TextDecoder('utf-16be', { fatal: true }) },
]
const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Has a character for each byte, and is what bytes that are no UTF-8 are most often: ISO 8859-1 is a part of it. */
const western = new TextDecoder('windows-1252')

/**
 * The text of a file for people to read; undefined for what is none. What begins with the mark of UTF-16 is that, although it has NUL bytes.
 * @param isCut whether the bytes may end within a character
 * @param charset as `charsetOf` says; without one, what is not UTF-8 is Windows-1252
 */
export function readFileText(data: Uint8Array, isCut = false, charset?: string): FileText | undefined {
  const order = byteOrders.find(({ mark }) => mark.every((byte, i) => data[i] === byte))
  const wide = order && attempt(order.decoder, isCut ? data.subarray(0, data.length & ~1) : data)
  if (wide !== undefined) return wide.includes('\0') ? undefined : { text: wide, charset: 'UTF-16' }
  if (isBinary(data)) return undefined
  const text = isCut ? (attempt(utf8, wholeCharacters(data)) ?? attempt(utf8, data)) : attempt(utf8, data)
  if (text !== undefined) return { text, charset: undefined }
  const decoder = charset === undefined ? undefined : findDecoder(charset)
  return decoder ? { text: decoder.decode(data), charset } : { text: western.decode(data), charset: 'Windows-1252' }
}

/** Returns whether a file is text without a byte order mark that is not UTF-8. `charsetOf` detects its encoding. */
export function needsCharset(data: Uint8Array): boolean {
  return !isUtf8(data) && !byteOrders.some(({ mark }) => mark.every((byte, i) => data[i] === byte)) && !isBinary(data)
}

/** Returns the decoder of an encoding by any of its names, or undefined for an unknown name. */
export function findDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label as Bun.Encoding)
  } catch {
    return undefined
  }
}

/** Reads lines of a file: all are in the encoding of its bytes. @param charset as for `readFileText` */
export function lineReaderOf(data: Uint8Array, charset?: string): (bytes: Uint8Array) => string {
  if (isUtf8(data)) return readUtf8
  const decoder = (charset === undefined ? undefined : findDecoder(charset)) ?? western
  return (bytes) => decoder.decode(bytes)
}

/** What is put together of several files, as a patch is: each line that is no UTF-8 is read as a file of it would be. */
export function readMixedText(data: Uint8Array): string {
  if (isUtf8(data)) return readUtf8(data)
  const lines: string[] = []
  for (let start = 0, end = 0; start < data.length; start = end) {
    end = data.indexOf(LF, start) + 1 || data.length
    const line = data.subarray(start, end)
    lines.push(lineReaderOf(line)(line))
  }
  return lines.join('')
}

/** Both sides of a file that git calls binary, as UTF-8, where they are text all the same, and not the same text: lines can be compared then. */
export function contentsAsText({ before, after, isBinary: isNoText }: Contents): Contents | undefined {
  const [old, now] = isNoText ? [readFileText(before), readFileText(after)] : []
  return old && now && old.text !== now.text ? { before: Buffer.from(old.text), after: Buffer.from(now.text), isBinary: false } : undefined
}

const LF = 10

function readUtf8(bytes: Uint8Array): string {
  return Buffer.prototype.utf8Slice.call(bytes, 0, bytes.length)
}

function attempt(decoder: TextDecoder, data: Uint8Array): string | undefined {
  try {
    return decoder.decode(data)
  } catch {
    return undefined
  }
}

/** Without the beginning of a character of UTF-8 at the end, which has four bytes at most. */
function wholeCharacters(data: Uint8Array): Uint8Array {
  let end = data.length
  while (end > 0 && data.length - end < 4 && ((data[end - 1] as number) & 0xc0) === 0x80) end--
  return (data[end - 1] ?? 0) >= 0xc0 ? data.subarray(0, end - 1) : data
}
