import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory, and those between it and `root`, which must be there itself: of a repository that is deleted meanwhile nothing comes to be again.
 * @returns the highest that was made, as `mkdir` does
 */
export function makeFolders(root: string, path: string): string | undefined {
  if (path === root) return undefined
  const made = makeFolders(root, dirname(path))
  try {
    mkdirSync(path)
    return made ?? path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return made
    throw error
  }
}
