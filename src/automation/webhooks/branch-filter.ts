import { Unprocessable } from '#kernel/errors.ts'

/**
 * A glob over branch names: `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{main,release/*}`, and `\` before a character that means itself.
 * @throws Unprocessable when a bracket, a brace or a backslash has nothing to close or escape
 */
export function checkBranchFilter(glob: string): void {
  let braces = 0
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] === '\\') at++
    else if (glob[at] === '{') braces++
    else if (glob[at] === '}') braces--
    else if (glob[at] === '[') at = endOfClass(glob, at)
    if (at >= glob.length || braces < 0) throw badFilter(glob)
  }
  if (braces !== 0 || /[\0-\x1f\x7f]/.test(glob)) throw badFilter(glob)
}

/** Where the `]` of a class stands, or the glob's length; the first character of a class may be `]` itself. */
function endOfClass(glob: string, open: number): number {
  const first = open + (glob[open + 1] === '!' || glob[open + 1] === '^' ? 2 : 1)
  for (let at = first; at < glob.length; at++) {
    if (glob[at] === '\\') at++
    else if (glob[at] === ']' && at > first) return at
  }
  return glob.length
}

function badFilter(glob: string): Unprocessable {
  return new Unprocessable(`[branch_filter]: ${JSON.stringify(glob)} is not a valid glob pattern`)
}
