const letters: Readonly<Record<number, string>> = { 7: 'a', 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r', 34: '"', 92: '\\' }

const isPlain = /^[ !#-[\]-~]*$/

/** A path in the bytes of a repository. */
export interface Path {
  path: string
  rawPath?: Uint8Array
}

export function pathBytes({ path, rawPath }: Path): Uint8Array {
  return rawPath ?? Buffer.from(path)
}

/**
 * Paths (joined, e.g. a prefix and a path) as git prints them: in double quotes with escapes where a byte is a control character, a
 * quote, a backslash or no ASCII. Source: git's `quote.c` with `core.quotePath`, its default.
 */
export function quotePath(...parts: (string | Uint8Array)[]): string {
  const text = parts
    .map((part) => (typeof part === 'string' ? Buffer.from(part).toString('latin1') : Buffer.prototype.latin1Slice.call(part, 0, part.length)))
    .join('')
  if (isPlain.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  const quoted = Array.from(bytes, quoteByte).join('')
  return quoted.length === bytes.length ? quoted : `"${quoted}"`
}

function quoteByte(byte: number): string {
  const letter = letters[byte]
  if (letter !== undefined) return `\\${letter}`
  return byte < 32 || byte >= 127 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte)
}
