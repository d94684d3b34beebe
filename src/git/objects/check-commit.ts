import { fault } from './fault.ts'
import { namedFault } from './fsck-messages.ts'
import type { OnHexLink } from './header-lines.ts'
import { HeaderLines } from './header-lines.ts'

/**
 * Checks the commit in `bytes[start, end)`: `tree`, any `parent`s, `author`, `committer`, in this order. Source: `fsck_commit` of git's `fsck.c`.
 * @param ignored faults to let pass, by git's names for them
 * @throws GitError `corrupt`, or `refused` with git's name for the fault
 */
export function checkCommit(bytes: Uint8Array, start: number, end: number, hexLength: number, onLink: OnHexLink, ignored: ReadonlySet<string>): void {
  const lines = new HeaderLines(bytes, start, end)
  if (!lines.take('tree')) throw fault('corrupt', 'it has no "tree" line')
  onLink(lines.id(hexLength, 'tree'), 'tree')
  while (lines.take('parent')) onLink(lines.id(hexLength, 'parent'), 'commit')
  if (!lines.take('author')) throw fault('corrupt', 'it has no "author" line')
  lines.identity('author', true, ignored)
  while (lines.take('author')) {
    if (!ignored.has('multipleAuthors')) throw namedFault('multipleAuthors', 'it has more than one "author" line')
    lines.identity('author', true, ignored)
  }
  if (!lines.take('committer')) throw fault('corrupt', 'it has no "committer" line')
  lines.identity('committer', true, ignored)
  if (!ignored.has('nulInCommit') && bytes.subarray(lines.at, end).includes(0)) throw namedFault('nulInCommit', 'its message has a NUL byte')
}
