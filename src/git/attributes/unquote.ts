const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\', '"': '"' }

/**
 * The C string that `text` begins with, and where it ends; undefined when it is none. Source: `unquote_c_style` of git's `quote.c`.
 * Texts of bytes: a byte in each character.
 */
export function unquote(text: string): { text: string; end: number } | undefined {
  let out = ''
  for (let at = 1; at < text.length; ) {
    const character = text[at]
    if (character === '"') return { text: out, end: at + 1 }
    if (character !== '\\') {
      out += character
      at++
      continue
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0]
    const escaped = octal === undefined ? escapes[text[at + 1] as string] : String.fromCharCode(Number.parseInt(octal, 8))
    if (escaped === undefined) return undefined
    out += escaped
    at += octal === undefined ? 2 : 4
  }
  return undefined
}
