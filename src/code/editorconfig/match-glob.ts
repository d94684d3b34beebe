import type { Effort } from '#git/attributes/effort.ts'
import { wildmatch } from '#git/attributes/wildmatch.ts'

/** One heading stands for no more patterns than this; what goes beyond is left as it is written. */
const MAX_PATTERNS = 200

/**
 * Whether a heading of an `.editorconfig` means a file. Beside git's patterns there are `{a,b}`, `{1..9}`, and `**` anywhere.
 * @param path of the file, from the directory of the `.editorconfig`
 * @throws GitError `limit` when `effort` is spent
 */
export function matchesGlob(glob: string, path: string, effort: Effort): boolean {
  const rooted = glob.startsWith('/') ? glob.slice(1) : glob.includes('/') ? glob : `**/${glob}`
  const text = Buffer.from(path).toString('latin1')
  return expand(rooted).some((pattern) => wildmatch(Buffer.from(pattern).toString('latin1'), text, true, effort))
}

/** The patterns without braces that it stands for. */
function expand(glob: string): string[] {
  let patterns = [glob]
  for (let at = 0; at < patterns.length; ) {
    const options = expandOnce(patterns[at] as string)
    if (options === undefined) at++
    else if (patterns.length + options.length > MAX_PATTERNS) return [glob]
    else patterns = patterns.toSpliced(at, 1, ...options)
  }
  return patterns.map((pattern) => pattern.replace(/\{([^{},]*)\}/g, '\\{$1\\}')).flatMap(spread)
}

/** With the first of the innermost braces replaced by each thing it offers; undefined when there is none. */
function expandOnce(pattern: string): string[] | undefined {
  for (const found of pattern.matchAll(/(?<!\\)\{([^{}]*)\}/g)) {
    const options = optionsIn(found[1] as string)
    if (options) return options.map((option) => pattern.slice(0, found.index) + option + pattern.slice(found.index + found[0].length))
  }
  return undefined
}

function optionsIn(inside: string): string[] | undefined {
  const [, from, to] = /^([+-]?\d{1,9})\.\.([+-]?\d{1,9})$/.exec(inside) ?? []
  if (from === undefined || to === undefined) return inside.includes(',') ? inside.split(',') : undefined
  const [least, most] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))]
  return most - least >= MAX_PATTERNS ? undefined : Array.from({ length: most - least + 1 }, (_, i) => String(least + i))
}

/** Git takes `**` for more than `*` only between slashes; here it crosses them anywhere. */
function spread(pattern: string): string[] {
  const bare = /(?<!^|\/|\*)\*\*(?!\*)|(?<!\*)\*\*(?!\/|$|\*)/
  return bare.test(pattern) ? [pattern.replace(bare, '*'), pattern.replace(bare, '*/**/*')] : [pattern]
}
