import { statSync } from 'node:fs'

/** Which file lies there, and as of when; empty when there is none. */
export function identityOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })
  return file ? `${file.ino}:${file.mtimeMs}:${file.size}` : ''
}
