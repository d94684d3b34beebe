import { NotFound } from '#kernel/errors.ts'

const MAX_PATH = 4096

/**
 * A path in a tree as clients send it, tidied: no slashes at the ends, none doubled, no `.`. It is compared with the
 * names in git's trees and never meets a file system.
 * @throws NotFound for what no tree can have: `..`, NUL, more than 4096 characters
 */
export function parseTreePath(text: string): string {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  if (text.length > MAX_PATH || parts.includes('..') || text.includes('\0')) throw new NotFound()
  return parts.join('/')
}
