import { fstatSync, type Stats, statSync } from 'node:fs'

/** Which file lies there, and as of when; empty when there is none. */
export function identityOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })
  return file ? identityIn(file) : ''
}

/** The same of a file that is open, whatever lies at its path by now. */
export function identityOfOpen(fd: number): string {
  return identityIn(fstatSync(fd))
}

function identityIn({ ino, mtimeMs, size }: Stats): string {
  return `${ino}:${mtimeMs}:${size}`
}
