/** Names in patches, as bytes in latin1. Source: git's `apply.c` and `quote.c`. */

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', '"': '"', '\\': '\\' }
const quotedName = /^"((?:[^"\\\n]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*)"/

/** The quoted name that `text` begins with, and how long it is; undefined when it begins with none. */
export function readQuoted(text: string): { name: string; length: number } | undefined {
  const match = quotedName.exec(text)
  if (match === null) return undefined
  const name = (match[1] as string).replace(/\\([0-7]{3}|.)/g, (_, code: string) => escapes[code] ?? String.fromCharCode(Number.parseInt(code, 8)))
  return { name, length: match[0].length }
}

/** What stands behind `rename from ` and the like. */
export function wholeName(text: string): string | undefined {
  const line = withoutLineBreak(text)
  return line.startsWith('"') ? readQuoted(line)?.name : line === '' ? undefined : line
}

/** The name of a `---` or `+++` line without its `a/` or `b/`; null for `/dev/null`, undefined when there is none. */
export function sideName(text: string): string | null | undefined {
  const line = withoutLineBreak(text)
  const tab = line.indexOf('\t')
  const name = line.startsWith('"') ? readQuoted(line)?.name : tab < 0 ? line : line.slice(0, tab)
  if (name === '/dev/null') return null
  return name === undefined ? undefined : withoutPrefix(name)
}

/** The name that a `diff --git` line has twice; undefined where it has two different ones, which further lines tell. */
export function commonName(text: string): string | undefined {
  const line = withoutLineBreak(text)
  const first = readQuoted(line)
  if (first !== undefined) {
    const second = line.slice(first.length).trimStart()
    return sameName(first.name, readQuoted(second)?.name ?? second)
  }
  const quote = line.indexOf('"')
  if (quote > 0) return sameName(line.slice(0, quote).trimEnd(), readQuoted(line.slice(quote))?.name)
  // Both are as long as each other, but for prefixes that differ; a blank lies between them.
  for (let at = line.indexOf(' '); at >= 0; at = line.indexOf(' ', at + 1)) {
    const name = sameName(line.slice(0, at), line.slice(at + 1))
    if (name !== undefined) return name
  }
  return undefined
}

function sameName(a: string, b: string | undefined): string | undefined {
  const [left, right] = [withoutPrefix(a), b === undefined ? undefined : withoutPrefix(b)]
  return left !== undefined && left === right ? left : undefined
}

/** Without what stands before the first slash, as `-p1` takes it away. */
function withoutPrefix(name: string): string | undefined {
  const slash = name.indexOf('/')
  return slash < 0 || slash === name.length - 1 ? undefined : name.slice(slash + 1)
}

function withoutLineBreak(line: string): string {
  return line.replace(/\r?\n$/, '')
}
