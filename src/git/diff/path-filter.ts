/** Literal paths: which files lie at or below one of them, and which directories may hold such files. */
export class PathFilter {
  readonly #paths: readonly string[] | undefined

  /** @param paths undefined: everything matches. Slashes at either end do not count; an empty path is the root. */
  constructor(paths: readonly string[] | undefined) {
    const trimmed = paths?.map(trimSlashes)
    this.#paths = trimmed?.includes('') ? undefined : trimmed
  }

  /** Whether `path` is one of the paths, or below one. */
  matches(path: string): boolean {
    return this.#paths === undefined || this.#paths.some((wanted) => path === wanted || path.startsWith(`${wanted}/`))
  }

  /** Whether directory `path` matches, or holds something that may. */
  mayHold(path: string): boolean {
    return this.matches(path) || (this.#paths?.some((wanted) => wanted.startsWith(`${path}/`)) ?? true)
  }
}

export function trimSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (start < end && path[start] === '/') start++
  while (end > start && path[end - 1] === '/') end--
  return path.slice(start, end)
}
