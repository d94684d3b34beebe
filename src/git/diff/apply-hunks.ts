import { GitError } from '../errors.ts'
import type { PatchHunk } from './parse-patch.ts'

/** Lines that are compared to find the places of all hunks of a file, at most. */
const MAX_COMPARISONS = 50_000_000

/**
 * Replaces what each hunk says, where its lines are found: in place or, when lines have come or gone above, as near to it as
 * possible. Nothing but the place may differ. Source: git's `apply.c`, `apply_one_fragment` and `find_pos`.
 * @param name for errors
 * @throws GitError `refused` when lines are not found, `limit`
 */
export function applyHunks(content: string, hunks: readonly PatchHunk[], name: string): string {
  const image = new Image(content)
  for (const [at, hunk] of hunks.entries()) {
    if (!image.apply(hunk)) {
      throw new GitError(
        'refused',
        `Cannot apply patch to "${name}": hunk ${at + 1} (line ${hunk.line} of the patch, for line ${hunk.oldStart} of the file) does not apply`,
      )
    }
  }
  return image.text()
}

class Image {
  #lines: string[]
  /** Lines that a hunk has put there: no other hunk may rely on them. */
  #isPatched: boolean[]
  #comparisons = 0

  constructor(content: string) {
    this.#lines = linesOf(content)
    this.#isPatched = this.#lines.map(() => false)
  }

  apply(hunk: PatchHunk): boolean {
    const { before, after, oldStart, newStart, hasTrailingContext } = hunk
    const isAtBeginning = oldStart <= 1
    const isAtEnd = !hasTrailingContext
    const wanted = isAtBeginning ? 0 : isAtEnd ? this.#lines.length - before.length : Math.max(0, newStart - 1)
    const at = this.#find(before, wanted < 0 || wanted > this.#lines.length ? this.#lines.length : wanted, isAtBeginning, isAtEnd)
    if (at < 0) return false
    this.#spend(this.#lines.length >> 4)
    this.#lines = [...this.#lines.slice(0, at), ...after, ...this.#lines.slice(at + before.length)]
    this.#isPatched = [...this.#isPatched.slice(0, at), ...after.map(() => true), ...this.#isPatched.slice(at + before.length)]
    return true
  }

  text(): string {
    return this.#lines.join('')
  }

  /** Looks below and above of `wanted` in turn. */
  #find(before: readonly string[], wanted: number, isAtBeginning: boolean, isAtEnd: boolean): number {
    if (isAtBeginning || isAtEnd) {
      const only = isAtBeginning ? 0 : this.#lines.length - before.length
      const fits = only >= 0 && (!isAtEnd || only + before.length === this.#lines.length) && this.#matches(before, only)
      return fits ? only : -1
    }
    for (let distance = 0; distance <= this.#lines.length; distance++) {
      if (wanted + distance <= this.#lines.length && this.#matches(before, wanted + distance)) return wanted + distance
      if (distance > 0 && wanted - distance >= 0 && this.#matches(before, wanted - distance)) return wanted - distance
    }
    return -1
  }

  #matches(before: readonly string[], at: number): boolean {
    if (at + before.length > this.#lines.length) return false
    for (let i = 0; i < before.length; i++) {
      this.#spend(1)
      if (this.#isPatched[at + i] || this.#lines[at + i] !== before[i]) return false
    }
    return true
  }

  #spend(steps: number): void {
    this.#comparisons += steps
    if (this.#comparisons > MAX_COMPARISONS) throw new GitError('limit', 'Cannot apply patch: it takes too much work to find the position of its hunks')
  }
}

function linesOf(content: string): string[] {
  const lines: string[] = []
  for (let start = 0; start < content.length; ) {
    const lf = content.indexOf('\n', start)
    const end = lf < 0 ? content.length : lf + 1
    lines.push(content.slice(start, end))
    start = end
  }
  return lines
}
